package disk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

const (
	sqlGet = "SELECT id, " + rowColumns + " FROM entries WHERE hash = ?"

	// A replaced row moves to the end of the table, because it is the newest.
	sqlPut = `INSERT INTO entries (hash, ` + rowColumns + `) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (hash) DO UPDATE SET
	id = (SELECT max(id) + 1 FROM entries),
	key = excluded.key, fetched_at = excluded.fetched_at, expires = excluded.expires,
	size = excluded.size, sum = excluded.sum, data = excluded.data
WHERE excluded.fetched_at > fetched_at OR expires <= ?8 OR key <> excluded.key`

	// A row that has changed since it was read stays. An expired row is absent,
	// and so is a row of another key with the same hash.
	sqlPutOver = `UPDATE entries SET
	id = (SELECT max(id) + 1 FROM entries),
	fetched_at = ?3, expires = ?4, size = ?5, sum = ?6, data = ?7
WHERE hash = ?1 AND key = ?2 AND expires > ?8 AND fetched_at = ?9 AND fetched_at <> ?3`
	sqlPutIfAbsent = `INSERT INTO entries (hash, ` + rowColumns + `) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (hash) DO UPDATE SET
	id = (SELECT max(id) + 1 FROM entries),
	key = excluded.key, fetched_at = excluded.fetched_at, expires = excluded.expires,
	size = excluded.size, sum = excluded.sum, data = excluded.data
WHERE expires <= ?8 OR key <> excluded.key`

	sqlDelete        = "DELETE FROM entries WHERE hash = ? AND key = ?"
	sqlDeleteOlder   = "DELETE FROM entries WHERE hash = ? AND key = ? AND fetched_at < ?"
	sqlDeleteSeen    = "DELETE FROM entries WHERE hash = ? AND key = ? AND fetched_at <> ? AND fetched_at = ?"
	sqlDeleteDamaged = "DELETE FROM entries WHERE id = ? AND sum IS ?"
)

// Get implements [cache.Store].
func (s *Store) Get(ctx context.Context, key string) (cache.Entry, error) {
	if err := check(ctx, key); err != nil {
		return cache.Entry{}, err
	}
	var e cache.Entry
	var found bool
	err := s.db.Read(ctx, func(c *sqlitefile.Conn) (err error) {
		e, found, err = s.get(c, key)
		return err
	})
	if err == nil && !found {
		err = cache.ErrNotFound
	}
	return e, err
}

// GetMany implements [cache.ManyGetter], with one connection for all keys.
func (s *Store) GetMany(ctx context.Context, keys []string) (map[string]cache.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := cache.CheckKeys(keys); err != nil {
		return nil, err
	}
	entries := make(map[string]cache.Entry, len(keys))
	for chunk := range slices.Chunk(keys, manyRows) {
		err := s.db.Read(ctx, func(c *sqlitefile.Conn) error {
			for _, key := range chunk {
				e, found, err := s.get(c, key)
				if err != nil {
					return err
				}
				if found {
					entries[key] = e
				}
			}
			return nil
		})
		if err != nil {
			return entries, err
		}
	}
	return entries, nil
}

// manyRows is the number of rows that GetMany reads before others can use the
// connection.
const manyRows = 256

func (s *Store) get(c *sqlitefile.Conn, key string) (e cache.Entry, found bool, err error) {
	var r row
	var damaged bool
	err = c.Query(sqlGet, []driver.Value{hash(key)}, func(values []driver.Value) error {
		found = true
		if err := r.scan(values[1:]); err != nil {
			damaged = true
			s.deleteDamaged(values)
		}
		return nil
	})
	switch {
	case err != nil:
		return cache.Entry{}, false, err
	case !found, damaged, string(r.key) != key, r.expires <= time.Now().UnixNano():
		return cache.Entry{}, false, nil
	}
	e, err = r.entry()
	if err != nil {
		// The checksum is correct, so a faulty program or a program with another
		// format wrote this row.
		s.db.NoteDamagedRow(err)
		return cache.Entry{}, false, nil
	}
	return e, true, nil
}

// PutIfNewer implements [cache.Store]. It returns after the transaction, which can
// contain the entries of several callers, is committed. It does not store Data that
// is larger than 16 MiB, or larger than an eighth of [Config.MaxBytes] after
// compression.
func (s *Store) PutIfNewer(ctx context.Context, key string, e cache.Entry) (stored bool, err error) {
	return s.put(ctx, key, e, change{put: sqlPut, drop: sqlDeleteOlder})
}

// PutIfUnchanged implements [cache.Store], with the limits of PutIfNewer.
func (s *Store) PutIfUnchanged(ctx context.Context, key string, seen time.Time,
	e cache.Entry) (stored bool, err error) {
	if err := cache.CheckSeen(seen); err != nil {
		return false, err
	}
	if seen.IsZero() {
		return s.put(ctx, key, e, change{put: sqlPutIfAbsent})
	}
	return s.put(ctx, key, e, change{sqlPutOver, sqlDeleteSeen, []driver.Value{seen.UnixNano()}})
}

// change is the way in which an entry replaces the present one.
type change struct {
	put  string         // the statement that stores an entry
	drop string         // the statement for an entry that is too large to store, or empty
	seen []driver.Value // the last argument of both, if they have one
}

// put stores e with the statements of ch.
func (s *Store) put(ctx context.Context, key string, e cache.Entry, ch change) (stored bool, err error) {
	if err := check(ctx, key); err != nil {
		return false, err
	}
	if err := e.Check(); err != nil {
		return false, err
	}
	if e.Expires.UnixNano() <= time.Now().UnixNano() {
		return false, nil
	}
	j := &sqlitefile.Job{Key: hash(key)}
	var r row
	if len(e.Data) <= maxEntry {
		r = newRow(key, e)
	}
	if len(e.Data) > maxEntry || r.stored() > s.maxEntry {
		if ch.drop == "" {
			return false, nil
		}
		j.Do = func(c *sqlitefile.Conn) (int64, error) {
			return c.Exec(ch.drop, append([]driver.Value{j.Key, []byte(key), e.FetchedAt.UnixNano()}, ch.seen...)...)
		}
		_, err := s.queue.Submit(ctx, j)
		return false, err
	}
	j.Size = r.stored()
	j.Do = func(c *sqlitefile.Conn) (int64, error) {
		args := []driver.Value{j.Key, r.key, r.fetchedAt, r.expires, r.size, r.sum, r.data, time.Now().UnixNano()}
		return c.Exec(ch.put, append(args, ch.seen...)...)
	}
	n, err := s.queue.Submit(ctx, j)
	return n > 0, err
}

// Delete implements [cache.Store].
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	j := &sqlitefile.Job{Key: hash(key)}
	j.Do = func(c *sqlitefile.Conn) (int64, error) {
		return c.Exec(sqlDelete, j.Key, []byte(key))
	}
	_, err := s.queue.Submit(ctx, j)
	return err
}

func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return cache.CheckKey(key)
}

// deleteDamaged queues the deletion of a row with a wrong checksum. values are its
// id and then rowColumns.
func (s *Store) deleteDamaged(values []driver.Value) {
	id, sum := values[0], values[5]
	s.db.NoteDamagedRow(fmt.Errorf("row %v does not match its checksum", id))
	// If the queue is full, the next read of the row tries again.
	s.queue.SubmitLater(&sqlitefile.Job{Do: func(c *sqlitefile.Conn) (int64, error) {
		return c.Exec(sqlDeleteDamaged, id, sum)
	}})
}
