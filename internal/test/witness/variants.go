package witness

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// variant returns one witness of a pattern, or "" if there is none of this kind. fill
// is a text that is probably not in any pattern.
type variant func(g *glob, fill string) string

// variants contains all variants, those first that most often show a difference. The
// i-th is used in round i.
var variants = []variant{
	// The border of the pattern. These come before all pairs (see early).
	func(g *glob, fill string) string { return g.filled("") },
	func(g *glob, fill string) string { return g.filled(fill) },
	func(g *glob, fill string) string { return g.filled("") + fill },
	func(g *glob, fill string) string { return dropLast(g.filled("")) },

	// Other tails and fillings.
	func(g *glob, fill string) string { return g.filled(fill) + fill },
	func(g *glob, fill string) string { return g.filled("") + "/" },
	func(g *glob, fill string) string { return g.filled("") + "?q" },
	func(g *glob, fill string) string { return g.filled("a/b") },
	func(g *glob, fill string) string { return g.filled("/") },
	func(g *glob, fill string) string { return g.instance(func(next string) string { return next }) },
	func(g *glob, fill string) string { return changeLast(g.filled("")) },
	func(g *glob, fill string) string { return dropLast(g.filled(fill)) },
	func(g *glob, fill string) string { return flip(g.filled(""), firstLetter) },
	func(g *glob, fill string) string { return g.filled("") + "$" },
	func(g *glob, fill string) string { return g.filled("*") },
	func(g *glob, fill string) string { return g.text },
	func(g *glob, fill string) string { return g.filled("") + ".html" },
	func(g *glob, fill string) string { return g.filled(fill) + "/" },
	func(g *glob, fill string) string { return g.filled(fill) + "?q" },
	func(g *glob, fill string) string { return g.filled("?" + fill) },
	func(g *glob, fill string) string { return g.instance(dropLast) }, // aab for *ab
	func(g *glob, fill string) string { return rooted(g.segs[0]) + fill },
	func(g *glob, fill string) string { return rooted(g.segs[len(g.segs)-1]) },
	func(g *glob, fill string) string { return twice(g, fill) },

	// Percent codes.
	func(g *glob, fill string) string { return recode(g, lowerCodes) },
	func(g *glob, fill string) string { return recode(g, rawHigh) },
	func(g *glob, fill string) string { return recode(g, rawASCII) },
	func(g *glob, fill string) string { return recode(g, codeSome("~-._", false)) },
	func(g *glob, fill string) string { return recode(g, codeSome("~-._", true)) },
	func(g *glob, fill string) string { return codeOne(g.filled(""), firstLetter, false) },
	func(g *glob, fill string) string { return codeOne(g.filled(""), lastByte, false) },
	func(g *glob, fill string) string { return codeOne(g.filled(""), lastByte, true) },
	func(g *glob, fill string) string { return codeOne(g.filled(""), innerSlash, false) },
	func(g *glob, fill string) string { return codeOne(g.filled(""), innerSlash, true) },
	func(g *glob, fill string) string { return recode(g, codeSome("?&=:;,+@!'() \"<>[]|", false)) },
	func(g *glob, fill string) string { return codeQuery(g.filled("")) },
	func(g *glob, fill string) string { return recode(g, codeSome("*$", false)) },
	func(g *glob, fill string) string { return coded(g, "%2A", "%24") },
	func(g *glob, fill string) string { return coded(g, "%2a", "%24") },
	func(g *glob, fill string) string { return strings.ReplaceAll(g.filled(""), "%", "%25") },
	func(g *glob, fill string) string { return strings.ReplaceAll(g.filled(""), "%20", "+") },

	// Slashes.
	func(g *glob, fill string) string { return "/" + g.filled("") },
	func(g *glob, fill string) string { return splice(g.filled(""), innerSlash, "//") },
	func(g *glob, fill string) string { return splice(g.filled(""), innerSlash, "") },
	func(g *glob, fill string) string { return splice(g.filled(""), innerSlash, "/./") },
	func(g *glob, fill string) string { return within(g.text) },
	func(g *glob, fill string) string { return g.filled("") + "index.html" },

	// Queries and parameters.
	func(g *glob, fill string) string { return splice(g.filled(""), innerSlash, "?") },
	func(g *glob, fill string) string { return splice(g.filled(""), innerSlash, "/?") },
	func(g *glob, fill string) string { return splice(g.filled(""), query, "") },
	func(g *glob, fill string) string { return splice(g.filled(""), query, "/?") },
	func(g *glob, fill string) string { return splice(g.filled(""), query, "?"+fill+"=1&") },
	func(g *glob, fill string) string { return splice(g.filled(""), query, "&") },
	func(g *glob, fill string) string { return beforeQuery(g.filled("")) },
	func(g *glob, fill string) string { return g.filled("") + "&" + fill + "=1" },
	func(g *glob, fill string) string { return g.filled("") + ";" + fill },

	// Case.
	func(g *glob, fill string) string { return flip(g.filled(""), lastLetter) },
	func(g *glob, fill string) string { return strings.ToLower(g.filled("")) },
	func(g *glob, fill string) string { return strings.ToUpper(g.filled("")) },
}

