package disk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Info describes an entry without its data.
type Info struct {
	Key       string
	FetchedAt time.Time
	Expires   time.Time // can be in the past if the entry is not yet deleted
	Size      int64     // size of the data, in bytes
	Stored    int64     // size after compression, in bytes
}

const (
	sqlList = "SELECT hash, id, " + rowColumns + " FROM entries WHERE hash > ? ORDER BY hash LIMIT ?"

	// listRows is the number of rows that list reads at once. No connection is
	// in use between two calls, so the caller can take its time and can put or
	// delete entries.
	listRows int64 = 64
)

// Entries iterates over all entries in no particular order. It yields each entry
// that is present during the whole iteration once. Entries that are put or deleted
// meanwhile can be missing. It ends after the first error.
func (s *Store) Entries(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		after := int64(math.MinInt64)
		for {
			page, last, err := s.list(ctx, after)
			if err != nil {
				yield(Info{}, err)
				return
			}
			for _, info := range page {
				if !yield(info, nil) {
					return
				}
			}
			if last == after {
				return
			}
			after = last
		}
	}
}

// list returns up to listRows entries whose hash is greater than after, and the last
// of these hashes. It omits damaged rows.
func (s *Store) list(ctx context.Context, after int64) (page []Info, last int64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	err = s.db.Read(ctx, func(c *sqlitefile.Conn) error {
		page, last = nil, after
		return c.Query(sqlList, []driver.Value{after, listRows}, func(values []driver.Value) error {
			hash, ok := values[0].(int64)
			if !ok || hash <= last {
				return fmt.Errorf("%w index", sqlitefile.ErrDamaged)
			}
			last = hash
			var r row
			if err := r.scan(values[2:]); err != nil {
				s.deleteDamaged(values[1:])
				return nil
			}
			page = append(page, Info{string(r.key), instant(r.fetchedAt), instant(r.expires), r.size,
				int64(len(r.data))})
			return nil
		})
	})
	return page, last, err
}

// PurgeExpired deletes the expired entries and returns their number. It frees space;
// expired entries are absent for all other methods already.
func (s *Store) PurgeExpired(ctx context.Context) (int64, error) {
	return s.purge(ctx, sqlDeleteExpired, time.Now().UnixNano())
}

// PurgeAll deletes all entries that are present when it starts, and returns their
// number. The database file shrinks to its minimum.
func (s *Store) PurgeAll(ctx context.Context) (int64, error) {
	var last int64
	err := s.db.Read(ctx, func(c *sqlitefile.Conn) (err error) {
		last, err = c.Number("SELECT max(id) FROM entries")
		return err
	})
	if err != nil {
		return 0, err
	}
	return s.purge(ctx, "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE id <= ? ORDER BY id LIMIT ?)", last)
}

// purge repeats a statement with a bound and a limit until it finds no more rows,
// and then shrinks the file.
func (s *Store) purge(ctx context.Context, statement string, bound int64) (n int64, err error) {
	const limit int64 = 4096 // rows of a transaction, so that other writers can interrupt
	for {
		deleted, err := s.queue.Submit(ctx, &sqlitefile.Job{Do: func(c *sqlitefile.Conn) (int64, error) {
			return c.Exec(statement, bound, limit)
		}})
		n += deleted
		if err != nil {
			return n, err
		}
		if deleted < limit {
			break
		}
	}
	_, err = s.queue.Submit(ctx, &sqlitefile.Job{DoAlone: func(c *sqlitefile.Conn) error {
		if err := sqlitefile.Shrink(c, math.MaxInt32*sqlitefile.PageSize); err != nil {
			return err
		}
		return sqlitefile.Checkpoint(c)
	}})
	return n, err
}

// Stats describes a store at one moment.
type Stats struct {
	Path          string // path of the database
	SchemaVersion int    // schema version of the database
	Entries       int64  // number of entries, including expired ones
	Expired       int64  // number of expired entries
	Bytes         int64  // size of the data of all entries, before compression
	FileBytes     int64  // size of the database and its log
	MaxBytes      int64  // bound of the database, see Config
	Quarantined   int    // number of damaged databases that were renamed so far
}

// Stats returns statistics about the store. It reads an index with about 20 bytes
// for each entry. Even if it returns an error, it sets the fields that do not depend
// on the content of the database.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	if err := ctx.Err(); err != nil {
		return Stats{}, err
	}
	st := Stats{Path: s.db.Path, MaxBytes: s.db.MaxBytes}
	st.FileBytes = s.db.Size()
	if s.db.PathErr == nil {
		st.Quarantined = sqlitefile.Damaged(s.db.Path)
	}
	err := s.db.Read(ctx, func(c *sqlitefile.Conn) error {
		version, err := c.Number("PRAGMA user_version")
		if err != nil {
			return err
		}
		st.SchemaVersion = int(version)
		const count = "SELECT count(*), count(*) FILTER (WHERE expires <= ?), total(size) FROM entries INDEXED BY entries_by_expiry"
		var bytes float64 // unlike sum, total does not overflow with damaged sizes
		err = c.During(ctx, func() error {
			_, err := c.Row(count, []driver.Value{time.Now().UnixNano()}, &st.Entries, &st.Expired, &bytes)
			return err
		})
		st.Bytes = int64(bytes)
		return err
	})
	return st, err
}
