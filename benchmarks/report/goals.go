package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// goal is what this project sets itself, and what it reached.
type goal struct {
	what          string
	atLeast       bool // otherwise at most
	must, stretch float64
	format        func(float64) string
	reached       *benchmarks.Spread // nil if it could not be measured
	page          string
}

func (r *report) goalList() []goal {
	parse, oneShot, match := r.results["Parse"][0], r.results["OneShot"][0], r.results["Match"][0]
	growth, agents, bulk := r.results["Growth"], r.results["Agents"], r.results["Bulk"]
	times := func(v float64) string { return number(v) + " ×" }
	kept := r.kept[slices.IndexFunc(r.kept, func(k benchmarks.Kept) bool { return k.Name == peers.Ours })]
	return []goal{
		{"parse: times faster than temoto", true, 15, 23, times, some(parse.Ratio("temoto", peers.Ours)), "parse"},
		{"one shot: times faster than temoto", true, 20, 26, times, some(oneShot.Ratio("temoto", peers.Ours)), "parse"},
		{"one shot: times faster than grobotstxt", true, 9, 11, times, some(oneShot.Ratio("grobotstxt", peers.Ours)), "parse"},
		{"one shot: allocations", false, 0, 0, number, exactly(oneShot.Row(peers.Ours).Allocs), "parse"},
		{"scanner: share of the line scan", true, 0.27, 0.35, number, r.share, "parse"},
		{"parse: allocations per file", false, 8, 2, number, exactly(parse.Row(peers.Ours).Allocs), "parse"},
		{"match: allocations", false, 0, 0, number, exactly(match.Row(peers.Ours).Allocs), "match"},
		{"memory: share of the text's size", false, 0.55, 0.45, number, exactly(kept.OfSource), "memory"},
		{"growth of a match, literals: 10,000 rules to 10", false, 2.5, 1.7, times, some(growth[0].Ratio(benchmarks.Rules(10_000), benchmarks.Rules(10))), "growth"},
		{"growth of a match, wildcards: 5,000 rules to 100", false, 3, 1.5, times, some(growth[1].Ratio(benchmarks.Rules(5000), benchmarks.Rules(100))), "growth"},
		{"worst single rule, path of 2 KB", false, 10_000, 10_000, duration, r.worstRule(), "worst"},
		{"worst file: times faster than grobotstxt", true, 100, 320, times, r.worstFile("grobotstxt"), "worst"},
		// What is as fast gives 0.97 as often as 1.03.
		{"worst file: times faster than our plain scan; 0.97 is as fast", true, 0.97, 1, times, r.worstFile(benchmarks.PlainScan), "worst"},
		{"bulk on one core: time to gunzip only", false, 1.6, 1.35, times, some(bulk[0].Ratio(peers.Ours, benchmarks.Gunzip)), "bulk"},
		{"bulk: throughput of two cores to one", true, 1.85, 1.95, times, some(bulk[1].Ratio(benchmarks.OneCore, benchmarks.TwoCores)), "bulk"},
		{"finding one of 10,000 agents; must: no longer than parsing the file", false, agents[0].Row(peers.Ours).Spread().Median, 100, duration,
			some(agents[1].Row(peers.Ours).Spread()), "match"},
	}
}

func some(s benchmarks.Spread) *benchmarks.Spread { return &s }

func exactly(v float64) *benchmarks.Spread {
	return &benchmarks.Spread{Low: v, Median: v, High: v, Rounds: 1}
}

// worstRule is the slowest of the single rules.
func (r *report) worstRule() *benchmarks.Spread {
	var slowest *benchmarks.Spread
	for _, result := range r.results["WorstRule"] {
		if s := result.Row(peers.Ours).Spread(); slowest == nil || s.Median > slowest.Median {
			slowest = &s
		}
	}
	return slowest
}

// worstFile is the path that is best for the other.
func (r *report) worstFile(other string) *benchmarks.Spread {
	var least *benchmarks.Spread
	for _, result := range r.results["WorstFile"] {
		if s := result.Ratio(other, peers.Ours); least == nil || s.Median < least.Median {
			least = &s
		}
	}
	return least
}

func (g goal) verdict() string {
	if g.reached == nil {
		return "not measured"
	}
	met := func(target float64) bool {
		if g.atLeast {
			return g.reached.Median >= target
		}
		return g.reached.Median <= target
	}
	switch {
	case met(g.stretch) && met(g.must):
		return "stretch"
	case met(g.must):
		return "must"
	}
	return "**missed**"
}

// goals writes the table to its page, and into the README between its marks.
func (r *report) goals() error {
	r.body.Reset()
	r.header([]string{"goal", "must", "stretch", "reached", "quartiles", "", "`" + r.command + "`"})
	for _, g := range r.goalList() {
		sign := "≤ "
		if g.atLeast {
			sign = "≥ "
		}
		reached, quartiles := "–", ""
		if g.reached != nil {
			reached = g.format(g.reached.Median)
			if g.reached.Rounds > 1 {
				quartiles = g.format(g.reached.Low) + " – " + g.format(g.reached.High)
			}
		}
		r.row([]string{g.what, sign + g.format(g.must), sign + g.format(g.stretch), reached, quartiles, g.verdict(), "`-only " + g.page + "`"})
	}
	table := r.body.String()
	if err := r.write("goals.md", "# Goals\n\n"+r.head("")+table); err != nil {
		return err
	}
	return embed("README.md", table)
}

// The marks between which the README has the table.
const (
	openMark  = "<!-- goals, written by go run ./report -->\n"
	closeMark = "<!-- end of goals -->\n"
)

func embed(file, table string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, opened := strings.Cut(string(text), openMark)
	_, after, closed := strings.Cut(rest, closeMark)
	if !opened || !closed {
		return fmt.Errorf("%s: the marks of the goals are missing", file)
	}
	return os.WriteFile(file, []byte(before+openMark+"\n"+table+"\n"+closeMark+after), 0o644)
}
