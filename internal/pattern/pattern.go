// Package pattern implements the path patterns of rules: their canonical forms,
// priority and matching, and which paths two patterns match in common. It is
// independent of dialects and files.
package pattern

import "strings"

// Pattern is the path pattern of a rule. The zero Pattern is that of a rule
// without a path: it matches every path and has priority 0.
type Pattern struct {
	Text     string // in canonical form, without the final '$' that anchors it
	Wild     bool   // a '*' in Text is a wildcard, and there is one
	Anchored bool   // the path ends where the pattern does (G44)
}

// New returns the pattern with a text in canonical form. If wildcards is false, '*'
// and '$' are literal.
func New(encoded string, wildcards bool) Pattern {
	p := Pattern{Text: encoded}
	if wildcards {
		p.Text, p.Anchored = strings.CutSuffix(encoded, "$")
		p.Wild = strings.IndexByte(p.Text, '*') >= 0
	}
	return p
}

// String returns the pattern in canonical form, with its final '$', as New reads it.
func (p Pattern) String() string {
	if p.Anchored {
		return p.Text + "$"
	}
	return p.Text
}

// Priority returns the length of the canonical form in octets, including each '*' and
// the final '$'. Of the rules that match, the longest decides [G49, RFC 9309 2.2.2].
func (p Pattern) Priority() int {
	if p.Anchored {
		return len(p.Text) + 1
	}
	return len(p.Text)
}

// indexPage is how the file name of an index page begins.
const indexPage = "index.htm"

// Folder returns the pattern of the folder alone, "/a/$" for "/a/index.html",
// if the text of p has "/index.htm" at its last slash. In dialects with the
// index rule an Allow matches by that pattern too (G53).
func (p Pattern) Folder() (folder Pattern, ok bool) {
	slash := strings.LastIndexByte(p.Text, '/')
	if slash < 0 || !strings.HasPrefix(p.Text[slash+1:], indexPage) {
		return Pattern{}, false
	}
	folder = Pattern{Text: p.Text[:slash+1], Anchored: true}
	folder.Wild = p.Wild && strings.IndexByte(folder.Text, '*') >= 0
	return folder, true
}

// Matches reports whether the pattern matches a path from its start (G42–G46).
// The path is in canonical form. The time is linear in pattern and path.
func (p Pattern) Matches(path string) bool {
	switch {
	case p.Wild:
		return p.EndsLike(path) && matchWild(p.Text, p.Anchored, path)
	case p.Anchored:
		return path == p.Text
	default:
		return strings.HasPrefix(path, p.Text)
	}
}

// EndsLike reports whether the path may match by its last byte. Most anchored
// patterns do not match because of that.
func (p Pattern) EndsLike(path string) bool {
	if !p.Anchored || p.Text == "" || path == "" {
		return true
	}
	last := p.Text[len(p.Text)-1]
	return last == path[len(path)-1] || last == '*' && p.Wild
}

// matchWild matches a pattern with at least one star. The text before the first
// star must begin the path; if anchored, the text after the last star must end
// it; each text between is taken where it is first found after the one before.
// Taking the first place is enough, because it leaves the most for the texts to
// come. So no text is searched twice, whereas Google's parser keeps all
// positions that could match so far (G47), which gives the same answers.
func matchWild(text string, anchored bool, path string) bool {
	from, end, pieces, ok := ends(text, anchored, path)
	if !ok {
		return false
	}
	for path = path[from:end]; ; {
		var piece string
		if piece, pieces = nextPiece(pieces); piece == "" {
			return true
		}
		found := strings.Index(path, piece)
		if found < 0 {
			return false
		}
		path = path[found+len(piece):]
	}
}
