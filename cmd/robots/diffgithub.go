package main

import (
	"bufio"
	"fmt"

	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// diffAnnotations prints what changes as the commands that make annotations in a
// GitHub workflow, on the lines of the new file.
type diffAnnotations struct {
	out    *bufio.Writer
	failOn failOn
	sides  [2]*side
	names  crawlerNames
}

func (a *diffAnnotations) print(r *compare.Result) error {
	for i := range r.Rows {
		for j := range r.Rows[i].Changes {
			a.change(&r.Rows[i].Changes[j])
		}
	}
	if r.Undecided {
		a.command("error", "undecided", 0, fmt.Sprintf("what changes for %s is undecided: %s", a.names.list(r.UndecidedAgents), term.Escape(r.Tried)))
	}
	return report.WriteError(a.out)
}

// change prints one change. It is an error if --fail-on is about its effect.
func (a *diffAnnotations) change(c *wire.PathChange) {
	level := "warning"
	if string(c.Effect) == string(a.failOn) {
		level = "error"
	}
	before, after := "disallowed", "allowed"
	if c.Effect == wire.Closes {
		before, after = after, before
	}
	a.command(level, fmt.Sprintf("%s for %s", c.Effect, a.names.list(c.Agents)), c.NewLine, fmt.Sprintf("%s was %s (%s) and is %s (%s)",
		shownPath(c.Witness), before, a.sides[0].rule(c.OldLine), after, a.sides[1].rule(c.NewLine)))
}

// command prints one annotation. Without a deciding line it is about the file.
func (a *diffAnnotations) command(level, title string, line int, message string) {
	properties := "title=" + report.GitHubProperty(title)
	if path, ok := report.RepositoryPath(a.sides[1].name); ok {
		place := ""
		if line > 0 {
			place = fmt.Sprintf(",line=%d", line)
		}
		properties = "file=" + report.GitHubProperty(term.Escape(path)) + place + "," + properties
	} else {
		message = term.Source(a.sides[1].name) + ": " + message
	}
	fmt.Fprintf(a.out, "::%s %s::%s\n", level, properties, report.GitHubData(message))
}
