package disk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

var _ cache.Store = (*Store)(nil)

// Config configures a [Store]. The zero value is ready for use.
type Config struct {
	// Dir is the directory of the database. If it does not exist, Open creates it
	// with access for this user only. The default is the directory robotstxt in
	// [os.UserCacheDir].
	Dir string

	// MaxBytes bounds the database, but not its log and a damaged database; see
	// Size in the package documentation. Zero or less means 1 GiB, enough for
	// more than a million files of 1 KB; the minimum is 1 MiB. Processes that
	// share a directory each enforce their own bound, so the smallest applies.
	MaxBytes int64

	// ReadOnly opens an existing database for Get, Entries and Stats only, also on
	// a read-only file system. Nothing is created or renamed. Methods
	// that would change something return an error that wraps [ErrDegraded].
	ReadOnly bool

	// Logger receives a warning when the store stops working and when a damaged
	// database is renamed. The default is [slog.Default].
	Logger *slog.Logger
}

const (
	defaultMaxBytes = 1 << 30
	minMaxBytes     = 1 << 20

	// maxShare limits an entry to an eighth of the store. A larger one would
	// evict many others, although it is as likely to be evicted itself.
	maxShare = 8
)

// Store is a [cache.Store] on disk. It is safe for concurrent use.
type Store struct {
	path     string
	dirErr   error // why the default directory is unknown
	readOnly bool
	maxBytes int64
	maxEntry int
	log      *slog.Logger

	file    atomic.Pointer[file] // nil while no database is open
	opening chan struct{}        // a lock: it contains an element while file may change

	jobs       chan *job
	closing    chan struct{} // closed when Close begins
	closeOnce  sync.Once
	stopped    chan struct{} // closed when the writing goroutine has ended
	unmeasured int64         // bytes that the writing goroutine has put since the last size check

	noFile, noWrite trouble
	degradeOnce     sync.Once
	damagedRowOnce  sync.Once
}

// Open returns the store of a directory, and creates its database if there is none.
// The store runs a goroutine and keeps files open until Close.
//
// Open returns an error only if ctx ends. If the database cannot be opened, Open
// still returns a Store, because programs work without a cache: it logs a warning,
// and [Store.Degraded] returns the reason.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Store{
		readOnly: cfg.ReadOnly,
		maxBytes: cfg.MaxBytes,
		log:      cfg.Logger,
		opening:  make(chan struct{}, 1),
		jobs:     make(chan *job, maxBatch),
		closing:  make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	if s.maxBytes <= 0 {
		s.maxBytes = defaultMaxBytes
	}
	s.maxBytes = max(s.maxBytes, minMaxBytes)
	s.maxEntry = int(min(s.maxBytes/maxShare, maxEntry))
	s.unmeasured = s.maxBytes // the first put checks the size, since the bound may have changed
	if s.log == nil {
		s.log = slog.Default()
	}
	var dir string
	if dir, s.dirErr = directory(cfg.Dir); s.dirErr == nil {
		s.path = filepath.Join(dir, fileName)
	}
	go s.write()
	if _, err := s.current(ctx); err != nil && ctx.Err() != nil {
		go s.Close() // the database may still be opening
		return nil, ctx.Err()
	}
	return s, nil
}

// directory returns the absolute path of dir, or of the default directory.
func directory(dir string) (string, error) {
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(caches, "robotstxt")
	}
	return filepath.Abs(dir) // the working directory may change
}

// Close waits for calls that have started, and closes the files. Later calls return
// an error that wraps [os.ErrClosed].
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.stopped
		s.opening <- struct{}{} // never released
		if f := s.file.Swap(nil); f != nil {
			f.close()
		}
	})
	return nil
}

// Degraded returns nil if the store works. Otherwise it returns an error that wraps
// [ErrDegraded] and says why the database cannot be opened or written. The store
// may recover by itself.
func (s *Store) Degraded() error {
	if err := s.noFile.current(); err != nil {
		return err
	}
	return s.noWrite.current()
}

