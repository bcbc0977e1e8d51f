package benchmarks_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// gate limits a ratio of times that are measured in turns, so that it does not
// depend on the speed of the machine and on other load. The limits are about two
// thirds of the goals: a gate detects regressions, not missed goals.
type gate struct {
	name       string
	contest    benchmarks.Contest
	slow, fast string  // entries
	atLeast    float64 // of slow to fast; 0 for no limit
	atMost     float64 // the same
}

func (g gate) passes(s benchmarks.Spread) bool {
	return s.Median >= g.atLeast && (g.atMost == 0 || s.Median <= g.atMost)
}

// TestGates runs on one core. It repeats a failed gate with more rounds.
func TestGates(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG=1 to compare times, two minutes")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	c := load(t)
	var drivers benchmarks.Drivers
	parse, oneShot := drivers.Parse("parse", c), drivers.OneShot("one shot", c)
	growth := benchmarks.Growth().Contests
	gates := []gate{
		{"parse against temoto", parse, "temoto", peers.Ours, 10, 0},
		{"one shot against temoto", oneShot, "temoto", peers.Ours, 13, 0},
		{"one shot against the line scan", oneShot, peers.Ours, benchmarks.LineScan, 0, 8},
		{"growth of literals", growth[0], benchmarks.Rules(10_000), benchmarks.Rules(10), 0, 4},
		{"growth of wildcards", growth[1], benchmarks.Rules(5000), benchmarks.Rules(100), 0, 4.5},
	}
	for _, contest := range drivers.HostileMatches().Contests {
		gates = append(gates,
			gate{"hostile file against grobotstxt", contest, "grobotstxt", peers.Ours, 40, 0},
			gate{"an index against the first queries", contest, benchmarks.First63, peers.Ours, 0.6, 0})
		if !strings.HasSuffix(contest.Name, " KB path") {
			gates = append(gates, gate{"a query against parsing", contest, peers.Ours, benchmarks.Parsing, 0, 2.2})
		}
	}
	linear := benchmarks.ParseSizes()
	// A time that grows with the square of the size would give 16.
	gates = append(gates, gate{"parsing is linear", linear, benchmarks.Largest, benchmarks.Smallest, 0, 4})
	for _, g := range gates {
		t.Run(g.name+", "+g.contest.Name, func(t *testing.T) {
			pace := benchmarks.Pace{Rounds: 5, Slice: 20 * time.Millisecond, Budget: 4 * time.Second}
			contest := g.contest.Only(g.slow, g.fast)
			ratio := contest.Run(pace).Ratio(g.slow, g.fast)
			if !g.passes(ratio) {
				t.Logf("%+v at first", ratio)
				pace.Rounds = 15
				pace.Budget = 12 * time.Second
				ratio = contest.Run(pace).Ratio(g.slow, g.fast)
			}
			if !g.passes(ratio) {
				t.Errorf("%s to %s is %+v, want at least %v and at most %v (0: no limit)", g.slow, g.fast, ratio, g.atLeast, g.atMost)
			}
			t.Logf("%+v", ratio)
		})
	}
}

// TestAllocations counts and does not measure time, so it runs on busy machines
// too.
func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes pools drop values at random")
	}
	c := load(t)
	var drivers benchmarks.Drivers
	growth := benchmarks.Growth().Contests
	for _, limit := range []struct {
		contest benchmarks.Contest
		entry   string
		most    float64 // for an operation
	}{
		// Pools are emptied by the collection before a turn, and filled again.
		{drivers.Parse("parse", c), peers.Ours, 2.2},
		{drivers.OneShot("one shot", c), peers.Ours, 0},
		{drivers.Match("match", c.Typical(*seed).Files), peers.Ours, 0},
		{growth[0], benchmarks.Rules(10_000), 0},
		{growth[1], benchmarks.Rules(5000), 0},
	} {
		row := limit.contest.Only(limit.entry).Run(benchmarks.Pace{Rounds: 1, Budget: time.Second}).Row(limit.entry)
		// The runtime itself may allocate now and then.
		if row.Allocs > limit.most+0.01 {
			t.Errorf("%s, %s: %v allocations, want at most %v", limit.contest.Name, limit.entry, row.Allocs, limit.most)
		}
	}
}
