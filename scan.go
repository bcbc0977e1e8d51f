package robotstxt

import (
	"strings"
	"unsafe"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Kind says what a line of a robots.txt file is to Google's parser.
type Kind uint8

// The kinds of lines. Every line has exactly one.
const (
	KindNoDirective Kind = iota // words, but no key and value (G15, G17)
	KindEmpty                   // nothing but white space (G13)
	KindComment                 // nothing but a comment (G13)
	KindUserAgent               // opens or continues a run of agents (G19)
	KindAllow                   // a rule (G19)
	KindDisallow                // a rule (G19)
	KindSitemap                 // the address of a sitemap (G19)
	KindUnused                  // a known name that decides nothing, such as Crawl-delay (G65)
	KindUnknown                 // any other key (G20)
)

var kindNames = [...]string{
	KindNoDirective: "no directive",
	KindEmpty:       "empty",
	KindComment:     "comment",
	KindUserAgent:   "user-agent",
	KindAllow:       "allow",
	KindDisallow:    "disallow",
	KindSitemap:     "sitemap",
	KindUnused:      "unused",
	KindUnknown:     "unknown",
}

// String returns the kind's name in lower case, "user-agent" for instance;
// a value that is no kind is "no directive".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		k = KindNoDirective
	}
	return kindNames[k]
}

// maxLine is how many bytes of a line are read (G9): the size of the buffer in
// Google's parser, 2083·8, less its terminating NUL.
const maxLine = 2083*8 - 1

// span is a part of the scanned text, by byte offsets.
type span struct{ start, end int }

// scanner reads a body line by line. It is the only place that splits lines
// and finds colons; Lines, Parse and Allowed all read from it.
//
// The next… fields remember the first LF, CR, NUL and '#' at or after the
// current line, so that each byte of the body is searched once for each of
// them, however the lines end: a file of bare CRs would otherwise be searched
// to its end for an LF on every line, and most files have no CR and no NUL, and
// no comment below the first lines.
type scanner struct {
	text                              string
	nextLF, nextCR, nextNUL, nextHash int
	pos                               int  // start of the next line
	last                              bool // the current line has no terminator, so none follows (G8)

	// The current line, set by advance.
	number          int
	start           int
	content         span // what is read of it: no BOM, no terminator, nothing behind a cut
	tooLong, nulCut bool

	// What it says, set by readUsual or read.
	kind               Kind
	key, value         span // of a directive
	comment            span
	typo, missingColon bool
}

func newScanner(text string) scanner {
	return scanner{text: text, nextLF: -1, nextCR: -1, nextNUL: -1, nextHash: -1}
}

// view returns the bytes of b as a string without copying them. Strings let
// one matcher serve bodies, patterns and URLs; the view must not outlive the
// call that made it, because the caller may change b afterwards.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// part returns a part of the text.
func (s *scanner) part(p span) string { return s.text[p.start:p.end] }

// next reads the next line and reports whether there is one.
func (s *scanner) next() bool {
	if !s.advance() {
		return false
	}
	if !s.readUsual() {
		s.read()
	}
	return true
}

// nextOf moves to the next line, of which there is one, and reads it if it is
// empty or begins, after white space, like one of the keys; otherwise it says that
// the line is to be skipped. Of an empty line only the kind is set. Comments are
// skipped, and the HTML that some sites serve as their robots.txt; with those
// read, scanning real files took half as long again.
func (s *scanner) nextOf(keys *keyTable) (read bool) {
	s.advance()
	line := s.text[s.content.start:s.content.end]
	for line != "" && ascii.IsSpace(line[0]) {
		line = line[1:]
	}
	if line == "" {
		s.kind = KindEmpty
		return true
	}
	if keys.find(line) == nil {
		return false
	}
	if !s.readUsual() {
		s.read()
	}
	return true
}

// advance moves to the next line, unread, and reports whether there is one
// (G6–G10).
func (s *scanner) advance() bool {
	if s.last {
		return false
	}
	end := s.skip()
	start := s.start
	if start == 0 {
		start = bomLen(s.text)
	}
	s.content = span{start, end}
	s.tooLong, s.nulCut = false, false
	if end-start > maxLine || s.nextNUL < end {
		s.cut()
	}
	return true
}

// skip moves past the next line, of which there is one, and returns where it
// ends.
func (s *scanner) skip() (end int) {
	start := s.pos
	s.number++
	s.start = start
	end = s.nextLF
	if end < start {
		end = find(s.text, '\n', start)
		s.nextLF = end
	}
	s.pos = end + 1
	if s.nextCR < end {
		end = s.terminate(start, end)
	}
	if end == len(s.text) {
		s.last, s.pos = true, end
	}
	return end
}

// terminate returns where the line from start to end, the next LF, ends if a CR
// does not end it before, and moves s.pos behind that and the LF of a CRLF.
func (s *scanner) terminate(start, end int) int {
	if s.nextCR < start {
		s.nextCR = find(s.text, '\r', start)
	}
	if s.nextCR < end {
		end = s.nextCR
		s.pos = end + 1
		if s.pos == s.nextLF && s.pos < len(s.text) {
			s.pos++
		}
	}
	return end
}

// passLine moves past the next line, which ends before the end of the text at
// end, without reading it.
func (s *scanner) passLine(end int) {
	s.number++
	s.pos = end + 1
	if s.text[end] == '\r' && s.pos < len(s.text) && s.text[s.pos] == '\n' {
		s.pos++
	}
}

