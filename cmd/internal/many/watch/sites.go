package watch

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

type entry struct{ id, due int64 }

const addBatch = 10_000

// A pending change is due at once, because the time of its confirmation might have changed.
const sqlAddSite = `INSERT INTO sites (origin, due, claimed, version, state, body, size, expected, sum) VALUES (?1, ?2, 0, 0, x'', x'', 0, '', ?3)
	ON CONFLICT (origin) DO UPDATE SET origin = origin
	RETURNING id, CASE WHEN instr(state, CAST('"confirms":' AS BLOB)) + instr(parts, CAST('"confirms":' AS BLOB)) +
		instr(state, CAST('"fault_since":' AS BLOB)) > 0 THEN 0 ELSE due END`

// add adds unknown sites, which are due at once, and returns the schedule of all sites. The
// error is the store's, or the first error of origins.
func (s *Store) add(ctx context.Context, origins iter.Seq2[string, error], now time.Time) (added []entry, err error) {
	batch := make([]string, 0, addBatch)
	store := func() error {
		before := len(added)
		defer func() { batch = batch[:0] }()
		return s.transact(ctx, func(c *sqlitefile.Conn) error {
			added = added[:before]
			for _, o := range batch {
				var e entry
				if _, err := c.Row(sqlAddSite, []driver.Value{o, now.UnixMilli(), siteSum(o, nil, nil, "", nil)}, &e.id,
					&e.due); err != nil {
					return err
				}
				added = append(added, e)
			}
			return nil
		})
	}
	for o, err := range origins {
		batch = append(batch, o)
		if err == nil && len(batch) == addBatch {
			err = store()
		}
		if err != nil {
			return nil, err
		}
	}
	if err := store(); err != nil {
		return nil, err
	}
	slices.SortFunc(added, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
	return slices.Compact(added), nil
}

type site struct {
	id, version int64
	origin      string
	state       States
	expected    string
}

// claimFor is the time for which a claim lasts. A fetch and its comparison rarely take
// longer; if they do, another process might fetch the site too, and only one of the results
// counts.
const claimFor = 2 * time.Minute

// A claim far in the future is from a clock that was set back.
const sqlClaim = `UPDATE sites SET claimed = ?1 WHERE id = ?2 AND (?4 OR NOT (claimed > ?3 AND claimed <= ?1))
	RETURNING id, version, origin, state, body, size, expected, parts, sum`

// claim claims sites that no other process has claimed, or with force all. The others are
// missing in the result.
func (s *Store) claim(ctx context.Context, ids []int64, force bool, now time.Time) (claimed []*site, err error) {
	err = s.transact(ctx, func(c *sqlitefile.Conn) error {
		claimed = claimed[:0]
		for _, id := range ids {
			err := c.Query(sqlClaim, []driver.Value{now.Add(claimFor).UnixMilli(), id, now.UnixMilli(), force},
				func(row []driver.Value) error {
					claimed = append(claimed, s.scan(row))
					return nil
				})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return claimed, err
}

// siteSum returns the checksum of a site. Empty parts do not change it, so that the checksums of version 1
// of the schema stay right.
func siteSum(origin string, state, body []byte, expected string, parts []byte) int64 {
	columns := [][]byte{[]byte(origin), state, body, []byte(expected)}
	if len(parts) > 0 {
		columns = append(columns, parts)
	}
	return checksum(columns...)
}

// scan returns the site of a row. A row that differs from what was written counts as a site
// that was never seen.
func (s *Store) scan(row []driver.Value) *site {
	f := new(site)
	var state, body, parts []byte
	var size, sum int64
	var expected string
	sqlitefile.Scan(row, &f.id, &f.version, &f.origin, &state, &body, &size, &expected, &parts, &sum)
	if sum != siteSum(f.origin, state, body, expected, parts) {
		s.noteDamage(f.origin + ", which is treated as not seen before")
		return f
	}
	f.expected = expected
	if len(state) == 0 {
		return f
	}
	rules := &f.state[RulesPart]
	err := json.Unmarshal(state, rules)
	if err == nil && rules.Reported != nil {
		rules.Reported.Body, err = sqlitefile.Decompress(body, size)
	}
	if err == nil {
		err = f.state.decodeParts(parts)
	}
	if err != nil { // the row is from another program, because its checksum is right
		s.noteDamage(f.origin + ": " + err.Error())
		f.state = States{}
	}
	return f
}

type outcome struct {
	*site
	Sighting
	expected string
	skipped  bool // the claim is given back, without a fetch
}

const (
	sqlGiveBack = "UPDATE sites SET claimed = 0 WHERE id = ? AND version = ?"
	sqlSetSite  = "UPDATE sites SET due = ?, claimed = 0, version = version + 1, state = ?, body = ?, size = ?, expected = ?, parts = ?, sum = ? WHERE id = ? AND version = ?"
	sqlAddEvent = "INSERT INTO events (site, at, gravity, message, event, sum) VALUES (?, ?, ?, 0, ?, ?)"
)

// commit stores outcomes in one transaction, each state with its event. It leaves states
// alone that another process has changed since the claim. It returns the number of stored
// events. The error is errReplaced if the store no longer has one of the sites.
func (s *Store) commit(ctx context.Context, outcomes []*outcome) (events int, err error) {
	changes := make([][]driver.Value, len(outcomes))
	reports := make([][]driver.Value, len(outcomes))
	for i, o := range outcomes {
		err := panics.Contain(o.origin, nil,
			func() (err error) { changes[i], reports[i], err = o.encode(); return err })
		if err != nil {
			return 0, err
		}
	}
	var lost error
	err = s.transact(ctx, func(c *sqlitefile.Conn) error {
		events, lost = 0, nil
		if err := s.makeRoom(c, "events"); err != nil {
			return err
		}
		for i, o := range outcomes {
			if o.skipped {
				if err := execute(c, sqlGiveBack, o.id, o.version); err != nil {
					return err
				}
				continue
			}
			n, err := c.Exec(sqlSetSite, changes[i]...)
			if err != nil {
				return err
			}
			if n == 0 {
				if known, err := c.Number("SELECT count(*) FROM sites WHERE id = ? AND origin = ?", o.id, o.origin); err != nil {
					return err
				} else if known == 0 {
					lost = errReplaced
				}
				continue
			}
			if o.Event == nil {
				continue
			}
			if err := execute(c, sqlAddEvent, reports[i]...); err != nil {
				return err
			}
			events++
		}
		return nil
	})
	return events, cmp.Or(err, lost)
}

// encode returns the values for sqlSetSite and, with an event, for sqlAddEvent.
func (out *outcome) encode() (change, report []driver.Value, err error) {
	if out.skipped {
		return nil, nil, nil
	}
	rules := &out.State[RulesPart]
	state, err := json.Marshal(rules)
	if err != nil {
		return nil, nil, err
	}
	parts, err := out.State.encodeParts()
	if err != nil {
		return nil, nil, err
	}
	body := []byte{}
	size := 0
	if rules.Reported != nil {
		body = sqlitefile.Compress(rules.Reported.Body)
		size = len(rules.Reported.Body)
	}
	change = []driver.Value{
		out.Due.UnixMilli(), state, body, int64(size), out.expected, parts,
		siteSum(out.origin, state, body, out.expected, parts), out.id, out.version,
	}
	if out.Event == nil {
		return change, nil, nil
	}
	out.Event.ID = uuid(fmt.Sprintf("%s %d %d", out.origin, out.version, out.Event.At.UnixNano()))
	event, err := json.Marshal(out.Event)
	report = []driver.Value{out.id, out.Event.At.UnixMilli(), int64(rank(out.Event.Gravity)), event, checksum(event)}
	return change, report, err
}

// errReplaced means that a site is missing from the store, so the numbers in the schedule
// are no longer valid.
var errReplaced = errors.New("another file has replaced the store, which was damaged or removed, so messages might be missing: run again to continue from the history")

func (s *Store) dueOf(ctx context.Context, id int64) (due int64, err error) {
	found := false
	err = s.db.Read(ctx, func(c *sqlitefile.Conn) (err error) {
		found, err = c.Row("SELECT max(due, claimed) FROM sites WHERE id = ?", []driver.Value{id}, &due)
		return err
	})
	if err == nil && !found {
		err = errReplaced
	}
	return due, err
}
