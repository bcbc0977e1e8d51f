package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/conformance"
)

// testReport prints what came of all suites.
type testReport struct {
	*expect.Report
	began    time.Time                        // of fetching
	subjects map[*expect.Subject]*testSubject // made on demand
}

// testSubject is a robots.txt as it is printed.
type testSubject struct {
	body    *body
	found   *finding                      // nil for a file
	rulings map[robotstxt.Dialect]*ruling // without rules
}

// question returns the question of a check. Its only crawler is that of the check.
func (r *testReport) question(s *expect.Suite, o *expect.Outcome) (*inquiry, *visit) {
	sub := r.subject(s.Subject)
	under := sub.rulings[o.Dialect]
	if under == nil {
		under = &ruling{body: sub.body, robots: s.Subject.Robots(o.Dialect), found: sub.found}
		sub.rulings[o.Dialect] = under
	}
	under.rules = []robotstxt.Rules{o.Rules}
	who := crawler{asked: o.Agent(), tokens: o.Crawler.Tokens, named: o.Crawler.NamedOnly}
	return &inquiry{dialect: o.Dialect, crawlers: []crawler{who}}, &visit{url: o.Check.URL, compared: o.Compared, ruling: under}
}

func (r *testReport) subject(of *expect.Subject) *testSubject {
	shown := r.subjects[of]
	if shown == nil {
		shown = &testSubject{body: newBody(of.Body), rulings: make(map[robotstxt.Dialect]*ruling)}
		if of.Result != nil {
			shown.found = newFinding(of.Result, r.began)
		}
		if r.subjects == nil {
			r.subjects = make(map[*expect.Subject]*testSubject)
		}
		r.subjects[of] = shown
	}
	return shown
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

// testedCheck is what --format json prints about a check.
type testedCheck struct {
	File        string `json:"file"`
	FileLine    int    `json:"file_line"`
	Robots      string `json:"robots"` // its path or URL
	Passed      bool   `json:"passed"`
	WantAllowed bool   `json:"want_allowed"`
	WantLine    *int   `json:"want_line,omitempty"` // 0 for none; nil if any line may decide
	*answer
}

func (r *testReport) printJSON(out io.Writer) error {
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			o := &s.Outcomes[i]
			in, v := r.question(s, o)
			a := in.judge(v, 0)
			c := testedCheck{s.Name, o.Check.HeadLine, s.Subject.Name, o.Passed, o.Check.Allowed, nil, &a}
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
