package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// maxLine is the number of bytes of a line that are read: the size of the buffer
// in Google's parser, 2083·8, without its terminating NUL [G9].
const maxLine = 2083*8 - 1

type span struct{ start, end int }

// scanner reads a body line by line. It defines lines and colons for Lines, Parse and
// Allowed; plain.go reads most lines faster, and body.go cuts a body after a whole line.
//
// The next… fields are the offsets of the first LF, CR, NUL and '#' at or after the
// current line, or the length of the text. With them, each byte is searched once for
// each of the four: in a file whose lines end in CR, a search for the LF of each line
// would go to the end of the file.
type scanner struct {
	text                              string
	nextLF, nextCR, nextNUL, nextHash int
	pos                               int  // start of the next line
	last                              bool // nothing ends the current line, so no line follows [G8]

	// The current line, set by advance.
	number          int
	start           int
	content         span // the bytes that are read: no byte order mark, no line end, nothing after a cut
	tooLong, nulCut bool

	// Its parts, set by readPlain or read.
	kind               Kind
	key, value         span // of a directive
	comment            span
	typo, missingColon bool
}

func (s *scanner) open(text string) {
	s.text, s.nextLF, s.nextCR, s.nextNUL, s.nextHash = text, -1, -1, -1, -1
}

func (s *scanner) part(p span) string { return s.text[p.start:p.end] }

// next reads the next line. It returns false at the end of the text.
func (s *scanner) next() bool {
	if !s.advance() {
		return false
	}
	if !s.readPlain() {
		s.read()
	}
	return true
}

// advance moves to the next line without reading its parts. It returns false at the
// end of the text [G6–G10].
func (s *scanner) advance() bool {
	if s.last {
		return false
	}
	s.number++
	s.start = s.pos
	s.content.start = s.start
	s.content.end, s.pos = s.lineEnd(s.start)
	s.last = s.content.end == len(s.text)
	if s.start == 0 {
		s.content.start = bodyhead.MarkLen(s.text) // a part of a mark is ignored too [G3]
	}
	s.tooLong, s.nulCut = false, false
	if s.content.end-s.content.start > maxLine || s.nextNUL < s.content.end {
		s.cut()
	}
	return true
}

// lineEnd returns where the line that begins at start ends, and where the next one
// begins. Both are the length of the text if nothing ends the line.
func (s *scanner) lineEnd(start int) (end, next int) {
	if s.nextLF < start {
		// As find does, without a call: for most lines this search is most of the time.
		s.nextLF = start + strings.IndexByte(s.text[start:], '\n')
		if s.nextLF < start {
			s.nextLF = len(s.text)
		}
	}
	end = s.nextLF
	if s.nextCR < end {
		if s.nextCR < start {
			s.nextCR = find(s.text, '\r', start)
		}
		end = min(end, s.nextCR)
	}
	if end == len(s.text) {
		return end, end
	}
	return end, s.after(end)
}

// after returns where the line begins that follows a line that ends at end, before
// the end of the text.
func (s *scanner) after(end int) int {
	if s.text[end] == '\r' && end+1 < len(s.text) && s.text[end+1] == '\n' {
		return end + 2
	}
	return end + 1
}

// find returns the offset of the first c in text at or after from, or the length of
// text if there is none.
func find(text string, c byte, from int) int {
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// cut shortens the content of a line that is too long or contains a NUL. The
// known NUL can be in a line that was skipped.
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

// readPlain reads a line that begins with a known key and a colon; for other lines it
// returns false. It returns the same result as read, without the search for the
// colon.
func (s *scanner) readPlain() bool {
	line := s.content
	key := allKeys.find(s.part(line))
	if key == nil {
		return false
	}
	end := line.start + len(key.text)
	if end >= line.end || s.text[end] != ':' {
		return false
	}
	s.kind, s.typo, s.missingColon = key.kind, key.typo, false
	s.key = span{line.start, end}
	line = s.trim(s.uncomment(line))
	s.value = s.trim(span{end + 1, line.end})
	return true
}

// uncomment sets the comment of a line and returns the part before it [G11].
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

// read splits the content of a line into key, value and comment and sets its kind
// [G11–G21].
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

func (s *scanner) readDirective(line span) {
	s.kind = KindNoDirective
	separator := strings.IndexByte(s.text[line.start:line.end], ':')
	if separator < 0 {
		separator = twoWords(s.text[line.start:line.end])
		if separator < 0 {
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

// twoWords returns the offset of the first space or tab in a trimmed line without a
// colon. It returns -1 unless the line is two words, separated by spaces and tabs
// [G15].
func twoWords(line string) int {
	blank := func(i int) bool { return line[i] == ' ' || line[i] == '\t' }
	first := 0
	for first < len(line) && !blank(first) {
		first++
	}
	if first == len(line) {
		return -1
	}
	second := first
	for blank(second) { // the line does not end in white space
		second++
	}
	for i := second; i < len(line); i++ {
		if blank(i) {
			return -1
		}
	}
	return first
}

// trim returns p without the six white space bytes of C at both ends.
// strings.TrimSpace would remove Unicode's white space too [G12].
func (s *scanner) trim(p span) span {
	for p.start < p.end && ascii.IsSpace(s.text[p.start]) {
		p.start++
	}
	for p.start < p.end && ascii.IsSpace(s.text[p.end-1]) {
		p.end--
	}
	return p
}
