package benchmarks

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// First63 is the entry that asks this project 63 questions about each parsed
// file, so that whatever it prepares for many questions costs what it costs.
const First63 = "kosterhq, first 63 questions"

// Match asks about parsed files, with the agent resolved once: what a crawler
// does that keeps what it has parsed.
func (d Drivers) Match(name string, files []corpus.File) Contest {
	contest := Contest{Name: name, Base: peers.Ours}
	for _, f := range files {
		contest.Ops += len(f.Paths)
	}
	for _, p := range peers.All() {
		entry := Entry{Name: p.Name, Start: func() func() { return asking(parsed(p, files)) }}
		if !p.Keeps {
			entry.Note = "reads the text for each question"
		}
		contest.Entries = append(contest.Entries, entry)
		if p.Name == peers.Ours {
			contest.Entries = append(contest.Entries, firstQuestions(files))
		}
	}
	contest.Entries = append(contest.Entries, d.entries(driver.Match, files)...)
	return contest
}

// questions are to be put to one matcher.
type questions struct {
	matcher peers.Matcher
	paths   []string
}

// parsed parses the files, which the peer must be able to, and asks often enough
// for an index where there is such a thing: it is made once, not per question.
func parsed(p *peers.Peer, files []corpus.File) []questions {
	asked := make([]questions, len(files))
	for i, f := range files {
		file, err := p.Parse(f.Body)
		if err != nil {
			panic(p.Name + " cannot parse a file of a contest: " + err.Error())
		}
		asked[i] = questions{file.For(agent), f.Paths}
		if p.Name == peers.Ours {
			for range questionsForIndex {
				asked[i].matcher("/")
			}
		}
	}
	return asked
}

func asking(asked []questions) func() {
	return func() {
		for i := range asked {
			asked[i].matcher.Count(asked[i].paths)
		}
	}
}

// An index is made between these numbers of questions.
const (
	questionsWithoutIndex = 63
	questionsForIndex     = 200
)

// firstQuestions parses again, untimed, before each go.
func firstQuestions(files []corpus.File) Entry {
	var asked []questions
	renew := func() {
		asked = asked[:0]
		for _, f := range files {
			for paths := f.Paths; len(paths) > 0; {
				n := min(questionsWithoutIndex, len(paths))
				rules := robotstxt.Parse(f.Bytes).Rules(agent)
				matcher := func(path string) bool { return rules.Allowed(path) }
				asked = append(asked, questions{matcher, paths[:n]})
				paths = paths[n:]
			}
		}
	}
	return Entry{Name: First63, Note: "files parsed again after 63 questions", Renew: renew, Start: func() func() {
		return func() {
			for i := range asked {
				asked[i].matcher.Count(asked[i].paths)
			}
		}
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

// Unlike counts the verdicts in which a peer differs from this project, of all
// paths of the files that it can parse.
func Unlike(p *peers.Peer, c *corpus.Corpus) (unlike, asked int) {
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
			asked++
		}
	}
	return unlike, asked
}

// UnlikeDriver does the same with a parser in another language. Paths that are
// not UTF-8 are left out where the parser takes none.
func UnlikeDriver(p *driver.Process, c *corpus.Corpus) (unlike, asked int, err error) {
	for _, f := range c.Files {
		rules := robotstxt.Parse(f.Bytes).Rules(agent)
		for _, path := range f.Paths {
			if p.Text && (!utf8.ValidString(f.Text) || !utf8.ValidString(path)) {
				continue
			}
			allowed, _, err := p.Ask(f.Bytes, []string{agent}, path)
			if err != nil {
				return 0, 0, fmt.Errorf("%s: %w", p.Name, err)
			}
			if allowed != rules.Allowed(path) {
				unlike++
			}
			asked++
		}
	}
	return unlike, asked, nil
}

func isPanic(err error) bool { return errors.Is(err, peers.ErrPanic) }
