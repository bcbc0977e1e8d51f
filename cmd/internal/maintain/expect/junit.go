package expect

import (
	"fmt"
	"io"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
)

// WriteJUnit writes the report as JUnit's XML: a suite for each file, a case for each
// check. A check without a verdict is an error; so is a file that could not be run, in
// a single case.
func (r *Report) WriteJUnit(w io.Writer) error {
	report := report.JUnitLog{Name: "robots test", Began: r.Began, Took: report.JUnitTime(r.Took)}
	for _, s := range r.Suites {
		report.Suites = append(report.Suites, s.junit())
	}
	return report.Write(w)
}

func (s *Suite) junit() report.JUnitSuite {
	suite := report.JUnitSuite{Name: s.Name}
	if s.Err != nil {
		suite.Cases = []report.JUnitCase{{Name: "expectations", Error: &report.JUnitTrouble{Message: s.Err.Error(), Type: "unreadable"}}}
		return suite
	}
	suite.Property = &report.JUnitProperty{Name: "robots", Value: s.Subject.Name}
	for i := range s.Outcomes {
		suite.Cases = append(suite.Cases, s.junitCase(&s.Outcomes[i]))
	}
	return suite
}

func (s *Suite) junitCase(o *Outcome) report.JUnitCase {
	verb := "deny"
	if o.Check.Allowed {
		verb = "allow"
	}
	if o.Check.All {
		verb += "-all"
	}
	c := report.JUnitCase{
		Name: fmt.Sprintf("line %d: %s %s for %s in %s", o.Check.HeadLine, verb, o.Check.URL, o.Answer.Agent, o.Answer.Dialect),
		Line: o.Check.HeadLine, Took: report.JUnitTime(o.Took),
	}
	if o.Result == Passed {
		return c
	}
	t := newTrouble(s, o)
	trouble := &report.JUnitTrouble{Message: t.wanted() + ", but " + t.got(), Type: "unexpected", Text: t.text(term.Palette{})}
	if o.Result == Unknown {
		trouble.Type = "unknown"
		c.Error = trouble
	} else {
		c.Failure = trouble
	}
	return c
}
