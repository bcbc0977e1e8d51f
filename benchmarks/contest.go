package benchmarks

import (
	"math"
	"runtime"
	"slices"
	"time"
)

// Experiment is a question about speed, with one contest for each column of its
// table.
type Experiment struct {
	Name     string // of the benchmark too
	Title    string
	About    string // what is done, for the reader of a result
	Unit     string // what an operation is: "file", "match"
	Matrix   bool   // the contests are columns of one table
	Tall     bool   // its rows instead
	Contests []Contest
}

// Contest is a piece of work that all entries do.
type Contest struct {
	Name    string
	Ops     int    // operations in one go at the work
	Bytes   int    // read in one go, 0 where throughput means nothing
	Base    string // the entry that the others are compared with
	Entries []Entry
}

// Entry is one way to do the work of a contest.
type Entry struct {
	Name string
	Note string // for the reader of a result
	// Start prepares the entry. What it returns does the work once.
	Start func() (work func())
	// Renew, if not nil, goes before each go at the work and is not timed.
	Renew func()
	// Timed, if not nil, prepares an entry that measures itself, in place of
	// Start: what it returns does the work that often and returns the time.
	Timed func() (timed func(goes int) time.Duration)
}

// Pace says how long a contest is run.
type Pace struct {
	Rounds int
	Slice  time.Duration // that an entry works in each round, at least once
	Budget time.Duration // for an entry in all rounds: what is slow has fewer
}

// Result is what a contest gave.
type Result struct {
	Contest *Contest
	Rows    []Row
}

// Row is the result of an entry.
type Row struct {
	Name, Note string
	NS         []float64 // per operation, in each round that it took part in
	Allocs     float64   // per operation; unknown if it measured itself
	Bytes      float64   // allocated per operation; the same
	Self       bool      // it measured itself
}

// Only returns the contest with the entries of these names alone.
func (c Contest) Only(names ...string) Contest {
	c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e Entry) bool { return !slices.Contains(names, e.Name) })
	return c
}

// Without returns the contest without the entries of these names.
func (c Contest) Without(names ...string) Contest {
	c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e Entry) bool { return slices.Contains(names, e.Name) })
	return c
}

// Run lets the entries take turns, round by round, so that whatever slows the
// machine down slows all of them. Each round begins with another entry. Before
// a turn garbage is collected, so that nobody cleans up after another.
func (c Contest) Run(pace Pace) *Result {
	result := &Result{Contest: &c, Rows: make([]Row, len(c.Entries))}
	runners := make([]*runner, len(c.Entries))
	for i, e := range c.Entries {
		row := &result.Rows[i]
		row.Name, row.Note, row.Self = e.Name, e.Note, e.Timed != nil
		var once float64
		if runners[i], once = newRunner(e, pace); once > 0 {
			row.NS = []float64{once / float64(c.Ops)}
		}
	}
	for round := range pace.Rounds {
		for turn := range runners {
			i := (round + turn) % len(runners)
			if r := runners[i]; round < r.rounds {
				result.Rows[i].NS = append(result.Rows[i].NS, r.turn()/float64(c.Ops))
			}
		}
	}
	for i, r := range runners {
		result.Rows[i].Allocs = r.allocs / float64(c.Ops)
		result.Rows[i].Bytes = r.bytes / float64(c.Ops)
	}
	return result
}

// runner is an entry that has warmed up and knows how often to work.
type runner struct {
	entry         Entry
	work          func()
	self          func(goes int) time.Duration // in place of work
	goes, rounds  int
	allocs, bytes float64 // of one go, in the last turn
}

// What is slow has at least this number of rounds, so that there is a median; or
// none, if they do not fit the budget: then the go it warmed up with counts.
const fewestRounds = 3

func newRunner(e Entry, pace Pace) (r *runner, once float64) {
	r = &runner{entry: e, goes: 1}
	if e.Timed != nil {
		r.self = e.Timed()
	} else {
		r.work = e.Start()
	}
	took := r.turn()
	if took > float64(pace.Budget)/fewestRounds {
		return r, took
	}
	// The first go is slower than the others: caches are cold, and an index may
	// have been made.
	took = r.turn()
	r.goes = max(1, int(float64(pace.Slice)/took))
	r.rounds = min(pace.Rounds, max(fewestRounds, int(float64(pace.Budget)/max(took, float64(pace.Slice)))))
	return r, 0
}

// turn returns the nanoseconds that one go took, on average.
func (r *runner) turn() float64 {
	runtime.GC()
	r.allocs, r.bytes = 0, 0
	var took time.Duration
	switch {
	case r.self != nil:
		took = r.self(r.goes)
	case r.entry.Renew == nil:
		took = r.timed(r.goes)
	default:
		for range r.goes {
			r.entry.Renew()
			took += r.timed(1)
		}
	}
	r.allocs /= float64(r.goes)
	r.bytes /= float64(r.goes)
	return float64(took) / float64(r.goes)
}

// timed goes at the work some times, and counts allocations.
func (r *runner) timed(goes int) time.Duration {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range goes {
		r.work()
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	r.allocs += float64(after.Mallocs - before.Mallocs)
	r.bytes += float64(after.TotalAlloc - before.TotalAlloc)
	return took
}

// allocated returns the bytes that a function allocates, and others meanwhile.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Row returns the row of that name, nil if there is none.
func (r *Result) Row(name string) *Row {
	for i := range r.Rows {
		if r.Rows[i].Name == name {
			return &r.Rows[i]
		}
	}
	return nil
}

// Ratio returns how many times longer slow took than fast, in the rounds that
// both took part in.
func (r *Result) Ratio(slow, fast string) Spread {
	return Ratio(r.Row(slow).NS, r.Row(fast).NS)
}

// Spread returns that of the time for an operation, in nanoseconds.
func (r *Row) Spread() Spread { return spread(r.NS) }

// Fastest returns the least time for an operation, in nanoseconds: what
// disturbs a measurement makes it longer, never shorter.
func (r *Row) Fastest() float64 { return slices.Min(r.NS) }

// Ratio returns the spread of a[i]/b[i].
func Ratio(a, b []float64) Spread {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return spread(ratios)
}

// Spread is a median between the quartiles of the rounds.
type Spread struct {
	Low, Median, High float64
	Rounds            int
}

func spread(values []float64) Spread {
	values = slices.Sorted(slices.Values(values))
	at := func(share float64) float64 {
		place := share * float64(len(values)-1)
		below := math.Floor(place)
		low, high := values[int(below)], values[int(math.Ceil(place))]
		return low + (high-low)*(place-below)
	}
	return Spread{at(0.25), at(0.5), at(0.75), len(values)}
}
