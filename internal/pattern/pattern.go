// Package pattern implements the path patterns of rules: their canonical forms,
// priority and matching, and which paths two patterns match in common. It is
// independent of dialects and files.
package pattern

import "strings"

// Pattern is the path pattern of a rule. The zero Pattern belongs to a rule
// without a path: it matches every path and has priority 0.
type Pattern struct {
	Text     string // in canonical form, without the final '$' that anchors it
	Wild     bool   // a '*' in Text is a wildcard, and there is one
	Anchored bool   // a matching path ends where the pattern ends [G44]

	// Slashes is true if paths and patterns are in the canonical form of RFC 9309: see
	// slash.go. A Matcher knows the spelling of its path.
	Slashes bool
}

// New returns the pattern with a text in canonical form. If wildcards is false, '*'
// and '$' are literal.
func New(encoded string, wildcards bool) Pattern {
	p, _ := Read(encoded, wildcards)
	return p
}

// Read returns what New does, and the number of bytes before the first star, or of all.
func Read(encoded string, wildcards bool) (p Pattern, before int) {
	if !wildcards {
		return Pattern{Text: encoded}, len(encoded)
	}
	p.Text, p.Anchored = strings.CutSuffix(encoded, "$")
	before = strings.IndexByte(p.Text, '*')
	p.Wild = before >= 0
	if !p.Wild {
		before = len(p.Text)
	}
	return p, before
}

// String returns the pattern in canonical form, with its final '$', as New reads it.
func (p Pattern) String() string {
	if p.Anchored {
		return p.Text + "$"
	}
	return p.Text
}

// Priority returns the length of the canonical form in octets, including each '*' and the final
// '$'. The longest matching rule decides [G49, RFC 9309 2.2.2].
func (p Pattern) Priority() int {
	if p.Anchored {
		return len(p.Text) + 1
	}
	return len(p.Text)
}

const indexPage = "index.htm"

// Folder returns the pattern of the folder, such as "/a/$" for "/a/index.html". It is ok if
// the text of p has "/index.htm" at its last slash. In dialects with the index rule, an
// Allow also matches the paths of that pattern [G53].
func (p Pattern) Folder() (folder Pattern, ok bool) {
	if len(p.Text) <= len(indexPage) {
		return Pattern{}, false
	}
	slash := strings.LastIndexByte(p.Text, '/')
	if slash < 0 || !strings.HasPrefix(p.Text[slash+1:], indexPage) {
		return Pattern{}, false
	}
	folder = Pattern{Text: p.Text[:slash+1], Anchored: true}
	folder.Wild = p.Wild && strings.IndexByte(folder.Text, '*') >= 0
	return folder, true
}

// Matches reports whether the pattern matches a path in canonical form, from its start. The
// time is linear in pattern and path [G42–G46].
func (p Pattern) Matches(path string) bool {
	switch {
	case p.Wild && p.Slashes:
		return p.matchSlashes(path)
	case p.Wild:
		return p.EndsLike(path) && matchWild(p.Text, p.Anchored, path)
	case p.Anchored:
		return path == p.Text
	default:
		return strings.HasPrefix(path, p.Text)
	}
}

// EndsLike returns false if the last byte of the path shows that the pattern does not
// match, as it does for most anchored patterns.
func (p Pattern) EndsLike(path string) bool {
	if !p.Anchored || p.Text == "" || path == "" {
		return true
	}
	last := p.Text[len(p.Text)-1]
	return last == path[len(path)-1] || last == '*' && p.Wild
}

// matchWild matches a pattern with at least one star. The path must begin with the text
// before the first star and, if the pattern is anchored, end with the text after the last
// star. Each text between two stars is matched at its first occurrence after the previous
// text. A later occurrence cannot match more paths, because it leaves less of the path for
// the next texts; so nothing is searched twice. Google's parser instead keeps the set of
// all positions that could match, with the same results [G47].
func matchWild(text string, anchored bool, path string) bool {
	from, end, pieces, ok := ends(text, anchored, path)
	if !ok {
		return false
	}
	return hasPieces(path[from:end], pieces)
}

// hasPieces reports whether path contains pieces, which stars separate, in their order and without
// overlap.
func hasPieces(path, pieces string) bool {
	for {
		var piece string
		piece, pieces = nextPiece(pieces)
		if piece == "" {
			return true
		}
		found := strings.Index(path, piece)
		if found < 0 {
			return false
		}
		path = path[found+len(piece):]
	}
}
