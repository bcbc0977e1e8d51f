package lint

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

func inspectEncoding(d *document) {
	if form, ok := bodyhead.UnicodeForm(d.body); ok {
		findUnicode(d, form)
		return
	}
	if !inspectMarkup(d) {
		inspectForeignText(d)
		if d.portion > anyBody {
			inspectLeadingMark(d)
		}
	}
	if d.portion > anyBody && !utf8.Valid(d.body) {
		findInvalid(d)
	}
}

var rxNotUTF8 = check{Entry: &Entry{
	Code: "RX403", Name: "not-utf-8", Severity: Error,
	Title: "The file is not encoded in UTF-8.",
	Why:   "A robots.txt must be UTF-8 (RFC 9309 2.2). In UTF-16 and UTF-32, NUL bytes hide the rest of each line, so crawlers read no rule (G5, G10). Other encodings are a warning: paths with such bytes match no URL today (G22), and some crawlers drop the file. Bytes in comments are reported with --pedantic.",
	Bad:   "\xFF\xFEU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00 \x00*\x00\n\x00D\x00i\x00s\x00a\x00l\x00l\x00o\x00w\x00:\x00 \x00/\x00a\x00\n\x00",
	Good:  "User-agent: *\nDisallow: /a\n",
}}

// findUnicode reports a body in another form of Unicode. The edit is as large as the body,
// so it is made only if the check is on. A body that is not wholly of that form has none.
func findUnicode(d *document, form bodyhead.Form) {
	f := d.findFile(rxNotUTF8, "The file is %s; crawlers read no rule in it, so they may fetch everything. Save it as UTF-8.", form.Name)
	if d.wants(rxNotUTF8) && !d.cut {
		if text, whole := form.Text(d.body); whole {
			f.Fix = &Fix{Title: "write the file in UTF-8", Edits: []Edit{{0, len(d.body), text}}, Meaning: true}
		}
	}
}

// findInvalid reports the first byte that is not UTF-8, outside of comments if
// there is one.
func findInvalid(d *document) {
	var first *line
	at := 0
	where := ""
	for i := range d.lines {
		l := &d.lines[i]
		start := l.markLen() // a part of a mark is no UTF-8 and reported as what it is
		name, spaced := bytes.CutSuffix(l.value(), []byte(latinSpace))
		if l.kind == robotstxt.KindUserAgent && spaced && utf8.Valid(name) {
			continue // RX104 reports it
		}
		if i := invalidAt(l.content(), start); i >= 0 {
			first, at, where = l, i, ""
			break
		}
		if i := invalidAt(l.raw(), start); i >= 0 && first == nil {
			first, at, where = l, i, " in a comment"
		}
	}
	if first != nil {
		start := first.offset() + at
		d.find(rxNotUTF8.at(choose(where == "", Warning, Info)).rareIf(where != ""), first, start, start+1,
			"The byte 0x%s%s is not UTF-8; crawlers can read a different character. Save the file as UTF-8.", fmt.Sprintf("%02X", first.raw()[at]), where)
	}
}

const latinSpace = "\xA0"

// invalidAt returns the index of the first byte at or after start that is not UTF-8, -1 if
// there is none.
func invalidAt(text []byte, start int) int {
	start = min(start, len(text))
	for i, r := range string(text[start:]) {
		if r == utf8.RuneError && !bytes.HasPrefix(text[start+i:], []byte(lostCharacter)) {
			return start + i
		}
	}
	return -1
}

const (
	bom      = bodyhead.Mark
	mojibake = bodyhead.Garbled // the same, taken for Latin-1 and encoded again
)

func (d *document) markLen() int { return bodyhead.MarkLen(d.body) }

func (l *line) markLen() int {
	if l.number > 1 {
		return 0
	}
	return bodyhead.MarkLen(l.raw())
}

var rxByteOrderMark = check{Entry: &Entry{
	Code: "RX402", Name: "byte-order-mark", Severity: Info, Pedantic: true,
	Title:   "The file begins with a byte order mark.",
	Why:     "Google ignores this invisible character (G3). RFC 9309 does not mention it. A crawler that does not know it misreads the first line, which is usually the first User-agent line. Not reported for a mark that hides a line, which is RX405.",
	Bad:     "\uFEFFUser-agent: *\nDisallow: /private/\n",
	Good:    "User-agent: *\nDisallow: /private/\n",
	Example: Config{Pedantic: true},
}}

func inspectLeadingMark(d *document) {
	n := d.markLen()
	if n == 0 {
		return
	}
	what := choose(n < len(bom), "the beginning of a byte order mark", "a byte order mark")
	f := d.find(rxByteOrderMark, &d.lines[0], 0, n, "The file begins with %s; some crawlers do not recognise the first line then.", what)
	// If a further mark follows, Google would ignore that one instead.
	if n == len(d.body) || d.body[n] != bom[0] {
		f.Fix = &Fix{Title: "remove it", Edits: []Edit{{0, n, ""}}}
	}
}

// strayMark returns the place of a byte order mark that hides a directive, because it is a
// second mark, after the first line, or encoded twice (G4). The end is 0 without one.
func strayMark(l *line) (start, end int) {
	start = l.markLen()
	rest := l.raw()[start:]
	before := -1
	for before != len(rest) {
		before = len(rest)
		rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte(bom)), []byte(mojibake))
	}
	end = len(l.raw()) - len(rest)
	if end == start || !readable(lineAlone(rest).Kind) {
		return 0, 0
	}
	return start, end
}

var rxStrayByteOrderMark = check{Entry: &Entry{
	Code: "RX405", Name: "stray-byte-order-mark", Severity: Error,
	Title: "An invisible character hides a line from crawlers.",
	Why:   "Crawlers ignore one byte order mark (BOM) at the beginning of the file. A second one, a garbled one, or one where two files were joined, becomes a part of the first word of its line (G4). If a User-agent line is lost, the rules below it apply to no crawler or to the wrong one.",
	Bad:   "\u00EF\u00BB\u00BFUser-agent: *\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findStrayMark reports a line that is lost because of a byte order mark.
func findStrayMark(d *document, l *line) {
	start, end := strayMark(l)
	what := choose(bytes.Contains(l.raw()[start:end], []byte(bodyhead.Garbled)), "The characters "+bodyhead.Garbled+" (a BOM that was saved twice) make", "An invisible character (BOM) makes")
	f := d.find(rxStrayByteOrderMark, l, l.offset()+start, l.offset()+end,
		"%s crawlers ignore this line, %s.", what, quote(bytes.TrimSpace(l.raw()[end:])))
	edits := []Edit{{l.offset() + start, l.offset() + end, ""}}
	hidden := lineAlone(l.raw()[end:])
	at := l.offset() + end
	switch kind := hidden.Kind; {
	case kind > robotstxt.KindDisallow:
	case hidden.MissingColon && !hasValue(hidden.Key):
		end := at + hidden.ValueOffset + len(hidden.Value)
		edits = append(edits, d.replaceBy(l, at+hidden.KeyOffset, end, d.mendedLines(l, kind, hidden.Value))...)
	case !hidden.MissingColon:
		if hidden.Typo || len(hidden.Key) != len(plainKeys[kind]) {
			edits = append(edits, Edit{at + hidden.KeyOffset, at + hidden.KeyOffset + len(hidden.Key), plainKeys[kind]})
		}
		edits = append(edits, d.valueEdits(l, kind, hidden.Value, at+hidden.ValueOffset)...)
	}
	f.Fix = d.mend("remove the byte order mark", edits...)
}
