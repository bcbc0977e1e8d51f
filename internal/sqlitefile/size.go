package sqlitefile

import (
	"fmt"
	"os"
)

// Size returns the size of the database and its log, in bytes.
func (d *DB) Size() (bytes int64) {
	for _, companion := range companions[:2] {
		if info, err := os.Stat(d.Path + companion); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

func usedBytes(c *Conn) (used, unused int64, err error) {
	pages, err := c.Number("PRAGMA page_count")
	if err != nil {
		return 0, 0, err
	}
	free, err := c.Number("PRAGMA freelist_count")
	if err != nil {
		return 0, 0, err
	}
	return (pages - free) * PageSize, free * PageSize, nil
}

// Over returns by how many bytes the used pages exceed seven eighths of maxBytes. An
// eighth stays free for data before the next sweep, and for partly filled pages.
func Over(c *Conn, maxBytes int64) (int64, error) {
	used, _, err := usedBytes(c)
	return used - (maxBytes - maxBytes/8), err
}

// Shrink removes up to the given number of unused bytes from the database. The file
// Shrinks at the next checkpoint.
func Shrink(c *Conn, bytes int64) error {
	_, err := c.Exec(fmt.Sprintf("PRAGMA incremental_vacuum(%d)", bytes/PageSize))
	return err
}

// Checkpoint writes the log into the database and truncates it. It returns nil if
// other connections prevent that.
func Checkpoint(c *Conn) error {
	_, err := c.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if IsBusy(err) {
		return nil
	}
	return err
}
