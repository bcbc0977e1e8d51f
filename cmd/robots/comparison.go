package main

import (
	"fmt"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/verdicts"
)

// How a comparison of two files is told, by lint and fmt.

// changeText tells a change in a sentence, escaped.
func changeText(c verdicts.Change) string {
	verdict := map[bool]string{true: "allowed", false: "disallowed"}
	return fmt.Sprintf("in dialect %s the verdict changes for %s: %s was %s, by %s, and is %s, by %s",
		c.Dialect, term.Token(c.Agent), term.Clip(term.Escape(c.URL), widestExcerpt),
		verdict[!c.Allowed], lineText(c.Before), verdict[c.Allowed], lineText(c.After))
}

func lineText(line int) string {
	if line == 0 {
		return "no line"
	}
	return fmt.Sprintf("line %d", line)
}

// tellChanges names the changes of a file. In a dialect that is not its own one is
// enough: whoever writes for one dialect seldom cares for another.
func tellChanges(t *term.Terminal, name string, c *verdicts.Comparison, foreign bool) {
	shown := c.Examples
	if foreign {
		shown = shown[:min(1, len(shown))]
	}
	for i, change := range shown {
		more := ""
		if n := c.Changed - len(shown); i == len(shown)-1 && n > 0 {
			more = "; so do " + count(n, "other verdict", "other verdicts")
		}
		t.Note("%s: %s%s", shownName(name), changeText(change), more)
	}
}

// comparisonSum is what several comparisons of a file came to.
type comparisonSum struct {
	compared, changed int
	cut               bool
}

func (s *comparisonSum) add(c *verdicts.Comparison) {
	s.compared += c.Compared
	s.changed += c.Changed
	s.cut = s.cut || c.Cut
}

func (s comparisonSum) String() string {
	text := count(s.compared, "verdict", "verdicts") + " compared"
	if s.cut {
		text += " of many more"
	}
	if s.changed == 0 {
		text += ", none changes"
	}
	return text
}
