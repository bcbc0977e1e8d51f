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

// The three dialects, as the vectors name them: Google's public parser to the
// byte, the standard of 2022, and the first version of the 1996 draft, whose
// records and path table are older than wildcards.
const (
	Google     = "google"
	RFC9309    = "rfc9309"
	Koster1996 = "koster1996"
)

// AnyLine stands for a deciding line that is not stated. A check that holds it
// accepts every line, and an implementation that returns it is asked for its
// verdict only.
const AnyLine = -1

// Vector is one scenario: a robots.txt body, the questions asked about it and
// the clauses it shows. Name is its path under vectors/ without the suffix, for
// example "agents/star-with-junk".
type Vector struct {
	Name    string
	Clauses []string
	Note    string
	Body    []byte
	Checks  []Check
}

// Check is one question about the body of a vector, with its answer. Agents are the
// product tokens of one crawler in their order: the first that any agent line names
// decides, and without any it is "*". Checks may share the slice. HeadLine is the
// line of the file that states the check.
type Check struct {
	Dialect  string
	Agents   []string
	URL      string
	Allowed  bool
	Line     int
	HeadLine int

	// All says that URL is a path pattern, and that every path that it matches
	// has the verdict, as if the pattern were the value of an Allow or Disallow
	// line. No line is stated then. See Samples.
	All bool
}

// SyntaxError says why a vector file could not be read, and where: the vector's
// name, the line of its head counted from 1, and the reason. ParseVector,
// ParseExpectations and Vectors return no other kind of error.
type SyntaxError struct {
	Name string
	Line int
	Text string
}

// Error gives the place in the form editors jump to, name and line separated by
// colons, followed by the reason in one short phrase; it never spans more than
// a single line of output.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Text)
}

//go:embed all:vectors
var files embed.FS

// suffix ends the name of every vector file. It is no part of a vector's name.
const suffix = ".txt"

// Vectors returns the vectors that come with the package, sorted by name. They
// are read anew on each call, so a caller may change what it was given without
// harm to anyone else.
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

// ParseVector reads one vector file: a head of "key: value" lines, an empty
// line, the body. It is strict, since a vector that is half understood is worse
// than none; every error is a *SyntaxError.
func ParseVector(name string, data []byte) (Vector, error) {
	p := parser{vector: Vector{Name: name}}
	head, body, found := bytes.Cut(data, []byte("\n\n"))
	if !found {
		p.line = 1 + bytes.Count(data, []byte("\n"))
		return Vector{}, p.fail("no empty line between head and body")
	}
	for line := range strings.SplitSeq(string(head), "\n") {
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
