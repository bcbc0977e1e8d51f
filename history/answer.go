package history

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Certainty is how much the observations of an origin prove about a time.
type Certainty string

// The certainties.
const (
	Proved Certainty = "proved" // observed at this instant
	// between equal observations, or observations whose files mean the same, that are at most
	// Config.MaxGap apart or of commits
	Presumed Certainty = "presumed"
	Possible Certainty = "possible" // between two different observations: either can apply
	Unknown  Certainty = "unknown"  // before the first, after the last, or in a longer gap
)

// Version is an answer of an origin.
type Version struct {
	Status    int      // as in Observation
	Fault     string   // as in Observation
	FinalURL  string   // URL of the response
	Redirects []string // URLs that redirected, in order
	HasBody   bool     // whether there is a file
	SHA256    [sha256.Size]byte
	Size      int64 // of the file, in bytes
	Truncated bool  // the file is longer
}

// Equal reports whether v and other are equal in all their fields.
func (v Version) Equal(other Version) bool { return reflect.DeepEqual(v, other) }

// Seen is a version at the time of an observation.
type Seen struct {
	Time time.Time
	Version
}

// Answer is the state of an origin at a time, and how certain it is.
type Answer struct {
	Origin    string
	Time      time.Time // kept to the millisecond
	Certainty Certainty

	// Verdicts is the certainty of the verdicts. It differs from Certainty between two files that have
	// different sitemaps or extension lines, but proved to have the same verdicts: then it is Presumed,
	// and Certainty is Possible.
	Verdicts Certainty

	// Before is the last observation that is not after Time, and After the first that is not before it.
	// nil means that there is no such observation. If Certainty is Proved, both are the observation at
	// Time. If it is Presumed, they are equal or mean the same. If it is Possible, they differ. If it
	// is Unknown, they can be equal, but are then too far apart.
	Before, After *Seen

	// Dropped reports whether observations that would have mattered were dropped.
	Dropped bool
}

// Span is an interval of an origin's history. If it has observations, From and To are the times of
// the first and the last, and its Certainty is Proved or Presumed. Otherwise it is the time between
// two observations, before the first or after the last, and From and To are not part of it.
type Span struct {
	From, To  time.Time // Unknown: zero before the first observation, and after the last
	Certainty Certainty // Proved if it is an instant
	Verdicts  Certainty // of the verdicts, see Answer
	// the version that applied; between two different ones, the earlier; if Unknown, the last before
	// the span, else the first after it
	Version Version

	// These are set if the span has observations. The headers are from the last observation.
	// If an observation with an earlier time was added later and split the span, they can
	// be from an observation after it.
	Observations int
	Sources      []string
	Header       http.Header
	// the longest time for which a cache can have used an answer, by Cache-Control and Expires; see MaxLifetime
	Lifetime time.Duration

	Next    *Version // between different observations: the later version; Presumed means that it means the same
	Dropped bool     // whether observations in the span were dropped, if Certainty is Unknown
}

// Change is two observations in succession that differ.
type Change struct {
	After, NotAfter time.Time // it happened after the last observation of From, and by the first observation of To
	From, To        Version
}

const sqlOrigin = "SELECT id, dropped FROM origins WHERE name = ?"

