package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver

	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// FileName is the name of the store's file in its folder.
const FileName = "watch.db"

// schema has a row for each site with its state; the events that no message has yet; the
// messages; and how far each output has delivered them. Times are in milliseconds since
// 1970.
const schema = `
CREATE TABLE IF NOT EXISTS sites (
	id INTEGER PRIMARY KEY,
	origin TEXT NOT NULL UNIQUE,
	due INTEGER NOT NULL,
	claimed INTEGER NOT NULL DEFAULT 0,    -- until when one process fetches it
	version INTEGER NOT NULL DEFAULT 0,    -- grows with each state
	state BLOB,                            -- JSON
	body BLOB,                             -- of the reported answer, zstd
	expected TEXT NOT NULL DEFAULT ''      -- what of --expect was reported last
);
CREATE TABLE IF NOT EXISTS events (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	site INTEGER NOT NULL,
	at INTEGER NOT NULL,
	gravity INTEGER NOT NULL,              -- 0 is the gravest
	message INTEGER NOT NULL DEFAULT 0,    -- that has it, 0 for none yet
	event BLOB NOT NULL                    -- JSON
);
CREATE INDEX IF NOT EXISTS events_by_message ON events (message, at);
CREATE INDEX IF NOT EXISTS events_by_site ON events (site, at);
CREATE TABLE IF NOT EXISTS messages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at INTEGER NOT NULL,
	message BLOB NOT NULL                  -- JSON
);
CREATE TABLE IF NOT EXISTS outputs (
	name TEXT PRIMARY KEY,
	position INTEGER NOT NULL,             -- the last message that it has delivered
	claimed INTEGER NOT NULL DEFAULT 0     -- until when one process delivers
);`

const schemaVersion = 1

// keepMessages is how long messages and their events are kept.
const keepMessages = 90 * 24 * time.Hour

// Store keeps the states of sites and the messages, in a SQLite file. Several processes
// may use it at the same time: each site is fetched, and each output served, by one of
// them.
type Store struct {
	db   *sql.DB
	pack *zstd.Encoder
	open *zstd.Decoder
}

// OpenStore opens the store in a folder, and creates both if they do not exist. The folder
// may contain other files.
func OpenStore(ctx context.Context, folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, FileName), os.O_CREATE|os.O_RDWR, 0o600) // only for this user
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return open(ctx, folder, "rwc")
}

// ReadStore opens the store in a folder to read it. The error is fs.ErrNotExist if there
// is none.
func ReadStore(ctx context.Context, folder string) (*Store, error) {
	if _, err := os.Stat(filepath.Join(folder, FileName)); err != nil {
		return nil, err
	}
	return open(ctx, folder, "ro")
}

func open(ctx context.Context, folder, mode string) (*Store, error) {
	path, err := filepath.Abs(filepath.Join(folder, FileName))
	if err != nil {
		return nil, err
	}
	name := filepath.ToSlash(path)
	if name[0] != '/' {
		name = "/" + name // a drive letter
	}
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(10000)", "journal_mode(wal)", "synchronous(full)", "trusted_schema(off)", "cache_size(-16384)",
	}}
	if mode == "ro" {
		query["_pragma"] = []string{"busy_timeout(1000)", "query_only(on)", "trusted_schema(off)"}
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: name, RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer
	s := &Store{db: db}
	s.pack, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true)) // these options are valid
	s.open, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err := s.prepare(ctx, mode == "ro"); err != nil {
		s.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context, readOnly bool) error {
	var version int
	if err := s.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version > schemaVersion:
		return fmt.Errorf("a newer version of robots wrote it (schema %d, this one reads %d)", version, schemaVersion)
	case version == schemaVersion || readOnly:
		return nil
	}
	_, err := s.db.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version=%d", schemaVersion))
	return err
}

// Close closes the store.
func (s *Store) Close() error {
	s.open.Close()
	return s.db.Close()
}

