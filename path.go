package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// pathOf returns the path of an absolute or scheme-relative URL, or of a path, with
// parameters and, unless the dialect ignores it, the query. It is not a URL parser:
// every input is valid and dot segments are not resolved. If the URL has
// parameters or a query but no path, bare is true and the caller must put a slash
// before the result [G58–G62].
func (r *reading) pathOf(url string) (path string, bare bool) {
	if len(url) < 2 || url[0] != '/' || url[1] == '/' {
		start := pathStart(url)
		if start < 0 {
			return "/", false
		}
		url = url[start:]
	}
	// Google's parser stores the path as a C string, which ends at a NUL [G62].
	path, bare = url[:endOfPath(url)], url[0] != '/'
	if r.pathOnly {
		// Koster 3.1 cites RFC 1738, in which the first '?' ends the path.
		path, _, _ = strings.Cut(path, "?")
	}
	return path, bare
}

// pathStart returns the offset of the path in a URL. The path starts at the first
// '/', '?' or ';' that is not one of two leading slashes or of a "://". The result
// is -1 if there is none, or if a '#' comes first [G58–G60].
func pathStart(url string) int {
	from := 0
	if strings.HasPrefix(url, "//") {
		from = len("//")
	}
	start := firstOf(url, from)
	// A "://" before the path contains the first slash of the URL, so it is
	// enough to look at the bytes around that slash.
	if start > from && start+1 < len(url) && url[start-1:start+2] == "://" {
		start = firstOf(url, start+2)
	}
	return start
}

// firstOf returns the offset of the first '/', '?' or ';' at or after from. It
// returns -1 if there is none, or if a '#' comes first. On strings as short as URLs
// the loop is faster than strings.IndexAny.
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

// endOfPath returns the offset of the first '#' or NUL in s, or len(s) if there is
// none. Few URLs contain a byte below '$', as both are, so it first tests eight bytes
// at a time for such a byte: subtracting '$' sets the top bit only of a lower byte.
func endOfPath(s string) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	if len(s) >= 8 {
		last := ascii.Load8(s[len(s)-8:]) // can overlap the bytes before
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

func (r *reading) rewrites(path string, bare bool) bool { return bare || r.url.Changes(path) }

func (r *reading) appendPath(dst []byte, path string, bare bool) []byte {
	if bare {
		dst = append(dst, '/')
	}
	return r.url.AppendTo(dst, path)
}

// slash sets the slashed form of a path in canonical form, if it differs.
func (r *reading) slash(path string, x *pattern.Matcher) {
	if !r.QuerySlash {
		return
	}
	if form, ok := pattern.AppendSlashed(nil, path); ok {
		x.Slash(ascii.View(form))
	}
}

// EncodeURL returns url in the encoding in which the Google dialect stores rules:
// bytes of 0x80 and above become %HH, and the hex digits of each %hh become upper
// case. Nothing else changes. Call it before a decision if a URL might not be
// encoded yet, because the engine encodes rules but not URLs [G22, G48].
func EncodeURL(url string) string {
	if !pattern.Google.Changes(url) {
		return url
	}
	return string(pattern.Google.AppendTo(make([]byte, 0, len(url)+16), url))
}
