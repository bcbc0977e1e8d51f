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
	sweepRows int64 = 512 // rows of one statement; the size is checked after each

	// maxSweeps bounds the work in one transaction. A sweep usually frees about
	// as much as the transaction has added. Much more is necessary only after
	// MaxBytes was reduced. That work is spread over many transactions, so that
	// none of them blocks others for seconds.
	maxSweeps = 64
)

// sweep deletes expired entries, and the oldest entries if the database is too
// large. It runs within the transaction that made it too large, so that many
// processes exceed the bound no further than a single one.
//
// It checks the size only after enough data was put, and reports whether it did.
func (s *Store) sweep(c *conn, put, now int64) (bool, error) {
	s.unmeasured += put
	if s.unmeasured < min(s.maxBytes/64, 1<<20) {
		return false, nil
	}
	s.unmeasured = 0
	// A holder that crashed has left its lease.
	if _, err := c.exec(context.Background(), sqlDeleteEnded, now); err != nil {
		return true, err
	}
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
		// An eighth stays free for data before the next check, and for partly
		// filled pages.
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

// usedBytes returns the size of the used and of the unused pages.
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

// deleteOldest deletes the oldest rows until about the given number of bytes is
// freed, but at most sweepRows. It returns the number of deleted rows.
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

// tidy returns unused pages to the file system and limits the log. It runs outside a
// transaction.
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
	// SQLite restarts the log by itself when no connection reads. If there is
	// always a reader, wait for it before the log becomes as large as the
	// database.
	log, err := os.Stat(s.path + "-wal")
	if err == nil && log.Size() > 4*logSize(s.maxBytes) {
		return checkpoint(c)
	}
	return nil
}

// shrink removes up to the given number of unused bytes from the database. The file
// shrinks at the next checkpoint.
func shrink(c *conn, bytes int64) error {
	_, err := c.exec(context.Background(), fmt.Sprintf(sqlReturnUnused, bytes/pageSize))
	return err
}

// checkpoint writes the log into the database and truncates it. It returns nil if
// other connections prevent that.
func checkpoint(c *conn) error {
	_, err := c.exec(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	if isBusy(err) {
		return nil
	}
	return err
}
