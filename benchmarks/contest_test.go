package benchmarks_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks"
)

// TestTurns: entries warm up one after the other and then take turns; each
// round begins with another one.
func TestTurns(t *testing.T) {
	var order []string
	entry := func(name string) benchmarks.Entry {
		return benchmarks.Entry{Name: name, Start: func() func() {
			return func() { order = append(order, name) }
		}}
	}
	renewed := 0
	c := entry("c")
	c.Renew = func() { renewed++ }
	contest := benchmarks.Contest{Ops: 1, Entries: []benchmarks.Entry{entry("a"), entry("b"), c}}
	result := contest.Run(benchmarks.Pace{Rounds: 3, Budget: time.Hour})
	if got, want := fmt.Sprint(order), "[a a b b c c a b c b c a c a b]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if renewed != 5 {
		t.Errorf("renewed %d times, want 5", renewed)
	}
	for _, row := range result.Rows {
		if len(row.NS) != 3 {
			t.Errorf("%s took part %d times", row.Name, len(row.NS))
		}
	}
	if only := contest.Only("b"); len(only.Entries) != 1 || only.Entries[0].Name != "b" {
		t.Errorf("got %v", only)
	}
}

// TestSlowEntries: an entry that is too slow for the budget is measured once.
func TestSlowEntries(t *testing.T) {
	goes := 0
	contest := benchmarks.Contest{Ops: 1, Entries: []benchmarks.Entry{{Name: "a", Start: func() func() {
		return func() { goes++ }
	}}}}
	if result := contest.Run(benchmarks.Pace{Rounds: 3}); goes != 1 || len(result.Rows[0].NS) != 1 {
		t.Errorf("%d goes, %d results", goes, len(result.Rows[0].NS))
	}
}

var sink []byte

func TestAllocationsAreCounted(t *testing.T) {
	contest := benchmarks.Contest{Ops: 2, Entries: []benchmarks.Entry{{Name: "a", Start: func() func() {
		return func() {
			for range 100 {
				sink = make([]byte, 64)
			}
		}
	}}}}
	row := contest.Run(benchmarks.Pace{Rounds: 2, Budget: time.Hour}).Row("a")
	if row.Allocs < 50 || row.Allocs > 60 || row.Bytes < 3200 {
		t.Errorf("%v allocations, %v bytes for each operation, want 50 and 3200", row.Allocs, row.Bytes)
	}
}

// TestFirstRunIsNotCounted: a run that fills a pool is not one that allocates.
func TestFirstRunIsNotCounted(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes pools drop values at random")
	}
	pool := sync.Pool{New: func() any { return new([64]byte) }}
	contest := benchmarks.Contest{Ops: 1, Entries: []benchmarks.Entry{{Name: "a", Start: func() func() {
		return func() {
			for range 10_000 {
				pool.Put(pool.Get())
			}
		}
	}}}}
	row := contest.Run(benchmarks.Pace{Rounds: 3, Slice: 50 * time.Millisecond, Budget: time.Hour}).Row("a")
	if row.Allocs >= 1 {
		t.Errorf("%v allocations for each operation, want 0", row.Allocs)
	}
}

func TestRatio(t *testing.T) {
	// The third round of a has none of b to be compared with.
	s := benchmarks.Ratio([]float64{20, 30, 99}, []float64{10, 10})
	if want := (benchmarks.Spread{Low: 2.25, Median: 2.5, High: 2.75, Rounds: 2}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
