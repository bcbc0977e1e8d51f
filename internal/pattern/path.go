package pattern

import "strings"

// Path is a path that many patterns are matched against. Each search of a piece
// of a pattern takes time linear in the path, so that a file of fifty thousand
// patterns could take a tenth of a second for one path of two thousand bytes.
// Beyond a bound on that work a Path prepares tables in which pieces are found at
// once.
//
// A Path is for one goroutine, and must be freed.
type Path struct {
	Text     string
	work     int
	prepared *preparation
}

// preparation is not a part of Path because its tables go back to a pool: to the
// compiler what is beside them would escape to the heap, and Text must not.
type preparation struct{ places *places } // nil unless the work was much

// NewPath returns a path in canonical form.
func NewPath(text string) Path { return Path{Text: text, prepared: new(preparation)} }

// preparedFrom is the work, about in nanoseconds, from which tables are made.
const preparedFrom = 20_000

// Matches reports whether the pattern matches the path, as Pattern.Matches does.
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

// Free ends the use of the path.
func (p *Path) Free() {
	if x := p.prepared; x.places != nil {
		x.places.free()
		x.places = nil
	}
}

// matchPrepared is matchWild with tables.
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

// ends matches the text before the first star of a pattern and, if that is
// anchored, the text after the last one. It returns the part of the path that is
// left between them, and the part of the pattern: pieces between stars.
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

// nextPiece returns what is between the first stars of pieces, "" if there are
// only stars left, and the rest. Of a run of stars, one is enough.
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
