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

// Config says where the entries are and how much room they have. Its zero value
// is ready for use.
type Config struct {
	// Dir is the directory of the database. It is made if it is missing, for
	// this user alone. The default is the directory robotstxt in that of the
	// user for caches, $XDG_CACHE_HOME or what the system has instead.
	Dir string

	// MaxBytes bounds the database, not the log and what was set aside; see
	// Size above. Zero or less means 1 GiB, room for well over a million files
	// of 1 KB. At least 1 MiB is taken. Of processes that share a directory
	// each keeps its own bound, so that the smallest one counts.
	MaxBytes int64

	// Logger is told, as a warning, when there is no cache any more, and when
	// a damaged database was set aside; the default is [slog.Default].
	Logger *slog.Logger
}

const (
	defaultMaxBytes = 1 << 30
	minMaxBytes     = 1 << 20

	// No entry may take more than an eighth of the whole: it would drive out
	// too many others for one that is itself as likely to go.
	maxShare = 8
)

// Store is a [cache.Store] on disk, for use by many goroutines at once.
type Store struct {
	path     string
	dirErr   error // why there is no directory by default
	maxBytes int64
	maxEntry int
	log      *slog.Logger

	file    atomic.Pointer[file] // nil while there is none
	opening chan struct{}        // holds one element while file may change

	jobs       chan *job
	closing    chan struct{} // closed when Close begins
	closeOnce  sync.Once
	stopped    chan struct{} // closed when the goroutine that writes is done
	unmeasured int64         // what that goroutine has put since it looked at the size

	noFile, noWrite trouble
	degradeOnce     sync.Once
	damagedRowOnce  sync.Once
}

// Open returns the store of a directory, which is new if there is none. The
// store has a goroutine, and files that are open, until Close.
//
// An error is one of ctx. If the store cannot be opened for another reason
// there is none, but a warning is logged, and [Store.Degraded] says why: a
// program works without its cache.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Store{
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
	s.unmeasured = s.maxBytes // so that the first put looks: the bound may be a new one
	if s.log == nil {
		s.log = slog.Default()
	}
	var dir string
	if dir, s.dirErr = directory(cfg.Dir); s.dirErr == nil {
		s.path = filepath.Join(dir, fileName)
	}
	go s.write()
	if _, err := s.current(ctx); err != nil && ctx.Err() != nil {
		go s.Close() // the opening goes on for a moment
		return nil, ctx.Err()
	}
	return s, nil
}

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

// Close waits for the puts and gets that have begun, and closes the files. What
// comes later is answered with an error that wraps [os.ErrClosed].
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.stopped
		s.opening <- struct{}{} // for ever
		if f := s.file.Swap(nil); f != nil {
			f.close()
		}
	})
	return nil
}

// Degraded returns nil, or an error that wraps [ErrDegraded] and says why there
// is no cache, or why nothing can be put into it. It may end without a call of
// Close and Open.
func (s *Store) Degraded() error {
	if err := s.noFile.current(); err != nil {
		return err
	}
	return s.noWrite.current()
}

// current returns the file to work with. If there is none it tries to open it,
// unless that was tried a short while ago.
func (s *Store) current(ctx context.Context) (*file, error) {
	if f := s.file.Load(); f != nil {
		return f, nil
	}
	return s.replace(ctx, nil, nil)
}

// replace opens the file that has the name now, in place of bad, from which the
// caller has no connection any more. It sets bad aside first if why tells of
// damage and nobody else has done it. Of many callers one does the work. It is
// finished even if the context of that one ends: the next one will need it.
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
		f, err = s.replaceAlone(bad, why)
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

// replaceAlone is replace for the one who may change s.file.
func (s *Store) replaceAlone(bad *file, why error) (*file, error) {
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
		s.log.Info("the robots.txt cache on disk is back", "path", s.path)
	}
	s.file.Store(f)
	return f, nil
}

func (s *Store) open(bad *file, why error) (*file, error) {
	if s.dirErr != nil {
		return nil, s.dirErr
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
	f, err := openFile(s.path, s.maxBytes)
	if !isDamage(err) {
		return f, err
	}
	if err := s.setAside(err); err != nil {
		return nil, err
	}
	return openFile(s.path, s.maxBytes)
}

func (s *Store) setAside(why error) error {
	name, err := setAside(s.path)
	if err != nil {
		return fmt.Errorf("the database is damaged (%w), and cannot be renamed: %w", why, err)
	}
	s.log.Warn("the robots.txt cache on disk was damaged and begins anew", "path", s.path, "renamed", name, "damage", why)
	return nil
}

// warnDegraded tells once that there is no cache: who knows it once knows where
// to look, and a disk that is full for a day is one thing to know.
func (s *Store) warnDegraded(err error) {
	s.degradeOnce.Do(func() {
		s.log.Warn("there is no robots.txt cache on disk, the work goes on without", "path", s.path, "error", err)
	})
}

// read lends a connection to do, which may be called again: if the file has
// gone, if another connection holds a lock, and once with a new file after
// damage.
func (s *Store) read(ctx context.Context, do func(*conn) error) error {
	const patience = busyMillis * time.Millisecond
	var waited time.Duration
	for mended := false; ; {
		f, err := s.current(ctx)
		if err != nil {
			return err
		}
		if f.isDue(time.Now().UnixNano()) && !f.isInPlace() {
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
			select {
			case <-time.After(nap):
			case <-ctx.Done():
				return ctx.Err()
			}
		case isDamage(err) && !mended:
			mended = true
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
