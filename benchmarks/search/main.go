// Command search searches for the file and the path for which this project needs
// the most time per byte, and prints the worst that it found.
//
//	go run ./search -for 1h
//
// It changes a few lines and a piece of a path at random, repeats them up to a
// fixed size, and keeps changes that take longer than before. At the end it
// measures the parsers in other languages that the environment names with the same
// files.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// measure is a kind of work whose greatest time per byte is searched.
type measure struct {
	name string
	work func(f corpus.File) func()
	// against returns the contest with parsers in other languages.
	against func(d benchmarks.Drivers, f corpus.File) benchmarks.Contest
}

func measures() []measure {
	one := func(f corpus.File) *corpus.Corpus { return &corpus.Corpus{Files: []corpus.File{f}, Size: len(f.Bytes)} }
	return []measure{
		{
			"parse", func(f corpus.File) func() { return func() { robotstxt.Parse(f.Bytes) } },
			func(d benchmarks.Drivers, f corpus.File) benchmarks.Contest { return d.Parse("parse", one(f)) },
		},
		{
			"one shot", func(f corpus.File) func() { return func() { robotstxt.Allowed(f.Bytes, f.Paths[0]) } },
			func(d benchmarks.Drivers, f corpus.File) benchmarks.Contest { return d.OneShot("one shot", one(f)) },
		},
		{
			"match with an index", func(f corpus.File) func() {
				rules := robotstxt.Parse(f.Bytes).Rules()
				for range 200 {
					rules.Allowed("/")
				}
				return func() { rules.Allowed(f.Paths[0]) }
			},
			func(d benchmarks.Drivers, f corpus.File) benchmarks.Contest {
				return d.Match("match", []corpus.File{f})
			},
		},
	}
}

func main() {
	length := flag.Duration("for", time.Minute, "total `time` of the search, divided among the kinds of work")
	seed := flag.Uint64("seed", corpus.DefaultSeed, "`seed` of the random changes")
	flag.Parse()
	if err := run(*length, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

func run(length time.Duration, seed uint64) error {
	drivers, end, err := benchmarks.StartDrivers(context.Background())
	if err != nil {
		return err
	}
	defer end()
	runtime.GOMAXPROCS(1)
	for _, m := range measures() {
		worst, ns := search(m, seed, time.Now().Add(length/time.Duration(len(measures()))))
		fmt.Printf("%s: %.2f ns per byte\n%s", m.name, ns, worst)
		compare(m, drivers, worst.file())
	}
	return nil
}

// search changes the worst shape again and again until the time end.
func search(m measure, seed uint64, end time.Time) (worst shape, ns float64) {
	g := newMutator(seed)
	for _, s := range starts() {
		if took := perByte(m, s.file(), 5); took > ns {
			worst, ns = s, took
		}
	}
	for time.Now().Before(end) {
		next := g.change(worst)
		f := next.file()
		// Other load makes a measured time longer. So a change must take longer twice,
		// the second time with more runs.
		if perByte(m, f, 2) <= ns*1.02 {
			continue
		}
		if again := perByte(m, f, 9); again > ns*1.02 {
			worst, ns = next, again
			fmt.Fprintf(os.Stderr, "%s: %.2f ns per byte\n", m.name, ns)
		}
	}
	// The machine may have been busy before: measure once more.
	return worst, perByte(m, worst.file(), 20)
}

// perByte returns the least time of n runs, in nanoseconds per byte of file and
// path.
func perByte(m measure, f corpus.File, n int) float64 {
	work := m.work(f)
	least := time.Duration(1 << 62)
	for range n {
		start := time.Now()
		work()
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds()) / float64(len(f.Bytes)+len(f.Paths[0]))
}

// compare prints how many times longer the other parsers take.
func compare(m measure, drivers benchmarks.Drivers, f corpus.File) {
	if len(drivers) == 0 {
		return
	}
	names := []string{peers.Ours}
	for _, d := range drivers {
		names = append(names, d.Name)
	}
	pace := benchmarks.Pace{Rounds: 5, Slice: 20 * time.Millisecond, Budget: 5 * time.Second}
	result := m.against(drivers, f).Only(names...).Run(pace)
	for _, name := range names[1:] {
		fmt.Printf("  %s takes %.2f times as long\n", name, result.Ratio(name, peers.Ours).Median)
	}
}

// String returns the lines and the path as Go strings.
func (s shape) String() string {
	var b strings.Builder
	for _, line := range s.lines {
		fmt.Fprintf(&b, "  line  %q\n", line)
	}
	fmt.Fprintf(&b, "  path  %q, then %q repeated\n", s.start, s.piece)
	return b.String()
}
