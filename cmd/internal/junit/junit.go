// Package junit writes reports in JUnit's XML, with the elements that all readers know.
package junit

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// Report is a run of a command. Text may contain any bytes; it is escaped, because XML
// cannot contain control characters, not even as references.
type Report struct {
	Name   string
	Began  time.Time
	Took   time.Duration
	Suites []Suite
}

// Suite is the cases of one file.
type Suite struct {
	Name       string
	Properties []Property
	Cases      []Case
}

// Property is a fact about a suite.
type Property struct{ Name, Value string }

// Case is one check.
type Case struct {
	Name    string
	Line    int // of the suite's file; 0 if it has none
	Took    time.Duration
	Failure *Trouble // nil if the check passed
	Error   *Trouble // nil if the check could be made
	Output  string   // for people, also if the check passed
}

// Trouble says why a check failed, or why it could not be made. The text must be escaped
// by the caller, because it has several lines.
type Trouble struct{ Message, Type, Text string }

// The elements.

type report struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     string   `xml:"time,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string      `xml:"name,attr"`
	Tests      int         `xml:"tests,attr"`
	Failures   int         `xml:"failures,attr"`
	Errors     int         `xml:"errors,attr"`
	Skipped    int         `xml:"skipped,attr"`
	Time       string      `xml:"time,attr"`
	Timestamp  string      `xml:"timestamp,attr"`
	Properties *properties `xml:"properties"`
	Cases      []testCase  `xml:"testcase"`
}

type properties struct {
	Properties []property `xml:"property"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr"`
	Line    int      `xml:"line,attr,omitempty"`
	Time    string   `xml:"time,attr"`
	Failure *trouble `xml:"failure"`
	Error   *trouble `xml:"error"`
	Output  *output  `xml:"system-out"`
}

type trouble struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"` // attributes lose line ends
}

type output struct {
	Text string `xml:",cdata"`
}

// Write writes the report.
func (r *Report) Write(w io.Writer) error {
	all := report{Name: r.Name, Time: seconds(r.Took)}
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

func (s *Suite) element(began time.Time) suite {
	name := term.Escape(s.Name)
	e := suite{Name: name, Tests: len(s.Cases), Timestamp: began.UTC().Format("2006-01-02T15:04:05")}
	if len(s.Properties) > 0 {
		e.Properties = &properties{}
		for _, p := range s.Properties {
			e.Properties.Properties = append(e.Properties.Properties, property{p.Name, term.Escape(p.Value)})
		}
	}
	total := time.Duration(0)
	for i := range s.Cases {
		c := &s.Cases[i]
		total += c.Took
		element := testCase{
			Name: term.Escape(c.Name), Class: name, File: name, Line: c.Line, Time: seconds(c.Took),
			Failure: c.Failure.element(), Error: c.Error.element(),
		}
		if c.Failure != nil {
			e.Failures++
		}
		if c.Error != nil {
			e.Errors++
		}
		if c.Output != "" {
			element.Output = &output{term.Escape(c.Output)}
		}
		e.Cases = append(e.Cases, element)
	}
	e.Time = seconds(total)
	return e
}

func (t *Trouble) element() *trouble {
	if t == nil {
		return nil
	}
	return &trouble{term.Escape(t.Message), t.Type, t.Text}
}

// seconds returns a time as JUnit writes it.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
