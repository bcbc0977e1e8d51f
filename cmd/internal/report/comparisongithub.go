package report

import (
	"fmt"

	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// annotations prints changes as the annotations of a GitHub workflow.
type annotations struct {
	*Comparison
	names crawlerNames
}

// GitHub prints the changes as the annotations of a GitHub workflow, on the lines of
// the new file.
func (c *Comparison) GitHub(r *compare.Result) error {
	a := &annotations{c, c.names(r)}
	for i := range r.Rows {
		for j := range r.Rows[i].Changes {
			a.change(&r.Rows[i].Changes[j])
		}
	}
	if r.Undecided {
		a.command("error", "undecided", 0, fmt.Sprintf("what changes for %s is undecided: %s", a.names.list(r.UndecidedAgents), term.Escape(r.Tried)))
	}
	return writeError(a.Out)
}

// change prints one change.
func (a *annotations) change(c *wire.PathChange) {
	level := "warning"
	if c.Effect == a.Important {
		level = "error"
	}
	before, after := "disallowed", "allowed"
	if c.Effect == wire.Closes {
		before, after = after, before
	}
	a.command(level, fmt.Sprintf("%s for %s", c.Effect, a.names.list(c.Agents)), c.NewLine, fmt.Sprintf("%s was %s (%s) and is %s (%s)",
		shownPath(c.Witness), before, a.Sides[0].rule(c.OldLine), after, a.Sides[1].rule(c.NewLine)))
}

// command prints one annotation. If line is 0, it is about the file.
func (a *annotations) command(level, title string, line int, message string) {
	properties := "title=" + gitHubProperty(title)
	if path, ok := repositoryPath(a.Sides[1].Name); ok {
		place := ""
		if line > 0 {
			place = fmt.Sprintf(",line=%d", line)
		}
		properties = "file=" + gitHubProperty(term.Escape(path)) + place + "," + properties
	} else {
		message = term.Source(a.Sides[1].Name) + ": " + message
	}
	fmt.Fprintf(a.Out, "::%s %s::%s\n", level, properties, gitHubData(message))
}
