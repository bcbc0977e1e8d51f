package benchmarks

import (
	"math"
	"runtime"
	"slices"
	"time"
)

// Experiment measures one aspect of speed. It has one contest for each column of
// its table.
type Experiment struct {
	Name     string // of the benchmark too
	Title    string
	About    string // what the entries do, for the reader of a result
	Unit     string // of an operation: "file", "match"
	Matrix   bool   // the contests are the columns of one table, and share the rounds
	Tall     bool   // the contests are its rows instead
	Contests []Contest
}

// Contest is a piece of work that all entries do.
type Contest struct {
	Name    string
	Ops     int    // operations in one run of the work
	Bytes   int    // read in one run, 0 if throughput has no meaning here
	Base    string // the entry that the others are compared with
	Entries []Entry
}

// Entry is one way to do the work of a contest.
type Entry struct {
	Name string
	Note string // for the reader of a result
	// Start prepares the entry and returns a function that does the work once.
	Start func() (work func())
	// Renew, if not nil, is called before each run of the work and is not timed.
	Renew func()
	// Timed, if not nil, is used instead of Start, for an entry that measures
	// itself. It returns a function that does the work n times and returns the time.
	Timed func() (timed func(n int) time.Duration)
}

// Pace sets how long a contest runs.
type Pace struct {
	Rounds int
	Slice  time.Duration // of an entry in each round; it works at least once
	Budget time.Duration // of an entry in all rounds; slow entries have fewer rounds
}

// Result has the results of a contest.
type Result struct {
	Contest *Contest
	Rows    []Row
}

// Row is the result of an entry.
type Row struct {
	Name, Note string
	NS         []float64 // nanoseconds per operation, in each round of the entry
	Allocs     float64   // per operation; unknown if Self
	Bytes      float64   // allocated per operation; unknown if Self
	Self       bool      // the entry measured itself
}

// Only returns the contest with only the entries of these names.
func (c Contest) Only(names ...string) Contest {
	c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e Entry) bool {
		return !slices.Contains(names, e.Name)
	})
	return c
}

// Without returns the contest without the entries of these names.
func (c Contest) Without(names ...string) Contest {
	c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e Entry) bool { return slices.Contains(names, e.Name) })
	return c
}

// Run lets the entries take turns, round by round, so that other load on the
// machine slows all of them alike. Each round begins with a different entry.
// Garbage is collected before each turn, so that no entry collects the garbage of
// another.
func (c Contest) Run(pace Pace) *Result { return RunTogether([]Contest{c}, pace)[0] }

// RunTogether does the same with several contests. They share the rounds, so that their
// results can be beside each other.
func RunTogether(contests []Contest, pace Pace) []*Result {
	results := make([]*Result, len(contests))
	runners := make([][]*runner, len(contests))
	for i, c := range contests {
		results[i], runners[i] = c.start(pace)
	}
	for round := range pace.Rounds {
		for i := range runners {
			for turn := range runners[i] {
				at := (round + turn) % len(runners[i])
				if r := runners[i][at]; round < r.rounds {
					row := &results[i].Rows[at]
					row.NS = append(row.NS, r.turn()/float64(contests[i].Ops))
				}
			}
		}
	}
	for i := range runners {
		for at, r := range runners[i] {
			results[i].Rows[at].Allocs = r.allocs / float64(contests[i].Ops)
			results[i].Rows[at].Bytes = r.bytes / float64(contests[i].Ops)
		}
	}
	return results
}

// start returns the entries warmed up, and their rows without a round, or with the only one of
// a slow entry.
func (c Contest) start(pace Pace) (*Result, []*runner) {
	result := &Result{Contest: &c, Rows: make([]Row, len(c.Entries))}
	runners := make([]*runner, len(c.Entries))
	for i, e := range c.Entries {
		row := &result.Rows[i]
		row.Name, row.Note, row.Self = e.Name, e.Note, e.Timed != nil
		var once float64
		runners[i], once = newRunner(e, pace)
		if once > 0 {
			row.NS = []float64{once / float64(c.Ops)}
		}
	}
	return result, runners
}

// runner runs an entry that has warmed up.
type runner struct {
	entry         Entry
	work          func()
	self          func(n int) time.Duration // instead of work
	repeats       int                       // runs of the work in each turn
	rounds        int
	allocs, bytes float64 // of one run, in the last turn
	counted       int     // runs of the last turn whose allocations are in these sums
}

// A slow entry has at least this number of rounds, so that there is a median. If
// so many do not fit the budget, it has none, and its warm-up is the result.
const fewestRounds = 3

func newRunner(e Entry, pace Pace) (r *runner, once float64) {
	r = &runner{entry: e, repeats: 1}
	if e.Timed != nil {
		r.self = e.Timed()
	} else {
		r.work = e.Start()
	}
	took := r.turn()
	if took > float64(pace.Budget)/fewestRounds {
		return r, took
	}
	// The first run is slower than the others: caches are cold, and it might have
	// made an index.
	took = r.turn()
	r.repeats = max(1, int(float64(pace.Slice)/took))
	r.rounds = min(pace.Rounds, max(fewestRounds, int(float64(pace.Budget)/max(took, float64(pace.Slice)))))
	return r, 0
}

// turn returns the nanoseconds of one run, on average.
func (r *runner) turn() float64 {
	runtime.GC()
	r.allocs, r.bytes, r.counted = 0, 0, 0
	var took time.Duration
	switch {
	case r.self != nil:
		took = r.self(r.repeats)
	case r.entry.Renew == nil:
		took = r.timed(r.repeats)
	default:
		for range r.repeats {
			r.entry.Renew()
			took += r.timed(1)
		}
	}
	if r.counted > 0 {
		r.allocs /= float64(r.counted)
		r.bytes /= float64(r.counted)
	}
	return float64(took) / float64(r.repeats)
}

// timed does the work n times and counts the allocations of all runs but the first: the
// collection before a turn empties pools, and the first run fills them again. A single run
// is counted.
func (r *runner) timed(n int) (took time.Duration) {
	if n > 1 {
		start := time.Now()
		r.work()
		took = time.Since(start)
		n--
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range n {
		r.work()
	}
	took += time.Since(start)
	runtime.ReadMemStats(&after)
	r.counted += n
	r.allocs += float64(after.Mallocs - before.Mallocs)
	r.bytes += float64(after.TotalAlloc - before.TotalAlloc)
	return took
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Row returns the row of the given name, nil if there is none.
func (r *Result) Row(name string) *Row {
	for i := range r.Rows {
		if r.Rows[i].Name == name {
			return &r.Rows[i]
		}
	}
	return nil
}

// Ratio returns how many times longer slow took than fast, in the rounds of both.
func (r *Result) Ratio(slow, fast string) Spread {
	return Ratio(r.Row(slow).NS, r.Row(fast).NS)
}

// Fastest returns the least nanoseconds per operation. Other load makes a
// measured time longer, never shorter.
func (r *Row) Fastest() float64 { return slices.Min(r.NS) }

// Ratio returns the spread of a[i]/b[i].
func Ratio(a, b []float64) Spread {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return spread(ratios)
}

// Spread has the quartiles of the rounds.
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
