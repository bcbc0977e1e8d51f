package benchmarks

import (
	"fmt"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// First63 is the entry in which this project answers only 63 queries for each
// parsed file, so few that it makes no index.
const First63 = "kosterhq, first 63 queries"

// Match queries parsed files, with the agent resolved once, like a crawler that
// keeps parsed files.
func (d Drivers) Match(name string, files []corpus.File) Contest {
	contest := Contest{Name: name, Base: peers.Ours}
	for _, f := range files {
		contest.Ops += len(f.Paths)
	}
	for _, p := range peers.All() {
		entry := Entry{Name: p.Name, Start: func() func() { return answering(parsed(p, files)) }}
		if !p.Keeps {
			entry.Note = "reads the text for each query"
		}
		contest.Entries = append(contest.Entries, entry)
		if p.Name == peers.Ours {
			contest.Entries = append(contest.Entries, firstQueries(files))
		}
	}
	contest.Entries = append(contest.Entries, d.entries(driver.Match, files)...)
	return contest
}

type queries struct {
	matcher peers.Matcher
	paths   []string
}

// parsed parses the files. For this project's parser it queries them often enough that
// the index is made before the measurement. It panics if the peer cannot parse a file.
func parsed(p *peers.Peer, files []corpus.File) []queries {
	prepared := make([]queries, len(files))
	for i, f := range files {
		file, err := p.Parse(f.Body)
		if err != nil {
			panic(p.Name + " cannot parse a file of a contest: " + err.Error())
		}
		prepared[i] = queries{file.For(agent), f.Paths}
		if p.Name == peers.Ours {
			for range queriesForIndex {
				prepared[i].matcher("/")
			}
		}
	}
	return prepared
}

func answering(prepared []queries) func() {
	return func() {
		for i := range prepared {
			prepared[i].matcher.Count(prepared[i].paths)
		}
	}
}

// This project makes the index of a file after a number of queries between these.
const (
	queriesWithoutIndex = 63
	queriesForIndex     = 200
)

// firstQueries returns the entry First63. It parses the files again before each
// run, untimed.
func firstQueries(files []corpus.File) Entry {
	var prepared []queries
	renew := func() {
		prepared = prepared[:0]
		for _, f := range files {
			for paths := f.Paths; len(paths) > 0; {
				n := min(queriesWithoutIndex, len(paths))
				rules := robotstxt.Parse(f.Bytes).Rules(agent)
				matcher := func(path string) bool { return rules.Allowed(path) }
				prepared = append(prepared, queries{matcher, paths[:n]})
				paths = paths[n:]
			}
		}
	}
	return Entry{Name: First63, Note: "files parsed again after 63 queries", Renew: renew, Start: func() func() {
		return func() { answering(prepared)() }
	}}
}

// ParsedByAll returns the corpus without the files that some peer cannot parse:
// fast-robots takes UTF-8 only.
func ParsedByAll(c *corpus.Corpus) *corpus.Corpus {
	return c.Without(func(body corpus.Body) bool {
		if !utf8.ValidString(body.Text) {
			return true
		}
		for _, p := range peers.All() {
			if _, err := p.Parse(body); err != nil {
				return true
			}
		}
		return false
	})
}

// Unlike counts the verdicts in which a peer differs from this project, and all
// paths of the files that the peer can parse.
func Unlike(p *peers.Peer, c *corpus.Corpus) (unlike, total int) {
	for _, f := range c.Files {
		rules := robotstxt.Parse(f.Bytes).Rules(agent)
		file, err := p.Parse(f.Body)
		if err != nil {
			continue
		}
		matcher := file.For(agent)
		for _, path := range f.Paths {
			allowed, err := matcher.Count([]string{path})
			if err != nil || (allowed == 1) != rules.Allowed(path) {
				unlike++
			}
			total++
		}
	}
	return unlike, total
}

// UnlikeDriver does the same with a parser in another language. It leaves out
// files and paths that are not UTF-8 if the parser takes only text.
func UnlikeDriver(p *driver.Process, c *corpus.Corpus) (unlike, total int, err error) {
	for _, f := range c.Files {
		rules := robotstxt.Parse(f.Bytes).Rules(agent)
		for _, path := range f.Paths {
			if p.Text && (!utf8.ValidString(f.Text) || !utf8.ValidString(path)) {
				continue
			}
			allowed, _, err := p.Query(f.Bytes, []string{agent}, path)
			if err != nil {
				return 0, 0, fmt.Errorf("%s: %w", p.Name, err)
			}
			if allowed != rules.Allowed(path) {
				unlike++
			}
			total++
		}
	}
	return unlike, total, nil
}
