package main

import (
	"fmt"
	"io"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/conformance"
)

// testReport is what came of all suites.
type testReport struct {
	suites []*suite
	began  time.Time
	took   time.Duration
}

// passed, failed and broken count checks, and the suites that have none because
// they could not be tested.

func (r *testReport) passed() (n int) {
	for _, s := range r.suites {
		n += len(s.outcomes) - s.failed()
	}
	return n
}

func (r *testReport) failed() (n int) {
	for _, s := range r.suites {
		n += s.failed()
	}
	return n
}

func (r *testReport) broken() (n int) {
	for _, s := range r.suites {
		if s.err != nil {
			n++
		}
	}
	return n
}

func (s *suite) failed() (n int) {
	for i := range s.outcomes {
		if !s.outcomes[i].passed {
			n++
		}
	}
	return n
}

// printText prints the failures one after the other, and the sum below.
func (r *testReport) printText(out io.Writer, colours term.Palette) error {
	p := &prose{palette: colours}
	for _, s := range r.suites {
		for i := range s.outcomes {
			if o := &s.outcomes[i]; !o.passed {
				p.failure(s, o)
				p.text.WriteByte('\n')
			}
		}
		if _, err := io.WriteString(out, p.text.String()); err != nil {
			return err
		}
		p.text.Reset()
	}
	sum := fmt.Sprintf("%d passed, %d failed", r.passed(), r.failed())
	if n := r.broken(); n == 1 {
		sum += ", 1 file could not be tested"
	} else if n > 1 {
		sum += fmt.Sprintf(", %d files could not be tested", n)
	}
	style := term.Green
	if r.failed()+r.broken() > 0 {
		style = term.Red
	}
	_, err := fmt.Fprintln(out, p.palette.Paint(style, sum))
	return err
}

// failure shows where something else was expected, and why it is not so.
func (p *prose) failure(s *suite, o *outcome) {
	fmt.Fprintf(&p.text, "%s %s\n", p.palette.Paint(term.Bold, fmt.Sprintf("%s:%d:", term.Escape(s.Name), o.check.HeadLine)), o.wanted())
	p.reasons(s, o)
}

// reasons is failure without the line that names it.
func (p *prose) reasons(s *suite, o *outcome) {
	d := &o.why.Decision
	p.body = o.why.body
	fmt.Fprintf(&p.text, "but %s\n\n", o.got())
	p.excerpt(d)
	p.field("robots", term.Escape(s.subject.name))
	path := term.Escape(d.Path)
	if o.why.ComparedURL != "" {
		path += "  (the URL was encoded first)"
	}
	p.field("path", path)
	if d.Reason != robotstxt.ReasonNoFile {
		p.grounds(o.why)
	}
}

// testedCheck is what --format json prints about a check.
type testedCheck struct {
	File        string `json:"file"`
	FileLine    int    `json:"file_line"`
	Robots      string `json:"robots"` // its path or URL
	Passed      bool   `json:"passed"`
	WantAllowed bool   `json:"want_allowed"`
	WantLine    *int   `json:"want_line,omitempty"` // 0 for none; nil if any does
	*answer
}

func (r *testReport) printJSON(out io.Writer) error {
	for _, s := range r.suites {
		for i := range s.outcomes {
			o := &s.outcomes[i]
			c := testedCheck{s.Name, o.check.HeadLine, s.subject.name, o.passed, o.check.Allowed, nil, &o.answer}
			if o.check.Line != conformance.AnyLine {
				c.WantLine = &o.check.Line
			}
			if err := term.PrintJSON(out, c); err != nil {
				return err
			}
		}
	}
	return nil
}