func dropLast(s string) string { return s[:max(0, len(s)-1)] }

func changeLast(s string) string {
	c := s[len(s)-1] ^ 1 // a letter stays a letter, mostly; / becomes .
	if c == '#' || c <= ' ' || c >= 0x7f {
		c = '0'
	}
	return dropLast(s) + string(rune(c))
}

// twice returns a path that ends with the last literal, another text and the last
// literal again. A final '$' matches there, but a matcher that stops at the first
// occurrence misses it.
func twice(g *glob, fill string) string {
	if !g.Wild {
		return ""
	}
	return g.filled(fill) + fill + g.segs[len(g.segs)-1]
}

// The functions below return the index of a byte in a path that starts with a slash,
// or -1.

func firstLetter(s string) int { return findLetter(s, false) }
func lastLetter(s string) int  { return findLetter(s, true) }

func findLetter(s string, last bool) int {
	found := -1
	for i := 1; i < len(s); i++ {
		if s[i] == '%' {
			i += 2
			continue
		}
		if ascii.IsLetter(s[i]) {
			found = i
			if !last {
				break
			}
		}
	}
	return found
}

// innerSlash finds the last slash that is neither the first nor the last byte.
func innerSlash(s string) int {
	i := strings.LastIndexByte(strings.TrimSuffix(s, "/"), '/')
	if i < 1 {
		return -1
	}
	return i
}

// lastByte finds the last byte, unless it is the first one or part of a code.
func lastByte(s string) int {
	last := len(s) - 1
	if last < 1 || strings.Contains(s[max(0, last-2):], "%") {
		return -1
	}
	return last
}

func query(s string) int { return strings.IndexByte(s, '?') }

func replace(s string, find func(string) int, text func(c byte) string) string {
	i := find(s)
	if i < 0 {
		return ""
	}
	return s[:i] + text(s[i]) + s[i+1:]
}

func splice(s string, find func(string) int, text string) string {
	return replace(s, find, func(byte) string { return text })
}

func flip(s string, find func(string) int) string {
	return replace(s, find, func(c byte) string { return string(rune(c ^ 0x20)) })
}

func codeOne(s string, find func(string) int, lower bool) string {
	return replace(s, find, func(c byte) string { return percent(c, lower) })
}

func percent(c byte, lower bool) string {
	if lower {
		return strings.ToLower(ascii.Percent(c))
	}
	return ascii.Percent(c)
}

// codeQuery replaces the reserved characters after the first '?' by percent codes.
func codeQuery(s string) string {
	path, q, ok := strings.Cut(s, "?")
	if !ok {
		return ""
	}
	return path + "?" + respell(q, codeSome("/:?&=", false))
}

// coded returns the pattern read as a literal, with percent codes for its stars and
// its '$'.
func coded(g *glob, star, dollar string) string {
	s := g.filled(star)
	if g.Anchored {
		s += dollar
	}
	return s
}

// within returns the path of a pattern that is written as a whole URL.
func within(pattern string) string {
	_, rest, ok := strings.Cut(pattern, "://")
	if !ok {
		return ""
	}
	_, path, ok := strings.Cut(rest, "/")
	if !ok {
		return "/"
	}
	return parse("/" + path).filled("")
}

func beforeQuery(s string) string {
	if path, _, ok := strings.Cut(s, "?"); ok {
		return path
	}
	return ""
}

func recode(g *glob, spell func(byte, bool) string) string {
	return respell(g.filled(""), spell)
}

func lowerCodes(c byte, coded bool) string {
	if coded {
		return percent(c, true)
	}
	return string([]byte{c})
}

func rawHigh(c byte, coded bool) string {
	if coded && c < 0x80 {
		return ascii.Percent(c)
	}
	return string([]byte{c})
}

func rawASCII(c byte, coded bool) string {
	if coded && (c < ' ' || c >= 0x7f) {
		return ascii.Percent(c)
	}
	return string([]byte{c})
}

func codeSome(chars string, lower bool) func(byte, bool) string {
	return func(c byte, coded bool) string {
		if coded {
			return ascii.Percent(c)
		}
		if strings.IndexByte(chars, c) < 0 {
			return string([]byte{c})
		}
		return percent(c, lower)
	}
}
