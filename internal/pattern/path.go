package pattern

import "strings"

// Path is a path that is matched with many patterns. Each search for a piece of a pattern
// takes time linear in the path, so a file of fifty thousand patterns could take a tenth
// of a second for a path of two thousand bytes. When the searches have taken a certain
// time, the Path makes tables that find a piece without a search.
//
// A Path must be used by one goroutine, and freed.
type Path struct {
	Text     string
	work     int
	prepared *preparation
}

// preparation is a struct of its own because places go to a pool. If they were a field of
// Path, the compiler would move Text to the heap with them.
type preparation struct{ places *places } // nil until tables are needed

// NewPath returns the Path of a text in canonical form.
func NewPath(text string) Path { return Path{Text: text, prepared: new(preparation)} }

// preparedFrom is the work after which tables are made, approximately in nanoseconds.
const preparedFrom = 20_000

// Matches reports whether the pattern matches the path, like Pattern.Matches.
func (p *Path) Matches(q Pattern) bool {
	if !q.Wild {
		return q.Matches(p.Text)
	}
	if !q.EndsLike(p.Text) {
		return false
	}
	if p.work += len(p.Text) / 8; p.work <= preparedFrom {
		return matchWild(q.Text, q.Anchored, p.Text)
	}
	return p.matchPrepared(q)
}

// Free ends the use of the Path.
func (p *Path) Free() {
	if x := p.prepared; x.places != nil {
		x.places.free()
		x.places = nil
	}
}

// matchPrepared does the same as matchWild, with tables.
func (p *Path) matchPrepared(q Pattern) bool {
	x := p.prepared
	if x.places == nil {
		x.places = newPlaces()
	}
	from, end, pieces, ok := ends(q.Text, q.Anchored, p.Text)
	if !ok {
		return false
	}
	for {
		var piece string
		if piece, pieces = nextPiece(pieces); piece == "" {
			return true
		}
		found := x.places.find(p.Text, piece, from)
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
	}
	return pieces[:n], pieces[n:]
}
