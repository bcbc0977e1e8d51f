package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// TestPages: each experiment is on one page, and there are no others.
func TestPages(t *testing.T) {
	sets := []benchmarks.Set{{Name: "a", Corpus: corpus.Generated(1)}}
	var known, shown []string
	for _, e := range benchmarks.Drivers(nil).Experiments(sets, corpus.DefaultSeed) {
		known = append(known, e.Name)
	}
	for _, p := range pages {
		shown = append(shown, p.experiments...)
	}
	slices.Sort(known)
	slices.Sort(shown)
	if !slices.Equal(known, shown) {
		t.Errorf("experiments %v, on pages %v", known, shown)
	}
	if _, err := choose("parse,nonsense"); err == nil {
		t.Error("a page that does not exist can be chosen")
	}
}

func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"0": number(0), "0.02": number(0.02), "9.99": number(9.99), "10.0": number(9.996), "100": number(99.96),
		"1,000": number(999.6), "1,234,568": number(1234567.8),
		"12.3 ns": duration(12.3), "1.23 µs": duration(1234), "350 ms": duration(350e6), "3.10 s": duration(3.1e9),
		"10 ns": round(10), "1 µs": round(1000), "100 s": round(1e11),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		atLeast bool
		reached float64
		want    string
	}{
		{true, 9, "**missed**"}, {true, 10, "must"}, {true, 20, "aim"},
		{false, 21, "**missed**"}, {false, 20, "must"}, {false, 10, "aim"},
	} {
		g := goal{atLeast: c.atLeast, must: 10, aim: 20}
		if !c.atLeast {
			g.must, g.aim = 20, 10
		}
		if got := g.verdict(exactly(c.reached)); got != c.want {
			t.Errorf("%v: %s, want %s", c, got, c.want)
		}
	}
	onlyAim := goal{atLeast: true, must: none, aim: 10}
	if missed, met := onlyAim.verdict(exactly(9)), onlyAim.verdict(exactly(10)); missed != "aim missed" || met != "aim" {
		t.Errorf("without must: %s, %s", missed, met)
	}
	if got := (goal{}).verdict(nil); got != "not measured" {
		t.Error(got)
	}
}

// TestReasons: a missed goal is printed with its reason, others are not.
func TestReasons(t *testing.T) {
	var r report
	atMost := func(what string, reached float64) goal {
		return one(goal{what: what, must: 2, aim: 1}, exactly(reached))
	}
	r.explain([]goal{atMost("match, 5 rules, first 63 queries", 3), atMost("match, 10 rules", 3), atMost("`Lines`: share", 2)})
	page := r.body.String()
	for _, row := range []string{"| match, 5 rules, first 63 queries | " + reasons["match, 5 rules"] + " |", "| match, 10 rules | not examined |"} {
		if !strings.Contains(page, row) {
			t.Errorf("%q is not in\n%s", row, page)
		}
	}
	if strings.Contains(page, "Lines") {
		t.Errorf("a goal that is reached is in\n%s", page)
	}
}

func TestEmbed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n" + openMark + "old\n" + closeMark + "after\n")
	if err := embed(file, "| new |\n"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if want := "before\n" + openMark + "\n| new |\n\n" + closeMark + "after\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
	write("no marks\n")
	if err := embed(file, "new"); err == nil || !strings.Contains(err.Error(), "marks") {
		t.Errorf("got %v", err)
	}
}

func TestPerOp(t *testing.T) {
	output := []byte("BenchmarkCorpus/LineScan         \t      20\t   2968439 ns/op\t5316 MB/s\nBenchmarkCorpus/Scan \t 20\t 900.5 ns/op\n")
	if line, scan := perOp(output, "LineScan"), perOp(output, "Scan"); line != 2968439 || scan != 900.5 {
		t.Errorf("%v, %v", line, scan)
	}
	if none := perOp(output, "Lines"); none != 0 {
		t.Error(none)
	}
}
