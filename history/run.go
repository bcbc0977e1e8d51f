package history

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

type run struct {
	origin      int64
	first, last int64
	body        int64 // 0 if there is none
	facts       string
	header      string
	lifetime    int64 // seconds
	sources     int64
	times       []byte
}

const runColumns = "origin, first, last, body, facts, header, lifetime, sources, times, sum"

const (
	sqlRunAt    = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first <= ? ORDER BY first DESC LIMIT 1"
	sqlRunAfter = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first > ? ORDER BY first LIMIT 1"
	sqlRunsFrom = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first >= ? ORDER BY first LIMIT ?"
	sqlPutRun   = "INSERT INTO runs (" + runColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	sqlSetRun   = "UPDATE runs SET last = ?3, facts = ?4, header = ?5, sources = ?6, times = ?7, sum = ?8, lifetime = ?9 WHERE origin = ?1 AND first = ?2"
	sqlCutRun   = "DELETE FROM runs WHERE origin = ? AND first = ?"
)

// maxTimes bounds the bytes of times: about 500 observations.
const maxTimes = 2048

func (r *run) checksum() int64 {
	numbers := []int64{r.origin, r.first, r.last, r.body, int64(len(r.facts)), int64(len(r.header)), r.lifetime,
		r.sources}
	return sqlitefile.Checksum(numbers, []byte(r.facts), []byte(r.header), r.times)
}

// scan reads a row of runColumns. ok is false if the row is not as it was written.
func (r *run) scan(row []driver.Value) (ok bool) {
	var sum int64
	key := sqlitefile.Scan(row, &r.origin, &r.first, &r.last)
	r.body, _ = row[3].(int64)
	rest := sqlitefile.Scan(row[4:], &r.facts, &r.header, &r.lifetime, &r.sources)
	times := sqlitefile.Scan(row[8:], &r.times) || row[8] == nil // the driver's form of an empty blob
	return key && rest && times && sqlitefile.Scan(row[9:], &sum) && sum == r.checksum()
}

func (r *run) values() []driver.Value {
	return []driver.Value{r.origin, r.first, r.last, nullable(r.body), r.facts, r.header, r.lifetime, r.sources,
		blob(r.times), r.checksum()}
}

// nullable returns the value of a column that is NULL for 0.
func nullable(id int64) driver.Value {
	if id == 0 {
		return nil
	}
	return id
}

// blob returns a value that is not NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (r *run) instants() []int64 {
	all := append(make([]int64, 0, 1+len(r.times)/3), r.first)
	at := r.first
	for rest := r.times; len(rest) > 0; {
		step, n := binary.Uvarint(rest)
		if n <= 0 {
			break // the checksum was right, so this cannot happen
		}
		at, rest = at+int64(step), rest[n:]
		all = append(all, at)
	}
	return all
}

// setInstants sets the times of a run to all, which are in order and at least one.
func (r *run) setInstants(all []int64) {
	r.first, r.last = all[0], all[len(all)-1]
	r.times = make([]byte, 0, 4*len(all))
	for i := 1; i < len(all); i++ {
		r.times = binary.AppendUvarint(r.times, uint64(all[i]-all[i-1]))
	}
}

// errRow marks a row that is not as it was written. It is not an sqlitefile.ErrDamaged,
// because the rest of the database is usable.
func errRow(r []driver.Value) error { return fmt.Errorf("row %v does not match its checksum", r) }
