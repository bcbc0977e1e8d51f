package disk

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/internal/seldom"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
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

	// Logger receives a warning when the store stops working, once a minute while that
	// lasts, and when a damaged database is renamed. The default is [slog.Default].
	Logger *slog.Logger
}

const (
	fileName = "robots-cache.db"
	lockName = "robots-cache.lock"

	defaultMaxBytes = 1 << 30
	minMaxBytes     = 1 << 20

	// maxShare limits an entry to an eighth of the store. A larger one would
	// evict many others, although it is as likely to be evicted itself.
	maxShare = 8
)

// retryAfter is sqlitefile.Config.RetryAfter, a variable for tests.
var retryAfter time.Duration

// ErrDegraded means that the database cannot be written or opened. For example, the
// disk is full or read-only, or a newer version of this package made the database.
// The error that wraps ErrDegraded names the cause. [Store.Degraded] returns that
// error while the condition lasts.
var ErrDegraded = errors.New("no disk cache")

// Store is a [cache.Store] on disk. It is safe for concurrent use. Open makes it; a zero
// Store panics.
type Store struct {
	db       *sqlitefile.DB
	queue    *sqlitefile.Queue
	maxEntry int
}

// Open returns the store of a directory, and creates its database if it does not
// exist. The store runs a goroutine and keeps files open until Close.
//
// Open returns an error only if ctx ends. If the database cannot be opened, Open
// still returns a Store, because programs work without a cache: it logs a warning,
// and [Store.Degraded] returns the reason.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = defaultMaxBytes
	}
	cfg.MaxBytes = max(cfg.MaxBytes, minMaxBytes)
	s := &Store{maxEntry: int(min(cfg.MaxBytes/maxShare, maxEntry))}
	config := sqlitefile.Config{
		LockName: lockName, Schema: schema, MaxBytes: cfg.MaxBytes, ReadOnly: cfg.ReadOnly,
		Logger:  seldom.Logger(cmp.Or(cfg.Logger, slog.Default())),
		Subject: "the robots.txt cache on disk", Prefix: "cache/disk", Degraded: ErrDegraded, Otherwise: "; continuing without it", Keep: 1, RetryAfter: retryAfter,
		DamagedRow: "an entry of the robots.txt cache on disk is damaged; treating it as absent",
	}
	var dir string
	dir, config.PathErr = directory(cfg.Dir)
	if config.PathErr == nil {
		config.Path = filepath.Join(dir, fileName)
	}
	s.db = sqlitefile.New(config)
	s.queue = sqlitefile.NewQueue(s.db, s.sweep)
	if err := s.db.Open(ctx); err != nil && ctx.Err() != nil {
		go s.Close() // the database can still be opening
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
	return filepath.Abs(dir) // the working directory can change
}

// Close waits for calls that have started, and closes the files. Later calls return
// an error that wraps [os.ErrClosed].
func (s *Store) Close() error {
	s.queue.Close()
	return nil
}

// Degraded returns nil if the store works. Otherwise it returns an error that wraps
// [ErrDegraded] and explains why the database cannot be opened or written. The
// store can recover by itself.
func (s *Store) Degraded() error { return s.db.Degraded() }
