package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// The elements of a report as JUnit writes it, as far as the readers of such
// reports agree. All text in it goes through escape: XML cannot carry control
// characters, not even as references.

type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string           `xml:"name,attr"`
	Tests      int              `xml:"tests,attr"`
	Failures   int              `xml:"failures,attr"`
	Errors     int              `xml:"errors,attr"`
	Skipped    int              `xml:"skipped,attr"`
	Time       string           `xml:"time,attr"`
	Timestamp  string           `xml:"timestamp,attr"`
	Properties *junitProperties `xml:"properties"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	Properties []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr,omitempty"`
	Time    string        `xml:"time,attr"`
	Failure *junitTrouble `xml:"failure"`
	Error   *junitTrouble `xml:"error"`
}

type junitTrouble struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"` // so that its lines stay lines
}

func (r *testReport) printJUnit(out io.Writer) error {
	report := junitReport{Name: "robots test", Time: seconds(r.took)}
	for _, s := range r.suites {
		js := s.junit(r.began)
		report.Tests += js.Tests
		report.Failures += js.Failures
		report.Errors += js.Errors
		report.Suites = append(report.Suites, js)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// writeJUnit writes the report to a file.
func (r *testReport) writeJUnit(name string) error {
	file, err := os.Create(name)
	if err == nil {
		err = r.printJUnit(file)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return term.Errorf("", "cannot write %q: %v", name, term.Cause(err))
	}
	return nil
}

// junit reports on a suite. One that could not be tested has a single case, which
// says why.
func (s *suite) junit(began time.Time) junitSuite {
	name := term.Escape(s.Name)
	js := junitSuite{Name: name, Failures: s.failed(), Timestamp: began.UTC().Format("2006-01-02T15:04:05")}
	if s.err != nil {
		js.Tests, js.Errors, js.Time = 1, 1, seconds(0)
		js.Cases = []junitCase{{Name: "expectations", Class: name, File: name, Time: seconds(0),
			Error: &junitTrouble{term.Escape(s.err.Error()), "unreadable", ""}}}
		return js
	}
	js.Properties = &junitProperties{[]junitProperty{{"robots", term.Escape(s.subject.name)}}}
	total := time.Duration(0)
	for i := range s.outcomes {
		o := &s.outcomes[i]
		total += o.took
		js.Cases = append(js.Cases, s.junitCase(o))
	}
	js.Tests, js.Time = len(js.Cases), seconds(total)
	return js
}

func (s *suite) junitCase(o *outcome) junitCase {
	name := term.Escape(s.Name)
	verb := "deny"
	if o.check.Allowed {
		verb = "allow"
	}
	c := junitCase{
		Name:  fmt.Sprintf("line %d: %s %s for %s in %s", o.check.HeadLine, verb, term.Escape(o.check.URL), term.Escape(o.answer.Agent), o.answer.Dialect),
		Class: name, File: name, Line: o.check.HeadLine, Time: seconds(o.took),
	}
	if !o.passed {
		p := &prose{}
		p.failure(s, o)
		c.Failure = &junitTrouble{o.wanted() + ", but " + o.got(), "unexpected", p.text.String()}
	}
	return c
}

// seconds is a time as JUnit writes it.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
