package fix

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Change describes how the verdicts of two files differ in one dialect.
type Change struct {
	Dialect  robotstxt.Dialect
	Crawlers []semdiff.Crawler // one row of the report
	First    semdiff.Change    // of that row

	// More is the number of other changes of verdicts, besides First.
	More int

	// Undecided is the reason why it is unknown whether a verdict differs, "" if one
	// does. If it is set, First is not.
	Undecided string

	// Strict is true if verdicts change only for strict readers.
	Strict bool
}

// Refusal is a plain fix that was not made.
type Refusal struct {
	Finding  lint.Finding // its positions are in the fixed file
	Line     int          // of the finding, in the file before all fixes
	Reason   string       // a clause, escaped; its lines are in the file before all fixes
	TooLarge bool         // the file is larger than what crawlers read; only Format refuses such files
}

const widestPath = 120

// String describes the change in a clause, escaped.
func (c *Change) String() string {
	readers := "in " + c.Dialect.String()
	if c.Strict {
		readers = "for strict readers"
	}
	if c.Undecided != "" {
		return fmt.Sprintf("it is undecided whether a verdict changes %s: %s", readers, c.Undecided)
	}
	return readers + " " + c.clause()
}

func (c *Change) clause() string {
	if c.Undecided != "" {
		return "it is undecided whether a verdict changes: " + c.Undecided
	}
	verdict := "closes"
	if c.First.Opens {
		verdict = "opens"
	}
	return fmt.Sprintf("it %s %s for %s (%s before, %s after)", verdict,
		term.Clip(term.Escape(c.First.Witness), widestPath), crawlersText(c.Crawlers), lineText(c.First.OldLine),
		lineText(c.First.NewLine))
}

func (c *Change) wire() wire.Change {
	change := wire.Change{Dialect: c.Dialect, Undecided: c.Undecided}
	for _, crawler := range c.Crawlers {
		change.Agents = append(change.Agents, crawler.String())
	}
	if c.Undecided == "" {
		change.Effect, change.OldLine, change.NewLine, change.Witness = wire.Closes, c.First.OldLine, c.First.NewLine,
			c.First.Witness
		if c.First.Opens {
			change.Effect = wire.Opens
		}
	}
	return change
}

func lineText(line int) string {
	if line == 0 {
		return "no rule"
	}
	return fmt.Sprintf("line %d", line)
}

const maxCrawlers = 3

func crawlersText(crawlers []semdiff.Crawler) string {
	var names []string
	for _, c := range crawlers[:min(len(crawlers), maxCrawlers)] {
		name := term.Escape(c.String())
		if len(c.Tokens) == 0 {
			name = compare.AnyText
		}
		names = append(names, name)
	}
	text := strings.Join(names, ", ")
	if more := len(crawlers) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
