package fetch

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
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
	if g.Status != 200 || g.URL != s.lastAnswer.URL || !slices.Equal(g.Hops, s.lastAnswer.Hops) || !g.FetchedAt.Equal(s.lastAnswer.At) ||
		g.Lifetime != time.Minute || !g.Stated || g.ETag != s.lastAnswer.ETag || g.LastModified != s.lastAnswer.Modified ||
		string(g.Body) != theFile || !g.Truncated || !g.Delimited {
		t.Errorf("%+v", g)
	}
	if f.Status != 503 || f.URL != s.fault.URL || !slices.Equal(f.Hops, s.fault.Hops) || !f.Since.Equal(s.fault.Since) ||
		f.Tries != 2 || !f.NextTry.Equal(s.fault.NextTry) || f.Kind != "status" || f.Text != s.fault.Text {
		t.Errorf("%+v", f)
	}

	s.lastAnswer.URL, s.fault = "", nil
	stored, err = ReadEntry(cache.Entry{Data: mustRecord(t, s)})
	if err != nil || stored.Fault != nil || stored.Answer.URL != s.origin.RobotsURL() {
		t.Errorf("%+v, %v", stored, err)
	}
}

// TestReadEntryErrors checks that the error distinguishes damaged entries from
// those of a newer version.
func TestReadEntryErrors(t *testing.T) {
	record := mustRecord(t, recorded(t, wallClock()))
	newer := bytes.Clone(record[:len(record)-sha256.Size])
	newer[len(recordMagic)] = 7
	damaged := bytes.Clone(record)
	damaged[len(damaged)/2] ^= 1
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"empty": {nil, "invalid record"}, "cut": {record[:40], "invalid record"}, "damaged": {damaged, "wrong checksum"},
		"newer": {seal(newer), "version 7"}, "text": {[]byte(theFile), "invalid record"},
	} {
		stored, err := ReadEntry(cache.Entry{Data: test.data})
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, cache.ErrNewer) != (name == "newer") || stored != nil {
			t.Errorf("%s: %v, %v", name, stored, err)
		}
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
		if r.Outcome != test.outcome || r.Source != test.source || (r.Robots() != nil) != (test.outcome == OutcomeRules) {
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

// FuzzReadEntry checks that no entry makes ReadEntry panic. An entry that a
// client accepts can be read, its body is part of the entry, and it has a
// result under every policy.
func FuzzReadEntry(f *testing.F) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	o := mustOrigin(f, "https://foo.example")
	whole := mustRecord(f, recorded(f, now))
	f.Add(whole, false)
	f.Add(whole[:len(whole)-sha256.Size], true)
	f.Add(sealFacts(`{"origin":"https://foo.example","fault":{"Class":5,"Tries":1}}`, ""), false)
	f.Add([]byte(recordMagic+"\x02"), true)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		if sealed {
			b = seal(b)
		}
		stored, err := ReadEntry(cache.Entry{Data: b})
		if err != nil {
			if _, usable := readRecord(b, o, now); usable == nil {
				t.Errorf("a client reads it, but ReadEntry does not: %v", err)
			}
			return
		}
		if stored.Answer == nil && stored.Fault == nil {
			t.Error("an entry with neither an answer nor a fault")
		}
		if stored.Answer != nil && !bytes.Contains(b, stored.Answer.Body) {
			t.Error("a body that is not in the entry")
		}
		for _, p := range Policies() {
			r := stored.Result(p, now)
			if (r.Robots() != nil) != (r.Outcome == OutcomeRules) {
				t.Errorf("%v without rules", r.Outcome)
			}
		}
	})
}
