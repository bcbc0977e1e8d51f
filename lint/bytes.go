package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxMarkup = &check{Entry{
	Code: "RX401", Name: "markup", Severity: Error,
	Title: "The file is a page in HTML or XML.",
	Why:   "Often it is an error page that is served with status 200, so that crawlers take it for the rules of the site. No parser looks at the content type or at the tags; only lines that happen to be directives count (G1, RFC 9309 2.3.1.5).",
	Bad:   "<!DOCTYPE html>\n<html>\n<head><title>Not found</title></head>\n</html>\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectMarkup looks for a body that begins as HTML and XML do, and reports
// whether it does. One without a user-agent line holds nothing else to look at.
func inspectMarkup(d *document) bool {
	start := d.markLen()
	start += len(d.body[start:]) - len(bytes.TrimLeft(d.body[start:], ascii.Space))
	rest := d.body[start:]
	if len(rest) < 2 || rest[0] != '<' || rest[1] != '!' && rest[1] != '?' && !ascii.IsLetter(rest[1]) {
		return false
	}
	d.foreign = len(d.groups) == 0
	what := "everything is allowed"
	if !d.foreign {
		markLeftovers(d)
		what = "only those of its lines count that happen to be directives"
	}
	l := d.lineAt(start)
	d.find(rxMarkup, l, start, l.end()-len(l.terminator()),
		"the file is a page in HTML or XML, beginning %s, not a robots.txt: %s", quote(bytes.TrimRight(l.raw()[start-l.offset():], ascii.Space)), str(what))
	return true
}

// lineAt returns the line that a byte of the body belongs to.
func (d *document) lineAt(offset int) *line {
	for i := range d.lines {
		if l := &d.lines[i]; offset < l.end() {
			return l
		}
	}
	return &d.lines[len(d.lines)-1]
}

var rxNoDirective = &check{Entry{
	Code: "RX418", Name: "no-directive", Severity: Error,
	Title: "The file has text, but no line of it is a directive.",
	Why:   "It is an error message, data, or an image rather than a robots.txt. Nothing of it is read, and everything is allowed (G1, G20).",
	Bad:   "404 page not found\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectForeignText looks for a body in which no line is a directive, nor meant
// to be one, though some are not empty: an error message, JSON, an image.
func inspectForeignText(d *document) {
	var first *line
	for i := range d.lines {
		l := &d.lines[i]
		switch {
		case l.kind == robotstxt.KindEmpty || l.kind == robotstxt.KindComment:
		case meansDirective(d, l):
			return
		case first == nil:
			first = l
		}
	}
	if first == nil {
		return
	}
	d.foreign = true
	d.findLine(rxNoDirective, first, "the file begins with %s and has no directive: everything is allowed", quote(bytes.TrimSpace(first.raw())))
}

// meansDirective reports whether a line is a directive, or might be meant as one.
func meansDirective(d *document, l *line) bool {
	switch l.kind {
	case robotstxt.KindUnknown:
		_, end := strayMark(d, l)
		return end > 0 || !l.missingColon && plausibleKey(l.key())
	case robotstxt.KindNoDirective:
		_, end := strayMark(d, l)
		return end > 0 || nearlyDirective(l) > 0
	}
	return true
}

// markLeftovers marks the lines of a body that is mostly something else: those
// whose keys are no words that anyone could have meant as a key.
func markLeftovers(d *document) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind == robotstxt.KindNoDirective || l.kind == robotstxt.KindUnknown && !plausibleKey(l.key()) {
			l.told = true
		}
	}
}

// plausibleKey reports whether a key could be one that its author made up or
// misspelt: a word or two. More words are a sentence with a colon in it.
func plausibleKey(key []byte) bool {
	const shortest, longest = 3, 40
	if len(bytes.Fields(key)) > 2 {
		return false
	}
	for _, c := range key {
		if !inWord(c) && c != ' ' {
			return false
		}
	}
	return len(key) >= shortest && len(key) <= longest
}
