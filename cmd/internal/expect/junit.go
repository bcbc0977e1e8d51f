package expect

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// The elements of JUnit reports that all their readers know. All text in them is
// escaped, because XML cannot contain control characters, not even as references.

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
	Text    string `xml:",cdata"` // attributes lose line ends
}

// WriteJUnit writes the report as JUnit's XML: a suite for each file, a case for each
// check. A check without a verdict is an error; so is a file that could not be run, in
// a single case.
func (r *Report) WriteJUnit(w io.Writer) error {
	report := junitReport{Name: "robots test", Time: seconds(r.Took)}
	for _, s := range r.Suites {
		js := s.junit(r.Began)
		report.Tests += js.Tests
		report.Failures += js.Failures
		report.Errors += js.Errors
		report.Suites = append(report.Suites, js)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *Suite) junit(began time.Time) junitSuite {
	name := term.Escape(s.Name)
	js := junitSuite{Name: name, Failures: s.Count(Failed), Errors: s.Count(Unknown), Timestamp: began.UTC().Format("2006-01-02T15:04:05")}
	if s.Err != nil {
		js.Tests, js.Errors, js.Time = 1, 1, seconds(0)
		js.Cases = []junitCase{{Name: "expectations", Class: name, File: name, Time: seconds(0),
			Error: &junitTrouble{term.Escape(s.Err.Error()), "unreadable", ""}}}
		return js
	}
	js.Properties = &junitProperties{[]junitProperty{{"robots", term.Escape(s.Subject.Name)}}}
	total := time.Duration(0)
	for i := range s.Outcomes {
		o := &s.Outcomes[i]
		total += o.Took
		js.Cases = append(js.Cases, s.junitCase(o))
	}
	js.Tests, js.Time = len(js.Cases), seconds(total)
	return js
}

func (s *Suite) junitCase(o *Outcome) junitCase {
	name := term.Escape(s.Name)
	verb := "deny"
	if o.Check.Allowed {
		verb = "allow"
	}
	if o.Check.All {
		verb += "-all"
	}
	c := junitCase{
		Name: fmt.Sprintf("line %d: %s %s for %s in %s", o.Check.HeadLine, verb, term.Escape(o.Check.URL),
			term.Escape(o.Answer.Agent), o.Answer.Dialect),
		Class: name, File: name, Line: o.Check.HeadLine, Time: seconds(o.Took),
	}
	if o.Result == Passed {
		return c
	}
	t := newTrouble(s, o)
	message, grounds := t.wanted()+", but "+t.got(), t.text(term.Palette{})
	if o.Result == Unknown {
		c.Error = &junitTrouble{message, "unknown", grounds}
	} else {
		c.Failure = &junitTrouble{message, "unexpected", grounds}
	}
	return c
}

// seconds returns a time as JUnit writes it.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
