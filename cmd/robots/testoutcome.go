package main

import (
	"fmt"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/conformance"
)

// trouble is a check that did not pass, with the grounds of the answer.
type trouble struct {
	suite *expect.Suite
	check conformance.Check
	tried string // why a check of a pattern is undecided, "" if it is not
	why   *wire.Explanation
	file  *answer.File
}

func newTrouble(s *expect.Suite, o *expect.Outcome) *trouble {
	why, file := o.Explain()
	return &trouble{s, o.Check, o.Tried, why, file}
}

// trouble shows what was expected and what the robots.txt says instead, and why.
func (p *prose) trouble(t *trouble) {
	place := fmt.Sprintf("%s:%d:", term.Escape(t.suite.Name), t.check.HeadLine)
	fmt.Fprintf(&p.text, "%s %s\nbut %s\n\n", p.palette.Paint(term.Bold, place), t.wanted(), t.got())
	if t.tried != "" {
		return
	}
	d := &t.why.Decision
	p.file = t.file
	p.excerpt(d)
	p.field("robots", term.Escape(t.suite.Subject.Name))
	path := term.Escape(d.Path)
	if t.why.ComparedURL != "" && !t.check.All {
		path += "  (the URL was encoded first)"
	}
	p.field("path", path)
	if d.Reason != robotstxt.ReasonNoFile {
		p.grounds(t.why)
	}
}

// wanted returns what the check expects.
func (t *trouble) wanted() string {
	word := "disallowed"
	if t.check.Allowed {
		word = "allowed"
	}
	what := term.Escape(t.check.URL)
	if t.check.All {
		what = "every path that " + what + " matches"
	}
	text := what + " should be " + word + " for " + term.Token(t.why.Agent)
	if dialect := t.why.Decision.Dialect; dialect != robotstxt.Google {
		text += " in dialect " + dialect.String()
	}
	switch line := t.check.Line; {
	case line == 0:
		text += " by no line"
	case line > 0:
		text += " by line " + strconv.Itoa(line)
		if t.why.Decision.Reason != robotstxt.ReasonNoFile {
			text += " (" + describe(t.file, line) + ")"
		}
	}
	return text
}

// got returns the verdict instead, with its reason.
func (t *trouble) got() string {
	what := ""
	if t.check.All {
		what = term.Escape(t.why.Decision.Path) + " "
	}
	switch {
	case t.tried != "":
		return "that is undecided: " + term.Escape(t.tried)
	case t.why.Verdict == wire.VerdictUnknown:
		return "that is unknown " + ground(t.why)
	case t.why.Verdict == wire.VerdictAllowed:
		return what + "is allowed " + ground(t.why)
	default:
		return what + "is disallowed " + ground(t.why)
	}
}

// describe says in a word or two what a line of the robots.txt is.
func describe(f *answer.File, line int) string {
	switch rule := f.Rule(line); {
	case rule != "":
		return term.Escape(rule)
	case line > f.Lines:
		return "behind the end"
	default:
		return "no rule"
	}
}