// find returns the offset of the first c in text at or after from, its length if
// there is none.
func find(text string, c byte, from int) int {
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// cut shortens the content of a line that is too long or contains a NUL. The
// first NUL known may be in a line that was skipped.
func (s *scanner) cut() {
	if s.nextNUL < s.start {
		s.nextNUL = find(s.text, 0, s.start)
	}
	if s.content.end-s.content.start > maxLine {
		s.tooLong = true
		s.content.end = s.content.start + maxLine
	}
	if s.nextNUL < s.content.end {
		s.nulCut = true
		s.content.end = s.nextNUL
	}
}

// The first eight bytes of the usual keys in lower case, as an integer.
const (
	wordDisallow  = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	wordUserAgent = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24 | '-'<<32 | 'a'<<40 | 'g'<<48 | 'e'<<56
	wordAllow     = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32 | ':'<<40
	wordSitemap   = 's' | 'i'<<8 | 't'<<16 | 'e'<<24 | 'm'<<32 | 'a'<<40 | 'p'<<48 | ':'<<56

	// caseBits makes letters lower case, and nothing else into a letter; a '-' it
	// makes only of itself and of a CR, a ':' of itself and of 0x1A.
	caseBits = 0x2020202020202020
)

// usualKey returns the kind of a line that begins, without white space, with one
// of the four keys that most lines have, spelt out and with its colon, and the
// length of both; otherwise the length is 0. One load takes the place of eight
// comparisons.
func usualKey(line string) (kind Kind, length int) {
	if len(line) < 8 {
		return 0, 0
	}
	switch word := ascii.Load8(line) | caseBits; word {
	case wordDisallow:
		if len(line) > 8 && line[8] == ':' {
			return KindDisallow, len("Disallow:")
		}
	case wordUserAgent:
		if len(line) > 10 && line[4] == '-' && line[8]|0x20 == 'n' && line[9]|0x20 == 't' && line[10] == ':' {
			return KindUserAgent, len("User-agent:")
		}
	case wordSitemap:
		if line[7] == ':' {
			return KindSitemap, len("Sitemap:")
		}
	default:
		if word&(1<<48-1) == wordAllow && line[5] == ':' {
			return KindAllow, len("Allow:")
		}
	}
	return 0, 0
}

// readUsual reads a line with one of the usual keys. It says no more than read
// would, and nothing about any other line; it saves the searches for '#' and ':'
// over the key, which take longer than all the rest.
func (s *scanner) readUsual() bool {
	line := s.content
	kind, length := usualKey(s.part(line))
	if length == 0 {
		return false
	}
	s.kind, s.typo, s.missingColon = kind, false, false
	s.key = span{line.start, line.start + length - len(":")}
	line = s.uncomment(line)
	s.value = s.trim(span{line.start + length, line.end})
	return true
}

// uncomment notes the comment of a line and returns what stands in front of it
// (G11).
func (s *scanner) uncomment(line span) span {
	s.comment = span{}
	if s.nextHash < line.start {
		s.nextHash = find(s.text, '#', line.start)
	}
	if s.nextHash < line.end {
		s.comment = span{s.nextHash, line.end}
		line.end = s.nextHash
	}
	return line
}

// bomLen returns how many bytes of a UTF-8 byte order mark open the text; a
// part of one is dropped as well (G3).
func bomLen(text string) int {
	const bom = "\xEF\xBB\xBF"
	n := 0
	for n < len(bom) && n < len(text) && text[n] == bom[n] {
		n++
	}
	return n
}

// read splits the readable part of a line into key, value and comment and
// tells its kind (G11–G21).
func (s *scanner) read() {
	line := s.trim(s.uncomment(s.content))
	s.typo, s.missingColon = false, false
	switch {
	case line.start < line.end:
		s.readDirective(line)
	case s.comment.end > s.comment.start:
		s.kind = KindComment
	default:
		s.kind = KindEmpty
	}
}

// readDirective reads a trimmed, non-empty line.
func (s *scanner) readDirective(line span) {
	s.kind = KindNoDirective
	separator := strings.IndexByte(s.text[line.start:line.end], ':')
	if separator < 0 {
		if separator = twoWords(s.text[line.start:line.end]); separator < 0 {
			return
		}
		s.missingColon = true
	}
	s.key = s.trim(span{line.start, line.start + separator})
	s.value = s.trim(span{line.start + separator + 1, line.end})
	if s.key.start < s.key.end {
		s.kind, s.typo = classify(s.text[s.key.start:s.key.end])
	}
}

// twoWords returns the offset of the blank that separates a line without a
// colon, or -1 unless the line is exactly two words (G15).
func twoWords(line string) int {
	first := strings.IndexAny(line, " \t")
	if first < 0 {
		return -1
	}
	second := strings.TrimLeft(line[first:], " \t")
	if strings.ContainsAny(second, " \t") {
		return -1
	}
	return first
}

// trim drops WS6, the six white space bytes of C, from both ends (G12).
// strings.TrimSpace would drop Unicode's white space too.
func (s *scanner) trim(p span) span {
	for p.start < p.end && ascii.IsSpace(s.text[p.start]) {
		p.start++
	}
	for p.start < p.end && ascii.IsSpace(s.text[p.end-1]) {
		p.end--
	}
	return p
}
