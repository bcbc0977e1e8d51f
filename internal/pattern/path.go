package pattern

import "strings"

// Matcher matches one path with many patterns. Each search for a piece of a pattern takes
// time linear in the path, so a file of fifty thousand patterns could take a tenth of a second
// for a path of two thousand bytes. When the searches have taken a certain time, the Matcher
// makes tables that find a piece without a search.
//
// A Matcher is for one path, in canonical form, which its methods take as a parameter: the path
// would escape to the heap as a field, because tables go to a pool. For the same reason a struct
// with the path must not have a pointer to the Matcher, in builds with a profile. A Matcher must
// be used by one goroutine, and freed. The zero value is ready to use.
type Matcher struct {
	slashed string // the slashed form of the path if it differs, or "": see slash.go
	query   int    // offset in slashed after the first '?', 0 if there is none
	work    int
	places  *places // nil until tables are needed
}

// Slash sets the slashed form of the path, which AppendSlashed returns.
func (m *Matcher) Slash(form string) {
	m.slashed = form
	m.query = strings.IndexByte(form, '?') + 1
}

// Wildcards returns the form of the path that patterns with wildcards are matched with.
func (m *Matcher) Wildcards(path string) string {
	if m.query > 0 {
		return m.slashed
	}
	return path
}

// EndsLike returns false if the last byte of the path shows that an anchored pattern does
// not match.
func (m *Matcher) EndsLike(path string, q Pattern) bool { return m.query > 0 || q.EndsLike(path) }

// preparedFrom is the work after which tables are made, approximately in nanoseconds.
const preparedFrom = 20_000

// shortPattern is the length in bytes of patterns whose pieces are found eight bytes at a time
// at least. For longer ones strings.Index might compare the path byte by byte.
const shortPattern = 64

// Matches reports whether the pattern matches the path, like Pattern.Matches.
func (m *Matcher) Matches(path string, q Pattern) bool {
	switch {
	case !q.Wild:
		return q.Matches(path)
	case m.query > 0:
		return m.matchSlashed(q)
	}
	return m.matchIn(path, q)
}

// matchIn matches a pattern with a star with a form of the path.
func (m *Matcher) matchIn(text string, q Pattern) bool {
	if !q.EndsLike(text) {
		return false
	}
	if len(q.Text) <= shortPattern {
		m.work += len(text) / 8
	} else {
		m.work += len(text)
	}
	if m.work <= preparedFrom {
		return matchWild(q.Text, q.Anchored, text)
	}
	return matchPrepared(q, text, m.tables())
}

// MatchesAfter does what Matches does for a pattern with a star and no '$', if the path is known
// to begin with the n bytes before the first star.
func (m *Matcher) MatchesAfter(path, text string, n int) bool {
	if len(text) > shortPattern || m.query > 0 || m.work+len(path)/8 > preparedFrom {
		return m.Matches(path, Pattern{Text: text, Wild: true})
	}
	m.work += len(path) / 8
	return hasPieces(path[n:], text[n+1:])
}

func (m *Matcher) tables() *places {
	if m.places == nil {
		m.places = newPlaces()
	}
	return m.places
}

// Free ends the use of the Matcher.
func (m *Matcher) Free() {
	if m.places != nil {
		m.places.free()
		m.places = nil
	}
}

// matchPrepared does the same as matchWild, with tables.
func matchPrepared(q Pattern, path string, x *places) bool {
	from, end, pieces, ok := ends(q.Text, q.Anchored, path)
	if !ok || !x.mayEnd(path, pieces, from) {
		return false
	}
	for {
		var piece string
		piece, pieces = nextPiece(pieces)
		if piece == "" {
			return true
		}
		found := x.find(path, piece, from)
		if found < 0 || found+len(piece) > end {
			return false
		}
		from = found + len(piece)
	}
}

// ends matches the text before the first star of a pattern and, if the pattern is
// anchored, the text after the last star. It returns the range of the path between the
// two, and the rest of the pattern: pieces separated by stars.
func ends(text string, anchored bool, path string) (from, end int, pieces string, ok bool) {
	from, end = strings.IndexByte(text, '*'), len(path)
	if !strings.HasPrefix(path, text[:from]) {
		return 0, 0, "", false
	}
	pieces = text[from+1:]
	if anchored {
		tail := pieces[strings.LastIndexByte(pieces, '*')+1:]
		if !strings.HasSuffix(path[from:], tail) {
			return 0, 0, "", false
		}
		end -= len(tail)
		pieces = pieces[:len(pieces)-len(tail)]
	}
	return from, end, pieces, true
}

// nextPiece returns the first piece and the rest. The piece is "" if there are only stars.
// A run of stars is like one star.
func nextPiece(pieces string) (piece, rest string) {
	for pieces != "" && pieces[0] == '*' {
		pieces = pieces[1:]
	}
	n := 0
	for n < len(pieces) && pieces[n] != '*' {
		n++
		if n == 16 {
			if more := strings.IndexByte(pieces[n:], '*'); more >= 0 {
				return pieces[:n+more], pieces[n+more:]
			}
			return pieces, ""
		}
	}
	return pieces[:n], pieces[n:]
}
