package fix

import (
	"context"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Change describes how the verdicts of two files differ in one dialect.
type Change struct {
	Dialect  robotstxt.Dialect
	Crawlers []semdiff.Crawler // one row of the report
	First    semdiff.Change    // of that row

	// More is the number of other pairs of lines that change verdicts, besides First.
	More int

	// Undecided is the reason why it is unknown whether a verdict differs, "" if one
	// does. If it is set, First is not.
	Undecided string

	// Written is true if verdicts change only for crawlers that compare whole
	// user-agent lines and skip misspelt lines.
	Written bool
}

// Refusal is a plain fix that was not made. One of the other fields is set and is the
// reason.
type Refusal struct {
	Finding lint.Finding
	Change  *Change       // the verdicts that it changes
	Bounds  *lint.Finding // an open finding about which lines the group has
	Merges  int           // a user-agent line, spelt differently, that would become the same
}

// Reason returns a clause that says why the fix was not made. It is escaped.
func (r *Refusal) Reason() string {
	switch {
	case r.Bounds != nil:
		return fmt.Sprintf("%s on line %d may change which rules the group has; fix that first", r.Bounds.Code, r.Bounds.Line)
	case r.Merges > 0:
		return fmt.Sprintf("line %d names another crawler that would become the same", r.Merges)
	case r.Change == nil:
		return ""
	default:
		return r.Change.String()
	}
}

// widestPath is how many columns of a path are shown.
const widestPath = 120

// String describes the change in a clause, escaped.
func (c *Change) String() string {
	switch {
	case c.Undecided != "":
		return fmt.Sprintf("it is undecided whether a verdict changes in %s: %s", c.Dialect, c.Undecided)
	case c.Written:
		return "for crawlers that compare whole user-agent lines " + c.clause()
	}
	return "in " + c.Dialect.String() + " " + c.clause()
}

// clause describes the change without its dialect.
func (c *Change) clause() string {
	if c.Undecided != "" {
		return "it is undecided whether a verdict changes: " + c.Undecided
	}
	verdict := "closes"
	if c.First.Opens {
		verdict = "opens"
	}
	return fmt.Sprintf("it %s %s for %s (%s before, %s after)", verdict,
		term.Clip(term.Escape(c.First.Witness), widestPath), crawlersText(c.Crawlers), lineText(c.First.OldLine), lineText(c.First.NewLine))
}

// Wire returns the change as JSON output has it.
func (c *Change) Wire() wire.Change {
	change := wire.Change{Dialect: c.Dialect, Undecided: c.Undecided}
	for _, crawler := range c.Crawlers {
		change.Agents = append(change.Agents, crawler.String())
	}
	if c.Undecided == "" {
		change.Effect, change.OldLine, change.NewLine, change.Witness = wire.Closes, c.First.OldLine, c.First.NewLine, c.First.Witness
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

// mostCrawlers is how many crawlers of a change are shown.
const mostCrawlers = 3

func crawlersText(crawlers []semdiff.Crawler) string {
	var names []string
	for i, c := range crawlers {
		if i == mostCrawlers {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(crawlers)-i)
		}
		if len(c.Tokens) == 0 {
			names = append(names, "crawlers that no group names")
			continue
		}
		names = append(names, term.Escape(c.String()))
	}
	return strings.Join(names, ", ")
}

// compare returns how the verdicts of two files differ in a dialect, nil if it is
// proved that they do not. It prefers a proved change to an undecided one.
func compare(ctx context.Context, d robotstxt.Dialect, before, after []byte, steps int) (*Change, error) {
	report, err := semdiff.Compare(ctx, d.Parse(before), d.Parse(after), semdiff.Config{Steps: steps})
	if err != nil || report.Equal() {
		return nil, err
	}
	var found *Change
	more := -1
	for _, row := range report.Rows {
		switch {
		case len(row.Changes) > 0:
			if found == nil || found.Undecided != "" {
				found = &Change{Dialect: d, Crawlers: row.Crawlers, First: row.Changes[0]}
			}
			more += len(row.Changes)
		case row.Effect == semdiff.Undecided && found == nil:
			found = &Change{Dialect: d, Crawlers: row.Crawlers, Undecided: row.Tried}
		}
	}
	found.More = max(0, more)
	return found, nil
}
