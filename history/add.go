package history

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

const (
	sqlOriginID  = "SELECT id FROM origins WHERE name = ?"
	sqlPutOrigin = "INSERT INTO origins (name, dropped) VALUES (?, 0)"
	sqlBodyID    = "SELECT id FROM bodies WHERE sha = ?"
	sqlPutBody   = "INSERT INTO bodies (sha, refs, size, data) VALUES (?, 0, ?, ?)"
	sqlRefer     = "UPDATE bodies SET refs = refs + ? WHERE id = ?"
	sqlCutBody   = "DELETE FROM bodies WHERE id = ? AND refs <= 0"
	sqlSetGone   = "UPDATE origins SET dropped = max(dropped, ?) WHERE id = ?"
)

// Add keeps an observation. It returns after the transaction, which can contain the
// observations of several callers, is committed. An equal observation of the same time
// changes nothing. The error wraps ErrInvalid if the observation cannot be kept. Any other
// error means that the database cannot be written.
func (s *Store) Add(ctx context.Context, o Observation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.Fault == localFault {
		return nil // says nothing about the origin
	}
	e, err := o.encode()
	if err != nil {
		return err
	}
	var sha [sha256.Size]byte
	var data []byte
	if e.body != nil {
		sha = sha256.Sum256(e.body)
		data = sqlitefile.Compress(e.body)
	}
	key := fnv.New64a()
	key.Write([]byte(e.origin))
	size := int64(len(e.body))
	e.body = nil // the caller's, who can change it when ctx ends
	_, err = s.queue.Submit(ctx, &sqlitefile.Job{
		Key: int64(key.Sum64()), Size: len(data) + len(e.facts) + len(e.header) + 60,
		Do: func(c *sqlitefile.Conn) (int64, error) {
			w := writing{c: c}
			origin := w.id(sqlOriginID, sqlPutOrigin, e.origin)
			var body int64
			if data != nil {
				body = w.id(sqlBodyID, sqlPutBody, sha[:], size, data)
			}
			w.insert(e, origin, body)
			return 1, w.err
		},
	})
	return err
}

// writing makes the changes of one observation. After an error the others do nothing.
type writing struct {
	c   *sqlitefile.Conn
	err error
}

func (w *writing) exec(query string, args ...driver.Value) {
	if w.err == nil {
		_, w.err = w.c.Exec(query, args...)
	}
}

// id returns the number of the row that find finds by the first of values, and inserts a row
// if there is none.
func (w *writing) id(find, put string, values ...driver.Value) int64 {
	for range 2 {
		var id int64
		if w.err == nil {
			id, w.err = w.c.Number(find, values[0])
		}
		if id != 0 || w.err != nil {
			return id
		}
		w.exec(put, values...)
	}
	return 0
}

// find returns the run of a query, or nil. It deletes a damaged one.
func (w *writing) find(query string, origin, t int64) *run {
	for w.err == nil {
		var first int64
		var r *run
		err := w.c.Query(query, []driver.Value{origin, t}, func(row []driver.Value) error {
			r = new(run)
			if !r.scan(row) {
				first, _ = row[1].(int64)
				return errRow(row[:2])
			}
			return nil
		})
		if err == nil {
			return r
		}
		if r == nil {
			w.err = err
			break
		}
		w.exec(sqlCutRun, origin, first)
		w.exec(sqlSetGone, first, origin)
	}
	return nil
}

func (w *writing) insert(e *encoded, origin, body int64) {
	fresh := run{origin: origin, body: body, facts: e.facts, header: e.header, lifetime: e.lifetime, sources: e.source}
	for t := e.time; w.err == nil; t++ {
		fresh.first, fresh.last = t, t
		before := w.find(sqlRunAt, origin, t)
		if before == nil || t > before.last {
			w.insertBetween(before, &fresh)
			return
		}
		all := before.instants()
		i, taken := slices.BinarySearch(all, t)
		equal := before.equals(&fresh)
		switch {
		case taken && !equal:
			continue // the next millisecond
		case taken && before.sources|e.source == before.sources && before.lifetime >= e.lifetime:
			return
		case taken:
			before.gain(&fresh)
			w.set(before)
			return
		case equal && before.isGit() == fresh.isGit():
			before.gain(&fresh)
			before.setInstants(slices.Insert(all, i, t))
			w.store(before)
			return
		}
		w.put(before.cut(all[i:]))
		before.setInstants(all[:i])
		w.set(before)
		w.put(&fresh)
		return
	}
}

// insertBetween adds an observation after before, which can be nil, and before the run that
// follows.
func (w *writing) insertBetween(before, fresh *run) {
	if before != nil && before.continues(fresh) && len(before.times) < maxTimes {
		before.times = binary.AppendUvarint(before.times, uint64(fresh.first-before.last))
		before.last = fresh.first
		before.header = fresh.header
		before.gain(fresh)
		w.set(before)
		return
	}
	after := w.find(sqlRunAfter, fresh.origin, fresh.first)
	if after == nil || !after.continues(fresh) || len(after.times) >= maxTimes {
		w.put(fresh)
		return
	}
	w.cutRun(after)
	after.gain(fresh)
	after.setInstants(append([]int64{fresh.first}, after.instants()...))
	w.put(after)
}

func (r *run) equals(other *run) bool { return r.body == other.body && r.facts == other.facts }

// isGit reports whether all observations of a run are from commits alone. Others have runs of
// their own, because a repository has all versions between its commits.
func (r *run) isGit() bool { return r.sources == gitSource }

func (r *run) continues(other *run) bool { return r.equals(other) && r.isGit() == other.isGit() }

func (r *run) gain(fresh *run) {
	r.sources |= fresh.sources
	r.lifetime = max(r.lifetime, fresh.lifetime)
}

func (r *run) cut(instants []int64) *run {
	rest := *r
	rest.setInstants(instants)
	return &rest
}

// store writes a run whose first is as it was, as two if it is too long.
func (w *writing) store(r *run) {
	if len(r.times) > maxTimes {
		all := r.instants()
		w.put(r.cut(all[len(all)/2:]))
		r.setInstants(all[:len(all)/2])
	}
	w.set(r)
}

func (w *writing) put(r *run) {
	w.exec(sqlPutRun, r.values()...)
	if r.body != 0 {
		w.exec(sqlRefer, int64(1), r.body)
	}
}

func (w *writing) set(r *run) {
	w.exec(sqlSetRun, r.origin, r.first, r.last, r.facts, r.header, r.sources, bytes.Clone(blob(r.times)),
		r.checksum(), r.lifetime)
}

// cutRun deletes a run. Its body stays if another run refers to it.
func (w *writing) cutRun(r *run) {
	w.exec(sqlCutRun, r.origin, r.first)
	if r.body != 0 {
		w.exec(sqlRefer, int64(-1), r.body)
	}
}

// dropRun deletes a run for good, with its body if no other run refers to it.
func (w *writing) dropRun(r *run) {
	w.cutRun(r)
	if r.body != 0 {
		w.exec(sqlCutBody, r.body)
	}
	w.exec(sqlSetGone, r.last, r.origin)
}
