package sqlitefile

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// File is the set of connections of this process to one database. All connections
// are opened under one lock of the directory and closed together, so that they
// belong to the same file.
type File struct {
	path    string
	id      os.FileInfo
	readers chan *Conn
	writer  chan *Conn
	retired chan struct{} // closed when no new work can start on this file

	readersOpen int

	checkedAt atomic.Int64 // time of the last IsInPlace
}

const (
	PageSize        = 4096 // of a database, in bytes: SQLite's default
	busyMillis      = 10_000
	writerCacheKiB  = 32 << 10 // the index by hash of a million entries
	readersCacheKiB = 32 << 10 // for all readers together
)

// openFile opens the database, and creates its schema. The caller must
// have the lock of the directory.
func openFile(cfg *Config) (*File, error) {
	return connect(cfg, cfg.Schema.prepare)
}

func openReadOnly(cfg *Config) (*File, error) {
	if _, err := checkPrivate(cfg.Path); err != nil {
		return nil, err
	}
	f, err := connect(cfg, cfg.Schema.check, "mode", "ro")
	if _, statErr := os.Stat(cfg.Path); err == nil || statErr != nil || IsDamage(err) {
		return f, err
	}
	// Without its log and on a read-only file system, SQLite needs the option
	// immutable: no process changes the database.
	if f, err := connect(cfg, cfg.Schema.check, "mode", "ro", "immutable", "1"); err == nil {
		return f, nil
	}
	return nil, err
}

// connect opens the connections. prepare is called with the first one; options are passed to
// openConn.
func connect(cfg *Config, prepare func(*Conn) error, options ...string) (*File, error) {
	readers := min(4, max(2, runtime.GOMAXPROCS(0)))
	f := &File{
		path:    cfg.Path,
		readers: make(chan *Conn, readers),
		writer:  make(chan *Conn, 1),
		retired: make(chan struct{}),
	}
	checkpoint := int(LogSize(cfg.MaxBytes) / PageSize)
	synchronous := "normal"
	if cfg.Durable {
		synchronous = "full"
	}
	w, err := openConn(cfg.Path, settings(busyMillis, writerCacheKiB, checkpoint, synchronous), options...)
	if err != nil {
		return nil, err
	}
	f.writer <- w
	if err := prepare(w); err != nil {
		f.Close()
		return nil, err
	}
	for range readers {
		// Readers have no busy timeout. They wait in Store.read, which obeys the
		// context.
		r, err := openConn(cfg.Path, settings(0, readersCacheKiB/readers, checkpoint, synchronous), options...)
		if err == nil {
			f.readers <- r
			f.readersOpen++
			// A query makes the connection open the log and its index now.
			_, err = r.Number(cfg.Schema.Probe)
		}
		if err != nil {
			f.Close()
			return nil, err
		}
	}
	f.id, err = os.Stat(cfg.Path)
	if err != nil {
		f.Close()
		return nil, err
	}
	f.checkedAt.Store(time.Now().UnixNano())
	return f, nil
}

// LogSize returns the size at which the log is written back into the database. A
// larger log collects more changes of each index page before that page is written
// to the database.
func LogSize(maxBytes int64) int64 {
	return min(max(maxBytes/16, 1<<20), 32<<20)
}

func (f *File) with(ctx context.Context, from chan *Conn, do func(*Conn) error) error {
	var c *Conn
	select {
	case c = <-from:
	default:
		select {
		case c = <-from:
		case <-f.retired:
			return ErrRetired
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { from <- c }()
	return do(c)
}

// Close waits for all connections in use, and closes them. It must be called once.
func (f *File) Close() {
	close(f.retired)
	for range f.readersOpen {
		(<-f.readers).Close()
	}
	(<-f.writer).Close()
}

// IsInPlace reports whether the file at the path is still this one. It does not
// open the file: closing it again would release the locks that SQLite has on it in
// this process.
func (f *File) IsInPlace() bool {
	now, err := os.Stat(f.path)
	f.checkedAt.Store(time.Now().UnixNano())
	return err == nil && os.SameFile(now, f.id)
}

// checkInterval is the longest time for which a process reads from a database that
// another process has renamed.
const checkInterval = int64(time.Second)

// takeCheck takes the next call of IsInPlace for the caller, and returns false if it is not due.
func (f *File) takeCheck(now int64) bool {
	last := f.checkedAt.Load()
	return now-last > checkInterval && f.checkedAt.CompareAndSwap(last, now)
}