// At returns the state of an origin at a time, and how certain it is. If the origin was never
// observed, Certainty is Unknown. The error wraps ErrInvalid if the origin is not canonical.
func (s *Store) At(ctx context.Context, origin string, t time.Time) (Answer, error) {
	at := t.UnixMilli()
	answer := Answer{Origin: origin, Time: instant(at), Certainty: Unknown}
	if _, err := checkOrigin(origin); err != nil {
		return answer, err
	}
	var lost int64
	err := s.read(ctx, func(c *sqlitefile.Conn) error {
		answer.Before, answer.After = nil, nil
		v := view{store: s, c: c}
		id, dropped := v.origin(origin)
		run := v.find(sqlRunAt, id, at)
		if run != nil {
			times := run.instants()
			after, exact := slices.BinarySearch(times, at)
			before := after
			if !exact {
				before-- // the first of times is not after at
			}
			answer.Before = v.seen(run, times[before])
			if after < len(times) { // the same version
				answer.After = &Seen{Time: instant(times[after]), Version: answer.Before.Version}
			}
		}
		if answer.After == nil {
			if run := v.find(sqlRunAfter, id, at); run != nil {
				answer.After = v.seen(run, run.first)
			}
		}
		lost = dropped
		answer.Dropped = v.damaged || dropped > 0 && dropped >= at ||
			dropped > 0 && answer.Before == nil
		return v.err
	})
	if err == nil {
		switch answer.Certainty = s.certainty(answer.Before, answer.After); {
		case answer.Certainty == Unknown && answer.Before != nil && answer.After != nil:
			answer.Certainty, err = s.committedAt(ctx, origin, at)
		case answer.Certainty == Possible && lost <= answer.Before.Time.UnixMilli():
			var common meaning
			common, err = s.meaning(ctx, answer.Before, answer.After)
			if common == sameMeaning {
				answer.Certainty = Presumed
			} else if common == sameVerdict {
				answer.Verdicts = Presumed
			}
		}
		if answer.Certainty == Presumed && lost > answer.Before.Time.UnixMilli() {
			answer.Certainty, answer.Dropped = Unknown, true // of an observation between that differed
		}
	}
	answer.Verdicts = cmp.Or(answer.Verdicts, answer.Certainty)
	return answer, err
}

func (s *Store) certainty(before, after *Seen) Certainty {
	switch {
	case before == nil || after == nil:
		return Unknown
	case before.Time.Equal(after.Time):
		return Proved
	case !before.Equal(after.Version):
		return Possible
	case after.Time.Sub(before.Time).Milliseconds() <= s.maxGap:
		return Presumed
	}
	return Unknown
}

// committedAt returns the certainty of a time between equal observations that are further
// apart than MaxGap.
func (s *Store) committedAt(ctx context.Context, origin string, at int64) (Certainty, error) {
	spans, err := s.spans(ctx, origin, at, at)
	for _, span := range spans {
		if span.Observations > 0 && span.From.UnixMilli() <= at && at <= span.To.UnixMilli() {
			return Presumed, err
		}
	}
	return Unknown, err
}

// view reads runs with one connection. After an error it returns nothing.
type view struct {
	store   *Store
	c       *sqlitefile.Conn
	site    string
	damaged bool // whether a row was not as it was written
	err     error
}

// origin returns the number of an origin, 0 if it has no observations, and the time of the
// last dropped one.
func (v *view) origin(name string) (id, dropped int64) {
	v.site = name
	_, v.err = v.c.Row(sqlOrigin, []driver.Value{name}, &id, &dropped)
	return id, dropped
}

func (v *view) find(query string, args ...driver.Value) (found *run) {
	if v.err != nil {
		return nil
	}
	v.err = v.c.Query(query, args, func(row []driver.Value) error {
		r := new(run)
		if !r.scan(row) {
			v.damaged = true
			v.store.db.NoteDamagedRow(errRow(row[:2]))
			return nil
		}
		found = r
		return nil
	})
	return found
}

func (v *view) seen(r *run, at int64) *Seen {
	return &Seen{Time: instant(at), Version: v.version(r)}
}

// version returns the answer that the observations of a run have in common.
func (v *view) version(r *run) Version {
	var f facts
	if err := json.Unmarshal([]byte(r.facts), &f); err != nil && v.err == nil {
		v.err = fmt.Errorf("the facts %q: %w", r.facts, err)
	}
	found := Version{Status: f.Status, Fault: f.Fault, FinalURL: f.FinalURL, Redirects: f.Redirects,
		Truncated: f.Truncated, HasBody: r.body != 0}
	if found.FinalURL == "" {
		o, _ := checkOrigin(v.site)
		found.FinalURL = o.RobotsURL()
	}
	if r.body != 0 && v.err == nil {
		const get = "SELECT sha, size FROM bodies WHERE id = ?"
		var sha []byte
		_, v.err = v.c.Row(get, []driver.Value{r.body}, &sha, &found.Size)
		copy(found.SHA256[:], sha)
	}
	return found
}
