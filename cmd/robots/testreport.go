package main

import (
	"fmt"
	"io"
	"os"

	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/conformance"
)

// testReport prints what came of all suites.
type testReport struct{ *expect.Report }

// printText prints what did not pass, one check after the other, then the counts.
func (r testReport) printText(out io.Writer, colours term.Palette) error {
	p := &prose{palette: colours}
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			if o := &s.Outcomes[i]; o.Result != expect.Passed {
				p.trouble(newTrouble(s, o))
				p.text.WriteByte('\n')
			}
		}
		if _, err := io.WriteString(out, p.text.String()); err != nil {
			return err
		}
		p.text.Reset()
	}
	_, err := fmt.Fprintln(out, r.sum(p.palette))
	return err
}

// sum returns the counts.
func (r testReport) sum(colours term.Palette) string {
	failed, unknown, broken := r.Count(expect.Failed), r.Count(expect.Unknown), r.Broken()
	sum := fmt.Sprintf("%d passed, %d failed", r.Count(expect.Passed), failed)
	if unknown > 0 {
		sum += fmt.Sprintf(", %d unknown", unknown)
	}
	if broken == 1 {
		sum += ", 1 file could not be tested"
	} else if broken > 1 {
		sum += fmt.Sprintf(", %d files could not be tested", broken)
	}
	if failed+unknown+broken > 0 {
		return colours.Paint(term.Red, sum)
	}
	return colours.Paint(term.Green, sum)
}

// describe returns the words for a JUnit report.
func (r testReport) describe(s *expect.Suite, o *expect.Outcome) (message, grounds string) {
	tr, p := newTrouble(s, o), &prose{}
	p.trouble(tr)
	return tr.wanted() + ", but " + tr.got(), p.text.String()
}

// writeJUnit writes the report to a file.
func (r testReport) writeJUnit(name string) error {
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

func (r testReport) printJSON(out io.Writer) error {
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			o := &s.Outcomes[i]
			c := wire.Check{
				File: s.Name, FileLine: o.Check.HeadLine, Robots: s.Subject.Name,
				Passed: o.Result == expect.Passed, WantAllowed: o.Check.Allowed, Answer: o.Answer,
				All: o.Check.All, Witness: o.Witness, Undecided: o.Tried != "", Tried: o.Tried,
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
