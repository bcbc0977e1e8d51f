package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/history"
)

const site = "https://shop.example"

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func open(t testing.TB, path string, cfg history.Config) *history.Store {
	t.Helper()
	s, err := history.Open(context.Background(), path, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func seen(at time.Time, kind int) history.Observation {
	o := history.Observation{Origin: site, Time: at, Source: "client"}
	switch kind {
	case 0:
		o.Status = 404
	case 1:
		o.Fault = "timeout"
	case 2:
		o.Status, o.Body = 200, []byte{}
	default:
		o.Status, o.Body = 200, fmt.Appendf(nil, "User-agent: *\nDisallow: /%d\n", kind)
	}
	return o
}

func kindOf(t testing.TB, s *history.Store, v history.Version) int {
	t.Helper()
	switch {
	case v.Status == 404:
		return 0
	case v.Fault != "":
		return 1
	case v.HasBody && v.Size == 0:
		return 2
	}
	body, err := s.Body(context.Background(), v.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	var kind int
	if _, err := fmt.Sscanf(string(body), "User-agent: *\nDisallow: /%d\n", &kind); err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	return kind
}

// list is the slow reference: all observations in the order of their times, in milliseconds
// since epoch.
type list []struct {
	at   int64
	kind int
}

func (l *list) add(at int64, kind int) {
	for i := 0; ; i++ {
		switch {
		case i == len(*l) || (*l)[i].at > at:
			*l = slices.Insert(*l, i, struct {
				at   int64
				kind int
			}{at, kind})
			return
		case (*l)[i].at == at && (*l)[i].kind == kind:
			return
		case (*l)[i].at == at:
			at++
		}
	}
}

func (l list) at(t, gap int64) string {
	before, after := -1, -1
	for i, o := range l {
		if o.at <= t {
			before = i
		}
		if o.at >= t && after < 0 {
			after = i
		}
	}
	certainty := "unknown"
	if before >= 0 && after >= 0 {
		switch {
		case before == after:
			certainty = "proved"
		case l[before].kind != l[after].kind:
			certainty = "possible"
		case l[after].at-l[before].at <= gap:
			certainty = "presumed"
		}
	}
	text := func(i int) string {
		if i < 0 {
			return "-"
		}
		return fmt.Sprintf("%d@%d", l[i].kind, l[i].at)
	}
	return certainty + " " + text(before) + " " + text(after)
}

func (l list) spans(gap int64) (all []string) {
	for i := 0; i < len(l); {
		j := i + 1
		for j < len(l) && l[j].kind == l[i].kind && l[j].at-l[j-1].at <= gap {
			j++
		}
		all = append(all, fmt.Sprintf("%d %d-%d x%d", l[i].kind, l[i].at, l[j-1].at, j-i))
		i = j
	}
	return all
}

func textOf(t testing.TB, s *history.Store, a history.Answer) string {
	text := func(seen *history.Seen) string {
		if seen == nil {
			return "-"
		}
		return fmt.Sprintf("%d@%d", kindOf(t, s, seen.Version), seen.Time.Sub(epoch).Milliseconds())
	}
	return string(a.Certainty) + " " + text(a.Before) + " " + text(a.After)
}

// checkLaw adds observations in the order of steps, and compares all answers with those of
// the reference: three bytes are the time, the kind, and whether the store is opened again.
func checkLaw(t *testing.T, steps []byte) {
	const gap = 20
	path := t.TempDir() + "/history.db"
	cfg := history.Config{MaxGap: gap * time.Millisecond}
	s := open(t, path, cfg)
	var want list
	for ; len(steps) >= 3; steps = steps[3:] {
		at, kind := int64(steps[0])+int64(steps[2]&3)<<8, int(steps[1]%5)
		want.add(at, kind)
		if err := s.Add(t.Context(), seen(epoch.Add(time.Duration(at)*time.Millisecond), kind)); err != nil {
			t.Fatal(err)
		}
	}
	for at := int64(-2); at < 1100; at++ {
		answer, err := s.At(t.Context(), site, epoch.Add(time.Duration(at)*time.Millisecond))
		if got := textOf(t, s, answer); err != nil || got != want.at(at, gap) {
			t.Fatalf("at %d: %s, %v; want %s\n%v", at, got, err, want.at(at, gap), want)
		}
	}
	checkSpans(t, s, want, gap)
}

func checkSpans(t *testing.T, s *history.Store, want list, gap int64) {
	t.Helper()
	all, err := s.Window(t.Context(), site, epoch.Add(-time.Hour), epoch.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, span := range all {
		if i > 0 && !span.From.Equal(all[i-1].To) {
			t.Fatalf("a span begins at %v, after one that ends at %v", span.From, all[i-1].To)
		}
		if span.Observations > 0 {
			got = append(got, fmt.Sprintf("%d %d-%d x%d", kindOf(t, s, span.Version), span.From.Sub(epoch).Milliseconds(),
				span.To.Sub(epoch).Milliseconds(), span.Observations))
		}
	}
	if !slices.Equal(got, want.spans(gap)) {
		t.Fatalf("spans %q\nwant  %q", got, want.spans(gap))
	}
	for from := int64(-5); from < 1050; from += 37 {
		for _, length := range []int64{0, 1, 60} {
			begin, end := epoch.Add(time.Duration(from)*time.Millisecond),
				epoch.Add(time.Duration(from+length)*time.Millisecond)
			part, err := s.Window(t.Context(), site, begin, end)
			if err != nil {
				t.Fatal(err)
			}
			var expected []string
			for _, span := range all {
				inside := span.To.After(begin) && span.From.Before(end)
				if span.Observations > 0 {
					inside = !span.To.Before(begin) && !span.From.After(end)
				}
				if inside {
					expected = append(expected, string(span.Certainty))
				}
			}
			var have []string
			for _, span := range part {
				have = append(have, string(span.Certainty))
			}
			if !slices.Equal(have, expected) {
				t.Fatalf("window %d+%d: %q, want %q\n%v", from, length, have, expected, want)
			}
		}
	}
	last, ok, err := s.Last(t.Context(), site)
	if err != nil || ok != (len(want) > 0) {
		t.Fatalf("%v, %v", ok, err)
	}
	if ok {
		spans := want.spans(gap)
		if got := fmt.Sprintf("%d %d-%d x%d", kindOf(t, s, last.Version), last.From.Sub(epoch).Milliseconds(),
			last.To.Sub(epoch).Milliseconds(), last.Observations); got != spans[len(spans)-1] {
			t.Fatalf("last %s, want %s", got, spans[len(spans)-1])
		}
	}
	changes, err := s.Changes(t.Context(), site)
	n := 0
	for i := 1; i < len(want); i++ {
		if want[i].kind != want[i-1].kind {
			n++
		}
	}
	if err != nil || len(changes) != n {
		t.Fatalf("%d changes, %v; want %d", len(changes), err, n)
	}
}

// TestLaw compares the store with a list of observations: some dense, some sparse, in order
// and out of it.
func TestLaw(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		steps := make([]byte, 3*random.IntN(150))
		for i := range steps {
			steps[i] = byte(random.IntN(256))
		}
		checkLaw(t, steps)
	}
}

// FuzzLaw is TestLaw with what the fuzzer finds.
func FuzzLaw(f *testing.F) {
	f.Add([]byte("aaabacabadaabaaazzz"))
	f.Add([]byte{1, 0, 0, 9, 0, 0, 5, 1, 0, 5, 2, 0})
	f.Fuzz(func(t *testing.T, steps []byte) { checkLaw(t, steps[:min(len(steps), 600)]) })
}

// TestLongSeries has more equal observations than one row keeps.
func TestLongSeries(t *testing.T) {
	s := open(t, t.TempDir()+"/h.db", history.Config{MaxGap: time.Hour})
	var want list
	random := rand.New(rand.NewPCG(3, 4))
	order := random.Perm(3000)
	for i, n := range order {
		at := int64(n) * 400
		want.add(at, 3)
		if err := s.Add(t.Context(), seen(epoch.Add(time.Duration(at)*time.Millisecond), 3)); err != nil {
			t.Fatal(i, err)
		}
	}
	spans, err := s.Window(t.Context(), site, epoch, epoch.Add(time.Hour))
	if err != nil || len(spans) != 2 || spans[0].Observations != len(order) {
		t.Fatalf("%v, %+v; want one span with %d observations and what follows", err, spans, len(order))
	}
	if err := s.Add(t.Context(), seen(epoch.Add(300*time.Second+time.Millisecond), 4)); err != nil {
		t.Fatal(err)
	}
	changes, err := s.Changes(t.Context(), site)
	if err != nil || len(changes) != 2 {
		t.Fatalf("%v, %+v; want two changes", err, changes)
	}
}
