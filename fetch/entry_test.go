package fetch

import (
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// TestReadEntry checks that ReadEntry returns every field of a record, however
// old.
func TestReadEntry(t *testing.T) {
	now := wallClock()
	s := recorded(t, now.Add(-365*day))
	stored, err := ReadEntry(cache.Entry{Data: mustRecord(t, s)})
	if err != nil {
		t.Fatal(err)
	}
	g, f := stored.Answer, stored.Fault
	if stored.Origin != s.origin || !stored.CheckedAt.Equal(s.checkedAt) || g == nil || f == nil {
		t.Fatalf("%+v", stored)
	}
	if g.Status != 200 || g.URL != s.lastAnswer.URL || !slices.Equal(g.Hops, s.lastAnswer.Hops) ||
		!g.FetchedAt.Equal(s.lastAnswer.At) ||
		g.Lifetime != time.Minute || !g.Stated || g.ETag != s.lastAnswer.ETag ||
		g.LastModified != s.lastAnswer.Modified ||
		string(g.Body) != theFile || !g.Truncated || !g.Delimited {
		t.Errorf("%+v", g)
	}
	if f.Status != 503 || f.URL != s.fault.URL || !slices.Equal(f.Hops, s.fault.Hops) ||
		!f.Since.Equal(s.fault.Since) ||
		f.Tries != 2 || !f.NextTry.Equal(s.fault.NextTry) || f.Kind != "status" || f.Text != s.fault.Text {
		t.Errorf("%+v", f)
	}

	s.lastAnswer.URL, s.fault = "", nil
	stored, err = ReadEntry(cache.Entry{Data: mustRecord(t, s)})
	if err != nil || stored.Fault != nil || stored.Answer.URL != s.origin.RobotsURL() {
		t.Errorf("%+v, %v", stored, err)
	}
}

// TestStoredResult checks the result of a stored answer or fault while it is
// fresh and later.
func TestStoredResult(t *testing.T) {
	now := wallClock()
	file := recorded(t, now)
	file.lastAnswer.At, file.lastAnswer.Stated, file.fault = now, false, nil
	none := recorded(t, now)
	none.lastAnswer = &siteAnswer{Class: classUnavailable, Status: 404, At: now}
	none.fault = nil
	down := recorded(t, now)
	down.lastAnswer = nil
	for _, test := range []struct {
		name    string
		state   *state
		policy  Policy
		age     time.Duration
		outcome Outcome
		source  Source
	}{
		{"file", file, GooglePolicy, hour, OutcomeRules, SourceStore},
		{"old file", file, GooglePolicy, 40 * day, OutcomeRules, SourceStale},
		{"no file", none, GooglePolicy, hour, OutcomeAllowAll, SourceStore},
		{"no file, long ago", none, GooglePolicy, 2 * day, OutcomeAllowAll, SourceStale},
		{"fault", down, GooglePolicy, hour, OutcomeDisallowAll, SourceAssumed},
		{"file, then a fault", recorded(t, now), RFC9309Policy, hour, OutcomeRules, SourceStale},
		{"file, then a fault", recorded(t, now), KosterPolicy, day, OutcomeDisallowAll, SourceAssumed},
	} {
		stored, err := ReadEntry(cache.Entry{Data: mustRecord(t, test.state)})
		if err != nil {
			t.Fatal(err)
		}
		r := stored.Result(test.policy, now.Add(test.age))
		if r.Outcome != test.outcome || r.Source != test.source ||
			(r.Robots() != nil) != (test.outcome == OutcomeRules) {
			t.Errorf("%s: %v from %v, want %v from %v", test.name, r.Outcome, r.Source, test.outcome, test.source)
		}
		if r.Outcome == OutcomeRules && string(r.Body()) != theFile {
			t.Errorf("%s: body %q", test.name, r.Body())
		}
		if (stored.Fault == nil) != (r.Err == nil) {
			t.Errorf("%s: error %v", test.name, r.Err)
		}
	}
}
