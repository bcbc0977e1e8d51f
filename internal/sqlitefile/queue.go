package sqlitefile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
)

// Job is a change of the database, used once. One goroutine per process makes all changes. It
// combines many jobs into one transaction, because the cost is per transaction, not per row.
type Job struct {
	Key  int64 // a transaction does its jobs in the order of their keys, and jobs of one key in the order of arrival
	Size int   // bytes that the change adds to the database

	// Do makes the change within a transaction, and returns the number of
	// changed rows. It is called again if the transaction fails.
	Do func(*Conn) (int64, error)

	// DoAlone is called instead of Do, outside a transaction and without other
	// jobs.
	DoAlone func(*Conn) error

	ctx context.Context

	// n and err are the result. They are set before done is closed.
	n    int64
	err  error
	done chan struct{}
}

// Queue makes the changes of one process to a database. It is safe for concurrent use.
type Queue struct {
	db         *DB
	sweep      func(*Conn) error
	jobs       chan *Job
	closing    chan struct{} // closed when Close begins
	closeOnce  sync.Once
	stopped    chan struct{} // closed when the writing goroutine has ended
	unmeasured int64         // bytes that the writing goroutine has put since the last sweep
}

// NewQueue starts the goroutine that changes db, until Close. It calls sweep, which bounds
// the database, after a 64th of MaxBytes was added, or 1 MiB if that is less. It calls sweep
// in the transaction that might have made the database too large, so many processes exceed
// the bound no further than a single one.
func NewQueue(db *DB, sweep func(*Conn) error) *Queue {
	q := &Queue{
		db: db, sweep: sweep, jobs: make(chan *Job, maxBatch), closing: make(chan struct{}),
		stopped:    make(chan struct{}),
		unmeasured: db.MaxBytes, // the first put sweeps, since the bound might have changed
	}
	go q.write()
	return q
}

// Close makes the queued changes, and closes the database. Later calls of Submit return an
// error that wraps [os.ErrClosed].
func (q *Queue) Close() {
	q.closeOnce.Do(func() {
		close(q.closing)
		q.db.Stop()
		<-q.stopped
		q.db.Close()
	})
}

// ErrReadOnly returns the error of a change of a database that was opened for reading only.
func (d *DB) ErrReadOnly() error {
	return fmt.Errorf("%w: the store was opened for reading only", d.Config.Degraded)
}

const (
	maxBatch      = 4096    // jobs
	maxBatchBytes = 8 << 20 // of a transaction, or a sixteenth of the store if that is less
)

// Submit queues a job and waits for its result, or until ctx ends.
func (q *Queue) Submit(ctx context.Context, j *Job) (int64, error) {
	if q.db.ReadOnly {
		return 0, cmp.Or(q.db.Unusable(), q.db.ErrReadOnly())
	}
	j.ctx = ctx
	j.done = make(chan struct{})
	select {
	case q.jobs <- j:
	case <-j.ctx.Done():
		return 0, j.ctx.Err()
	case <-q.closing:
		return 0, q.db.closed()
	}
	select {
	case <-j.done:
	case <-j.ctx.Done():
		return 0, j.ctx.Err()
	case <-q.stopped:
		select {
		case <-j.done:
		default:
			return 0, q.db.closed() // the job was queued after the writing goroutine ended
		}
	}
	return j.n, j.err
}

// SubmitLater queues a job without waiting for its result. If the queue is full, the
// job is dropped.
func (q *Queue) SubmitLater(j *Job) {
	if q.db.ReadOnly {
		return
	}
	j.ctx = context.Background()
	j.done = make(chan struct{})
	select {
	case q.jobs <- j:
	default:
	}
}

func (q *Queue) write() {
	defer close(q.stopped)
	for {
		select {
		case j := <-q.jobs:
			q.commit(q.gather(j))
			continue
		case <-q.closing:
		}
		select {
		case j := <-q.jobs:
			q.commit(q.gather(j))
		default:
			return
		}
	}
}

// gather returns first and the queued jobs that fit into the same transaction. It
// does not wait for more: jobs for the next transaction queue up while this one is
// committed.
func (q *Queue) gather(first *Job) []*Job {
	batch := []*Job{first}
	room := int(min(q.db.MaxBytes/16, maxBatchBytes)) - first.Size
	for first.DoAlone == nil && len(batch) < maxBatch && room > 0 {
		select {
		case j := <-q.jobs:
			batch = append(batch, j)
			room -= j.Size
			if j.DoAlone != nil {
				return batch
			}
		default:
			return batch
		}
	}
	return batch
}

// commit runs a batch and sets the results. Only its last job can have a DoAlone. A job that
// panics does not end the process, nor the other jobs: they are run again without it.
func (q *Queue) commit(batch []*Job) {
	if last := len(batch) - 1; last > 0 && batch[last].DoAlone != nil {
		q.commit(batch[:last])
		batch = batch[last:]
	}
	for len(batch) > 0 {
		err := q.db.Write(func(c *Conn) error { return q.transact(c, batch) })
		done := batch
		if bug, ok := errors.AsType[*panicError](err); ok && bug.job != nil {
			done = []*Job{bug.job}
		}
		for _, j := range done {
			if err != nil {
				j.n, j.err = 0, err
			}
			close(j.done)
		}
		batch = slices.DeleteFunc(batch, func(j *Job) bool { return slices.Contains(done, j) })
	}
}

type panicError struct {
	job   *Job // nil if none of the batch did
	cause any
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.cause) }

func (q *Queue) transact(c *Conn, batch []*Job) (err error) {
	var doing *Job
	defer func() {
		if cause := recover(); cause != nil {
			err = &panicError{doing, cause}
			q.db.Logger.Error("internal error", "path", q.db.Path, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
		}
	}()
	doing = batch[0]
	if doing.DoAlone != nil {
		return doing.DoAlone(c)
	}
	// The order of the index is a tenth faster than the order of arrival, which
	// does not matter, because no caller has a result yet.
	slices.SortStableFunc(batch, func(a, b *Job) int { return cmp.Compare(a.Key, b.Key) })
	due := false
	err = c.Transact(func() error {
		var size int64
		for _, j := range batch {
			j.n, j.err = 0, j.ctx.Err()
			if j.err != nil {
				continue // its caller has stopped waiting
			}
			var err error
			doing = j
			j.n, err = j.Do(c)
			if err != nil {
				return err
			}
			size += int64(j.Size)
		}
		doing = nil
		q.unmeasured += size
		due = q.unmeasured >= min(q.db.MaxBytes/64, 1<<20)
		if !due {
			return nil
		}
		q.unmeasured = 0
		return q.sweep(c)
	})
	if err != nil {
		return err
	}
	if due {
		if err := q.tidy(c); IsDamage(err) {
			return err
		}
		// Other errors do not matter: the batch is committed.
	}
	return nil
}

// tidy returns unused pages to the file system and limits the log. It runs outside a
// transaction.
func (q *Queue) tidy(c *Conn) error {
	used, unused, err := usedBytes(c)
	if err != nil {
		return err
	}
	if unused > used/3 && unused > 4<<20 {
		if err := Shrink(c, 4<<20); err != nil {
			return err
		}
	}
	// SQLite restarts the log by itself when no connection reads. If there is
	// always a reader, wait for it before the log becomes as large as the
	// database.
	log, err := os.Stat(q.db.Path + "-wal")
	if err == nil && log.Size() > 4*LogSize(q.db.MaxBytes) {
		return Checkpoint(c)
	}
	return nil
}
