package disk

import (
	"database/sql/driver"
	"fmt"
	"time"

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
	// none blocks other callers for seconds.
	maxSweeps = 64
)

// sweep deletes expired entries, and the oldest entries if the database is too
// large.
func (s *Store) sweep(c *sqlitefile.Conn) error {
	now := time.Now().UnixNano()
	// A holder that crashed has left its lease.
	if _, err := c.Exec(sqlDeleteEnded, now); err != nil {
		return err
	}
	for range maxSweeps {
		n, err := c.Exec(sqlDeleteExpired, now, sweepRows)
		if err != nil {
			return err
		}
		if n < sweepRows {
			break
		}
	}
	for range maxSweeps {
		over, err := sqlitefile.Over(c, s.db.MaxBytes)
		if err != nil || over <= 0 {
			return err
		}
		if n, err := deleteOldest(c, over); err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// deleteOldest deletes the oldest rows until about the given number of bytes is
// freed, but at most sweepRows. It returns the number of deleted rows.
func deleteOldest(c *sqlitefile.Conn, bytes int64) (int64, error) {
	var last int64
	err := c.Query(sqlOldest, []driver.Value{sweepRows}, func(row []driver.Value) error {
		if bytes <= 0 {
			return nil
		}
		var id, size int64
		if !sqlitefile.Scan(row, &id, &size) {
			return fmt.Errorf("%w: id %v", sqlitefile.ErrDamaged, row[0])
		}
		last = id
		bytes -= max(size, 0)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return c.Exec(sqlDeleteUpTo, last)
}
