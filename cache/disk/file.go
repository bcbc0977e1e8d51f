package disk

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// file is the set of connections of this process to one database. All connections
// are opened under one lock of the directory and closed together, so that they
// belong to the same file.
type file struct {
	path    string
	id      os.FileInfo
	readers chan *conn
	writer  chan *conn
	retired chan struct{} // closed when no new work may start on this file

	readersOpen int

	checkedAt atomic.Int64 // time of the last isInPlace
}

const (
	pageSize        = 4096 // SQLite's default
	busyMillis      = 10_000
	writerCacheKiB  = 32 << 10 // the index by hash of a million entries
	readersCacheKiB = 32 << 10 // for all readers together
)

// openFile opens the database, and creates its schema. The caller must
// have the lock of the directory.
func openFile(path string, maxBytes int64) (*file, error) {
	return connect(path, maxBytes, prepareSchema)
}

// openReadOnly opens the database without changing anything.
func openReadOnly(path string, maxBytes int64) (*file, error) {
	if _, err := checkPrivate(path); err != nil {
		return nil, err
	}
	f, err := connect(path, maxBytes, checkSchema, "mode", "ro")
	if _, statErr := os.Stat(path); err == nil || statErr != nil || isDamage(err) {
		return f, err
	}
	// Without its log and on a read-only file system, SQLite needs the option
	// immutable: no process changes the database.
	if f, err := connect(path, maxBytes, checkSchema, "mode", "ro", "immutable", "1"); err == nil {
		return f, nil
	}
	return nil, err
}

// connect opens the connections. prepare is called with the first one; options are
// those of openConn.
func connect(path string, maxBytes int64, prepare func(context.Context, *conn) error, options ...string) (*file, error) {
	ctx := context.Background()
	readers := min(4, max(2, runtime.GOMAXPROCS(0)))
	f := &file{
		path:    path,
		readers: make(chan *conn, readers),
		writer:  make(chan *conn, 1),
		retired: make(chan struct{}),
	}
	checkpoint := int(logSize(maxBytes) / pageSize)
	w, err := openConn(path, settings(busyMillis, writerCacheKiB, checkpoint), options...)
	if err != nil {
		return nil, err
	}
	f.writer <- w
	if err := prepare(ctx, w); err != nil {
		f.close()
		return nil, err
	}
	for range readers {
		// Readers have no busy timeout. They wait in Store.read, which obeys the
		// context.
		r, err := openConn(path, settings(0, readersCacheKiB/readers, checkpoint), options...)
		if err == nil {
			f.readers <- r
			f.readersOpen++
			// A query makes the connection open the log and its index now.
			_, err = r.number(ctx, "SELECT count(*) FROM (SELECT 1 FROM entries LIMIT 1)")
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
	if f.id, err = os.Stat(path); err != nil {
		f.close()
		return nil, err
	}
	f.checkedAt.Store(time.Now().UnixNano())
	return f, nil
}

// logSize returns the size at which the log is written back into the database. A
// larger log collects more changes of each index page before that page is written
// to the database.
func logSize(maxBytes int64) int64 {
	return min(max(maxBytes/16, 1<<20), 32<<20)
}

// with calls do with a connection from one of the two channels.
func (f *file) with(ctx context.Context, from chan *conn, do func(*conn) error) error {
	var c *conn
	select {
	case c = <-from:
	default:
		select {
		case c = <-from:
		case <-f.retired:
			return errRetired
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { from <- c }()
	return do(c)
}

// close waits for all connections in use, and closes them. It must be called once.
func (f *file) close() {
	close(f.retired)
	for range f.readersOpen {
		(<-f.readers).close()
	}
	(<-f.writer).close()
}

// isInPlace reports whether the file at the path is still this one. It does not
// open the file: closing it again would release the locks that SQLite has on it in
// this process.
func (f *file) isInPlace() bool {
	now, err := os.Stat(f.path)
	f.checkedAt.Store(time.Now().UnixNano())
	return err == nil && os.SameFile(now, f.id)
}

// checkInterval is the longest time for which a process reads from a database that
// another process has renamed.
const checkInterval = int64(time.Second)

// checkDue reports whether isInPlace should be called again.
func (f *file) checkDue(now int64) bool {
	last := f.checkedAt.Load()
	return now-last > checkInterval && f.checkedAt.CompareAndSwap(last, now)
}
