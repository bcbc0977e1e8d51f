package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/conformance"
)

// testReport prints what came of all suites.
type testReport struct {
	*expect.Report
	began   time.Time               // of fetching
	rulings map[reading]*ask.Ruling // without crawlers, made on demand
}

// reading is a robots.txt as a dialect reads it.
type reading struct {
	of      *expect.Subject
	dialect robotstxt.Dialect
}

// visit returns the question of a check. Its only crawler is that of the check.
func (r *testReport) visit(s *expect.Suite, o *expect.Outcome) *ask.Visit {
	key := reading{s.Subject, o.Dialect}
	under := r.rulings[key]
	if under == nil {
		if s.Subject.Result != nil {
			under = ask.RuleSite(s.Subject.Result, r.began, o.Dialect, nil)
		} else {
			under = ask.RuleFile(ask.NewFile(s.Subject.Body), o.Dialect, nil)
		}
		if r.rulings == nil {
			r.rulings = make(map[reading]*ask.Ruling)
		}
		r.rulings[key] = under
	}
	who := ask.Crawler{Name: o.Agent(), Tokens: o.Crawler.Tokens, NamedOnly: o.Crawler.NamedOnly}
	return &ask.Visit{URL: o.Check.URL, Compared: o.Compared, Ruling: under.For(o.Dialect, []ask.Crawler{who})}
}

// printText prints the failures one after the other, then the counts.
func (r *testReport) printText(out io.Writer, colours term.Palette) error {
	p := &prose{palette: colours}
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			if o := &s.Outcomes[i]; !o.Passed {
				f := r.failure(s, o)
				place := term.Escape(fmt.Sprintf("%s:%d:", s.Name, o.Check.HeadLine))
				fmt.Fprintf(&p.text, "%s %s\n", p.palette.Paint(term.Bold, place), f.wanted())
				p.reasons(f)
				p.text.WriteByte('\n')
			}
		}
		if _, err := io.WriteString(out, p.text.String()); err != nil {
			return err
		}
		p.text.Reset()
	}
	sum := fmt.Sprintf("%d passed, %d failed", r.Passed(), r.Failed())
	if n := r.Broken(); n == 1 {
		sum += ", 1 file could not be tested"
	} else if n > 1 {
		sum += fmt.Sprintf(", %d files could not be tested", n)
	}
	style := term.Green
	if r.Failed()+r.Broken() > 0 {
		style = term.Red
	}
	_, err := fmt.Fprintln(out, p.palette.Paint(style, sum))
	return err
}

// describe returns a failure for a JUnit report.
func (r *testReport) describe(s *expect.Suite, o *expect.Outcome) (message, grounds string) {
	f, p := r.failure(s, o), &prose{}
	fmt.Fprintf(&p.text, "%s:%d: %s\n", term.Escape(s.Name), o.Check.HeadLine, f.wanted())
	p.reasons(f)
	return f.wanted() + ", but " + f.got(), p.text.String()
}

// writeJUnit writes the report to a file.
func (r *testReport) writeJUnit(name string) error {
	file, err := os.Create(name)
	if err == nil {
		err = r.WriteJUnit(file, r.describe)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return term.Errorf("", "cannot write %q: %v", name, term.Cause(err))
	}
	return nil
}

func (r *testReport) printJSON(out io.Writer) error {
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			o := &s.Outcomes[i]
			c := wire.Check{
				File: s.Name, FileLine: o.Check.HeadLine, Robots: s.Subject.Name,
				Passed: o.Passed, WantAllowed: o.Check.Allowed, Answer: r.visit(s, o).Answer(0),
			}
			if o.Check.Line != conformance.AnyLine {
				c.WantLine = &o.Check.Line
			}
			if err := term.PrintJSON(out, c); err != nil {
				return err
			}
		}
	}
	return nil
}
