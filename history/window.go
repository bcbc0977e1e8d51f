package history

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"math"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Window returns the spans that overlap the time from one instant to another, both included,
// in order. They follow each other without a gap, and are not cut at from and to, except
// the time before the first observation and the time after the last. The error wraps
// ErrInvalid if the origin is not canonical.
func (s *Store) Window(ctx context.Context, origin string, from, to time.Time) ([]Span, error) {
	all, err := s.spans(ctx, origin, from.UnixMilli(), to.UnixMilli())
	if err != nil {
		return nil, err
	}
	begin, end := instant(from.UnixMilli()), instant(to.UnixMilli())
	overlapping := all[:0]
	for _, span := range all {
		switch {
		case span.Observations > 0:
			if span.To.Before(begin) || span.From.After(end) {
				continue
			}
		case !span.To.IsZero() && !span.To.After(begin), !span.From.IsZero() && !span.From.Before(end):
			continue
		}
		if span.From.IsZero() {
			span.From = begin
		}
		if span.To.IsZero() {
			span.To = end
		}
		overlapping = append(overlapping, span)
	}
	return overlapping, s.presume(ctx, overlapping)
}

// Changes returns the changes of an origin, in order.
func (s *Store) Changes(ctx context.Context, origin string) ([]Change, error) {
	all, err := s.spans(ctx, origin, math.MinInt64, math.MaxInt64)
	var changes []Change
	for _, span := range all {
		if span.Certainty == Possible {
			changes = append(changes, Change{After: span.From, NotAfter: span.To, From: span.Version, To: *span.Next})
		}
	}
	return changes, err
}

// Last returns the last span with observations of an origin. The bool is false if
// there is no such span.
func (s *Store) Last(ctx context.Context, origin string) (Span, bool, error) {
	const last = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first <= ? ORDER BY first DESC LIMIT 1"
	var at int64 = -1
	if _, err := checkOrigin(origin); err != nil {
		return Span{}, false, err
	}
	err := s.read(ctx, func(c *sqlitefile.Conn) error {
		v := view{store: s, c: c}
		id, _ := v.origin(origin)
		if r := v.find(last, id, int64(math.MaxInt64)); r != nil {
			at = r.last
		}
		return v.err
	})
	if err != nil || at < 0 {
		return Span{}, false, err
	}
	spans, err := s.spans(ctx, origin, at, at)
	for i := len(spans) - 1; i >= 0; i-- {
		if spans[i].Observations > 0 {
			return spans[i], true, err
		}
	}
	return Span{}, false, err
}

// observed is a span with observations, of one or more runs.
type observed struct {
	run         *run
	first, last int64
	n           int
	sources     int64
	header      string
	lifetime    int64
}

// spans returns the spans of the runs of an origin that overlap a time, and of those next
// to them, with the time between and outside.
func (s *Store) spans(ctx context.Context, origin string, from, to int64) ([]Span, error) {
	if _, err := checkOrigin(origin); err != nil {
		return nil, err
	}
	var spans []Span
	err := s.read(ctx, func(c *sqlitefile.Conn) error {
		v := view{store: s, c: c}
		id, dropped := v.origin(origin)
		pieces := s.split(v.runs(id, from, to), dropped)
		spans = v.joined(pieces, dropped)
		return v.err
	})
	return spans, err
}

