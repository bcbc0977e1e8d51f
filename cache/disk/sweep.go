package disk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"os"
)

const (
	sqlDeleteExpired = `DELETE FROM entries WHERE id IN (
	SELECT id FROM entries INDEXED BY entries_by_expiry WHERE expires <= ? ORDER BY expires LIMIT ?)`
	sqlOldest       = "SELECT id, length(key) + length(data) FROM entries ORDER BY id LIMIT ?"
	sqlDeleteUpTo   = "DELETE FROM entries WHERE id <= ?"
	sqlPageCount    = "PRAGMA page_count"
	sqlUnusedPages  = "PRAGMA freelist_count"
	sqlReturnUnused = "PRAGMA incremental_vacuum(%d)"
)

const (
	sweepRows int64 = 512 // at a time, so that what they free can be looked at in between

	// A sweep frees what a transaction has brought, more or less. Only when a
	// smaller bound was set there is much to do, and it is spread over many
	// transactions, so that none keeps the others waiting for seconds.
	maxSweeps = 64
)

// sweep removes what has expired, and the oldest entries if the database is too
// big. It does so within the transaction that made it too big, so that many
// processes together exceed the bound no further than one of them.
//
// It looks only after so much was put that it can matter, and reports whether it
// did.
func (s *Store) sweep(c *conn, put, now int64) (bool, error) {
	s.unmeasured += put
	if s.unmeasured < min(s.maxBytes/64, 1<<20) {
		return false, nil
	}
	s.unmeasured = 0
	for range maxSweeps {
		n, err := c.exec(context.Background(), sqlDeleteExpired, now, sweepRows)
		if err != nil {
			return true, err
		}
		if n < sweepRows {
			break
		}
	}
	for range maxSweeps {
		used, _, err := usedBytes(c)
		if err != nil {
			return true, err
		}
		// An eighth is left for what comes before the next look, and what does
		// not fill its pages.
		over := used - (s.maxBytes - s.maxBytes/8)
		if over <= 0 {
			break
		}
		if n, err := deleteOldest(c, over); err != nil || n == 0 {
			return true, err
		}
	}
	return true, nil
}

// usedBytes returns how much of the database is used, and how much is not.
func usedBytes(c *conn) (used, unused int64, err error) {
	pages, err := c.number(context.Background(), sqlPageCount)
	if err != nil {
		return 0, 0, err
	}
	free, err := c.number(context.Background(), sqlUnusedPages)
	if err != nil {
		return 0, 0, err
	}
	return (pages - free) * pageSize, free * pageSize, nil
}

// deleteOldest deletes a number of the oldest rows, about as many as have that
// many bytes.
func deleteOldest(c *conn, bytes int64) (int64, error) {
	var last int64
	err := c.query(context.Background(), sqlOldest, []driver.Value{sweepRows}, func(row []driver.Value) error {
		if bytes <= 0 {
			return nil
		}
		id, ok := row[0].(int64)
		size, _ := row[1].(int64)
		if !ok {
			return fmt.Errorf("%w: id %v", errDamaged, row[0])
		}
		last = id
		bytes -= max(size, 0)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return c.exec(context.Background(), sqlDeleteUpTo, last)
}

// tidy gives back what the database does not need, outside of a transaction.
func (s *Store) tidy(c *conn) error {
	used, unused, err := usedBytes(c)
	if err != nil {
		return err
	}
	if unused > used/3 && unused > 4<<20 {
		if err := shrink(c, 4<<20); err != nil {
			return err
		}
	}
	// The log starts over by itself, unless somebody reads in every moment. Then
	// wait for a moment, before it gets as big as the database.
	log, err := os.Stat(s.path + "-wal")
	if err == nil && log.Size() > 4*logSize(s.maxBytes) {
		return checkpoint(c)
	}
	return nil
}

// shrink cuts up to so many unused bytes off the database. In the log they stay
// until the next checkpoint.
func shrink(c *conn, bytes int64) error {
	_, err := c.exec(context.Background(), fmt.Sprintf(sqlReturnUnused, bytes/pageSize))
	return err
}

// checkpoint writes the log into the database, and empties it. That others are
// busy is no error.
func checkpoint(c *conn) error {
	_, err := c.exec(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	if isBusy(err) {
		return nil
	}
	return err
}
