package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
)

// suppressionMark begins a comment that suppresses findings. Another comment can come before
// it on the same line.
const suppressionMark = "robots-lint:"

type suppression struct {
	line       *line
	start, end int    // of the code in the body, or of the order without one
	check      *Entry // nil: all
	wrong      string
	used       bool
}

// scope is where a suppression applies; line 0 is the whole file. No check means all.
type scope struct {
	line  int
	check *Entry
}

// suppressions are a document's suppressions by scope, the first one of each.
type suppressions struct {
	body    []byte
	all     []*suppression // in the order of the body
	waiting []*suppression // alone on their lines, until a line that is not a comment
	byScope map[scope]*suppression
}

func (s *suppressions) read(d *document) {
	if !bytes.Contains(d.body, []byte(suppressionMark)) {
		return
	}
	s.body = d.body
	s.byScope = make(map[scope]*suppression)
	for i := range d.lines {
		s.readLine(&d.lines[i])
	}
}

// hide reports whether a finding of a check on a line is suppressed. One about
// suppressions is suppressed by its code only, because a comment for all codes would
// hide that it is idle.
func (s *suppressions) hide(c check, line int) bool {
	if len(s.byScope) == 0 {
		return false
	}
	for _, at := range [...]scope{{line, c.Entry}, {line, nil}, {0, c.Entry}, {0, nil}} {
		if p := s.byScope[at]; p != nil && (at.check != nil || c.Entry != rxIdleSuppression.Entry) {
			p.used = true
			return true
		}
	}
	return false
}

var rxIdleSuppression = check{Entry: &Entry{
	Code: "RX519", Name: "idle-suppression", Severity: Info,
	Title: "A comment that hides findings hides none, or contains an unknown code.",
	Why:   "A comment \"robots-lint: ignore\" with codes or names hides these findings, and without any it hides all: after a directive those of its line, alone on a line those of the next line that is not a comment. \"robots-lint: ignore-file\" applies to the whole file. A comment that hides nothing is a mistake, or no longer needed.",
	Bad:   "User-agent: *\nDisallow: /search # robots-lint: ignore RX999\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

// judge reports suppressions that are wrong or hide nothing. It does not report a code that
// is off, or that is about suppressions, because other settings might find it.
func (s *suppressions) judge(d *document) {
	for _, p := range s.all {
		text := quote(s.body[p.start:p.end])
		switch {
		case p.wrong != "":
			d.find(rxIdleSuppression, p.line, p.start, p.end, "%s %s", text, p.wrong)
		case p.used || p.check == rxIdleSuppression.Entry || p.check != nil && !d.wants(check{Entry: p.check}):
		default:
			d.find(rxIdleSuppression, p.line, p.start, p.end, "%s hides nothing. Remove it.", text)
		}
	}
}

func (s *suppressions) readLine(l *line) {
	if l.kind != robotstxt.KindComment {
		for _, p := range s.waiting {
			s.act(p, l.number)
		}
		s.waiting = s.waiting[:0]
	}
	before, _, found := bytes.Cut(l.comment(), []byte(suppressionMark))
	if found && bytes.HasSuffix(bytes.TrimRight(before, " \t"), []byte("#")) {
		s.readOrder(l, l.commentAt()+len(before)+len(suppressionMark))
	}
}

// readOrder reads an order that begins at that offset: ignore or ignore-file, and codes or
// names, separated by commas or spaces.
func (s *suppressions) readOrder(l *line, at int) {
	end := l.commentAt() + len(l.comment())
	if i := bytes.IndexByte(s.body[at:end], '#'); i >= 0 {
		end = at + i
	}
	order := s.word(l, at, end)
	name := string(s.body[order.start:order.end])
	file := name == "ignore-file"
	if !file && name != "ignore" {
		order.start = at - len(suppressionMark)
		order.wrong = "is not known. Write ignore or ignore-file."
		s.add(order, file)
		return
	}
	p := s.word(l, order.end, end)
	if p.start == p.end {
		s.add(order, file)
	}
	for ; p.start < p.end; p = s.word(l, p.end, end) {
		p.check = entryNamed(string(s.body[p.start:p.end]))
		if p.check == nil {
			p.wrong = "is not the code or name of a finding."
		}
		s.add(p, file)
	}
}

// word returns a suppression for the next word between two offsets, an empty one
// if there is none.
func (s *suppressions) word(l *line, from, end int) *suppression {
	const separators = " \t,"
	rest := bytes.TrimLeft(s.body[from:end], separators)
	start := end - len(rest)
	if i := bytes.IndexAny(rest, separators); i >= 0 {
		end = start + i
	}
	return &suppression{line: l, start: start, end: end}
}

// add applies a suppression to the file, or to its own line. If that is only a comment, it
// also applies to the next line that is not.
func (s *suppressions) add(p *suppression, file bool) {
	s.all = append(s.all, p)
	switch {
	case p.wrong != "":
	case file:
		s.act(p, 0)
	default:
		s.act(p, p.line.number)
		if p.line.kind == robotstxt.KindComment {
			s.waiting = append(s.waiting, p)
		}
	}
}

func (s *suppressions) act(p *suppression, line int) {
	at := scope{line, p.check}
	if s.byScope[at] == nil {
		s.byScope[at] = p
	}
}
