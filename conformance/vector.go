package conformance

import (
	"bytes"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
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

// Check is one question about the body of a vector, with its answer. Agents is
// an ordered list of product tokens, the first that any agent line names
// decides; HeadLine is where the vector file states the check.
type Check struct {
	Dialect  string
	Agents   []string
	URL      string
	Allowed  bool
	Line     int
	HeadLine int
}

// SyntaxError says why a vector file could not be read, and where: the vector's
// name, the line of its head counted from 1, and the reason. ParseVector and
// Vectors return no other kind of error.
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

// parser is the state of one head: the vector so far, and the dialects and
// agents that hold for the checks to come.
type parser struct {
	vector    Vector
	line      int
	dialects  []string
	agents    []string
	hasAgents bool
	base64    bool
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{Name: p.vector.Name, Line: p.line, Text: fmt.Sprintf(format, args...)}
}

func (p *parser) headLine(line string) error {
	key, value, found := strings.Cut(line, ":")
	if !found {
		return p.fail("head line without a colon")
	}
	// One space after the colon is customary; anything else would be lost to
	// the eye, and a stray carriage return too.
	if value != "" && (value[0] != ' ' || strings.TrimSpace(value) != value[1:]) {
		return p.fail("want one space before the value and none behind it")
	}
	value = strings.TrimPrefix(value, " ")
	switch key {
	case "clause":
		return p.clause(value)
	case "note":
		return p.note(value)
	case "dialect":
		return p.dialect(value)
	case "agents":
		return p.agentList(value)
	case "allow", "deny":
		return p.check(key == "allow", value)
	case "body":
		if value != "base64" || p.base64 {
			return p.fail("body: want base64, once")
		}
		p.base64 = true
		return nil
	}
	return p.fail("unknown key %q", key)
}

func (p *parser) clause(value string) error {
	if p.vector.Clauses != nil {
		return p.fail("clause: stated twice")
	}
	for id := range strings.SplitSeq(value, ";") {
		if id = strings.TrimSpace(id); id == "" {
			return p.fail("clause: empty id")
		}
		p.vector.Clauses = append(p.vector.Clauses, id)
	}
	return nil
}

func (p *parser) note(value string) error {
	if value == "" || p.vector.Note != "" {
		return p.fail("note: want one line of text, once")
	}
	p.vector.Note = value
	return nil
}

func (p *parser) dialect(value string) error {
	p.dialects = nil
	for id := range strings.SplitSeq(value, ",") {
		id = strings.TrimSpace(id)
		if id != Google && id != RFC9309 && id != Koster1996 {
			return p.fail("dialect: unknown %q", id)
		}
		if slices.Contains(p.dialects, id) {
			return p.fail("dialect: %q stated twice", id)
		}
		p.dialects = append(p.dialects, id)
	}
	return nil
}

// agentList reads tokens separated by commas. A quoted token may hold commas
// and blanks, so the list is eaten from the left and never split at once.
func (p *parser) agentList(value string) error {
	p.agents, p.hasAgents = []string{}, true
	for rest := value; rest != ""; {
		var token string
		if rest[0] == '"' {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return p.fail("agents: bad quoted token")
			}
			token, _ = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
		} else {
			end := strings.IndexByte(rest+",", ',')
			token, rest = strings.TrimSpace(rest[:end]), rest[end:]
			if token == "" {
				return p.fail("agents: empty token, write \"\"")
			}
		}
		p.agents = append(p.agents, token)
		rest = strings.TrimLeft(rest, " ")
		if rest == "" {
			return nil
		}
		if rest[0] != ',' {
			return p.fail("agents: want a comma after %q", token)
		}
		if rest = strings.TrimLeft(rest[1:], " "); rest == "" {
			return p.fail("agents: want a token after the comma")
		}
	}
	return nil
}

func (p *parser) check(allowed bool, value string) error {
	if p.dialects == nil {
		return p.fail("check before the first dialect")
	}
	if !p.hasAgents {
		return p.fail("check before the first agents")
	}
	line, url := AnyLine, value
	if strings.HasPrefix(value, "[") {
		number, rest, found := strings.Cut(value[1:], "] ")
		n, err := strconv.Atoi(number)
		if !found || err != nil || n < 0 || strconv.Itoa(n) != number {
			return p.fail("want [line] and a URL")
		}
		line, url = n, rest
	}
	switch {
	case url == "":
		return p.fail("empty URL, write \"\"")
	case url[0] == '"':
		unquoted, err := strconv.Unquote(url)
		if err != nil {
			return p.fail("bad quoted URL")
		}
		url = unquoted
	case strings.TrimSpace(url) != url:
		return p.fail("URL with blanks around it, quote it")
	}
	for _, dialect := range p.dialects {
		p.vector.Checks = append(p.vector.Checks, Check{
			Dialect: dialect, Agents: slices.Clone(p.agents), URL: url,
			Allowed: allowed, Line: line, HeadLine: p.line,
		})
	}
	return nil
}

func (p *parser) finish(body []byte) error {
	p.line++
	switch {
	case p.vector.Clauses == nil:
		return p.fail("no clause")
	case p.vector.Note == "":
		return p.fail("no note")
	case p.vector.Checks == nil:
		return p.fail("no check")
	}
	p.vector.Body = bytes.Clone(body)
	if !p.base64 {
		return nil
	}
	// White space is dropped by hand: the decoder itself skips line ends only.
	text := strings.Join(strings.Fields(string(body)), "")
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return p.fail("body is not base64: %v", err)
	}
	p.vector.Body = decoded
	return nil
}
