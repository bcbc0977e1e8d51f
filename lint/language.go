package lint

import "strings"

// What can be said about two path patterns without trying paths
//
// A pattern stands for a language: the paths that it matches. Two questions
// about languages are enough to tell which rules decide nothing, and both have
// exact answers in linear time, because a star takes any text.
//
// Containment. Write the pattern p as a word: each star becomes a fresh byte,
// one that no pattern holds, and so does the open end of a pattern without '$'.
// Then L(p) ⊆ L(q) if and only if q matches that word.
//   - If: q has no fresh byte, so only its stars can have taken them. Put any
//     text in the place of each, and the same stars take that text. All paths
//     that p matches arise this way.
//   - Only if: the word itself is a path that p matches.
//
// All paths begin with a slash, so a star in front stands for "/" and anything.
// Where a slash follows it, it may also be that slash and nothing: such a
// pattern has two words, and q must match both.
//
// Intersection. A pattern without a star and with '$' matches one path, which
// the other matches or not. Any two others share a path if and only if the text
// before the first star of one begins with that of the other, and the text
// behind the last star of one ends with that of the other (the open end counts
// as a star). Needed: the shared path begins and ends with both. Enough: the
// longer beginning, the texts between of p, those of q, then the longer end is a
// path that both match, since a star takes what belongs to the other.
//
// Paths here are all byte strings with a slash in front. A dialect in which some
// of them cannot occur makes an answer cautious, never wrong: what is contained
// stays so, and what shares no path still shares none.

// fresh is in no pattern of a dialect with wildcards: all of them write bytes of
// 0x80 and above as %HH.
const fresh = 0xFF

// glob is a path pattern in the dialect's encoding.
type glob struct {
	text     string // without the final '$'
	head     int    // bytes of text before the first star
	wild     bool   // text holds a star
	anchored bool   // a final '$' ends it
	plain    bool   // of a dialect without wildcards, where text may hold any byte
}

func newGlob(pattern string, wildcards bool) glob {
	if !wildcards {
		return glob{text: pattern, head: len(pattern), plain: true}
	}
	g := glob{text: pattern}
	g.text, g.anchored = strings.CutSuffix(pattern, "$")
	g.head = strings.IndexByte(g.text, '*')
	if g.wild = g.head >= 0; !g.wild {
		g.head = len(g.text)
	}
	return g
}

// folder returns the pattern that an Allow which ends in "/index.htm" and
// anything matches by as well (G53).
func (g glob) folder() (folder glob, ok bool) {
	slash := strings.LastIndexByte(g.text, '/')
	if slash < 0 || !strings.HasPrefix(g.text[slash:], "/index.htm") {
		return glob{}, false
	}
	return newGlob(g.text[:slash+1]+"$", true), true
}

// void reports whether no path can match, because none begins so (G46).
func (g glob) void() bool {
	return g.text == "" || g.text[0] != '/' && (g.plain || g.text[0] != '*')
}

// single reports whether the pattern matches one path alone.
func (g glob) single() bool { return g.anchored && !g.wild }

// everything reports whether all paths match.
func (g glob) everything() bool {
	if g.plain {
		return g.text == "/"
	}
	return strings.Trim(strings.TrimPrefix(g.text, "/"), "*") == "" && (g.wild || !g.anchored)
}

// beginning returns what all matching paths begin with. Patterns share no path
// unless the beginning of one begins with that of the other; one contains
// another only if its beginning begins the other's.
func (g glob) beginning() string {
	if g.head == 0 {
		return "/"
	}
	return g.text[:g.head]
}

// words writes the pattern with a fresh byte for each star. The second word is
// empty but for patterns that begin with a star and a slash.
func (g glob) words() (word, second string) {
	if g.plain {
		return g.text, ""
	}
	text := strings.ReplaceAll(g.text, "*", string([]byte{fresh}))
	if !g.anchored {
		text += string([]byte{fresh})
	}
	if g.head > 0 {
		return text, ""
	}
	if rest := strings.TrimLeft(text, string([]byte{fresh})); strings.HasPrefix(rest, "/") {
		second = rest
	}
	return "/" + text, second
}

// contains reports whether g matches all paths of a pattern with these words.
func (g glob) contains(word, second string) bool {
	return g.matches(word) && (second == "" || g.matches(second))
}

// matches reports whether the pattern matches a path (G42–G46). Each text
// between two stars is taken where it is first found, which leaves the most for
// the ones behind it.
func (g glob) matches(path string) bool {
	switch {
	case !g.wild && g.anchored:
		return path == g.text
	case !g.wild:
		return strings.HasPrefix(path, g.text)
	case !strings.HasPrefix(path, g.text[:g.head]):
		return false
	}
	path, text := path[g.head:], g.text[g.head+1:]
	if g.anchored {
		end := g.end()
		if !strings.HasSuffix(path, end) {
			return false
		}
		path, text = path[:len(path)-len(end)], text[:len(text)-len(end)]
	}
	for text != "" {
		part, rest, _ := strings.Cut(text, "*")
		found := strings.Index(path, part)
		if found < 0 {
			return false
		}
		path, text = path[found+len(part):], rest
	}
	return true
}

// shortened returns the pattern without an end that changes nothing about what
// it matches: "/a*", "/a**" and "/a*$" are "/a".
func (g glob) shortened() (pattern string, ok bool) {
	if g.plain || !strings.HasSuffix(g.text, "*") {
		return "", false
	}
	if pattern = strings.TrimRight(g.text, "*"); pattern == "" {
		pattern = "/"
	}
	return pattern, true
}

// end returns what all matching paths end with: nothing if the end is open.
func (g glob) end() string {
	if !g.anchored {
		return ""
	}
	return g.text[strings.LastIndexByte(g.text, '*')+1:]
}

// meets reports whether a path exists that both match. Neither is void.
func (g glob) meets(other glob) bool {
	switch {
	case g.single():
		return other.matches(g.text)
	case other.single():
		return g.matches(other.text)
	}
	a, b := g.text[:g.head], other.text[:other.head]
	if !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) {
		return false
	}
	a, b = g.end(), other.end()
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// letters returns the bytes in the pattern's text but stars, folded into 64
// bits. A pattern that contains another needs none that the other has not.
func (g glob) letters() (set uint64) {
	for i := 0; i < len(g.text); i++ {
		if c := g.text[i]; c != '*' || g.plain {
			set |= 1 << (c & 63)
		}
	}
	return set
}