// current returns the open file. If there is none it tries to open one, unless an
// attempt failed a short time ago.
func (s *Store) current(ctx context.Context) (*file, error) {
	if f := s.file.Load(); f != nil {
		return f, nil
	}
	return s.replace(ctx, nil, nil)
}

// replace closes bad and opens the file that is at the path now. If why is an error
// about damage, and bad is still at the path, it renames bad first. The caller must
// have returned its connection of bad. One of several concurrent callers does the
// work. It finishes even if the context of that caller ends, since the next one
// needs it.
func (s *Store) replace(ctx context.Context, bad *file, why error) (*file, error) {
	select {
	case s.opening <- struct{}{}:
	case <-s.closing:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var f *file
	var err error
	done := make(chan struct{})
	go func() {
		f, err = s.replaceLocked(bad, why)
		<-s.opening
		close(done)
	}()
	select {
	case <-done:
		return f, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// replaceLocked is replace for the caller that has the lock s.opening.
func (s *Store) replaceLocked(bad *file, why error) (*file, error) {
	f := s.file.Load()
	switch {
	case f != nil && f != bad:
		return f, nil // another caller has done it
	case f != nil:
		s.file.Store(nil)
		f.close()
	}
	if err := s.noFile.refusal(); err != nil {
		return nil, err
	}
	f, err := s.open(bad, why)
	if err != nil {
		err = s.noFile.begin(err)
		s.warnDegraded(err)
		return nil, err
	}
	if s.noFile.end() {
		s.log.Info("the robots.txt cache on disk works again", "path", s.path)
	}
	s.file.Store(f)
	return f, nil
}

// open opens the database under the lock of its directory. It renames a damaged one
// first.
func (s *Store) open(bad *file, why error) (*file, error) {
	if s.dirErr != nil {
		return nil, s.dirErr
	}
	if s.readOnly {
		return openReadOnly(s.path, s.maxBytes)
	}
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if bad != nil && isDamage(why) && bad.isInPlace() {
		if err := s.setAside(why); err != nil {
			return nil, err
		}
	}
	f, err := s.openPrivate()
	if !isDamage(err) {
		return f, err
	}
	if err := s.setAside(err); err != nil {
		return nil, err
	}
	return s.openPrivate()
}

// openPrivate opens or creates the database, which only this user may read.
func (s *Store) openPrivate() (*file, error) {
	if err := createPrivate(s.path); err != nil {
		return nil, err
	}
	return openFile(s.path, s.maxBytes)
}

// setAside renames the damaged database and logs that.
func (s *Store) setAside(why error) error {
	name, err := setAside(s.path)
	if err != nil {
		return fmt.Errorf("the database is damaged (%w) and cannot be renamed: %w", why, err)
	}
	s.log.Warn("the robots.txt cache on disk was damaged; it was renamed and a new one created", "path", s.path, "renamed", name, "damage", why)
	return nil
}

// warnDegraded logs once that the store does not work. A disk that is full for a
// day should not cause many warnings.
func (s *Store) warnDegraded(err error) {
	s.degradeOnce.Do(func() {
		s.log.Warn("the robots.txt cache on disk is unusable; continuing without it", "path", s.path, "error", err)
	})
}

// read calls do with a connection. It calls do again if the file was replaced, if
// another connection has a lock, and once with a new file after damage.
func (s *Store) read(ctx context.Context, do func(*conn) error) error {
	const patience = busyMillis * time.Millisecond
	var waited time.Duration
	for replaced := false; ; {
		f, err := s.current(ctx)
		if err != nil {
			return err
		}
		if f.checkDue(time.Now().UnixNano()) && !f.isInPlace() {
			if f, err = s.replace(ctx, f, nil); err != nil {
				return err
			}
		}
		err = f.with(ctx, f.readers, do)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errRetired):
		case isBusy(err) && waited < patience:
			const nap = 5 * time.Millisecond
			waited += nap
			if err := sleep(ctx, nap); err != nil {
				return err
			}
		case isDamage(err) && !replaced:
			replaced = true
			if _, err := s.replace(ctx, f, err); err != nil {
				return err
			}
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			return fmt.Errorf("cache/disk: %w", err)
		}
	}
}

// sleep waits for a time. The error is that of ctx, if it ends before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
