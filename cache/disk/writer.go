package disk

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// job is a change of the database. One goroutine per process makes all changes. It
// combines many jobs into one transaction, because the cost is per transaction, not
// per row.
type job struct {
	ctx  context.Context
	hash int64 // of the key, if the job is about one key
	size int   // bytes that the change adds to the database

	// do makes the change within a transaction, and returns the number of
	// changed rows. It is called again if the transaction fails.
	do func(*sqlitefile.Conn) (int64, error)

	// doAlone is called instead of do, outside a transaction and without other
	// jobs.
	doAlone func(*sqlitefile.Conn) error

	// n and err are the result. They are set before done is closed.
	n    int64
	err  error
	done chan struct{}
}

const (
	maxBatch      = 4096    // jobs
	maxBatchBytes = 8 << 20 // of a transaction, or a sixteenth of the store if that is less
)

// submit queues a job and waits for its result, or until its context ends.
func (s *Store) submit(j *job) (int64, error) {
	if s.db.ReadOnly {
		return 0, cmp.Or(s.db.Unusable(), errReadOnly)
	}
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
			return 0, errClosed // the job was queued after the writing goroutine ended
		}
	}
	return j.n, j.err
}

// submitLater queues a job without waiting for its result. If the queue is full, the
// job is dropped.
func (s *Store) submitLater(j *job) {
	if s.db.ReadOnly {
		return
	}
	j.done = make(chan struct{})
	select {
	case s.jobs <- j:
	default:
	}
}

// write runs jobs until the store is closed, and then the queued ones.
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

// gather returns first and the queued jobs that fit into the same transaction. It
// does not wait for more: jobs for the next transaction queue up while this one is
// committed.
func (s *Store) gather(first *job) []*job {
	batch, room := []*job{first}, int(min(s.maxBytes/16, maxBatchBytes))-first.size
	for first.doAlone == nil && len(batch) < maxBatch && room > 0 {
		select {
		case j := <-s.jobs:
			batch = append(batch, j)
			room -= j.size
			if j.doAlone != nil {
				return batch
			}
		default:
			return batch
		}
	}
	return batch
}

// commit runs a batch and sets the results. Only its last job may have a doAlone.
func (s *Store) commit(batch []*job) {
	if last := len(batch) - 1; last > 0 && batch[last].doAlone != nil {
		s.commit(batch[:last])
		batch = batch[last:]
	}
	err := s.db.Write(func(c *sqlitefile.Conn) error { return s.transact(c, batch) })
	for _, j := range batch {
		if err != nil {
			j.n, j.err = 0, err
		}
		close(j.done)
	}
}

// transact runs a batch in one transaction, or a job with a doAlone without one.
func (s *Store) transact(c *sqlitefile.Conn, batch []*job) error {
	if batch[0].doAlone != nil {
		return batch[0].doAlone(c)
	}
	ctx := context.Background()
	if _, err := c.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	// The order of the index is a tenth faster than the order of arrival, which
	// does not matter, because no caller has a result yet.
	slices.SortStableFunc(batch, func(a, b *job) int { return cmp.Compare(a.hash, b.hash) })
	var size int64
	for _, j := range batch {
		if j.n, j.err = 0, j.ctx.Err(); j.err != nil {
			continue // its caller has stopped waiting
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
	if _, err := c.Exec(ctx, "COMMIT"); err != nil {
		return err
	}
	if swept {
		if err := s.tidy(c); sqlitefile.IsDamage(err) {
			return err
		}
		// Other errors do not matter: the batch is committed.
	}
	return nil
}
