package history

import (
	"database/sql/driver"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

const (
	sqlOldest    = "SELECT " + runColumns + ", coalesce(length(times), 0) + 80 FROM runs INDEXED BY runs_by_last WHERE last < ? ORDER BY last LIMIT ?"
	sqlCountGone = `INSERT INTO dropped (id, observations, runs, until) VALUES (1, ?1, ?2, ?3)
ON CONFLICT (id) DO UPDATE SET observations = observations + ?1, runs = runs + ?2, until = max(until, ?3)`
	noTime int64 = 1<<63 - 1
)

const (
	sweepRows int64 = 512 // rows of one step; the size is checked after each

	// maxSweeps bounds the work in one transaction, so that no transaction blocks others
	// for seconds after a bound was reduced.
	maxSweeps = 64
)

// sweep drops the runs that ended before MaxAge, and those that ended first if the database
// is too large.
func (s *Store) sweep(c *sqlitefile.Conn) error {
	if s.maxAge > 0 {
		for range maxSweeps {
			n, err := drop(c, time.Now().Add(-s.maxAge).UnixMilli(), sweepRows)
			if err != nil {
				return err
			}
			if n < sweepRows {
				break
			}
		}
	}
	for range maxSweeps {
		over, err := sqlitefile.Over(c, s.db.MaxBytes)
		if err != nil || over <= 0 {
			return err
		}
		// A run with its body takes some hundred bytes or more.
		if n, err := drop(c, noTime, min(sweepRows, over/512+1)); err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// drop deletes up to limit runs that ended before a time, beginning with the ones that
// ended first. For each origin it keeps the time until which observations were dropped,
// and counts them.
func drop(c *sqlitefile.Conn, before, limit int64) (n int64, err error) {
	var oldest []*run
	var observations, until int64
	var damaged [][2]int64
	err = c.Query(sqlOldest, []driver.Value{before, limit}, func(row []driver.Value) error {
		r := new(run)
		if !r.scan(row) {
			damaged = append(damaged, [2]int64{r.origin, r.first})
			return nil
		}
		oldest = append(oldest, r)
		return nil
	})
	w := writing{c: c, err: err}
	for _, r := range oldest {
		w.dropRun(r)
		observations += int64(len(r.instants()))
		until = max(until, r.last)
	}
	for _, key := range damaged {
		w.exec(sqlCutRun, key[0], key[1])
		w.exec(sqlSetGone, key[1], key[0])
	}
	n = int64(len(oldest) + len(damaged))
	if n > 0 {
		w.exec(sqlCountGone, observations, n, until)
	}
	return n, w.err
}
