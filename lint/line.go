package lint

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// line is a robotstxt.Line in a third of the memory, and the group that it belongs to:
// a body can have as many lines as bytes.
type line struct {
	body   *[]byte
	number int   // from 1 (G8)
	at     int32 // where raw begins in body
	length int32 // of raw
	group  int32 // index into document.groups; -1 for lines that belong to none

	// Where the parts are in raw. They fit because no byte after the first 16,663 is
	// read (G9).
	keyPart, valuePart, commentPart part16

	kind robotstxt.Kind

	typo, missingColon, tooLong, nulCut bool // as of robotstxt.Line

	reason reason // why crawlers do not read the line, or not the value that its author wrote
}

type part16 struct{ start, length uint16 }

// newLine returns a line of a body of less than 2 GiB.
func newLine(l *robotstxt.Line, body *[]byte) line {
	place := func(text []byte, offset int) part16 {
		if text == nil {
			return part16{}
		}
		return part16{uint16(offset - l.Offset), uint16(len(text))}
	}
	return line{
		body: body, number: l.Number, at: int32(l.Offset), length: int32(len(l.Raw)), group: -1, kind: l.Kind,
		keyPart: place(l.Key, l.KeyOffset), valuePart: place(l.Value, l.ValueOffset),
		commentPart: place(l.Comment, l.CommentOffset),
		typo:        l.Typo, missingColon: l.MissingColon, tooLong: l.TooLong, nulCut: l.NULCut,
	}
}

// raw returns the whole line, with its terminator and a leading BOM.
func (l *line) raw() []byte { return (*l.body)[l.at:l.end():l.end()] }

// offset and end are where raw begins and ends in the body.
func (l *line) offset() int { return int(l.at) }
func (l *line) end() int    { return int(l.at) + int(l.length) }

// countLines returns how many lines a body has (G6–G8).
func countLines(body []byte) int {
	lines := 1 + bytes.Count(body, []byte("\n"))
	if n := bytes.Count(body, []byte("\r")); n > 0 {
		lines += n - bytes.Count(body, []byte("\r\n"))
	}
	return lines
}

func (p part16) in(l *line) []byte {
	end := p.start + p.length
	return l.raw()[p.start:end:end]
}

// key, value and comment are trimmed, as robotstxt.Lines has them; the comment
// begins with its '#'. They are empty where the line has none.
func (l *line) key() []byte     { return l.keyPart.in(l) }
func (l *line) value() []byte   { return l.valuePart.in(l) }
func (l *line) comment() []byte { return l.commentPart.in(l) }

// keyAt, valueAt and commentAt return the offset in the body of a part of the line, or of
// the line itself if it lacks the part.
func (l *line) keyAt() int     { return l.offset() + int(l.keyPart.start) }
func (l *line) valueAt() int   { return l.offset() + int(l.valuePart.start) }
func (l *line) commentAt() int { return l.offset() + int(l.commentPart.start) }

func (l *line) commented() bool { return l.commentPart.length > 0 }

// readBytes is how much of a line Google's parser reads (G9).
const readBytes = 16_663

// roomy reports whether a line is so much shorter that no edit of a few bytes moves one across
// that limit.
func (l *line) roomy() bool {
	const margin = 600
	return len(l.raw()) < readBytes-margin
}

// content returns a line without comment and terminator.
func (l *line) content() []byte {
	if l.commented() {
		return l.raw()[:l.commentAt()-l.offset()]
	}
	return l.raw()[:len(l.raw())-len(l.terminator())]
}

// terminator returns what ends a line: LF, CR, CRLF, or nothing for the last one
// (G6).
func (l *line) terminator() string { return string(l.raw()[len(bytes.TrimRight(l.raw(), "\r\n")):]) }

// newlineOf returns the terminator of lines that are inserted next to a line. It is the line's
// own, because a CR before an LF would be one line end.
func (d *document) newlineOf(l *line) string {
	return cmp.Or(l.terminator(), d.lines[0].terminator(), "\n")
}

func (d *document) insertAfter(l *line, more ...string) Edit {
	newline := d.newlineOf(l)
	before := choose(l.terminator() == "", newline, "")
	return Edit{l.end(), l.end(), before + strings.Join(more, newline) + newline}
}

