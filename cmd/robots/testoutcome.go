package main

import (
	"fmt"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/conformance"
)

// testFailure is a failed check with the grounds of the verdict.
type testFailure struct {
	check  conformance.Check
	robots string // the path or URL of the robots.txt
	why    *wire.Explanation
	file   *ask.File
}

func (r *testReport) failure(s *expect.Suite, o *expect.Outcome) *testFailure {
	v := r.visit(s, o)
	return &testFailure{o.Check, s.Subject.Name, v.Explain(0), v.Ruling.File}
}

// reasons shows what the robots.txt says instead, and why.
func (p *prose) reasons(f *testFailure) {
	d := &f.why.Decision
	p.file = f.file
	fmt.Fprintf(&p.text, "but %s\n\n", f.got())
	p.excerpt(d)
	p.field("robots", term.Escape(f.robots))
	path := term.Escape(d.Path)
	if f.why.ComparedURL != "" {
		path += "  (the URL was encoded first)"
	}
	p.field("path", path)
	if d.Reason != robotstxt.ReasonNoFile {
		p.grounds(f.why)
	}
}

// wanted returns what the check expects.
func (f *testFailure) wanted() string {
	word := "disallowed"
	if f.check.Allowed {
		word = "allowed"
	}
	text := term.Escape(f.check.URL) + " should be " + word + " for " + term.Token(f.why.Agent)
	if dialect := f.why.Decision.Dialect; dialect != robotstxt.Google {
		text += " in dialect " + dialect.String()
	}
	switch line := f.check.Line; {
	case line == 0:
		text += " by no line"
	case line > 0:
		text += " by line " + strconv.Itoa(line)
		if f.why.Decision.Reason != robotstxt.ReasonNoFile {
			text += " (" + describe(f.file, line) + ")"
		}
	}
	return text
}

// got returns the verdict instead, with its reason.
func (f *testFailure) got() string {
	word := "is disallowed "
	if f.why.Decision.Allowed {
		word = "is allowed "
	}
	return word + ground(f.why)
}

// describe says in a word or two what a line of the robots.txt is.
func describe(f *ask.File, line int) string {
	switch rule := f.Rule(line); {
	case rule != "":
		return term.Escape(rule)
	case line > f.Lines:
		return "behind the end"
	default:
		return "no rule"
	}
}
