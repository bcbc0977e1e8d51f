package report

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// JUnitLog is a run of a command. Text may contain any bytes; it is escaped, because XML
// cannot contain control characters, not even as references.
type JUnitLog struct {
	Name   string
	Began  time.Time
	Took   time.Duration
	Suites []JUnitSuite
}

// JUnitSuite is the cases of one file.
type JUnitSuite struct {
	Name       string
	Properties []JUnitProperty
	Cases      []JUnitCase
}

// JUnitProperty is a fact about a suite.
type JUnitProperty struct{ Name, Value string }

// JUnitCase is one check.
type JUnitCase struct {
	Name    string
	Line    int // of the suite's file; 0 if it has none
	Took    time.Duration
	Failure *JUnitTrouble // nil if the check passed
	Error   *JUnitTrouble // nil if the check could be made
	Output  string        // for people, also if the check passed
}

// JUnitTrouble says why a check failed, or why it could not be made. The text must be escaped
// by the caller, because it has several lines.
type JUnitTrouble struct{ Message, Type, Text string }

// The elements.

type junitLog struct {
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
	Output  *junitOutput  `xml:"system-out"`
}

type junitTrouble struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"` // attributes lose line ends
}

type junitOutput struct {
	Text string `xml:",cdata"`
}

// Write writes the report.
func (r *JUnitLog) Write(w io.Writer) error {
	all := junitLog{Name: r.Name, Time: junitSeconds(r.Took)}
	for i := range r.Suites {
		s := r.Suites[i].element(r.Began)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *JUnitSuite) element(began time.Time) junitSuite {
	name := term.Escape(s.Name)
	e := junitSuite{Name: name, Tests: len(s.Cases), Timestamp: began.UTC().Format("2006-01-02T15:04:05")}
	if len(s.Properties) > 0 {
		e.Properties = &junitProperties{}
		for _, p := range s.Properties {
			e.Properties.Properties = append(e.Properties.Properties, junitProperty{p.Name, term.Escape(p.Value)})
		}
	}
	total := time.Duration(0)
	for i := range s.Cases {
		c := &s.Cases[i]
		total += c.Took
		element := junitCase{
			Name: term.Escape(c.Name), Class: name, File: name, Line: c.Line, Time: junitSeconds(c.Took),
			Failure: c.Failure.element(), Error: c.Error.element(),
		}
		if c.Failure != nil {
			e.Failures++
		}
		if c.Error != nil {
			e.Errors++
		}
		if c.Output != "" {
			element.Output = &junitOutput{term.Escape(c.Output)}
		}
		e.Cases = append(e.Cases, element)
	}
	e.Time = junitSeconds(total)
	return e
}

func (t *JUnitTrouble) element() *junitTrouble {
	if t == nil {
		return nil
	}
	return &junitTrouble{term.Escape(t.Message), t.Type, t.Text}
}

// junitSeconds returns a time as JUnit writes it.
func junitSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
