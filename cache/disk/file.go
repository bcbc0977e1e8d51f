package disk

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// file is the set of connections of this process to one database. All of them
// are opened while the lock of the directory is held, and closed together, so
// that all belong to the same file.
type file struct {
	path    string
	id      os.FileInfo
	readers chan *conn
	writer  chan *conn
	retired chan struct{} // closed when nobody shall begin anything new with it

	readersOpen int

	lookedAt atomic.Int64 // when somebody has last seen that the file is in its place
}

const (
	pageSize        = 4096 // of SQLite, unless told otherwise
	busyMillis      = 10_000
	writerCacheKiB  = 32 << 10 // the index by hash of a million entries
	readersCacheKiB = 32 << 10 // of all of them
)

// openFile opens the database and makes its schema ours. The caller holds the
// lock of the directory.
func openFile(path string, maxBytes int64) (*file, error) {
	ctx := context.Background()
	readers := min(4, max(2, runtime.GOMAXPROCS(0)))
	f := &file{
		path:    path,
		readers: make(chan *conn, readers),
		writer:  make(chan *conn, 1),
		retired: make(chan struct{}),
	}
	checkpoint := int(logSize(maxBytes) / pageSize)
	w, err := openConn(path, settings(busyMillis, writerCacheKiB, checkpoint))
	if err != nil {
		return nil, err
	}
	f.writer <- w
	if err := prepareSchema(ctx, w); err != nil {
		f.close()
		return nil, err
	}
	for range readers {
		// Readers wait in Store.read, where they heed their context.
		r, err := openConn(path, settings(0, readersCacheKiB/readers, checkpoint))
		if err == nil {
			f.readers <- r
			f.readersOpen++
			// Opens the log and its index; the connection has had no reason to.
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
	f.lookedAt.Store(time.Now().UnixNano())
	return f, nil
}

// logSize is the size at which the log is written back into the database. The
// bigger it is, the more often a page of the index by hash is written to it
// before it has to be written to the database.
func logSize(maxBytes int64) int64 {
	return min(max(maxBytes/16, 1<<20), 32<<20)
}

// with lends a connection from one of the two channels to do.
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

// close waits for all connections that are lent, and closes them. It is called
// once.
func (f *file) close() {
	close(f.retired)
	for range f.readersOpen {
		(<-f.readers).close()
	}
	(<-f.writer).close()
}

// isInPlace reports whether the file is still the one that others find under
// its name. It does not open the file: to close it again would drop the locks
// that SQLite holds on it in this process.
func (f *file) isInPlace() bool {
	now, err := os.Stat(f.path)
	f.lookedAt.Store(time.Now().UnixNano())
	return err == nil && os.SameFile(now, f.id)
}

// lookEvery is for how long a process may go on to read from a database that
// another process has set aside.
const lookEvery = int64(time.Second)

// isDue reports whether it is time to look again whether the file is in place.
func (f *file) isDue(now int64) bool {
	last := f.lookedAt.Load()
	return now-last > lookEvery && f.lookedAt.CompareAndSwap(last, now)
}
