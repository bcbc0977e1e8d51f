package replicas_test

import (
	"encoding/json"
	"testing"
	"time"
)

// TestProblem checks that wrong responses are found.
func TestProblem(t *testing.T) {
	now := time.Now()
	withFile := &siteOrigin{id: 3, url: "http://site.example", kind: kinds[0], served: []served{
		{began: now.Add(-20 * time.Minute), ended: now.Add(-20 * time.Minute), version: 0},
		{began: now.Add(-time.Minute), ended: now.Add(-time.Minute), version: 1},
	}}
	withNone := &siteOrigin{id: 3, kind: kinds[2], served: withFile.served}
	failed := &siteOrigin{id: 3, kind: kinds[0], served: []served{{began: now, ended: now, version: isFault}}}
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
		{"the version that is fresh", withFile, version1, true},
		{"the version that has expired", withFile, version0, false},
		{"a verdict of another version", withFile, flipped, false},
		{"the file of another site", withFile, other, false},
		{"none instead of the file", withFile, none, false},
		{"unknown without a fault", withFile, unknown, false},
		{"no file", withNone, none, true},
		{"a file instead of none", withNone, version1, false},
		{"unknown after a fault", failed, unknown, true},
		{"closed after a fault", failed, closed, true},
		{"open after a fault", failed, open, false},
		{"a file that was not served", failed, version1, false},
		{"trouble of the replica", failed, local, false},
		{"no answers", withFile, `[]`, false},
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
