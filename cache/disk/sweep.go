package disk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"os"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

const (
	sqlDeleteExpired = `DELETE FROM entries WHERE id IN (
	SELECT id FROM entries INDEXED BY entries_by_expiry WHERE expires <= ? ORDER BY expires LIMIT ?)`
	sqlOldest     = "SELECT id, length(key) + length(data) FROM entries ORDER BY id LIMIT ?"
	sqlDeleteUpTo = "DELETE FROM entries WHERE id <= ?"
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
func (s *Store) sweep(c *sqlitefile.Conn, put, now int64) (bool, error) {
	s.unmeasured += put
	if s.unmeasured < min(s.maxBytes/64, 1<<20) {
		return false, nil
	}
	s.unmeasured = 0
	// A holder that crashed has left its lease.
	if _, err := c.Exec(context.Background(), sqlDeleteEnded, now); err != nil {
		return true, err
	}
	for range maxSweeps {
		n, err := c.Exec(context.Background(), sqlDeleteExpired, now, sweepRows)
		if err != nil {
			return true, err
		}
		if n < sweepRows {
			break
		}
	}
	for range maxSweeps {
		used, _, err := sqlitefile.UsedBytes(c)
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

// deleteOldest deletes the oldest rows until about the given number of bytes is
// freed, but at most sweepRows. It returns the number of deleted rows.
func deleteOldest(c *sqlitefile.Conn, bytes int64) (int64, error) {
	var last int64
	err := c.Query(context.Background(), sqlOldest, []driver.Value{sweepRows}, func(row []driver.Value) error {
		if bytes <= 0 {
			return nil
		}
		id, ok := row[0].(int64)
		size, _ := row[1].(int64)
		if !ok {
			return fmt.Errorf("%w: id %v", sqlitefile.ErrDamaged, row[0])
		}
		last = id
		bytes -= max(size, 0)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return c.Exec(context.Background(), sqlDeleteUpTo, last)
}

// tidy returns unused pages to the file system and limits the log. It runs outside a
// transaction.
func (s *Store) tidy(c *sqlitefile.Conn) error {
	used, unused, err := sqlitefile.UsedBytes(c)
	if err != nil {
		return err
	}
	if unused > used/3 && unused > 4<<20 {
		if err := sqlitefile.Shrink(c, 4<<20); err != nil {
			return err
		}
	}
	// SQLite restarts the log by itself when no connection reads. If there is
	// always a reader, wait for it before the log becomes as large as the
	// database.
	log, err := os.Stat(s.db.Path + "-wal")
	if err == nil && log.Size() > 4*sqlitefile.LogSize(s.maxBytes) {
		return sqlitefile.Checkpoint(c)
	}
	return nil
}
