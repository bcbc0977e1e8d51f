package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

func mustOrigin(t testing.TB, url string) origin.Origin {
	t.Helper()
	o, err := origin.Of(url)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func recorded(t testing.TB, now time.Time) *state {
	return &state{
		origin: mustOrigin(t, "https://foo.example"), checkedAt: now,
		lastAnswer: &siteAnswer{
			Class: classFile, Status: 200, URL: "https://www.foo.example/robots.txt", Hops: []Hop{{"https://foo.example/robots.txt", 301}},
			At: now.Add(-hour), Lifetime: time.Minute, Stated: true, Bytes: len(theFile), Truncated: true,
			Delimited: true,
			ETag:      `"x"`, Modified: "Sun, 01 Nov 2026 12:00:00 GMT", body: []byte(theFile),
		},
		fault: &fault{
			Class: classUnreachable, Status: 503, Hops: []Hop{{"https://foo.example/robots.txt", 302}}, URL: "https://down.example/",
			Since: now.Add(-time.Minute), Tries: 2, NextTry: now.Add(time.Minute), Text: "HTTP status 503", Kind: "status",
		},
	}
}

func mustRecord(t testing.TB, s *state) []byte {
	t.Helper()
	b, err := s.record(terms{Redirects: 5, Body: 500 << 10})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRecordDamage checks that a record with any bit flipped, cut or extended
// anywhere is rejected.
func TestRecordDamage(t *testing.T) {
	now := wallClock()
	s := recorded(t, now)
	b := mustRecord(t, s)
	damaged := 0
	refused := func(what string, at int, b []byte) {
		damaged++
		if _, err := readRecord(b, s.origin, now); err == nil {
			t.Errorf("%s at %d is accepted", what, at)
		}
	}
	for i := range b {
		for bit := range 8 {
			flipped := bytes.Clone(b)
			flipped[i] ^= 1 << bit
			refused("a flipped bit", i, flipped)
		}
		refused("a cut", i, b[:i])
		refused("a missing start", i, b[len(b)-i:])
		refused("a byte too many", i, append(append(bytes.Clone(b[:i]), 0), b[i:]...))
	}
	refused("a longer record", len(b), append(bytes.Clone(b), b...))
	t.Logf("%d damaged records rejected", damaged)
}

func seal(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(bytes.Clone(b), sum[:]...)
}

func sealFacts(facts, body string) []byte {
	b := append([]byte(recordMagic), recordVersion)
	b = binary.BigEndian.AppendUint32(b, uint32(len(facts)))
	return seal(append(append(b, facts...), body...))
}

// TestRecordNonsense checks records with a correct checksum that no client can
// have written at that time.
func TestRecordNonsense(t *testing.T) {
	now := wallClock()
	for _, test := range []struct {
		name   string
		change func(*state)
		want   error
	}{
		{"of another origin", func(s *state) { s.origin = mustOrigin(t, "https://bar.example") }, errInvalidRecord},
		{"of the http twin", func(s *state) { s.origin = mustOrigin(t, "http://foo.example") }, errInvalidRecord},
		{"neither answer nor fault", func(s *state) { s.lastAnswer, s.fault = nil, nil }, errInvalidRecord},
		{"from the future", func(s *state) { s.checkedAt = now.Add(clockSkew + time.Second) }, errFuture},
		{"a year ahead", func(s *state) { s.checkedAt = now.Add(365 * day) }, errFuture},
		{"a year ago", func(s *state) {
			s.checkedAt, s.lastAnswer.At, s.fault.Since = now.Add(-365*day), now.Add(-365*day), now.Add(-365*day)
		}, errOld},
		{"an answer from after it", func(s *state) { s.fault, s.lastAnswer.At = nil, s.checkedAt.Add(1) }, errInvalidRecord},
		{"an answer from after a fault", func(s *state) { s.lastAnswer.At = s.checkedAt.Add(365 * day) }, nil},
		{"a fault from after it", func(s *state) { s.fault.Since = s.checkedAt.Add(1) }, errInvalidRecord},
		{"a redirect as an answer", func(s *state) { s.lastAnswer.Class = classRedirect }, errInvalidRecord},
		{"a fault as an answer", func(s *state) { s.lastAnswer.Class = classUnreachable }, errInvalidRecord},
		{"an answer as a fault", func(s *state) { s.fault.Class = classFile }, errInvalidRecord},
		{"an unknown class", func(s *state) { s.lastAnswer.Class = 99 }, errInvalidRecord},
		{"a body that is too short", func(s *state) { s.lastAnswer.Bytes++ }, errInvalidRecord},
		{"a 404 with a body", func(s *state) { s.lastAnswer.Class, s.lastAnswer.Status = classUnavailable, 404 }, errInvalidRecord},
		{"no try", func(s *state) { s.fault.Tries = 0 }, errInvalidRecord},
		{"a negative number of tries", func(s *state) { s.fault.Tries = math.MinInt }, errInvalidRecord},
		{"the next try before the first", func(s *state) { s.fault.NextTry = s.fault.Since.Add(-1) }, errInvalidRecord},
		{"valid", func(*state) {}, nil},
		{"ahead by the tolerated clock skew", func(s *state) { s.checkedAt = now.Add(clockSkew) }, nil},
	} {
		s := recorded(t, now)
		test.change(s)
		if _, err := readRecord(mustRecord(t, s), mustOrigin(t, "https://foo.example"), now); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	for name, b := range map[string][]byte{
		"no JSON":        sealFacts("{", ""),
		"another type":   sealFacts(`{"checked_at": 5}`, ""),
		"another origin": sealFacts(`{"origin":"gopher://x"}`, ""),
		"empty":          nil,
		"only a head":    seal([]byte(recordMagic + "\x01\xFF\xFF\xFF\xFF")),
	} {
		if _, err := readRecord(b, mustOrigin(t, "https://foo.example"), now); !errors.Is(err, errInvalidRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
	newer := mustRecord(t, recorded(t, now))
	newer[len(recordMagic)]++
	if _, err := readRecord(seal(newer[:len(newer)-sha256.Size]), mustOrigin(t, "https://foo.example"), now); !errors.Is(err, cache.ErrNewer) {
		t.Errorf("a newer version: %v", err)
	}
}

// FuzzRecord checks that no record makes ReadEntry or readRecord panic, whatever its facts
// contain. A record that a client accepts is usable, ReadEntry reads it too, and encoding
// it again gives an equal one.
func FuzzRecord(f *testing.F) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	o := mustOrigin(f, "https://foo.example")
	whole := mustRecord(f, recorded(f, now))
	f.Add(whole, false)
	f.Add(whole[:len(whole)-sha256.Size], true)
	f.Add([]byte(strings.ReplaceAll(string(whole[:len(whole)-sha256.Size]), `"Tries":2`, `"Tries":9`)), true)
	f.Add(sealFacts(`{"origin":"https://foo.example","settled":{}}`, ""), false)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		if sealed { // otherwise no mutation passes the checksum
			b = seal(b)
		}
		stored, invalid := ReadEntry(cache.Entry{Data: b})
		if invalid == nil {
			if stored.Answer == nil && stored.Fault == nil ||
				stored.Answer != nil && !bytes.Contains(b, stored.Answer.Body) {
				t.Errorf("%+v", stored)
			}
			checkResults(t, func(p Policy) *Result { return stored.Result(p, now) })
		}
		s, err := readRecord(b, o, now)
		if err != nil {
			return
		}
		if invalid != nil {
			t.Errorf("a client reads it, but ReadEntry does not: %v", invalid)
		}
		written, err := s.record(terms{Redirects: 5, Body: 500 << 10})
		if err != nil {
			t.Fatal(err)
		}
		again, err := readRecord(written, o, now)
		if err != nil {
			t.Fatalf("an accepted record is rejected after encoding it again: %v", err)
		}
		if twice := mustRecord(t, again); !bytes.Equal(twice, written) {
			t.Errorf("%q\nbecame\n%q", written, twice)
		}
		checkResults(t, func(p Policy) *Result {
			s.needsTry(p, now)
			s.after(attempt{}.fail(errors.New("x")), now)
			return s.result(p, now, SourceStore)
		})
	})
}

func checkResults(t *testing.T, result func(Policy) *Result) {
	t.Helper()
	for _, p := range Policies() {
		if r := result(p); (r.Robots() != nil) != (r.Outcome == OutcomeRules) {
			t.Errorf("%v without rules", r.Outcome)
		}
	}
}
