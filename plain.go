package robotstxt

import (
	"encoding/binary"
	"math/bits"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Plain lines
//
// Nearly all lines of real files are empty, begin with a key and a colon, or have no
// key that counts, such as comments and markup. Parse and the one-shot call read these
// in loops of their own (parser.plainLines, reader.plainLines), in less than half the time
// that the scanner needs for a line. They leave all other lines to the scanner, which
// reads one and returns to the loop: lines without a colon, with a key such as
// "Disallowed", or after a byte order mark.

// ruleKey returns the kind and the length of the key, with its colon, of a line that
// begins with "Disallow:" or "Allow:". The length is 0 for other lines and for the last
// bytes of a text. It does what plainKey does, for most lines of most files; the
// compiler inlines it.
func ruleKey(line string) (kind Kind, length int) {
	const caseBits = 0x2020202020202020 // turn upper-case letters into lower-case ones, and no other byte into a letter
	const disallow = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	const allow, allowMask = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32, 1<<40 - 1
	if len(line) > 8 {
		head := ascii.Load8(line) | caseBits
		if head == disallow && line[8] == ':' {
			return KindDisallow, len("Disallow:")
		}
		if head&allowMask == allow && line[5] == ':' {
			return KindAllow, len("Allow:")
		}
	}
	return 0, 0
}

// plainKey returns the key of the line that begins at start, and the offset after its
// colon; the offset is 0 if the scanner has to read the line. If the line has no key of the
// table, it returns noKey.
func (k *keyTable) plainKey(text string, start int) (key *spelling, from int) {
	limit := min(len(text), start+maxKeyPart)
	from = start
	for from < limit && isBlank(text[from]) {
		from++
	}
	if from == limit || text[from] < ' ' || start == 0 && bomLen(text) > 0 {
		return nil, 0 // an empty line, perhaps
	}
	if key = k.find(text[from:]); key == nil {
		return noKey, from + 1
	}
	from += len(key.text)
	for from < limit && isBlank(text[from]) {
		from++
	}
	if from < limit && text[from] == ':' {
		return key, from + 1
	}
	return nil, 0
}

var noKey = &spelling{kind: KindNoDirective}

// maxKeyPart is the length of a plain line up to its colon, with white space.
const maxKeyPart = 80

// The marks of a value.
const (
	markEnd   = 1 << iota // a line end is after it, rather than a comment, a NUL or the end of the text
	markWild              // it contains a star or a '$'
	markCoded             // it contains a byte that an encoding could change
)

// copyValue finds the value of a plain line, from the end of its key, and copies it to
// dst, which has room for the rest of the text and eight bytes. It does both in one
// pass, eight bytes at a time. White space at the end of the value is not removed.
func copyValue(dst []byte, text string, from int) (start, end int, marks uint8) {
	for from < len(text) && isBlank(text[from]) {
		from++
	}
	for i := from; ; i += 8 {
		word := firstEight(text[i:])
		binary.LittleEndian.PutUint64(dst[i-from:], word)
		rest := specialBytes(word)
		if high := rest & word; high != 0 {
			marks |= markCoded
			rest ^= high
		}
		for ; rest != 0; rest &= rest - 1 {
			shift := bits.TrailingZeros64(rest)
			switch c := byte(word >> (shift &^ 7)); {
			case c == '\n' || c == '\r':
				return from, i + shift/8, marks | markEnd
			case c == '*' || c == '$':
				marks |= markWild
			case c == '%':
				marks |= markCoded
			case c == '#' || c == 0: // or the end of the text
				return from, i + shift/8, marks
			}
		}
	}
}

// plainLines reads lines up to one that it leaves to the scanner.
func (p *parser) plainLines() {
	s := &p.scanner
	text, pos := s.text, s.pos
	for pos < len(text) && !p.isFull() {
		if text[pos] == '\n' || text[pos] == '\r' {
			p.grouping.empty()
			s.number++
			pos = s.after(pos)
			continue
		}
		kind, from := ruleKey(text[pos:])
		from += pos
		key := noKey
		if kind == KindNoDirective {
			if key, from = keptKeys.plainKey(text, pos); from == 0 {
				break
			}
			kind = key.kind
		}
		s.number++
		if kind == KindNoDirective {
			_, pos = s.lineEnd(pos)
			continue
		}
		from, end, marks := copyValue(p.room(len(text)-pos), text[:min(len(text), pos+maxLine)], from)
		value := trimEnd(text[from:end])
		if marks&markEnd != 0 {
			pos = s.after(end)
		} else {
			_, pos = s.lineEnd(pos)
		}
		switch kind {
		case KindUserAgent:
			p.agentLine(value)
		case KindAllow, KindDisallow:
			p.copiedRule(kind == KindAllow, value, marks)
		default:
			p.extra(key.kept, value)
		}
	}
	s.pos = pos
}

// specialBytes marks the bytes below '+' and above 0x7F by their top bit: line ends,
// white space, wildcards, and what an encoding could change. It may also mark a '+'
// after such a byte.
func specialBytes(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	return ((word - '+'*ones) | word) & tops
}

// trimEnd returns s without the white space at its end.
func trimEnd(s string) string {
	for s != "" && ascii.IsSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}
