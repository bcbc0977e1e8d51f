package history

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"slices"
)

// run is a row of the table runs.
type run struct {
	origin      int64
	first, last int64
	body        int64 // 0 if there is none
	facts       string
	header      string
	sources     int64
	times       []byte
}

const runColumns = "origin, first, last, body, facts, header, sources, times, sum"

const (
	sqlRunAt    = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first <= ? ORDER BY first DESC LIMIT 1"
	sqlRunAfter = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first > ? ORDER BY first LIMIT 1"
	sqlRunsFrom = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first >= ? ORDER BY first LIMIT ?"
	sqlPutRun   = "INSERT INTO runs (" + runColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	sqlSetRun   = "UPDATE runs SET last = ?3, facts = ?4, header = ?5, sources = ?6, times = ?7, sum = ?8 WHERE origin = ?1 AND first = ?2"
	sqlCutRun   = "DELETE FROM runs WHERE origin = ? AND first = ?"
)

// maxTimes bounds the bytes of times: some 500 observations.
const maxTimes = 2048

// checksum returns the checksum of all columns. It detects flipped bits.
func (r *run) checksum() int64 {
	var fixed [7 * 8]byte
	for i, n := range [...]int64{r.origin, r.first, r.last, r.body, int64(len(r.facts)), int64(len(r.header)), r.sources} {
		binary.BigEndian.PutUint64(fixed[8*i:], uint64(n))
	}
	h := sha256.New()
	h.Write(fixed[:])
	h.Write([]byte(r.facts))
	h.Write([]byte(r.header))
	h.Write(r.times)
	var sum [sha256.Size]byte
	return int64(binary.BigEndian.Uint64(h.Sum(sum[:0])))
}

// scan reads a row of runColumns. ok is false if the row is not as it was written.
func (r *run) scan(row []driver.Value) (ok bool) {
	var good [8]bool
	var sum int64
	r.origin, good[0] = row[0].(int64)
	r.first, good[1] = row[1].(int64)
	r.last, good[2] = row[2].(int64)
	r.body, _ = row[3].(int64)
	r.facts, good[3] = row[4].(string)
	r.header, good[4] = row[5].(string)
	r.sources, good[5] = row[6].(int64)
	r.times, good[6] = row[7].([]byte)
	if row[7] == nil {
		r.times, good[6] = nil, true // the driver's form of an empty blob
	}
	sum, good[7] = row[8].(int64)
	return !slices.Contains(good[:], false) && sum == r.checksum()
}

// values returns the columns of the row.
func (r *run) values() []driver.Value {
	return []driver.Value{r.origin, r.first, r.last, nullable(r.body), r.facts, r.header, r.sources, blob(r.times), r.checksum()}
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

// instants returns the times of the observations, in order.
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

// around returns the nearest of some times in order, at least one: the last one that is not
// after t, and the first one that is not before t. ok are false if there is none.
func around(all []int64, t int64) (before int64, okBefore bool, after int64, okAfter bool) {
	i, exact := slices.BinarySearch(all, t)
	if exact {
		return t, true, t, true
	}
	if i > 0 {
		before, okBefore = all[i-1], true
	}
	if i < len(all) {
		after, okAfter = all[i], true
	}
	return before, okBefore, after, okAfter
}

// errRow marks a row that is not as it was written. It is no sqlitefile.ErrDamaged: the rest
// of the database is of use.
func errRow(r []driver.Value) error { return fmt.Errorf("row %v does not match its checksum", r) }
