package disk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"iter"
	"math"
	"os"
	"time"
)

// Info says about an entry what can be said without its data.
type Info struct {
	Key       string
	FetchedAt time.Time
	Expires   time.Time // the entry may have expired, and still take up room
	Size      int64     // of its data, in bytes
	Stored    int64     // in bytes, after compression
}

const (
	sqlList = "SELECT hash, id, " + rowColumns + " FROM entries WHERE hash > ? ORDER BY hash LIMIT ?"

	// Rows are read in pages, and no connection is held while the caller looks
	// at them: it may take its time, and put or delete meanwhile.
	listRows int64 = 64
)

// Entries goes through the entries, in an order that means nothing. Each that is
// there all the time comes once; of those put or removed meanwhile some do. It
// ends with the first error.
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

// list returns the entries of some hashes after one, and the last of these
// hashes. Rows that are damaged are left out.
func (s *Store) list(ctx context.Context, after int64) (page []Info, last int64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	err = s.read(ctx, func(c *conn) error {
		page, last = nil, after
		return c.query(ctx, sqlList, []driver.Value{after, listRows}, func(values []driver.Value) error {
			hash, ok := values[0].(int64)
			if !ok || hash <= last {
				return fmt.Errorf("%w index", errDamaged)
			}
			last = hash
			var r row
			if err := r.scan(values[2:]); err != nil {
				s.deleteDamaged(values[1:])
				return nil
			}
			page = append(page, Info{string(r.key), instant(r.fetchedAt), instant(r.expires), r.size, int64(len(r.data))})
			return nil
		})
	})
	return page, last, err
}

// PurgeExpired removes the entries that have expired, and returns their number.
// They are absent anyway; it is their room that matters.
func (s *Store) PurgeExpired(ctx context.Context) (int64, error) {
	return s.purge(ctx, sqlDeleteExpired, time.Now().UnixNano())
}

// PurgeAll removes all entries that are there when it begins, and returns their
// number. The database shrinks to almost nothing.
func (s *Store) PurgeAll(ctx context.Context) (int64, error) {
	var last int64
	err := s.read(ctx, func(c *conn) (err error) {
		last, err = c.number(ctx, "SELECT max(id) FROM entries")
		return err
	})
	if err != nil {
		return 0, err
	}
	return s.purge(ctx, "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE id <= ? ORDER BY id LIMIT ?)", last)
}

// purge repeats a statement with a bound and a limit, until it finds no more
// rows, and cuts off what they leave.
func (s *Store) purge(ctx context.Context, statement string, bound int64) (n int64, err error) {
	const limit int64 = 4096 // rows of a transaction: others want to write too
	for {
		deleted, err := s.submit(&job{ctx: ctx, do: func(c *conn) (int64, error) {
			return c.exec(context.Background(), statement, bound, limit)
		}})
		n += deleted
		if err != nil {
			return n, err
		}
		if deleted < limit {
			break
		}
	}
	_, err = s.submit(&job{ctx: ctx, apart: func(c *conn) error {
		if err := shrink(c, math.MaxInt32*pageSize); err != nil {
			return err
		}
		return checkpoint(c)
	}})
	return n, err
}

// Stats describes a store at one moment.
type Stats struct {
	Path          string // of the database
	SchemaVersion int    // of the database
	Entries       int64
	Expired       int64 // of Entries
	Bytes         int64 // of the data of all entries, before compression
	FileBytes     int64 // of the database and its log
	MaxBytes      int64 // the bound of the database, see Config
	Quarantined   int   // how many damaged databases were set aside so far
}

// Stats counts. It goes through an index of all entries, some 20 bytes of each.
// If it returns an error, what can be told without the database is there.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	if err := ctx.Err(); err != nil {
		return Stats{}, err
	}
	st := Stats{Path: s.path, MaxBytes: s.maxBytes}
	for _, companion := range companions[:2] {
		if info, err := os.Stat(s.path + companion); err == nil {
			st.FileBytes += info.Size()
		}
	}
	if s.dirErr == nil {
		st.Quarantined, _ = damaged(s.path)
	}
	err := s.read(ctx, func(c *conn) error {
		version, err := c.number(ctx, "PRAGMA user_version")
		if err != nil {
			return err
		}
		st.SchemaVersion = int(version)
		const count = "SELECT count(*), count(*) FILTER (WHERE expires <= ?), total(size) FROM entries INDEXED BY entries_by_expiry"
		return c.query(ctx, count, []driver.Value{time.Now().UnixNano()}, func(row []driver.Value) error {
			st.Entries, _ = row[0].(int64)
			st.Expired, _ = row[1].(int64)
			bytes, _ := row[2].(float64) // total, unlike sum, does not overflow over damaged sizes
			st.Bytes = int64(bytes)
			return nil
		})
	})
	return st, err
}