// writeValues is the edit that writes a line for each of some values, instead of the one of a line.
func (d *document) writeValues(l *line, values []string) []Edit {
	lines := slices.Clone(values)
	for i := range lines[1:] {
		lines[i+1] = plainKeys[l.kind] + ": " + values[i+1]
	}
	return d.replaceBy(l, l.valueAt(), l.valueAt()+len(l.value()), lines)
}

// replaceBy is the edit that writes lines instead of the text from start to end of a line. A comment stays
// on the first of them.
func (d *document) replaceBy(l *line, start, end int, lines []string) []Edit {
	if len(lines) > 1 && l.commented() {
		return []Edit{{start, end, lines[0]}, d.insertAfter(l, lines[1:]...)}
	}
	return []Edit{{start, end, strings.Join(lines, d.newlineOf(l))}}
}

func (l *line) remove() Edit { return Edit{l.offset(), l.end(), ""} }

// removal is the edit that takes a line out which decides nothing. A comment on
// it stays. It is not ok where neighbours would be read otherwise without it: a
// bare CR and an LF that meet are one line end instead of two, which matters to
// crawlers that end records at empty lines (Koster 3.2), and a byte order mark is ignored in
// the first line only (G3).
func (d *document) removal(l *line) (edit Edit, ok bool) {
	if l.commented() {
		return Edit{l.keyAt(), l.commentAt(), ""}, true
	}
	if l.number == 1 {
		return l.remove(), bytes.IndexByte(d.body[l.end():], bom[0]) < 0
	}
	return l.remove(), d.body[l.offset()-1] != '\r'
}

// lineAlone returns what a text would be as the first line of a body.
func lineAlone(text []byte) (line robotstxt.Line) {
	for line = range robotstxt.Lines(text) {
		break
	}
	return line
}

// inWord reports whether product tokens and keys have such bytes: letters, '-' and
// '_' (RFC 9309 2.2.1).
func inWord(c byte) bool { return ascii.IsLetter(c) || c == '-' || c == '_' }

// isBlank reports whether c separates words: a space or a tab (G15).
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isWord(c byte) bool { return ascii.IsLetter(c) || ascii.IsDigit(c) }

// inName reports whether names of keys, parameters and the like have such bytes.
func inName(c byte) bool { return inWord(c) || ascii.IsDigit(c) }

// consistsOf reports whether all bytes of a text are in a set. It is true for an empty text.
func consistsOf(text []byte, set func(byte) bool) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return !set(c) })
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// allDigits is true for an empty text.
func allDigits(text []byte) bool { return consistsOf(text, ascii.IsDigit) }

func (l *line) replaceValue(value string) Edit {
	return Edit{l.valueAt(), l.valueAt() + len(l.value()), value}
}

func (l *line) replaceKey(key string) Edit { return Edit{l.keyAt(), l.keyAt() + len(l.key()), key} }

func counts(kind robotstxt.Kind) bool {
	return kind >= robotstxt.KindUserAgent && kind <= robotstxt.KindSitemap
}

func readable(kind robotstxt.Kind) bool { return counts(kind) || kind == robotstxt.KindUnused }

func isUnread(l line) bool {
	return l.kind == robotstxt.KindNoDirective || l.kind == robotstxt.KindUnknown
}

func isGap(l line) bool { return l.kind == robotstxt.KindEmpty || l.kind == robotstxt.KindComment }

func isRule(l *line) bool { return l.kind == robotstxt.KindAllow || l.kind == robotstxt.KindDisallow }

// namesAll reports whether a user-agent line matches all crawlers: it is a star, alone
// or before white space (G25).
func namesAll(l *line) bool {
	return len(l.value()) > 0 && l.value()[0] == '*' && (len(l.value()) == 1 || ascii.IsSpace(l.value()[1]))
}

// plainKeys are the keys as all crawlers read them.
var plainKeys = [...]string{
	robotstxt.KindUserAgent: "User-agent",
	robotstxt.KindAllow:     "Allow",
	robotstxt.KindDisallow:  "Disallow",
	robotstxt.KindSitemap:   "Sitemap",
}

// tokenLen returns the length of the product token that a value begins with, as
// Google's parser cuts it (G26).
func tokenLen[T ~string | ~[]byte](value T) int {
	n := 0
	for n < len(value) && inWord(value[n]) {
		n++
	}
	return n
}
