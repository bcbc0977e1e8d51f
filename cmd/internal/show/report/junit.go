package report

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// junitReport collects findings and prints them at the end as a JUnit report: a suite
// for each file, a case for each finding, or one case if there is none. A finding that
// does not fail the run is a case that passes, with the message as its output.
type junitReport struct {
	out    *bufio.Writer
	report JUnitLog
}

func newJUnit(out *bufio.Writer) *junitReport {
	return &junitReport{out, JUnitLog{Name: "robots lint", Began: time.Now()}}
}

func (r *junitReport) File(in *File) error {
	suite := JUnitSuite{Name: in.Name, Property: &JUnitProperty{Name: "profile", Value: in.Profile.String()}}
	for i := range in.Findings {
		f := &in.Findings[i]
		entry := entryOf(f.Code)
		c := JUnitCase{Name: fmt.Sprintf("line %d: %s %s", f.Line, f.Code, entry.Name), Line: f.Line}
		if in.Fails == nil || in.Fails(f.Severity) {
			text := fmt.Sprintf("%s:%d:%d: %s %s %s: %s\n", term.Escape(in.Name), f.Line, f.Column, f.Severity, f.Code, entry.Name,
				term.Escape(f.Message))
			if len(f.For) > 0 {
				text += "for: " + term.Escape(strings.Join(f.For, ", ")) + "\n"
			}
			c.Failure = &JUnitTrouble{Message: f.Message, Type: f.Severity.String(), Text: text}
		} else {
			c.Output = &JUnitOutput{f.Severity.String() + ": " + f.Message}
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, count := range in.Counts {
		if count.Omitted > 0 {
			c := JUnitCase{Name: fmt.Sprintf("%s %s: %s", count.Code, entryOf(count.Code).Name, omitted(count))}
			if in.Fails == nil || in.Fails(count.Severity) {
				c.Failure = &JUnitTrouble{Message: omitted(count), Type: count.Severity.String()}
			}
			suite.Cases = append(suite.Cases, c)
		}
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []JUnitCase{{Name: "nothing found"}}
	}
	r.report.Suites = append(r.report.Suites, suite)
	return nil
}

// End prints the report. A file that could not be checked is a suite with an error.
func (r *junitReport) End(_ bool, trouble []error) error {
	for _, err := range trouble {
		r.report.Suites = append(r.report.Suites, JUnitSuite{Name: "files", Cases: []JUnitCase{
			{Name: "could not be checked", Error: &JUnitTrouble{Message: err.Error(), Type: "unreadable"}},
		}})
	}
	r.report.Took = JUnitTime(time.Since(r.report.Began))
	return r.report.Write(r.out)
}
