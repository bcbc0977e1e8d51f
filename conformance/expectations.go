package conformance

import (
	"bytes"
	"strings"
)

// Expectations are a site owner's checks of a robots.txt. They have the form of a
// vector's checks, but the robots.txt is a separate file or a URL. See
// ParseExpectations.
type Expectations struct {
	// Vector contains the checks. Name is the name passed to ParseExpectations.
	// Unless the file is a vector, Body and Clauses are nil, and Note can be
	// empty. The Dialect of a check is "" if the file does not specify one.
	Vector

	// Robots is the location of the robots.txt: a URL, or a path with slashes,
	// relative to the file of expectations. It is "" if the file is a vector,
	// whose Body is the robots.txt.
	Robots string

	// RobotsLine is the line of Robots in the file, counted from 1; 0 for a vector.
	RobotsLine int

	// UnreachableOK is true if the file contains "unreachable: ok": the checks then
	// apply even if the site's robots.txt is unreachable. HTMLOK is true if it
	// contains "html: ok": the robots.txt can then be a web page or another file
	// without rules. Otherwise a runner should report the checks as not passed,
	// because a login page allows everything and an outage disallows everything,
	// whatever the checks expect.
	UnreachableOK, HTMLOK bool
}

// ParseExpectations reads a file of expectations. If the head of the file contains a
// clause, it is a vector, and ParseVector reads it.
//
// A file of expectations is a head without a body. It has one line "robots: " with the
// location of the robots.txt, and can have the lines "unreachable: ok" and "html: ok". Empty
// lines and lines that begin with '#' are ignored. The format, the note and the dialect can be
// missing. A URL begins with a slash or a scheme. Line ends can be CRLF, and the file can
// begin with a byte order mark, because some editors write them.
//
// Everything else is as strict as in a vector. Every error is a *SyntaxError.
func ParseExpectations(name string, data []byte) (Expectations, error) {
	if statesClause(data) {
		v, err := ParseVector(name, data)
		return Expectations{Vector: v}, err
	}
	p := siteParser{parser: parser{vector: Vector{Name: name}, dialects: []string{""}, site: true}}
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
	p.line = max(p.line, 1) // an empty file has no line to report
	switch {
	case p.read.Robots == "":
		return Expectations{}, p.fail("no robots.txt: write a line \"robots: \" with its path or URL")
	case p.vector.Checks == nil:
		return Expectations{}, p.fail("no check: write lines \"allow: \" and \"deny: \" with a URL, or \"allow-all: \" and \"deny-all: \" with a path pattern")
	}
	p.read.Vector = p.vector
	return p.read, nil
}

// statesClause reports whether a file is a vector: its head contains a clause.
func statesClause(data []byte) bool {
	head, _, _ := bytes.Cut(data, []byte("\n\n"))
	return bytes.HasPrefix(head, []byte("clause:")) || bytes.Contains(head, []byte("\nclause:"))
}

type siteParser struct {
	parser
	read Expectations // without the vector
}

func (p *siteParser) siteLine(line string) error {
	key, value, err := p.cut(line)
	if err != nil {
		return err
	}
	switch key {
	case "robots":
		if value == "" || p.read.Robots != "" {
			return p.fail("robots: write one path or URL, once; another robots.txt needs another file")
		}
		p.read.Robots, p.read.RobotsLine = value, p.line
	case formatKey:
		if value != Format {
			return p.fail("format %q: this reader knows format %s only", value, Format)
		}
	case "unreachable", "html":
		if value != "ok" {
			return p.fail("%s: write ok", key)
		}
		p.read.UnreachableOK = p.read.UnreachableOK || key == "unreachable"
		p.read.HTMLOK = p.read.HTMLOK || key == "html"
	default:
		return p.commonKey(key, value, ": use robots, note, dialect, agents, allow, deny, allow-all, deny-all, unreachable or html")
	}
	return nil
}
