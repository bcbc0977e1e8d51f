package benchmarks

import (
	"slices"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// SlowestQuery is the entry for the slowest of the first 200 queries of a file: the
// query that makes the index.
const SlowestQuery = "kosterhq, the query that makes the index"

// Index compares the query that makes an index with parsing the file.
func Index(sets []Set) Experiment {
	e := Experiment{
		Name: "Index", Title: "The query that makes an index", Unit: "file", Matrix: true, Tall: true,
		About: "The slowest of the first 200 queries of a file, and parsing the same file. The file is parsed several times, " +
			"and the least time of each query counts.",
	}
	add := func(name string, c *corpus.Corpus) {
		parse := Drivers(nil).Parse(name, c).Only(peers.Ours)
		parse.Entries = append(parse.Entries, Entry{Name: SlowestQuery, Timed: func() func(int) time.Duration {
			return func(n int) time.Duration { return slowestQueries(c.Files, n) }
		}})
		e.Contests = append(e.Contests, parse)
	}
	for _, set := range sets {
		// Files that get no index are omitted: they would improve the ratio.
		indexed := &corpus.Corpus{}
		for _, f := range set.Files {
			if len(indexed.Files) < 200 && hasIndex(f) {
				indexed.Files = append(indexed.Files, f)
			}
		}
		add(set.Named("up to 200 files that get an index"), indexed)
	}
	add("10,000 literals", alone(corpus.Literals(10_000)))
	add("5,000 wildcards", alone(corpus.Wildcards(5000)))
	add("5,000 short wildcards", alone(corpus.ShortWildcards(5000)))
	return e
}

// hasIndex reports whether the first queries of a file make an index. They do if
// they allocate memory, because an answer allocates none.
func hasIndex(f corpus.File) bool {
	const smallest = 256 // bytes of an index
	rules := robotstxt.Parse(f.Bytes).Rules(agent)
	return allocated(func() {
		for i := range queriesForIndex {
			rules.Allowed(f.Paths[i%len(f.Paths)])
		}
	}) > smallest
}

// slowestQueries returns n times the sum, over the files, of the time of the
// slowest query. It parses each file at least three times and takes the least
// time of each query, so that a delay by other load does not count as slow.
func slowestQueries(files []corpus.File, n int) time.Duration {
	var sum time.Duration
	for _, f := range files {
		var times [queriesForIndex]time.Duration
		for round := range max(n, 3) {
			rules := robotstxt.Parse(f.Bytes).Rules(agent)
			for i := range times {
				start := time.Now()
				rules.Allowed(f.Paths[i%len(f.Paths)])
				if took := time.Since(start); round == 0 || took < times[i] {
					times[i] = took
				}
			}
		}
		sum += slices.Max(times[:])
	}
	return sum * time.Duration(n)
}
