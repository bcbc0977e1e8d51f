package pattern

import "strings"

// Relations between patterns, decided without trying paths
//
// A pattern matches a set of paths. Two questions about these sets have exact
// answers in linear time, because a star matches any text.
//
// Containment: does q match every path that p matches? The exemplar of p is its
// text with each star replaced by a byte that q does not contain, and with one
// more such byte at the end unless p is anchored. The answer is yes if and only
// if q matches the exemplar.
//   - If q matches the exemplar, only stars of q can have matched the replaced
//     bytes. Every path that p matches has some text in their places, and the
//     same stars match that text.
//   - The exemplar is itself a path that p matches. If q does not match it, q
//     does not contain p.
//
// All paths begin with a slash. So a star at the start of p matches a slash and any text; if a
// slash follows, it can also match nothing. Such a pattern has two exemplars, and q must match
// both.
//
// Intersection: is there a path that both match? An anchored pattern without a star matches one
// path, which the other pattern matches or not. For any two other patterns, call the text
// before the first star the beginning, and the text after the last star the end (an open end
// counts as a star). The answer is yes if and only if one beginning begins with the other, and
// one end ends with the other.
//   - A path that both match begins and ends with both texts.
//   - The longer beginning, the texts between the stars of p, the texts of q, then
//     the longer end make a path that both match: a star of one matches what
//     belongs to the other.
//
// Patterns of RFC 9309 (see slash.go) have the same answers. Containment: the exemplar has no '?'
// except p's own, so no path of p begins its query later. If a path begins its query earlier,
// more of its slashes are slashes of the query, and these match everything that they matched
// before. The exception is a part of %2F: a text of q that begins with such a part is not
// compared with %2F in p. Intersection: the path can begin its query at the first star, and then
// all slashes after it are equal.
//
// Paths are here all byte strings that begin with a slash. In a dialect in which
// some of these cannot occur an answer is cautious, never wrong: p is still
// contained in q, and patterns without a common path still have none.

// fresh is the byte that replaces stars. Patterns with wildcards do not contain
// it: the encodings of all dialects that have wildcards write bytes of 0x80 and
// above as %HH.
const fresh = "\xFF"

// Head returns the text before the first star.
func (p Pattern) Head() string {
	if p.Wild {
		return p.Text[:strings.IndexByte(p.Text, '*')]
	}
	return p.Text
}

// Tail returns the text with which all matching paths end, "" if the end is open.
func (p Pattern) Tail() string {
	switch {
	case !p.Anchored:
		return ""
	case p.Wild:
		return p.Text[strings.LastIndexByte(p.Text, '*')+1:]
	default:
		return p.Text
	}
}

// Beginning returns the longest text with which all matching paths begin. Patterns have no
// common path unless one beginning begins with the other; a pattern is contained in another
// only if its beginning begins with the other's.
func (p Pattern) Beginning() string {
	if head := p.Head(); head != "" {
		return head
	}
	return "/"
}

// MatchesNone reports whether no path matches, because none begins like the
// pattern: neither with a slash nor with a wildcard [G46].
func (p Pattern) MatchesNone() bool {
	if p.Text == "" {
		return p.Anchored
	}
	return p.Text[0] != '/' && !(p.Wild && p.Text[0] == '*')
}

// MatchesEvery reports whether every path matches. It is exact, and the only such test: "/"
// does in every dialect, and with wildcards "*", "/*", "*/", "/*$" and others.
func (p Pattern) MatchesEvery() bool {
	if !p.Wild && !p.Anchored {
		return p.Text == "" || p.Text == "/"
	}
	return p.Matches("/" + fresh) // the exemplar of the pattern that matches every path
}

// IsLiteral reports whether the pattern matches one path only, its text.
func (p Pattern) IsLiteral() bool { return p.Anchored && !p.Wild }

