package history

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/kosterhq/robotstxt/internal/seldom"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Config configures a [Store]. The zero value is ready for use.
type Config struct {
	// MaxGap is the longest time between two equal observations for which it is presumed
	// that nothing else was true between them. Default 36 h, because clients keep a file
	// for 24 h, and schedules jitter. It affects how the history is read, not which
	// observations are kept.
	MaxGap time.Duration

	// SiteCache is the longest time for which caches between the sites and their clients, such as a
	// CDN, use a file, unless its headers allow longer: see Store.InUse. Default, and minimum, 24
	// h.
	SiteCache time.Duration

	// DeployLag is how long after a commit the version before it can still be served. Default 24 h.
	DeployLag time.Duration

	// MaxBytes bounds the database, but not its log, which takes up to 32 MiB more, and for
	// moments a few times as much. Zero or less means 16 GiB; the minimum is 1 MiB.
	MaxBytes int64

	// MaxAge is how long observations are kept. Older observations are dropped from time to
	// time, when others are added. Zero or less means forever.
	MaxAge time.Duration

	// ReadOnly opens an existing database without changing anything.
	ReadOnly bool

	// Logger receives a warning when a damaged or older database is renamed, and when the
	// store stops working. nil means slog.Default.
	Logger *slog.Logger
}

const (
	defaultMaxGap   = 36 * time.Hour
	defaultMaxBytes = 16 << 30
	minMaxBytes     = 1 << 20
)

// ErrDegraded means that the database cannot be written or opened: the disk is full, for
// example. The error that wraps it names the cause. The store tries again from time to
// time.
var ErrDegraded = errors.New("no history")

// Store is a history in an SQLite database. It is safe for concurrent use. Open makes it; a
// zero Store panics.
type Store struct {
	db     *sqlitefile.DB
	queue  *sqlitefile.Queue
	maxGap int64 // milliseconds
	terms  Terms
	maxAge time.Duration

	meanings meanings
}

// Open opens the database at a path. If it does not exist, Open creates it and its directory,
// so that only this user can read it. The store runs a goroutine and keeps files open until
// Close. The error wraps ErrDegraded if the database cannot be opened.
func Open(ctx context.Context, path string, cfg Config) (*Store, error) {
	return open(ctx, path, cfg, schema)
}

// retryAfter is sqlitefile.Config.RetryAfter, a variable for tests.
var retryAfter time.Duration

func open(ctx context.Context, path string, cfg Config, schema sqlitefile.Schema) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = defaultMaxBytes
	}
	if cfg.MaxGap <= 0 {
		cfg.MaxGap = defaultMaxGap
	}
	path, pathErr := filepath.Abs(path)
	if pathErr != nil {
		return nil, pathErr
	}
	s := &Store{maxGap: cfg.MaxGap.Milliseconds(), maxAge: cfg.MaxAge, terms: Terms{cfg.SiteCache, cfg.DeployLag}}
	s.db = sqlitefile.New(sqlitefile.Config{
		Path: path, LockName: filepath.Base(path) + ".lock", Schema: schema, MaxBytes: max(cfg.MaxBytes, minMaxBytes),
		ReadOnly: cfg.ReadOnly, Logger: seldom.Logger(cmp.Or(cfg.Logger, slog.Default())), Keep: 3,
		Subject: "the history", Prefix: "history", Degraded: ErrDegraded, RetryAfter: retryAfter,
		DamagedRow: "a row of the history is damaged; robots treats it as dropped",
	})
	s.queue = sqlitefile.NewQueue(s.db, s.sweep)
	if err := s.db.Open(ctx); err != nil {
		go s.Close() // the database can still be opening
		return nil, err
	}
	return s, nil
}

// Close waits for calls that have started, and closes the files. Later calls return an error
// that wraps [os.ErrClosed].
func (s *Store) Close() error {
	s.queue.Close()
	return nil
}

// Origins iterates over the origins that have observations, even if these were dropped, in
// the order of their names. It begins after the given name; "" begins with the first. It
// ends after the first error.
func (s *Store) Origins(ctx context.Context, after string) iter.Seq2[string, error] {
	const page int64 = 256 // no connection is in use while the caller has control
	return func(yield func(string, error) bool) {
		for {
			var names []string
			err := s.read(ctx, func(c *sqlitefile.Conn) error {
				names = names[:0]
				const list = "SELECT name FROM origins WHERE name > ? ORDER BY name LIMIT ?"
				return c.Query(list, []driver.Value{after, page}, func(row []driver.Value) error {
					name, _ := row[0].(string)
					names = append(names, name)
					return nil
				})
			})
			if err != nil {
				yield("", err)
				return
			}
			for _, name := range names {
				if !yield(name, nil) {
					return
				}
				after = name
			}
			if int64(len(names)) < page {
				return
			}
		}
	}
}

// Body returns the bytes of a file by its SHA-256. The error wraps [os.ErrNotExist] if the store
// does not have the file, or has dropped it.
func (s *Store) Body(ctx context.Context, sha [sha256.Size]byte) ([]byte, error) {
	var data []byte
	var size int64
	var found bool
	err := s.read(ctx, func(c *sqlitefile.Conn) (err error) {
		found, err = c.Row("SELECT size, data FROM bodies WHERE sha = ?", []driver.Value{sha[:]}, &size, &data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("history: the file with SHA-256 %x: %w", sha, os.ErrNotExist)
	}
	body, err := sqlitefile.Decompress(data, size)
	if err == nil && sha256.Sum256(body) != sha {
		err = errors.New("its checksum does not match")
	}
	if err != nil {
		s.db.NoteDamagedRow(err)
		return nil, fmt.Errorf("history: the file with SHA-256 %x is damaged (%w): %w", sha, err, os.ErrNotExist)
	}
	return body, nil
}

// Stats describes a store.
type Stats struct {
	Path            string
	Origins, Bodies int64
	Runs            int64 // rows; each is a series of equal observations
	FileBytes       int64 // of the database with its log
	MaxBytes        int64 // Config.MaxBytes

	// DroppedObservations counts the observations that were dropped because of
	// MaxBytes or MaxAge, and DroppedUntil is the time of the last of them.
	DroppedObservations int64
	DroppedUntil        time.Time

	Damaged int // number of damaged databases that were renamed
	Older   int // number of databases of older versions that were renamed
}

// Stats counts the rows of the store. It reads all of them.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	st := Stats{Path: s.db.Path, FileBytes: s.db.Size(), MaxBytes: s.db.MaxBytes}
	st.Damaged, st.Older = sqlitefile.Damaged(s.db.Path), sqlitefile.Older(s.db.Path)
	err := s.read(ctx, func(c *sqlitefile.Conn) error {
		var until int64
		for query, n := range map[string]*int64{
			"SELECT count(*) FROM origins": &st.Origins, "SELECT count(*) FROM bodies": &st.Bodies, "SELECT count(*) FROM runs": &st.Runs,
			"SELECT observations FROM dropped": &st.DroppedObservations, "SELECT until FROM dropped": &until,
		} {
			var err error
			*n, err = c.Number(query)
			if err != nil {
				return err
			}
		}
		if until > 0 {
			st.DroppedUntil = instant(until)
		}
		return nil
	})
	return st, err
}

func (s *Store) read(ctx context.Context, do func(*sqlitefile.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.db.Read(ctx, do)
}

// instant returns the time of a number of milliseconds since 1970.
func instant(milliseconds int64) time.Time { return time.UnixMilli(milliseconds).UTC() }
