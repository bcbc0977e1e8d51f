package disk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// job is a change, made by the one goroutine of the process that writes. Many
// of them make one transaction: what costs is the transaction, not the row.
type job struct {
	ctx  context.Context
	hash int64 // of the key that it concerns, if it is one
	size int   // how much room it takes

	// do makes the change within a transaction, and says how many rows it
	// concerned. It may be called again, if the transaction came to nothing.
	do func(*conn) (int64, error)

	// apart is called instead, by itself and outside of a transaction.
	apart func(*conn) error

	// The answer, when done is closed.
	n    int64
	err  error
	done chan struct{}
}

const (
	maxBatch      = 4096    // jobs
	maxBatchBytes = 8 << 20 // of a transaction, or a sixteenth of the store if that is less

	// attempts are made for a transaction if the file turns out to be damaged
	// or replaced. The second is made on a new file, and the third if another
	// process replaced that one just then.
	attempts = 3
)

// submit has a job done. The caller stops waiting when its context ends.
func (s *Store) submit(j *job) (int64, error) {
	j.done = make(chan struct{})
	select {
	case s.jobs <- j:
	case <-j.ctx.Done():
		return 0, j.ctx.Err()
	case <-s.closing:
		return 0, errClosed
	}
	select {
	case <-j.done:
	case <-j.ctx.Done():
		return 0, j.ctx.Err()
	case <-s.stopped:
		select {
		case <-j.done:
		default:
			return 0, errClosed // it came to the queue when nobody looked at that any more
		}
	}
	return j.n, j.err
}

// write does jobs until the store is closed, and then those that wait.
func (s *Store) write() {
	defer close(s.stopped)
	for {
		select {
		case j := <-s.jobs:
			s.commit(s.gather(j))
			continue
		case <-s.closing:
		}
		select {
		case j := <-s.jobs:
			s.commit(s.gather(j))
		default:
			return
		}
	}
}

// gather returns first and what waits behind it, as far as it fits into one
// transaction. It waits for nothing: while one transaction is committed the jobs
// of the next one come together.
func (s *Store) gather(first *job) []*job {
	batch, room := []*job{first}, int(min(s.maxBytes/16, maxBatchBytes))-first.size
	for first.apart == nil && len(batch) < maxBatch && room > 0 {
		select {
		case j := <-s.jobs:
			batch = append(batch, j)
			room -= j.size
			if j.apart != nil {
				return batch
			}
		default:
			return batch
		}
	}
	return batch
}

// commit does a batch, and answers. Its last job may be one apart.
func (s *Store) commit(batch []*job) {
	if last := len(batch) - 1; last > 0 && batch[last].apart != nil {
		s.commit(batch[:last])
		batch = batch[last:]
	}
	err := s.noWrite.refusal()
	if err == nil {
		err = s.attempt(batch)
	}
	for _, j := range batch {
		if err != nil {
			j.n, j.err = 0, err
		}
		close(j.done)
	}
}

// attempt does a batch, on a new file if need be, and judges what goes wrong.
func (s *Store) attempt(batch []*job) error {
	ctx := context.Background() // each caller has its own, and none may stop the others
	var f *file
	var err error
	for range attempts {
		if f, err = s.current(ctx); err != nil {
			return err
		}
		suspect := false // about the connection, not about the file
		err = f.with(ctx, f.writer, func(c *conn) error {
			err := s.transact(c, batch)
			if err != nil {
				suspect = rollback(c) != nil
			}
			return err
		})
		switch {
		case errors.Is(err, errRetired):
			continue
		case isDamage(err):
			if _, moved := s.replace(ctx, f, err); moved != nil {
				return moved
			}
			continue
		case suspect || err == nil && !f.isInPlace():
			// What was committed to a file that nobody finds any more is lost.
			if _, moved := s.replace(ctx, f, nil); moved != nil {
				return moved
			}
			if !suspect {
				continue
			}
		}
		break
	}
	return s.judge(err)
}

// judge tells the trouble of one transaction from that which will last.
func (s *Store) judge(err error) error {
	switch {
	case err == nil:
		if s.noWrite.end() {
			s.log.Info("the robots.txt cache on disk can be written again", "path", s.path)
		}
		return nil
	case isBusy(err), isDamage(err), errors.Is(err, ErrDegraded), errors.Is(err, errClosed), errors.Is(err, errRetired):
		return fmt.Errorf("cache/disk: %w", err)
	}
	err = s.noWrite.begin(err)
	s.warnDegraded(err)
	return err
}

// transact does a batch in one transaction, or what is apart.
func (s *Store) transact(c *conn, batch []*job) error {
	if batch[0].apart != nil {
		return batch[0].apart(c)
	}
	ctx := context.Background()
	if _, err := c.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	// Neighbours in the index one after the other: a tenth faster than in the
	// order of arrival, which says nothing, as nobody has an answer yet.
	slices.SortStableFunc(batch, func(a, b *job) int { return cmp.Compare(a.hash, b.hash) })
	var size int64
	for _, j := range batch {
		if j.n, j.err = 0, j.ctx.Err(); j.err != nil {
			continue // nobody waits for it
		}
		var err error
		if j.n, err = j.do(c); err != nil {
			return err
		}
		size += int64(j.size)
	}
	swept, err := s.sweep(c, size, time.Now().UnixNano())
	if err != nil {
		return err
	}
	if _, err := c.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	if swept {
		if err := s.tidy(c); isDamage(err) {
			return err
		}
		// Anything else is no reason to take back what is committed.
	}
	return nil
}
