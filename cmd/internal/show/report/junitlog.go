package report

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// JUnitLog is a run of a command. Text can contain any bytes; Write escapes it, because XML
// cannot contain control characters, not even as references. Write sets the fields without
// comments.
type JUnitLog struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"` // the command
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Took     JUnitTime    `xml:"time,attr"` // the whole run
	Suites   []JUnitSuite `xml:"testsuite"` // one for each file
	Began    time.Time    `xml:"-"`         // the run
}

// JUnitTime is a time that JUnit writes in seconds.
type JUnitTime time.Duration

// MarshalText returns the seconds with six decimals.
func (t JUnitTime) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, time.Duration(t).Seconds(), 'f', 6, 64), nil
}

// JUnitSuite is the cases of one file.
type JUnitSuite struct {
	Name      string         `xml:"name,attr"` // the file
	Tests     int            `xml:"tests,attr"`
	Failures  int            `xml:"failures,attr"`
	Errors    int            `xml:"errors,attr"`
	Skipped   int            `xml:"skipped,attr"`
	Took      JUnitTime      `xml:"time,attr"`
	Timestamp string         `xml:"timestamp,attr"`
	Property  *JUnitProperty `xml:"properties>property"` // a fact about the suite; nil for none
	Cases     []JUnitCase    `xml:"testcase"`            // the checks
}

// JUnitProperty is a fact about a suite.
type JUnitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// JUnitCase is one check.
type JUnitCase struct {
	Name    string        `xml:"name,attr"` // what is checked
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr,omitempty"` // of the suite's file; 0 if it has none
	Took    JUnitTime     `xml:"time,attr"`           // the check
	Failure *JUnitTrouble `xml:"failure"`             // nil if the check passed
	Error   *JUnitTrouble `xml:"error"`               // nil if the check could be run
	Output  *JUnitOutput  `xml:"system-out"`          // for people, even if the check passed; nil for none
}

// JUnitTrouble is the reason why a check failed, or why it could not be run.
type JUnitTrouble struct {
	Message string `xml:"message,attr"` // one line, because attributes lose line ends
	Type    string `xml:"type,attr"`    // a word, which is not escaped
	Text    string `xml:",cdata"`       // several lines, which the caller must escape
}

// JUnitOutput is the output of a check.
type JUnitOutput struct {
	Text string `xml:",cdata"` // one line
}

// Write writes the report. It must be called once.
func (r *JUnitLog) Write(w io.Writer) error {
	for i := range r.Suites {
		s := &r.Suites[i]
		s.complete(r.Began)
		r.Tests += s.Tests
		r.Failures += s.Failures
		r.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// complete escapes the text of a suite, and sets the fields that follow from its cases and
// its name.
func (s *JUnitSuite) complete(began time.Time) {
	s.Name, s.Tests, s.Timestamp = term.Escape(s.Name), len(s.Cases), began.UTC().Format("2006-01-02T15:04:05")
	if s.Property != nil {
		s.Property.Value = term.Escape(s.Property.Value)
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Name, c.Class, c.File = term.Escape(c.Name), s.Name, s.Name
		s.Took += c.Took
		if c.Failure != nil {
			s.Failures++
			c.Failure.Message = term.Escape(c.Failure.Message)
		}
		if c.Error != nil {
			s.Errors++
			c.Error.Message = term.Escape(c.Error.Message)
		}
		if c.Output != nil {
			c.Output.Text = term.Escape(c.Output.Text)
		}
	}
}
