package semdiff_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// corpus returns one of so many real files, or all for a longer run.
func corpus(t *testing.T, one int) (bodies [][]byte, names []string) {
	all, names := witness.Corpus(t)
	for i := 0; i < len(all); i += size(one, 1) {
		names[len(bodies)] = names[i]
		bodies = append(bodies, all[i])
	}
	return bodies, names[:len(bodies)]
}

type figures struct {
	times     []time.Duration
	effects   map[semdiff.Effect]int // of reports: the worst row's
	slowest   string
	undecided []string
	pairs     int // reports in which not all pairs are listed
}

// compare compares two files and notes what that took. The engine confirms each witness.
func (f *figures) compare(t testing.TB, name string, old, new *robotstxt.Robots) *semdiff.Report {
	t.Helper()
	start := time.Now()
	report := differences(t, old, new, semdiff.Config{})
	took := time.Since(start)
	checkWitnesses(t, old, new, report, name)
	if len(f.times) == 0 || took > slices.Max(f.times) {
		f.slowest = name
	}
	f.times = append(f.times, took)
	if f.effects == nil {
		f.effects = make(map[semdiff.Effect]int)
	}
	if slices.ContainsFunc(report.Rows, func(row semdiff.Row) bool { return !row.Complete }) {
		f.pairs++
	}
	var opens, closes bool
	for _, row := range report.Rows {
		opens = opens || row.Effect == semdiff.Opens || row.Effect == semdiff.Both
		closes = closes || row.Effect == semdiff.Closes || row.Effect == semdiff.Both
	}
	effect := effectOf(opens, closes)
	if report.Undecided() {
		effect = semdiff.Undecided
		f.undecided = append(f.undecided, name)
	}
	f.effects[effect]++
	return report
}

func (f *figures) log(t testing.TB, what string) {
	t.Helper()
	slices.Sort(f.times)
	at := func(part float64) time.Duration { return f.times[int(part*float64(len(f.times)-1))] }
	t.Logf("%s: %d comparisons: %v; median %v, 99th percentile %v, worst %v (%s); undecided %v, pairs incomplete %d",
		what, len(f.times), f.effects, at(0.5), at(0.99), at(1), filepath.Base(f.slowest), f.undecided, f.pairs)
}

// TestCorpusFormatted: a formatted file is equal to the original.
func TestCorpusFormatted(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpus(t)
	for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
		var f figures
		for i, body := range bodies {
			report := f.compare(t, names[i], dialect.Parse(body),
				dialect.Parse(lint.Format(body, lint.Google, lint.LF)))
			if !report.Equal() || len(report.Other) > 0 {
				t.Errorf("%s: %+v", names[i], report)
			}
		}
		f.log(t, dialect.String()+" original against formatted")
	}
}

// TestCorpusDropped compares files with themselves without one of their rules.
func TestCorpusDropped(t *testing.T) {
	t.Parallel()
	bodies, names := corpus(t, 4)
	r := rand.New(rand.NewPCG(7, 7))
	for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
		var f figures
		for i, body := range bodies {
			lines, rules := linesOf(body)
			if len(rules) == 0 {
				continue
			}
			drop := rules[r.IntN(len(rules))]
			rest := bytes.Join(slices.Concat(lines[:drop], lines[drop+1:]), nil)
			f.compare(t, names[i], dialect.Parse(body), dialect.Parse(rest))
		}
		f.log(t, dialect.String()+" one rule dropped")
	}
}

// TestCorpusVersions compares files with another version of themselves: some
// rules are gone, one is turned around, and some come from the next file.
func TestCorpusVersions(t *testing.T) {
	t.Parallel()
	bodies, names := corpus(t, 16)
	r := rand.New(rand.NewPCG(8, 8))
	for _, dialect := range robotstxt.Dialects() {
		var f figures
		for i, body := range bodies {
			lines, rules := linesOf(body)
			others, added := linesOf(bodies[(i+1)%len(bodies)])
			if len(rules) == 0 || len(added) == 0 {
				continue
			}
			lines = slices.Clone(lines)
			for range 3 {
				lines[rules[r.IntN(len(rules))]] = nil
				at := rules[r.IntN(len(rules))]
				lines[at] = append(bytes.Clone(others[added[r.IntN(len(added))]]), lines[at]...)
			}
			at := rules[r.IntN(len(rules))]
			if turned := bytes.Replace(lines[at], []byte("Disallow:"), []byte("Allow:"), 1); len(turned) != len(lines[at]) {
				lines[at] = turned
			}
			f.compare(t, names[i], dialect.Parse(body), dialect.Parse(bytes.Join(lines, nil)))
		}
		f.log(t, dialect.String()+" two versions")
	}
}

// TestCorpusReplaced compares files with the next one, as if a site had replaced
// its own.
func TestCorpusReplaced(t *testing.T) {
	t.Parallel()
	bodies, names := corpus(t, 64)
	var f figures
	for i, body := range bodies {
		f.compare(t, names[i], robotstxt.Parse(body), robotstxt.Parse(bodies[(i+1)%len(bodies)]))
	}
	f.log(t, "google, file and the next one")
}

// TestCorpusDialects compares each file in two dialects.
func TestCorpusDialects(t *testing.T) {
	t.Parallel()
	bodies, names := corpus(t, 512)
	for _, d := range [][2]robotstxt.Dialect{{robotstxt.Google, robotstxt.RFC9309},
		{robotstxt.Google, robotstxt.Koster1996}, {robotstxt.RFC9309, robotstxt.Koster1996}} {
		var f figures
		for i, body := range bodies {
			f.compare(t, names[i], d[0].Parse(body), d[1].Parse(body))
		}
		f.log(t, d[0].String()+" against "+d[1].String())
	}
}

// TestCorpusMinimized: a minimised file is equal to the original.
func TestCorpusMinimized(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpus(t)
	var f figures
	rules, removed, undecided, worst := 0, 0, 0, time.Duration(0)
	for i, body := range bodies {
		_, of := linesOf(body)
		start := time.Now()
		minimal := minimized(t, semdiff.Config{}, robotstxt.Parse(body))
		worst = max(worst, time.Since(start))
		rules, removed, undecided = rules+len(of), removed+len(minimal.Removed), undecided+len(minimal.Undecided)
		report := f.compare(t, names[i], robotstxt.Parse(body),
			robotstxt.Parse([]byte(without(string(body), minimal.Removed))))
		if !report.Equal() && !report.Undecided() {
			t.Errorf("%s: %+v: %s", names[i], minimal, summary(report))
		}
	}
	if 1000*undecided > rules {
		t.Errorf("%d of %d rules undecided", undecided, rules)
	}
	t.Logf("%d rules, %d can go, %d undecided; worst %v", rules, removed, undecided, worst)
	f.log(t, "original against minimised")
}

func linesOf(body []byte) (lines [][]byte, rules []int) {
	for line := range robotstxt.Lines(body) {
		if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
			rules = append(rules, len(lines))
		}
		lines = append(lines, line.Raw)
	}
	return lines, rules
}
