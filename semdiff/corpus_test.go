package semdiff_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// corpus returns the real files in the folder that ROBOTSTXT_CORPUS names, and
// skips the test without it.
func corpus(t testing.TB) (bodies [][]byte, names []string) {
	t.Helper()
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("ROBOTSTXT_CORPUS names no folder of real robots.txt files")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no *.txt in ROBOTSTXT_CORPUS=%s (%v)", folder, err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return bodies, names
}

// figures are times of comparisons, and what came out.
type figures struct {
	times     []time.Duration
	effects   map[semdiff.Effect]int // of reports: the worst row's
	slowest   string
	undecided []string
}

// compare compares two files and notes what that took.
func (f *figures) compare(t testing.TB, name string, old, new *robotstxt.Robots) *semdiff.Report {
	t.Helper()
	start := time.Now()
	report, err := semdiff.Compare(context.Background(), old, new, semdiff.Config{})
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.times) == 0 || took > slices.Max(f.times) {
		f.slowest = name
	}
	f.times = append(f.times, took)
	if f.effects == nil {
		f.effects = make(map[semdiff.Effect]int)
	}
	var opens, closes bool
	effect := semdiff.Equal
	for _, row := range report.Rows {
		opens = opens || row.Effect == semdiff.Opens || row.Effect == semdiff.Both
		closes = closes || row.Effect == semdiff.Closes || row.Effect == semdiff.Both
	}
	switch {
	case report.Undecided():
		effect = semdiff.Undecided
		f.undecided = append(f.undecided, name)
	case opens && closes:
		effect = semdiff.Both
	case opens:
		effect = semdiff.Opens
	case closes:
		effect = semdiff.Closes
	}
	f.effects[effect]++
	return report
}

func (f *figures) log(t testing.TB, what string) {
	t.Helper()
	slices.Sort(f.times)
	at := func(part float64) time.Duration { return f.times[int(part*float64(len(f.times)-1))] }
	t.Logf("%s: %d comparisons: %v; median %v, 99th percentile %v, worst %v (%s); undecided %v",
		what, len(f.times), f.effects, at(0.5), at(0.99), at(1), filepath.Base(f.slowest), f.undecided)
}

// TestCorpusFormatted: a formatted file is equal to the original.
func TestCorpusFormatted(t *testing.T) {
	bodies, names := corpus(t)
	for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
		var f figures
		for i, body := range bodies {
			report := f.compare(t, names[i], dialect.Parse(body), dialect.Parse(lint.Format(body, lint.Google)))
			if !report.Equal() || len(report.Other) > 0 {
				t.Errorf("%s: %+v", names[i], report)
			}
		}
		f.log(t, dialect.String()+" original against formatted")
	}
}

// TestCorpusDropped compares files with themselves without one of their rules,
// and has the engine confirm each witness.
func TestCorpusDropped(t *testing.T) {
	bodies, names := corpus(t)
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
			old, new := dialect.Parse(body), dialect.Parse(rest)
			report := f.compare(t, names[i], old, new)
			for _, row := range report.Rows {
				checkWitnesses(t, old, new, row, names[i])
			}
		}
		f.log(t, dialect.String()+" one rule dropped")
	}
}

// linesOf returns the lines of a body, and which of them are rules.
func linesOf(body []byte) (lines [][]byte, rules []int) {
	for line := range robotstxt.Lines(body) {
		if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
			rules = append(rules, len(lines))
		}
		lines = append(lines, line.Raw)
	}
	return lines, rules
}
