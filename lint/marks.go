package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
)

const (
	bom      = "\xEF\xBB\xBF"             // U+FEFF in UTF-8
	mojibake = "\xC3\xAF\xC2\xBB\xC2\xBF" // the same, taken for Latin-1 and encoded again
)

// markIn returns how many bytes of a byte order mark text begins with: at the
// start of a body, crawlers drop a part of one as well (G3).
func markIn(text []byte) (n int) {
	for n < min(len(text), len(bom)) && text[n] == bom[n] {
		n++
	}
	return n
}

// markLen returns how many bytes of a byte order mark open the body.
func (d *document) markLen() int { return markIn(d.body) }

// inspectLeadingMark looks at a byte order mark where it is dropped.
func (d *document) inspectLeadingMark() {
	n := d.markLen()
	if n == 0 {
		return
	}
	what := "a byte order mark"
	if n < len(bom) {
		what = "the beginning of a byte order mark"
	}
	f := d.find("RX402", &d.lines[0], 0, n, "the file begins with %s; Google drops it, other parsers may take it for a part of the first line", what)
	// If more of the kind follows, the next one would be dropped instead.
	if n == len(d.body) || d.body[n] != bom[0] {
		f.Fix = &Fix{Title: "remove it", Edits: []Edit{{0, n, ""}}}
	}
}

// strayMark returns where, in a line that is no directive, a byte order mark
// stands which is not dropped and hides one: a second mark, one behind the first
// line, or one encoded twice (G4). The end is 0 without one.
func (d *document) strayMark(l *line) (start, end int) {
	if l.number == 1 {
		start = d.markLen()
	}
	end = start
	for more := true; more; {
		switch rest := l.raw[end:]; {
		case bytes.HasPrefix(rest, []byte(bom)):
			end += len(bom)
		case bytes.HasPrefix(rest, []byte(mojibake)):
			end += len(mojibake)
		default:
			more = false
		}
	}
	if end == start || !readable(lineAlone(l.raw[end:]).kind) {
		return 0, 0
	}
	return start, end
}

// findStrayMark reports a line that is lost for a byte order mark, and whether it
// is one.
func (d *document) findStrayMark(l *line) bool {
	start, end := d.strayMark(l)
	if end == 0 {
		return false
	}
	l.told = true
	f := d.find("RX405", l, l.offset+start, l.offset+end,
		"a byte order mark that is not dropped hides the line: %s is lost", quote(bytes.TrimSpace(l.raw[end:])))
	f.Fix = &Fix{Title: "remove the byte order mark", Edits: []Edit{{l.offset + start, l.offset + end, ""}}, Meaning: true}
	return true
}

// readable reports whether crawlers know lines of that kind.
func readable(kind robotstxt.Kind) bool {
	return kind >= robotstxt.KindUserAgent && kind <= robotstxt.KindUnused
}
