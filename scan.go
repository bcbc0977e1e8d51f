package robotstxt

import (
	"strings"
	"unsafe"
)

// maxLine is how many bytes of a line are read (G9): the size of the buffer in
// Google's parser, 2083·8, less its terminating NUL.
const maxLine = 2083*8 - 1

// span is a part of the scanned text, by byte offsets.
type span struct{ start, end int }

// scanner reads a body line by line. It is the only place that splits lines
// and finds colons; Lines, Parse and Allowed all read from it.
//
// The three next… fields remember the first LF, CR and NUL at or after the
// current line, so that each byte of the body is searched once for each of
// them, however the lines end: a file of bare CRs would otherwise be searched
// to its end for an LF on every line.
type scanner struct {
	text                    string
	nextLF, nextCR, nextNUL int
	pos                     int // start of the next line; past the end when done

	// The current line, set by next.
	number  int
	start   int
	kind    Kind
	key     span
	value   span
	comment span

	typo, missingColon, tooLong, nulCut bool
}

func newScanner(text string) scanner {
	return scanner{text: text, nextLF: -1, nextCR: -1, nextNUL: -1}
}

// view returns the bytes of b as a string without copying them. Strings let
// one matcher serve bodies, patterns and URLs; the view must not outlive the
// call that made it, because the caller may change b afterwards.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// next moves to the next line and reports whether there is one.
func (s *scanner) next() bool {
	if s.number > 0 && s.nextLF == len(s.text) && s.nextCR == len(s.text) {
		return false // the last line was the unterminated one (G8)
	}
	s.number++
	s.start = s.pos
	content := s.terminate()
	if s.number == 1 {
		content.start += bomLen(s.text)
	}
	s.tooLong, s.nulCut = false, false
	if content.end-content.start > maxLine {
		s.tooLong = true
		content.end = content.start + maxLine
	}
	if s.nextNUL < content.start {
		s.nextNUL = s.find(0, content.start)
	}
	if s.nextNUL < content.end {
		s.nulCut = true
		content.end = s.nextNUL
	}
	if !s.readUsual(content) {
		s.read(content)
	}
	return true
}

// terminate finds the end of the line that starts at s.pos, moves s.pos behind
// its terminator, and returns what stands before it (G6, G7).
func (s *scanner) terminate() span {
	if s.nextLF < s.start {
		s.nextLF = s.find('\n', s.start)
	}
	if s.nextCR < s.start {
		s.nextCR = s.find('\r', s.start)
	}
	end := min(s.nextLF, s.nextCR)
	s.pos = min(end+1, len(s.text))
	if s.pos == s.nextLF && s.pos < len(s.text) {
		s.pos++ // the terminator was a CR, and its LF follows
	}
	return span{s.start, end}
}

// find returns the offset of the first c at or after from, the text's length if
// there is none.
func (s *scanner) find(c byte, from int) int {
	if i := strings.IndexByte(s.text[from:], c); i >= 0 {
		return from + i
	}
	return len(s.text)
}

// The first eight bytes of the usual keys in lower case, as an integer.
const (
	wordDisallow  = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	wordUserAgent = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24 | '-'<<32 | 'a'<<40 | 'g'<<48 | 'e'<<56
	wordAllow     = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32 | ':'<<40
)

// readUsual reads a line that begins, without white space, with one of the three
// keys that most lines have, spelt out and with its colon. It says no more than
// read would, and nothing about any other line; it saves the searches for '#'
// and ':' over the key, which take longer than all the rest.
func (s *scanner) readUsual(line span) bool {
	text := s.text[line.start:line.end]
	if len(text) < len("Disallow:") {
		return false
	}
	// One load instead of eight comparisons. The bit makes letters lower case,
	// and nothing else into a letter; a '-' it makes only of itself and of a CR,
	// which no line holds, and a ':' of itself and of 0x1A.
	word := load8(text) | 0x2020202020202020
	key := 0
	switch {
	case word == wordDisallow && text[8] == ':':
		s.kind, key = KindDisallow, len("Disallow")
	case word&(1<<48-1) == wordAllow && text[5] == ':':
		s.kind, key = KindAllow, len("Allow")
	case word == wordUserAgent && len(text) > 10 && text[8]|0x20 == 'n' && text[9]|0x20 == 't' && text[10] == ':':
		s.kind, key = KindUserAgent, len("User-agent")
	default:
		return false
	}
	s.typo, s.missingColon = false, false
	s.key = span{line.start, line.start + key}
	s.comment = span{}
	value := span{line.start + key + 1, line.end}
	if i := strings.IndexByte(s.text[value.start:value.end], '#'); i >= 0 {
		s.comment = span{value.start + i, value.end}
		value.end = value.start + i
	}
	s.value = s.trim(value)
	return true
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
func (s *scanner) read(line span) {
	s.comment = span{}
	if i := strings.IndexByte(s.text[line.start:line.end], '#'); i >= 0 {
		s.comment = span{line.start + i, line.end}
		line.end = line.start + i
	}
	line = s.trim(line)
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
	for p.start < p.end && isSpace(s.text[p.start]) {
		p.start++
	}
	for p.start < p.end && isSpace(s.text[p.end-1]) {
		p.end--
	}
	return p
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
