package pattern

import (
	"bytes"
	"iter"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Slashes of RFC 9309
//
// In the canonical form of RFC 9309 a slash of the query is written %2F, and so is an encoded
// slash of the path, which differs from a slash. A slash in a pattern is clearly one of the
// two if there is a '?' or no star before it. After a star and before any '?' it is unknown
// whether the query has begun, so there '/' matches a slash of the path or any slash of the
// query, and %2F an encoded slash of the path or any slash of the query.
//
// Patterns with wildcards are therefore matched with the slashed form of a path, which has
// '/' for each slash of the query. There '/' in a pattern is an ordinary octet again. Only a
// pattern with %2F needs more: a piece of it has two spellings. With %2F it can only be in
// the path. With '/' instead it must begin after the '?'.

// CodedSlash is an encoded slash in canonical form.
const CodedSlash = "%2F"

// AppendSlashed appends a canonical path in its slashed form to dst. If the form is the
// same, because the path has no slash in its query, it appends nothing and returns false.
func AppendSlashed(dst []byte, path string) (slashed []byte, ok bool) {
	query := strings.IndexByte(path, '?') + 1
	if query == 0 || !strings.Contains(path[query:], CodedSlash) {
		return dst, false
	}
	return appendSlashes(append(dst, path[:query]...), path[query:]), true
}

func appendSlashes(dst []byte, text string) []byte {
	for {
		at := strings.Index(text, CodedSlash)
		if at < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:at]...), '/')
		text = text[at+len(CodedSlash):]
	}
}

func inQueryFrom(text string) int {
	if at := strings.IndexByte(text, '?'); at >= 0 {
		return at + 1
	}
	return len(text)
}

// spellings is memory for the two spellings of a pattern.
type spellings struct{ path, query []byte }

var spellingsPool = sync.Pool{New: func() any { return new(spellings) }}

// maxKeptSpelling is the size in bytes up to which the memory is reused.
const maxKeptSpelling = 64 << 10

func (s *spellings) free() {
	if cap(s.path)+cap(s.query) <= maxKeptSpelling {
		spellingsPool.Put(s)
	}
}

// matchSlashed matches a pattern that contains a star with a path that has a slash in its
// query.
func (m *Matcher) matchSlashed(q Pattern) bool {
	if strings.Contains(q.Text, CodedSlash) {
		return m.matchCoded(q)
	}
	return m.matchIn(m.slashed, q)
}

// matchCoded matches a pattern that contains a star and %2F with a path that has a slash in
// its query. Like matchWild, it matches each piece at its first occurrence, which is the one
// in the path if there is one.
func (m *Matcher) matchCoded(q Pattern) bool {
	s := spellingsPool.Get().(*spellings)
	defer s.free()
	star, query := strings.IndexByte(q.Text, '*'), inQueryFrom(q.Text)
	s.path = appendSlashes(append(s.path[:0], q.Text[:query]...), q.Text[query:])
	s.query = appendSlashes(s.query[:0], q.Text[star:])
	if query <= star {
		star = bytes.IndexByte(s.path, '*')
	}
	inPath, inQuery := ascii.View(s.path), ascii.View(s.query)
	if !strings.HasPrefix(m.slashed, inPath[:star]) {
		return false
	}
	from, end, inPath := star, len(m.slashed), inPath[star:]
	if q.Anchored {
		var ok bool
		end, ok = m.matchTail(from, afterLastStar(inPath), afterLastStar(inQuery))
		if !ok {
			return false
		}
		inPath, inQuery = inPath[:strings.LastIndexByte(inPath, '*')], inQuery[:strings.LastIndexByte(inQuery, '*')]
	}
	for {
		var first, second string
		first, inPath = nextPiece(inPath)
		if first == "" {
			return true
		}
		second, inQuery = nextPiece(inQuery)
		at, piece := m.find(first, from), first
		if (at < 0 || at+len(piece) > end) && second != first {
			at, piece = m.find(second, max(from, m.query)), second
		}
		if at < 0 || at+len(piece) > end {
			return false
		}
		from = at + len(piece)
	}
}

// matchTail returns the offset, from or later, at which the path ends with one of the
// spellings of a pattern's last piece.
func (m *Matcher) matchTail(from int, inPath, inQuery string) (start int, ok bool) {
	if strings.HasSuffix(m.slashed[from:], inPath) {
		return len(m.slashed) - len(inPath), true
	}
	if inQuery != inPath && strings.HasSuffix(m.slashed[max(from, m.query):], inQuery) {
		return len(m.slashed) - len(inQuery), true
	}
	return 0, false
}

func afterLastStar(text string) string { return text[strings.LastIndexByte(text, '*')+1:] }

// find returns the first offset of a piece in the slashed form at or after from, or -1.
func (m *Matcher) find(piece string, from int) int {
	m.work += len(m.slashed) / 8
	if m.work <= preparedFrom {
		return indexFrom(m.slashed, piece, from)
	}
	return m.tables().find(m.slashed, piece, from)
}

// matchSlashes matches a pattern that contains a star with a canonical path.
func (p Pattern) matchSlashes(path string) bool {
	var m Matcher
	defer m.Free()
	if form, ok := AppendSlashed(nil, path); ok {
		m.Slash(ascii.View(form))
	}
	return m.Matches(path, p)
}

// Slashed yields patterns in which a slash is an ordinary octet. A slashed path matches one
// of them if and only if p matches the canonical path. There is one for p itself, and one for
// each star with %2F after it and before any '?': that star matches the first '?' of the path,
// so all that follows is in the query.
func (p Pattern) Slashed() iter.Seq[Pattern] {
	return func(yield func(Pattern) bool) {
		p.Slashes = false
		text := p.Text
		query := inQueryFrom(p.Text)
		if strings.Contains(text[query:], CodedSlash) {
			p.Text = text[:query] + string(appendSlashes(nil, text[query:]))
		}
		if !yield(p) || !p.Wild {
			return
		}
		last := strings.LastIndex(text[:query], CodedSlash)
		for i := 0; i < last; i++ {
			if text[i] != '*' || text[i+1] == '*' {
				continue
			}
			p.Text = text[:i+1] + "?*" + string(appendSlashes(nil, text[i+1:]))
			if !yield(p) {
				return
			}
		}
	}
}

// beginsInCode reports whether a piece after a star begins with a part of %2F.
func (p Pattern) beginsInCode() bool {
	return strings.Contains(p.Text, "*2F") || strings.Contains(p.Text, "*F")
}
