package robotstxt

import (
	"encoding/binary"
	"math/bits"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// Plain lines
//
// Nearly all lines of real files are empty, begin with a key and a colon, or have no key
// of the protocol, such as comments and markup. Parse and the one-shot call read these in
// their own loops (parser.plainLines, reader.plainLines), in less than half the time that
// the scanner needs for a line. They leave all other lines to the scanner, which reads one
// and returns to the loop: lines without a colon, with a key such as "Disallowed", or
// after a byte order mark.

// ruleKey returns the kind of a line that begins at start with "Disallow:" or "Allow:",
// and the offset after the colon. The offset is 0 for other lines and for the last bytes
// of a text. It does the same as plainKey, for most lines of most files; the compiler
// inlines it.
func ruleKey(text string, start int) (kind Kind, from int) {
	const caseBits = 0x2020202020202020 // turn upper-case letters into lower-case ones, and no other byte into a letter
	const disallow = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	const allow, allowMask = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32, 1<<40 - 1
	if start+len("Disallow:") <= len(text) {
		line := text[start : start+len("Disallow:")]
		head := ascii.Load8(line) | caseBits
		if head == disallow && line[len("Disallow")] == ':' {
			return KindDisallow, start + len("Disallow:")
		}
		if head&allowMask == allow && line[len("Allow")] == ':' {
			return KindAllow, start + len("Allow:")
		}
	}
	return 0, 0
}

// agentKey does the same for "User-agent:".
func agentKey(text string, start int) (from int) {
	const first = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24 | '-'<<32 | 'a'<<40 | 'g'<<48 | 'e'<<56
	const last = 'r' | '-'<<8 | 'a'<<16 | 'g'<<24 | 'e'<<32 | 'n'<<40 | 't'<<48 | ':'<<56
	// Only the bits of letters: a CR with the bit of a lower-case letter is a '-'.
	const firstCase, lastCase = 0x2020200020202020, 0x0020202020200020
	if start+len("User-agent:") <= len(text) {
		line := text[start : start+len("User-agent:")]
		if ascii.Load8(line)|firstCase == first && ascii.Load8(line[3:])|lastCase == last {
			return start + len("User-agent:")
		}
	}
	return 0
}

// plainStart returns the offset of the first byte of a line that is not white space, and
// what that byte tells about the line. A third of the lines of real files are indented, most
// of them in pages of HTML. If the indentation is long, it returns firstBlank and start.
func (k *keyTable) plainStart(text string, start int) (first firstByte, at int) {
	first = k.first[text[start]]
	if first == firstBlank {
		at = skipBlanks(text, start)
		return k.first[text[at]], at
	}
	return first, start
}

// skipBlanks returns the offset of the first byte at or after start that is not white space
// within a line. If that is far away, or the text ends soon, it returns start.
func skipBlanks(text string, start int) int {
	const step = 16
	if start+maxKeyPart+step >= len(text) {
		return start
	}
	for at := start; at < start+maxKeyPart; {
		// The bytes that are equal to the first one become zero. Most indentations take one
		// step without a branch that depends on their length.
		same := uint64(text[at]) * ones
		block := text[at : at+step]
		first, second := ascii.Load8(block)^same, ascii.Load8(block[8:])^same
		n := bits.TrailingZeros64(first)
		if first == 0 {
			n = 64 + bits.TrailingZeros64(second)
		}
		at += n / 8
		if !isBlank(text[at]) {
			return at
		}
	}
	return start
}

// plainKey returns the key at an offset in a line, after white space, and the offset after
// its colon; the offset is 0 if the scanner has to read the line. If the line has no key of
// the table, it returns noKey.
func (k *keyTable) plainKey(text string, at int) (key *spelling, from int) {
	limit := min(len(text), at+maxKeyPart)
	if text[at] <= ' ' || at == 0 && bodyhead.MarkLen(text) > 0 {
		return nil, 0
	}
	if !ascii.IsLetter(text[at]) {
		return noKey, at + 1
	}
	key = k.find(text[at:])
	if key == nil {
		return noKey, at + 1
	}
	from = at + len(key.text)
	for from < limit && isBlank(text[from]) {
		from++
	}
	if from < limit && text[from] == ':' {
		return key, from + 1
	}
	return nil, 0
}

var noKey = &spelling{kind: KindNoDirective}

// maxKeyPart is the maximum length of the white space before the key of a plain line, and of
// the key with the white space after it.
const maxKeyPart = 80

// The marks of a value.
const (
	markEnd   = 1 << iota // a line end is after it, rather than a comment, a NUL or the end of the text
	markWild              // it contains a star or a '$'
	markCoded             // it contains a byte that an encoding could change
	markLast              // of a byte: the value ends before it
)

// marksOf has the marks of each byte below '+'; other bytes have none.
var marksOf = [256]uint8{
	'\n': markEnd | markLast, '\r': markEnd | markLast, '#': markLast, 0: markLast,
	'*': markWild, '$': markWild, '%': markCoded,
}

// copyValue finds the value of a plain line, from the end of its key, and copies it to
// dst, which has room for the rest of the text and copyRoom bytes. It does both in one
// pass. White space at the end of the value is not removed.
//
// It takes 32 bytes at a time, because most values are shorter. So the processor predicts
// that there is one step; the number of steps of eight bytes would differ from line to line.
func copyValue(dst []byte, text string, from int) (start, end int, marks uint8) {
	for from < len(text) && isBlank(text[from]) {
		from++
	}
	for i := from; ; i += copyRoom {
		block := ""
		out := dst[i-from : i-from+copyRoom]
		if i+copyRoom <= len(text) {
			block = text[i : i+copyRoom]
		} else {
			var last [copyRoom]byte // the end of the text, and a NUL, which ends a value too
			copy(last[:], text[i:])
			block = ascii.View(last[:])
		}
		a, b, c, d := ascii.Load8(block), ascii.Load8(block[8:]), ascii.Load8(block[16:]), ascii.Load8(block[24:])
		binary.LittleEndian.PutUint64(out, a)
		binary.LittleEndian.PutUint64(out[8:], b)
		binary.LittleEndian.PutUint64(out[16:], c)
		binary.LittleEndian.PutUint64(out[24:], d)
		if (a|b|c|d)&tops != 0 {
			marks |= markCoded // or the next line does, which does no harm
		}
		special := specialBytes(a) | specialBytes(b)<<8 | specialBytes(c)<<16 | specialBytes(d)<<24
		for ; special != 0; special &= special - 1 {
			at := bits.TrailingZeros64(special)
			m := marksOf[block[at&(copyRoom-1)]]
			if m&markLast != 0 {
				return from, i + at, (marks | m) &^ markLast
			}
			marks |= m
		}
	}
}

// copyRoom is how many bytes copyValue takes at a time, and can copy after the value.
const copyRoom = 32

const ones, tops = 0x0101010101010101, 0x8080808080808080

// specialBytes returns a bit for each byte of a word that is below '+', the first byte
// lowest: line ends, white space, wildcards, and the bytes that an encoding could change.
// There can also be a bit for a '+' after such a byte. The product moves the top bits of the
// eight bytes to the highest byte.
func specialBytes(word uint64) uint64 {
	return (word - '+'*ones) &^ word & tops * (1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42 | 1<<49) >> 56
}

// plainLines reads lines up to one that it leaves to the scanner.
func (p *parser) plainLines() {
	s := &p.scanner
	text, pos := s.text, s.pos
	for pos < len(text) {
		s.number++
		kind, from := ruleKey(text, pos)
		if kind != KindNoDirective {
			value, next, marks := p.plainValue(pos, from)
			p.copiedRule(kind == KindAllow, value, marks)
			pos = next
			continue
		}
		next := p.plainLine(pos)
		if next == 0 {
			s.number--
			break
		}
		pos = next
	}
	s.pos = pos
}

// plainLine reads a line that ruleKey does not know, and returns where the next one begins,
// or 0 if it leaves the line to the scanner.
func (p *parser) plainLine(start int) (next int) {
	s := &p.scanner
	first, at := keptKeys.plainStart(s.text, start)
	switch first {
	case firstEnd:
		p.grouping.empty()
		return s.after(at)
	case firstOther:
		_, next = s.lineEnd(at)
		return next
	}
	if from := agentKey(s.text, at); from > 0 {
		if next := p.plainAgent(start, from); next > 0 {
			return next
		}
	}
	key, from := keptKeys.plainKey(s.text, at)
	if from == 0 {
		return 0
	}
	if key.kind == KindNoDirective {
		_, next = s.lineEnd(start)
		return next
	}
	value, next, marks := p.plainValue(start, from)
	switch key.kind {
	case KindUserAgent:
		p.agentLine(value)
	case KindAllow, KindDisallow:
		p.copiedRule(key.kind == KindAllow, value, marks)
	default:
		p.extra(key.kept, value)
	}
	return next
}

// plainValue returns the value of the line that begins at start, where the next line
// begins, and the marks of the value. It copies the value to the memory after the patterns.
func (p *parser) plainValue(start, from int) (value string, next int, marks uint8) {
	s := &p.scanner
	line := s.text[:min(len(s.text), start+maxLine)]
	from, end, marks := copyValue(p.room(len(line)-start), line, from)
	if marks&markEnd != 0 {
		next = s.after(end)
	} else {
		_, next = s.lineEnd(start)
	}
	for end > from && ascii.IsSpace(line[end-1]) {
		end--
	}
	return line[from:end], next, marks
}

// plainAgent reads an agent line if its value is a star, or consists of letters, hyphens
// and underscores, which are part of a token in every dialect. Otherwise it returns 0.
func (p *parser) plainAgent(start, from int) (next int) {
	text := p.scanner.text
	for from < len(text) && isBlank(text[from]) {
		from++
	}
	end := from
	if end < len(text) && text[end] == '*' {
		end++
	} else {
		for end < len(text) && tokenLetters[text[end]] {
			end++
		}
	}
	if end == len(text) || text[end] != '\n' && text[end] != '\r' || end-start > maxLine {
		return 0
	}
	p.agent(text[from:end], true)
	return p.scanner.after(end)
}

func trimEnd(s string) string {
	for s != "" && ascii.IsSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}
