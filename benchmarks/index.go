package benchmarks

import (
	"slices"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// SlowestQuestion is the entry whose time is that of the slowest of the first
// 200 questions about a file: the one that makes the index.
const SlowestQuestion = "kosterhq, the question that makes the index"

// Index compares the question that makes an index with parsing the file.
func Index(sets []Set) Experiment {
	e := Experiment{
		Name: "Index", Title: "The question that makes an index", Unit: "file", Matrix: true, Tall: true,
		About: "The slowest of the first 200 questions about a file, and parsing the same file. Each question is asked of several " +
			"parsed files, and its least time counts.",
	}
	add := func(name string, c *corpus.Corpus) {
		parse := Drivers(nil).Parse(name, c).Only(peers.Ours)
		parse.Entries = append(parse.Entries, Entry{Name: SlowestQuestion, Timed: func() func(int) time.Duration {
			return func(goes int) time.Duration { return slowestQuestions(c.Files, goes) }
		}})
		e.Contests = append(e.Contests, parse)
	}
	for _, set := range sets {
		// Files that are too small for an index would only make the ratio better.
		indexed := &corpus.Corpus{}
		for _, f := range set.Files {
			if len(indexed.Files) < 200 && hasIndex(f) {
				indexed.Files = append(indexed.Files, f)
				indexed.Size += len(f.Bytes)
			}
		}
		add(set.Named("up to 200 files that get an index"), indexed)
	}
	add("10,000 literals", alone(corpus.Literals(10_000)))
	add("5,000 wildcards", alone(corpus.Wildcards(5000)))
	add("5,000 short wildcards", alone(corpus.ShortWildcards(5000)))
	return e
}

// hasIndex tells by what the first questions allocate: an answer allocates
// nothing, and no index is smaller than this.
func hasIndex(f corpus.File) bool {
	const smallest = 256 // bytes
	rules := robotstxt.Parse(f.Bytes).Rules(agent)
	return allocated(func() {
		for i := range questionsForIndex {
			rules.Allowed(f.Paths[i%len(f.Paths)])
		}
	}) > smallest
}

// slowestQuestions returns the sum over the files of the time of the slowest
// question, goes times. A question that something else delayed is not a slow
// one: it is asked of three parsed files or more.
func slowestQuestions(files []corpus.File, goes int) time.Duration {
	var sum time.Duration
	for _, f := range files {
		var times [questionsForIndex]time.Duration
		for round := range max(goes, 3) {
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
	return sum * time.Duration(goes)
}
