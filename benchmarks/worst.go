package benchmarks

import (
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// WorstRules matches a path of 2,000 bytes against a single rule for which a
// naive matcher needs exponential time.
func (d Drivers) WorstRules() Experiment {
	e := Experiment{
		Name: "WorstRule", Title: "Worst rules", Unit: "match", Matrix: true,
		About: "One rule, parsed once, and a path of 2,000 bytes, all `a`.",
	}
	for _, rule := range corpus.WorstRules() {
		// A single rule has no index, and no matcher.
		e.Contests = append(e.Contests, d.Match(rule.Name, []corpus.File{rule.File()}).Without(First63,
			driver.FastName+NoMatcher))
	}
	return e
}

// hostileEntries are the entries measured with the hostile files. The others are
// left out because some need minutes for one file.
var hostileEntries = []string{peers.Ours, First63, Parsing, "grobotstxt", driver.GoogleName, driver.FastName,
	driver.FastName + NoMatcher}

// Parsing is the entry that parses the file of a contest of queries.
const Parsing = "kosterhq, parsing"

// HostileMatches matches a path against a hostile file that is parsed already.
func (d Drivers) HostileMatches() Experiment {
	e := Experiment{
		Name: "HostileMatch", Title: "Hostile files, a query", Unit: "match", Matrix: true, Tall: true,
		About: "490 KB, parsed once, and one path. This project has three columns: after 200 queries, with an index; as " +
			"the first query of a parsed file, without one; and parsing the file, to compare a query with.",
	}
	for i, h := range corpus.HostileMatches() {
		f := h.Make()
		contest := d.Match(h.Name, []corpus.File{f})
		contest.Entries = slices.Insert(contest.Entries, 2, Entry{Name: Parsing, Start: func() func() {
			return func() { robotstxt.Parse(f.Bytes) }
		}})
		if i > 0 { // the first file is measured with all peers
			contest = contest.Only(hostileEntries...)
		}
		e.Contests = append(e.Contests, contest)
	}
	return e
}

// HostileOneShots reads the same files to answer the same query.
func (d Drivers) HostileOneShots() Experiment {
	e := Experiment{
		Name: "HostileOneShot", Title: "Hostile files, one shot", Unit: "file", Matrix: true, Tall: true,
		About: "The same files, read to answer one query; nothing is kept.",
	}
	for _, h := range corpus.HostileMatches() {
		e.Contests = append(e.Contests, d.OneShot(h.Name, alone(h.Make())).Only(hostileEntries...))
	}
	return e
}

// HostileParses parses files that take long to parse.
func (d Drivers) HostileParses() Experiment {
	e := Experiment{
		Name: "HostileParse", Title: "Hostile files, parsing", Unit: "byte", Matrix: true, Tall: true,
		About: "Files that are read into the parsed form, which is then dropped. fast-robots keeps references to the text and encodes " +
			"nothing, and a file whose lines end in CR alone is a single line for it.",
	}
	for _, h := range corpus.HostileParses() {
		f := h.Make()
		contest := d.Parse(h.Name, alone(f)).Only(hostileEntries...)
		contest.Ops = len(f.Bytes)
		e.Contests = append(e.Contests, contest)
	}
	return e
}

func alone(f corpus.File) *corpus.Corpus { return &corpus.Corpus{Files: []corpus.File{f}} }

// The entries of ParseSizes.
const (
	Smallest = "0.7 MB"
	Largest  = "11 MB"
)

// ParseSizes compares this project with itself: the time to parse a byte of the
// smallest and of the largest file of many groups with the same agents.
func ParseSizes() Contest {
	contest := Contest{Name: "26 agents", Ops: 1, Base: Smallest}
	for _, h := range corpus.HostileParses() {
		name, ok := strings.CutPrefix(h.Name, "26 agents, ")
		if !ok {
			continue
		}
		contest.Entries = append(contest.Entries, Entry{Name: name, Timed: func() func(int) time.Duration {
			f := h.Make()
			return func(n int) time.Duration {
				start := time.Now()
				for range n {
					robotstxt.Parse(f.Bytes)
				}
				// Scaled to the size of the smallest file.
				return time.Duration(float64(time.Since(start)) * smallestSize / float64(len(f.Bytes)))
			}
		}})
	}
	return contest
}

// smallestSize is the size of the file of Smallest, in bytes.
const smallestSize = 700_000