// transact runs do in a transaction.
func (s *Store) transact(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// entry is a site in the schedule.
type entry struct{ id, due int64 }

// addBatch is how many sites are added in a transaction.
const addBatch = 10_000

// add adds sites that are not known, due at once, and returns the schedule of all of them.
// The error is that of the store or the first one of origins.
func (s *Store) add(ctx context.Context, origins iter.Seq2[string, error], now time.Time) (added []entry, err error) {
	next, stop := iter.Pull2(origins)
	defer stop()
	batch := make([]string, 0, addBatch)
	for more := true; more; {
		batch = batch[:0]
		for len(batch) < addBatch && more {
			o, err, ok := next()
			if err != nil {
				return nil, err
			}
			if more = ok; ok {
				batch = append(batch, o)
			}
		}
		err := s.transact(ctx, func(tx *sql.Tx) error {
			insert, err := tx.PrepareContext(ctx, "INSERT INTO sites (origin, due) VALUES (?, ?) ON CONFLICT (origin) DO UPDATE SET origin = origin RETURNING id, due")
			if err != nil {
				return err
			}
			defer insert.Close()
			for _, o := range batch {
				var e entry
				if err := insert.QueryRowContext(ctx, o, now.UnixMilli()).Scan(&e.id, &e.due); err != nil {
					return err
				}
				added = append(added, e)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(added, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
	return slices.Compact(added), nil
}

// site is a claimed site.
type site struct {
	id, version int64
	origin      string
	state       State
	expected    string
}

// claimFor is how long a claim lasts. A fetch and its comparison rarely take longer; if they
// do, another process may fetch the site too, and only one of the results counts.
const claimFor = 2 * time.Minute

// claim claims sites that no other process has claimed, or with force all. The others are
// missing in the result.
func (s *Store) claim(ctx context.Context, ids []int64, force bool, now time.Time) (claimed []*site, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		// A claim far in the future is of a clock that was set back.
		update, err := tx.PrepareContext(ctx, `UPDATE sites SET claimed = ?1 WHERE id = ?2 AND (?4 OR NOT (claimed > ?3 AND claimed <= ?1))
			RETURNING version, origin, state, body, expected`)
		if err != nil {
			return err
		}
		defer update.Close()
		for _, id := range ids {
			f := &site{id: id}
			var state, body []byte
			err := update.QueryRowContext(ctx, now.Add(claimFor).UnixMilli(), id, now.UnixMilli(), force).Scan(&f.version, &f.origin, &state, &body, &f.expected)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			} else if err != nil {
				return err
			}
			if err := s.decode(f, state, body); err != nil {
				return fmt.Errorf("site %s: %w", f.origin, err)
			}
			claimed = append(claimed, f)
		}
		return nil
	})
	return claimed, err
}

func (s *Store) decode(f *site, state, body []byte) (err error) {
	if state == nil {
		return nil
	}
	if err := json.Unmarshal(state, &f.state); err != nil {
		return err
	}
	if f.state.Reported != nil {
		f.state.Reported.Body, err = s.open.DecodeAll(body, nil)
	}
	return err
}

// outcome is what a fetch of a claimed site has led to.
type outcome struct {
	*site
	state    State
	step     Step
	detail   string // of the fetch
	text     string // of a change that is not reported yet
	due      time.Time
	expected string
	event    *wire.WatchEvent // nil without a report
	skipped  bool             // the claim is given back, without a fetch
}

// commit stores outcomes in one transaction, each state with its event. A state that
// another process has changed since the claim is left alone. It returns how many events
// were stored.
func (s *Store) commit(ctx context.Context, outcomes []*outcome) (events int, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		for _, o := range outcomes {
			if o.skipped {
				if _, err := tx.ExecContext(ctx, "UPDATE sites SET claimed = 0 WHERE id = ? AND version = ?", o.id, o.version); err != nil {
					return err
				}
				continue
			}
			state, err := json.Marshal(o.state)
			if err != nil {
				return err
			}
			var body []byte
			if o.state.Reported != nil {
				body = s.pack.EncodeAll(o.state.Reported.Body, nil)
			}
			done, err := tx.ExecContext(ctx, "UPDATE sites SET due = ?, claimed = 0, version = version + 1, state = ?, body = ?, expected = ? WHERE id = ? AND version = ?",
				o.due.UnixMilli(), state, body, o.expected, o.id, o.version)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n == 0 || o.event == nil {
				if err != nil {
					return err
				}
				continue
			}
			o.event.ID = uuid(fmt.Sprintf("%s %d %d", o.origin, o.version, o.event.At.UnixNano()))
			event, err := json.Marshal(o.event)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO events (site, at, gravity, event) VALUES (?, ?, ?, ?)", o.id, o.event.At.UnixMilli(), rank(o.event.Gravity), event); err != nil {
				return err
			}
			events++
		}
		return nil
	})
	return events, err
}

// dueOf returns when a site is due.
func (s *Store) dueOf(ctx context.Context, id int64) (due int64, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT max(due, claimed) FROM sites WHERE id = ?", id).Scan(&due)
	return due, err
}

// uuid returns the UUID of a text, of version 8 (RFC 9562).
func uuid(text string) string {
	b := sha256.Sum256([]byte(text))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
