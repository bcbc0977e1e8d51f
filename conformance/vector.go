package conformance

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The names of the dialects in vectors: the behaviour of Google's public parser, the
// standard of 2022, and the first version of the draft of November 1996.
const (
	Google     = "google"
	RFC9309    = "rfc9309"
	Koster1996 = "koster1996"
)

// Format is the version of the format of vectors and expectations. The first line of a
// vector is "format: " and the version. It changes when readers of the version before would
// read a file wrongly or not at all.
const Format = "2"

const formatKey = "format"

// AnyLine is an unspecified deciding line. A check with AnyLine accepts every line.
// If an implementation returns AnyLine, Run compares only the verdict.
const AnyLine = -1

// Vector is a robots.txt body with checks. Clauses are the clauses that it tests,
// and Note describes it in one sentence. Name is its path under vectors/ without the
// suffix, for example "agents/star-with-junk".
type Vector struct {
	Name    string
	Clauses []string
	Note    string
	Body    []byte
	Checks  []Check
}

// Check is one query about the body of a vector, with the expected answer. Agents are
// the product tokens of one crawler: the first one that an agent line names selects the
// groups; if none is named, the groups for "*" apply. Several checks can share the
// slice. Quoted reports which of the tokens the file has in double quotes. HeadLine is
// the line of the check in the file.
type Check struct {
	Dialect  string
	Agents   []string
	Quoted   []bool
	URL      string
	Allowed  bool
	Line     int
	HeadLine int

	// All is true if URL is a path pattern and every path that it matches has the
	// verdict. The pattern is read like the value of an Allow or Disallow line.
	// Line is then AnyLine. See Samples.
	All bool
}

// SyntaxError is an error in a file of a vector or of expectations: the name of the
// file, the line, counted from 1, and the reason. ParseVector, ParseExpectations and
// Vectors return no other type of error.
type SyntaxError struct {
	Name string
	Line int
	Text string
}

// Error returns the name, the line and the reason, separated by colons, on one line.
// Many editors can open a location in this form.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Text)
}

//go:embed all:vectors
var files embed.FS

// suffix is the suffix of vector files. The name of a vector does not include it.
const suffix = ".txt"

// Vectors returns the vectors of this package, sorted by name. Each call reads them
// again, so a caller can change the result.
func Vectors() ([]Vector, error) {
	var out []Vector
	err := fs.WalkDir(files, "vectors", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != suffix {
			return err
		}
		data, err := files.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(file, "vectors/"), suffix)
		v, err := ParseVector(name, data)
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b Vector) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// ParseVector parses a vector file of this Format: a head of "key: value" lines, an empty
// line, and the body. It rejects everything that the grammar in README.md does not allow. Every
// error is a *SyntaxError.
func ParseVector(name string, data []byte) (Vector, error) {
	p := parser{vector: Vector{Name: name}}
	head, body, found := bytes.Cut(data, []byte("\n\n"))
	if !found {
		p.line = 1 + bytes.Count(data, []byte("\n"))
		return Vector{}, p.fail("no empty line between head and body")
	}
	first, rest, _ := strings.Cut(string(head), "\n")
	if p.line++; first != formatKey+": "+Format {
		return Vector{}, p.fail("the first line is not \"%s: %s\": this reader knows no other format", formatKey, Format)
	}
	for line := range strings.SplitSeq(rest, "\n") {
		p.line++
		if err := p.headLine(line); err != nil {
			return Vector{}, err
		}
	}
	if err := p.finish(body); err != nil {
		return Vector{}, err
	}
	return p.vector, nil
}