// WithoutRedundantEnd returns the pattern without a final run of stars, which
// changes its priority but not the paths that it matches: "/a" for "/a*",
// "/a**" and "/a*$". It is not ok if there is no such end, or if a '$' before it
// would become an anchor.
func (p Pattern) WithoutRedundantEnd() (shorter Pattern, ok bool) {
	if !p.Wild || !strings.HasSuffix(p.Text, "*") {
		return Pattern{}, false
	}
	text := strings.TrimRight(p.Text, "*")
	if text == "" {
		text = "/"
	}
	return New(text, true), !strings.HasSuffix(text, "$")
}

// WithoutRuns returns the pattern with one star for each run of them, which
// matches the same paths.
func (p Pattern) WithoutRuns() Pattern {
	if !p.Wild || !strings.Contains(p.Text, "**") {
		return p
	}
	var b strings.Builder
	for i := range len(p.Text) {
		if i == 0 || p.Text[i] != '*' || p.Text[i-1] != '*' {
			b.WriteByte(p.Text[i])
		}
	}
	p.Text = b.String()
	return p
}

// Exemplars are the paths that decide whether another pattern contains a
// pattern. Making them once saves time where many containments are tried.
type Exemplars struct {
	path   string
	head   int    // bytes of path before the first replaced one
	second string // "" for patterns that do not begin with a star and a slash

	codedSlash bool // the pattern contains %2F
}

// ExemplarsIn returns the exemplars of a pattern that matches some path. It appends their text to
// texts, so that the exemplars of many patterns take few allocations.
func (p Pattern) ExemplarsIn(texts *strings.Builder) Exemplars {
	head := p.Head()
	start := texts.Len()
	texts.Grow(len("/") + len(p.Text) + len(fresh))
	if head == "" {
		texts.WriteByte('/')
	}
	for i := range len(p.Text) {
		if p.Wild && p.Text[i] == '*' {
			texts.WriteString(fresh)
		} else {
			texts.WriteByte(p.Text[i])
		}
	}
	if !p.Anchored {
		texts.WriteString(fresh)
	}
	codedSlash := p.Slashes && strings.Contains(p.Text, CodedSlash)
	e := Exemplars{path: texts.String()[start:], head: len(head), codedSlash: codedSlash}
	if head != "" {
		return e
	}
	e.head = len("/")
	rest := e.path[e.head:]
	for strings.HasPrefix(rest, fresh) { // strings.TrimLeft requires UTF-8
		rest = rest[len(fresh):]
	}
	if strings.HasPrefix(rest, "/") {
		e.second = rest
	}
	return e
}

// ContainsAll reports whether p matches every path of the pattern with these
// exemplars.
func (p Pattern) ContainsAll(e Exemplars) bool {
	if !p.Wild && !p.Anchored {
		// Not by Matches: without wildcards a pattern can contain any byte.
		return strings.HasPrefix(e.path[:e.head], p.Text)
	}
	if p.Slashes && e.codedSlash && p.beginsInCode() {
		return false
	}
	return p.Matches(e.path) && (e.second == "" || p.Matches(e.second))
}

// Contains reports whether p matches every path that q matches. It is exact.
func (p Pattern) Contains(q Pattern) bool {
	return q.MatchesNone() || p.ContainsAll(q.ExemplarsIn(new(strings.Builder)))
}

// Intersects reports whether there is a path that both p and q match. It is
// exact.
func (p Pattern) Intersects(q Pattern) bool {
	switch {
	case p.MatchesNone() || q.MatchesNone():
		return false
	case p.IsLiteral():
		return q.Matches(p.Text)
	case q.IsLiteral():
		return p.Matches(q.Text)
	}
	a, b := p.Head(), q.Head()
	if !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) {
		return false
	}
	a, b = p.Tail(), q.Tail()
	return endAlike(a, b) || p.Slashes && endAlike(string(appendSlashes(nil, a)), string(appendSlashes(nil, b)))
}

func endAlike(a, b string) bool { return strings.HasSuffix(a, b) || strings.HasSuffix(b, a) }