// runs returns the runs of an origin that overlap a time, with those next to them that are
// needed to know where their spans begin and end.
func (v *view) runs(id, from, to int64) (all []*run) {
	const before = "SELECT " + runColumns + " FROM runs WHERE origin = ? AND first < ? ORDER BY first DESC LIMIT 1"
	begin := from
	var ahead []*run
	// Runs before that continue the first one belong to its span.
	for r := v.find(sqlRunAt, id, from); r != nil; r = v.find(before, id, r.first) {
		ahead = append(ahead, r)
		begin = r.first
		if r.last < from && len(ahead) > 1 && !r.equals(ahead[len(ahead)-2]) {
			break
		}
	}
	const page int64 = 256
	for next := begin; v.err == nil; {
		n := int64(0)
		over := false
		v.err = v.c.Query(sqlRunsFrom, []driver.Value{id, next, page}, func(row []driver.Value) error {
			n++
			r := new(run)
			if !r.scan(row) {
				v.damaged = true
				v.store.db.NoteDamagedRow(errRow(row[:2]))
				if first, ok := row[1].(int64); ok {
					next = max(next, first) + 1
				}
				return nil
			}
			next = r.first + 1
			if over {
				return nil
			}
			// The run after the window is needed, and those that continue it.
			over = len(all) > 0 && all[len(all)-1].first > to && !r.equals(all[len(all)-1])
			all = append(all, r)
			return nil
		})
		if n < page || over {
			return all
		}
	}
	return nil
}

// split returns the spans of runs: equal observations at most MaxGap apart, or within commits,
// and not before the last dropped observation, which could have been between them and
// different.
func (s *Store) split(runs []*run, dropped int64) (pieces []*observed) {
	var last *observed
	var commits committed
	for n, r := range runs {
		if n == 0 || !runs[n-1].equals(r) {
			commits = commitsOf(runs[n:])
		}
		for i, at := range r.instants() {
			if last == nil || !last.run.equals(r) || at-last.last > s.maxGap && !commits.contain(last.last, at) ||
				last.last < dropped {
				last = &observed{run: r, first: at}
				pieces = append(pieces, last)
			}
			last.last = at
			last.n++
			last.header = r.header
			last.lifetime = max(last.lifetime, r.lifetime)
			last.sources |= r.sources
			if i == 0 {
				last.run = r
			}
		}
	}
	return pieces
}

// committed is the time from the first to the last observation from Git in equal runs without a
// different one between them. A repository has all versions, so no other was served between.
type committed struct{ first, last int64 }

// commitsOf returns the commits in the equal runs with which a list begins.
func commitsOf(runs []*run) committed {
	found := committed{math.MaxInt64, math.MinInt64}
	for _, r := range runs {
		if !r.equals(runs[0]) {
			break
		}
		if r.isGit() {
			found.first, found.last = min(found.first, r.first), max(found.last, r.last)
		}
	}
	return found
}

func (c committed) contain(from, to int64) bool { return c.first <= from && to <= c.last }

func (v *view) joined(pieces []*observed, dropped int64) (spans []Span) {
	outside := Span{Certainty: Unknown, Verdicts: Unknown, Dropped: dropped > 0 || v.damaged}
	if len(pieces) == 0 {
		return append(spans, outside)
	}
	for i, p := range pieces {
		now := Span{
			From: instant(p.first), To: instant(p.last), Certainty: Presumed, Version: v.version(p.run),
			Observations: p.n,
		}
		now.Lifetime = time.Duration(p.lifetime) * time.Second
		if p.n == 1 {
			now.Certainty = Proved
		}
		now.Verdicts = now.Certainty
		for bit, name := range sources {
			if p.sources&(1<<bit) != 0 {
				now.Sources = append(now.Sources, name)
			}
		}
		if p.header != "" {
			if err := json.Unmarshal([]byte(p.header), &now.Header); err != nil && v.err == nil {
				v.err = err
			}
		}
		if i == 0 {
			outside.To = now.From
			outside.Version = now.Version
			spans = append(spans, outside)
		} else {
			before := spans[len(spans)-1]
			gap := Span{From: before.To, To: now.From, Certainty: Unknown, Version: before.Version,
				Dropped: dropped > before.To.UnixMilli() || v.damaged}
			if !before.Version.Equal(now.Version) {
				next := now.Version
				gap.Certainty = Possible
				gap.Next = &next
			}
			gap.Verdicts = gap.Certainty
			spans = append(spans, gap)
		}
		spans = append(spans, now)
	}
	last := spans[len(spans)-1]
	isDropped := v.damaged || dropped > last.To.UnixMilli()
	return append(spans, Span{From: last.To, Certainty: Unknown, Verdicts: Unknown, Version: last.Version,
		Dropped: isDropped})
}
