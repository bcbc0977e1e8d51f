package lint

import (
	"bytes"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// suppressionMark begins a comment that suppresses findings, maybe behind
// another comment on the same line.
const suppressionMark = "robots-lint:"

// suppression is a code that a comment suppresses, or all.
type suppression struct {
	line       *line
	start, end int    // of the code in the body, or of the order if it has none
	code       Code   // as in the catalogue; empty: all
	check      *check // of the code
	wrong      string
	used       bool
}

// scope is where a suppression acts; line 0 is the whole file. An empty code is
// all.
type scope struct {
	line int
	code Code
}

// suppressions are those of a document by what they act on: of several for one
// scope the first.
type suppressions struct {
	body    []byte
	all     []*suppression // in the order of the body
	waiting []*suppression // alone on their lines, until the next other line
	byScope map[scope]*suppression
}

// read reads the suppressions of a document.
func (s *suppressions) read(d *document) {
	if !bytes.Contains(d.body, []byte(suppressionMark)) {
		return
	}
	s.body, s.byScope = d.body, make(map[scope]*suppression)
	for i := range d.lines {
		s.readLine(&d.lines[i])
	}
}

// hide reports whether a finding of a check on a line is suppressed. One about
// suppressions is suppressed by its code only, because a comment for all codes would
// hide that it is idle.
func (s *suppressions) hide(c *check, line int) bool {
	if len(s.byScope) == 0 {
		return false
	}
	for _, at := range [...]scope{{line, c.Code}, {line, ""}, {0, c.Code}, {0, ""}} {
		if p := s.byScope[at]; p != nil && (at.code != "" || c != rxIdleSuppression) {
			p.used = true
			return true
		}
	}
	return false
}

var rxIdleSuppression = &check{Entry{
	Code: "RX519", Name: "idle-suppression", Severity: Info,
	Title: "A comment suppresses nothing, or names a code that does not exist.",
	Why:   "A comment \"robots-lint: ignore\" with codes behind it, or with none for all, hides findings: on a line with something else those of that line, alone on a line those of the next line that is no comment. \"robots-lint: ignore-file\" hides them in the whole file. One that hides nothing is a slip, or outlived what it was written for.",
	Bad:   "User-agent: *\nDisallow: /search # robots-lint: ignore RX999\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

// judge reports suppressions that are wrong or idle. Of a code that is off, or about
// suppressions, it cannot be told whether it is idle.
func (s *suppressions) judge(d *document) {
	for _, p := range s.all {
		text := quote(s.body[p.start:p.end])
		switch {
		case p.wrong != "":
			d.find(rxIdleSuppression, p.line, p.start, p.end, "%s %s", text, str(p.wrong))
		case p.used || p.check == rxIdleSuppression || p.check != nil && !d.wants(p.check):
		default:
			d.find(rxIdleSuppression, p.line, p.start, p.end, "%s suppresses nothing: take it out", text)
		}
	}
}

// readLine takes the suppressions of a line.
func (s *suppressions) readLine(l *line) {
	if l.kind != robotstxt.KindComment {
		for _, p := range s.waiting {
			s.act(p, l.number)
		}
		s.waiting = s.waiting[:0]
	}
	if at := orderIn(l.comment()); at >= 0 {
		s.readOrder(l, l.commentAt()+at)
	}
}

// readOrder takes the suppressions of an order that begins at that offset: ignore
// or ignore-file, and codes with commas or blanks between them.
func (s *suppressions) readOrder(l *line, at int) {
	end := l.commentAt() + len(l.comment())
	if i := bytes.IndexByte(s.body[at:end], '#'); i >= 0 {
		end = at + i
	}
	order := s.word(l, at, end)
	name := string(s.body[order.start:order.end])
	if name != "ignore" && name != "ignore-file" {
		order.start, order.wrong = at-len(suppressionMark), "is no order: write ignore or ignore-file"
		s.all = append(s.all, order)
		return
	}
	codes := 0
	for p := s.word(l, order.end, end); p.start < p.end; p = s.word(l, p.end, end) {
		p.code = Code(strings.ToUpper(string(s.body[p.start:p.end])))
		if p.check = checkOf(p.code); p.check == nil {
			p.wrong = "is no code of a finding"
		}
		s.add(p, name == "ignore-file")
		codes++
	}
	if codes == 0 {
		s.add(order, name == "ignore-file")
	}
}

// word returns a suppression for the next word between two offsets, an empty one
// if there is none.
func (s *suppressions) word(l *line, from, end int) *suppression {
	for from < end && isSeparator(s.body[from]) {
		from++
	}
	p := &suppression{line: l, start: from, end: from}
	for p.end < end && !isSeparator(s.body[p.end]) {
		p.end++
	}
	return p
}

// isSeparator reports whether c parts the codes of an order.
func isSeparator(c byte) bool { return c == ' ' || c == '\t' || c == ',' }

// add has a suppression act on the file, or on its own line, and if that is a
// comment and nothing else on the next other line too.
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

// act has a suppression act on a line unless another one does the same there.
func (s *suppressions) act(p *suppression, line int) {
	at := scope{line, p.code}
	if s.byScope[at] == nil {
		s.byScope[at] = p
	}
}

// orderIn returns where in a comment the order behind the mark begins, -1 if
// there is none.
func orderIn(comment []byte) int {
	at := bytes.Index(comment, []byte(suppressionMark))
	if at < 0 || !bytes.HasSuffix(bytes.TrimRight(comment[:at], " \t"), []byte("#")) {
		return -1
	}
	return at + len(suppressionMark)
}
