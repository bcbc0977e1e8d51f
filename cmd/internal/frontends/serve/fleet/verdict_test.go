package fleet_test

import (
	"encoding/json"
	"testing"
	"time"
)

// TestProblem checks that wrong responses are found.
func TestProblem(t *testing.T) {
	now := time.Now()
	served := []*attempt{
		{began: now.Add(-20 * time.Minute), ended: now.Add(-20 * time.Minute), version: 0},
		{began: now.Add(-time.Minute), ended: now.Add(-time.Minute), version: 1},
	}
	hasFile := &siteOrigin{kind: withFile, attempts: served}
	hasNone := &siteOrigin{kind: withNone, attempts: served}
	hasFailed := &siteOrigin{kind: withFile}
	for _, o := range []*siteOrigin{hasFile, hasNone, hasFailed} {
		o.id, o.url, o.maxAge = 3, "http://site.example", 5*time.Minute
	}
	hasFailed.attempts = []*attempt{{began: now, ended: now, version: isFault}}
	hasFailed.failed.Store(true)
	const (
		version0 = `[{"verdict":"allowed","line":3,"outcome":"rules"},{"verdict":"disallowed","line":2,"outcome":"rules"},{"verdict":"allowed","line":4,"outcome":"rules"}]`
		version1 = `[{"verdict":"allowed","line":4,"outcome":"rules"},{"verdict":"disallowed","line":3,"outcome":"rules"},{"verdict":"disallowed","line":3,"outcome":"rules"}]`
		flipped  = `[{"verdict":"allowed","line":4,"outcome":"rules"},{"verdict":"disallowed","line":3,"outcome":"rules"},{"verdict":"allowed","line":5,"outcome":"rules"}]`
		other    = `[{"verdict":"disallowed","line":3,"outcome":"rules"},{"verdict":"allowed","line":4,"outcome":"rules"},{"verdict":"disallowed","line":3,"outcome":"rules"}]`
		none     = `[{"verdict":"allowed","line":0,"outcome":"allow-all"},{"verdict":"allowed","line":0,"outcome":"allow-all"},{"verdict":"allowed","line":0,"outcome":"allow-all"}]`
		unknown  = `[{"verdict":"unknown","line":0,"outcome":"disallow-all"},{"verdict":"unknown","line":0,"outcome":"disallow-all"},{"verdict":"unknown","line":0,"outcome":"disallow-all"}]`
		closed   = `[{"verdict":"disallowed","line":0,"outcome":"disallow-all"},{"verdict":"disallowed","line":0,"outcome":"disallow-all"},{"verdict":"disallowed","line":0,"outcome":"disallow-all"}]`
		open     = `[{"verdict":"allowed","line":0,"outcome":"disallow-all"},{"verdict":"allowed","line":0,"outcome":"disallow-all"},{"verdict":"allowed","line":0,"outcome":"disallow-all"}]`
		local    = `[{"verdict":"unknown","line":0,"outcome":"local"},{"verdict":"unknown","line":0,"outcome":"local"},{"verdict":"unknown","line":0,"outcome":"local"}]`
	)
	for _, tt := range []struct {
		name    string
		origin  *siteOrigin
		answers string
		right   bool
	}{
		{"the version that is fresh", hasFile, version1, true},
		{"the version that has expired", hasFile, version0, false},
		{"a verdict of another version", hasFile, flipped, false},
		{"the file of another site", hasFile, other, false},
		{"none instead of the file", hasFile, none, false},
		{"unknown without a fault", hasFile, unknown, false},
		{"no file", hasNone, none, true},
		{"a file instead of none", hasNone, version1, false},
		{"unknown after a fault", hasFailed, unknown, true},
		{"closed after a fault", hasFailed, closed, true},
		{"open after a fault", hasFailed, open, false},
		{"a file that was not served", hasFailed, version1, false},
		{"trouble of the replica", hasFailed, local, false},
		{"no answers", hasFile, `[]`, false},
	} {
		var r response
		if err := json.Unmarshal([]byte(`{"answers":`+tt.answers+`}`), &r); err != nil {
			t.Fatal(err)
		}
		if problem := tt.origin.problem(&r, now, now); (problem == "") != tt.right {
			t.Errorf("%s: problem %q, want right %v", tt.name, problem, tt.right)
		}
	}
}
