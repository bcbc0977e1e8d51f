package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
)

// inspectMarkup looks for a body that begins as HTML and XML do, and reports
// whether it does. One without a user-agent line holds nothing else to look at.
func (d *document) inspectMarkup() bool {
	start := d.markLen()
	start += len(d.body[start:]) - len(bytes.TrimLeft(d.body[start:], whiteSpace))
	rest := d.body[start:]
	if len(rest) < 2 || rest[0] != '<' || rest[1] != '!' && rest[1] != '?' && (lower(rest[1]) < 'a' || lower(rest[1]) > 'z') {
		return false
	}
	d.foreign = len(d.groups) == 0
	what := "everything is allowed"
	if !d.foreign {
		d.markLeftovers()
		what = "only those of its lines count that happen to be directives"
	}
	l := d.lineAt(start)
	d.find("RX401", l, start, l.Offset+len(l.Raw)-len(l.terminator()),
		"the file is a page in HTML or XML, beginning %s, not a robots.txt: %s", quote(bytes.TrimRight(l.Raw[start-l.Offset:], whiteSpace)), what)
	return true
}

// lineAt returns the line that a byte of the body belongs to.
func (d *document) lineAt(offset int) *line {
	for i := range d.lines {
		if l := &d.lines[i]; offset < l.Offset+len(l.Raw) {
			return l
		}
	}
	return &d.lines[len(d.lines)-1]
}

// inspectForeignText looks for a body in which no line is a directive, nor meant
// to be one, though some are not empty: an error message, JSON, an image.
func (d *document) inspectForeignText() {
	var first *line
	for i := range d.lines {
		l := &d.lines[i]
		switch {
		case l.Kind == robotstxt.KindEmpty || l.Kind == robotstxt.KindComment:
		case d.meansDirective(l):
			return
		case first == nil:
			first = l
		}
	}
	if first == nil {
		return
	}
	d.foreign = true
	d.findLine("RX418", first, "no line of the file is a directive, beginning with %s: everything is allowed", quote(bytes.TrimSpace(first.Raw)))
}

// meansDirective reports whether a line is a directive, or might be meant as one.
func (d *document) meansDirective(l *line) bool {
	switch l.Kind {
	case robotstxt.KindUnknown:
		_, end := d.strayMark(l)
		return end > 0 || !l.MissingColon && plausibleKey(l.Key)
	case robotstxt.KindNoDirective:
		_, end := d.strayMark(l)
		return end > 0 || nearlyDirective(l) > 0
	}
	return true
}

// markLeftovers marks the lines of a body that is mostly something else: those
// whose keys are no words that anyone could have meant as a key.
func (d *document) markLeftovers() {
	for i := range d.lines {
		l := &d.lines[i]
		if l.Kind == robotstxt.KindNoDirective || l.Kind == robotstxt.KindUnknown && !plausibleKey(l.Key) {
			l.told = true
		}
	}
}

// plausibleKey reports whether a key could be one that its author made up or
// misspelt: a few letters, at most parted by '-', '_' or blanks.
func plausibleKey(key []byte) bool {
	const shortest, longest = 3, 40
	for _, c := range key {
		if !inWord(c) && c != ' ' {
			return false
		}
	}
	return len(key) >= shortest && len(key) <= longest
}
