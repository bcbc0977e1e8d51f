package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// pathOf finds the path, with parameters and query, of an absolute or
// scheme-relative URL or of a path (G58–G62). This is no URL parser: nothing
// is invalid, nothing is resolved. If bare, the path lacks the slash that
// belongs in front of it, because the URL has a query but no path (G59). Of a
// dialect that compares paths alone the query is left out.
func (r *reading) pathOf(url string) (path string, bare bool) {
	if len(url) < 2 || url[0] != '/' || url[1] == '/' {
		start := pathStart(url)
		if start < 0 {
			return "/", false
		}
		url = url[start:]
	}
	// Google's parser keeps the path as a C string, which ends at a NUL (G62).
	path, bare = url[:endOfPath(url)], url[0] != '/'
	if r.pathOnly {
		// The first '?' ends the path of RFC 1738, which Koster 3.1 cites.
		path, _, _ = strings.Cut(path, "?")
	}
	return path, bare
}

// pathStart returns where the path of a URL starts: at the first of "/?;" that
// belongs neither to leading slashes nor to a "://" (G58, G59). It is -1 if there
// is none, or a '#' before it (G60).
func pathStart(url string) int {
	from := 0
	if strings.HasPrefix(url, "//") {
		from = len("//")
	}
	start := firstOf(url, from)
	// A "://" holds a slash, so if it comes before the path it is the first
	// slash with its two neighbours.
	if start > from && start+1 < len(url) && url[start-1:start+2] == "://" {
		start = firstOf(url, start+2)
	}
	return start
}

// firstOf returns the offset of the first '/', '?' or ';' at or after from, or
// -1 if there is none or a '#' before it. On strings this short a loop is faster
// than strings.IndexAny.
func firstOf(url string, from int) int {
	for i := from; i < len(url); i++ {
		switch url[i] {
		case '/', '?', ';':
			return i
		case '#':
			return -1
		}
	}
	return -1
}

// endOfPath returns the offset of the first '#' or NUL in s, its length if there
// is none. Few URLs have a byte below '$', as both are, and eight bytes tell at
// once: only such a byte has its top bit set by the subtraction and not before.
func endOfPath(s string) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	if len(s) >= 8 {
		last := ascii.Load8(s[len(s)-8:]) // may overlap those before
		below := (last - '$'*ones) &^ last
		for rest := s; len(rest) >= 8; rest = rest[8:] {
			word := ascii.Load8(rest)
			below |= (word - '$'*ones) &^ word
		}
		if below&tops == 0 {
			return len(s)
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '#' || s[i] == 0 {
			return i
		}
	}
	return len(s)
}

// rewrites reports whether the dialect compares anything but the path itself.
func (r *reading) rewrites(path string, bare bool) bool { return bare || r.url.Changes(path) }

// appendPath appends the path to dst as the dialect compares it.
func (r *reading) appendPath(dst []byte, path string, bare bool) []byte {
	if bare {
		dst = append(dst, '/')
	}
	return r.url.AppendTo(dst, path)
}

// EncodeURL prepares a URL for a decision where it may not be encoded yet:
// bytes of 0x80 and above become %HH and the hex digits of each %hh are written
// in upper case, as in the rules it will be compared with (G22, G48). Nothing
// else changes; a URL that needs none of it is returned as it is.
func EncodeURL(url string) string {
	if !pattern.Google.Changes(url) {
		return url
	}
	return string(pattern.Google.AppendTo(make([]byte, 0, len(url)+16), url))
}
