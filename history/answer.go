package history

import (
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

// Certainty says what the observations of an origin tell about a time.
type Certainty string

// The certainties.
const (
	Proved   Certainty = "proved"   // observed at this instant
	Presumed Certainty = "presumed" // between equal observations at most Config.MaxGap apart
	Possible Certainty = "possible" // between two different observations: either may apply
	Unknown  Certainty = "unknown"  // before the first, after the last, or in a longer gap
)

// Version is what an origin answered.
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

// Equal reports whether two versions are of equal observations.
func (v Version) Equal(other Version) bool { return reflect.DeepEqual(v, other) }

// Seen is a version at the time of an observation.
type Seen struct {
	Time time.Time
	Version
}

// Answer says what is known about an origin at a time.
type Answer struct {
	Origin    string
	Time      time.Time // kept to the millisecond
	Certainty Certainty

	// Before and After are the nearest observations: not after Time, and not before it. nil
	// means that there is none. If Certainty is Proved both are the one at Time, if it is
	// Presumed they are equal, and if it is Possible they differ. If it is Unknown they may
	// be equal, but too far apart.
	Before, After *Seen

	// Dropped reports whether observations that would have mattered were dropped.
	Dropped bool
}

// Span is an interval of an origin's history. If its Certainty is Proved or Presumed, it has
// observations, of which From and To are the first and the last. Otherwise it is the time
// between two observations, without them, or outside of all.
type Span struct {
	From, To  time.Time // Unknown: zero before the first observation, and after the last
	Certainty Certainty // Proved if it is an instant
	Version   Version   // Possible: the earlier one; Unknown: of the observation before, or else the one after

	// These are set if the span has observations. The headers are of the last one; those of a
	// span that an observation of an earlier time split may be of a later one.
	Observations int
	Sources      []string
	Header       http.Header

	Next    *Version // Possible: the later version
	Dropped bool     // Unknown: whether observations in it were dropped
}

// Change is two observations in succession that differ.
type Change struct {
	After, NotAfter time.Time // it happened after the last observation of From, and not after the first of To
	From, To        Version
}

const sqlOrigin = "SELECT id, dropped FROM origins WHERE name = ?"

// At returns what is known about an origin at a time. An origin that was never observed is
// Unknown. The error wraps ErrInvalid if the origin is not canonical.
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
		answer.Certainty = s.certainty(answer.Before, answer.After)
		if answer.Certainty == Presumed && lost > answer.Before.Time.UnixMilli() {
			answer.Certainty, answer.Dropped = Unknown, true // of an observation between that differed
		}
	}
	return answer, err
}

// certainty returns what two observations in succession tell about the time between.
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

// seen returns an observation of a run.
func (v *view) seen(r *run, at int64) *Seen {
	return &Seen{Time: instant(at), Version: v.version(r)}
}

// version returns what the observations of a run have in common.
func (v *view) version(r *run) Version {
	var f facts
	if err := json.Unmarshal([]byte(r.facts), &f); err != nil && v.err == nil {
		v.err = fmt.Errorf("the facts %q: %w", r.facts, err)
	}
	found := Version{Status: f.Status, Fault: f.Fault, FinalURL: f.FinalURL, Redirects: f.Redirects, Truncated: f.Truncated, HasBody: r.body != 0}
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
