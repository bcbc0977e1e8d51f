package conformance

import (
	"bytes"
	"strings"
)

// Expectations are what the owner of a site wants its robots.txt to say: checks
// as a vector has them, about a robots.txt that is a file of its own or stands
// on a server. See ParseExpectations.
type Expectations struct {
	// Vector holds the checks. Name is the name that the file was read by, and
	// Body is left to the caller, unless the file is a vector. The Dialect of a
	// check is "" where the file states none. Clauses are stated by vectors
	// alone, and the Note may be empty.
	Vector

	// Robots says where the robots.txt is: a path, relative to the file that
	// states it and with slashes, or a URL. It is "" for a vector, whose Body is
	// the robots.txt, and for nothing else.
	Robots string

	// RobotsLine is the line that states Robots, counted from 1.
	RobotsLine int
}

// ParseExpectations reads a file of expectations, or a vector: a file whose head
// states a clause is one, and is read by ParseVector.
//
// Expectations are a head without a body. A line "robots: " names the
// robots.txt, once. Empty lines and lines that begin with '#' mean nothing. The
// note may be missing, and the dialect too. A URL is a path or a whole URL. Line
// ends may be CRLF, and a byte order mark may be before the first line, since
// editors write both.
//
// All else is as strict as in a vector; every error is a *SyntaxError.
func ParseExpectations(name string, data []byte) (Expectations, error) {
	if statesClause(data) {
		v, err := ParseVector(name, data)
		return Expectations{Vector: v}, err
	}
	p := expectationsParser{parser: parser{vector: Vector{Name: name}, dialects: []string{""}, site: true}}
	text := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	for line := range strings.Lines(text) {
		p.line++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if first := strings.TrimSpace(line); first == "" || first[0] == '#' {
			continue
		}
		if err := p.siteLine(line); err != nil {
			return Expectations{}, err
		}
	}
	p.line = max(p.line, 1) // of an empty file too
	switch {
	case p.robots == "":
		return Expectations{}, p.fail("no robots.txt is named: want a line \"robots: \" with its path or URL")
	case p.vector.Checks == nil:
		return Expectations{}, p.fail("no check: want lines \"allow: \" and \"deny: \" with a URL, or \"allow-all: \" and \"deny-all: \" with a path pattern")
	}
	return Expectations{Vector: p.vector, Robots: p.robots, RobotsLine: p.robotsLine}, nil
}

// statesClause reports whether a file is a vector, or is meant to be one.
func statesClause(data []byte) bool {
	head, _, _ := bytes.Cut(data, []byte("\n\n"))
	return bytes.HasPrefix(head, []byte("clause:")) || bytes.Contains(head, []byte("\nclause:"))
}

// expectationsParser is the state of a file of expectations.
type expectationsParser struct {
	parser
	robots     string
	robotsLine int
}

func (p *expectationsParser) siteLine(line string) error {
	key, value, err := p.cut(line)
	if err != nil {
		return err
	}
	if key == "robots" {
		if value == "" || p.robots != "" {
			return p.fail("robots: want one path or URL, once; another robots.txt needs a file of its own")
		}
		p.robots, p.robotsLine = value, p.line
		return nil
	}
	known, err := p.question(key, value)
	if !known {
		return p.fail("unknown key %q: want robots, note, dialect, agents, allow, deny, allow-all or deny-all", key)
	}
	return err
}
