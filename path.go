package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// pathOf finds the path, with parameters and query, of an absolute or
// scheme-relative URL or of a path (G58–G62). This is no URL parser: nothing
// is invalid, nothing is resolved. If bare, the path lacks the slash that
// belongs in front of it, because the URL has a query but no path (G59). Of a
// dialect that compares paths alone the query is left out.
func (r *reading) pathOf(url string) (path string, bare bool) {
	url = strings.TrimPrefix(url, "//")
	start := pathStart(url)
	end := strings.IndexByte(url, '#')
	if end < 0 {
		end = len(url)
	}
	if start < 0 || end < start {
		return "/", false // nothing, or the fragment first (G60)
	}
	path = url[start:end]
	// Google's parser keeps the path as a C string, which ends at a NUL (G62).
	if nul := strings.IndexByte(path, 0); nul >= 0 {
		path = path[:nul]
	}
	bare = path[0] != '/'
	if r.pathOnly {
		// The first '?' ends the path of RFC 1738, which Koster 3.1 cites.
		path, _, _ = strings.Cut(path, "?")
	}
	return path, bare
}

// pathStart returns where the path of a URL without leading slashes starts, or
// -1: at the first of "/?;" that does not belong to a "://" (G58, G59).
func pathStart(url string) int {
	start := firstOf(url, 0)
	// A "://" holds a slash, so if it comes before the path it is the first
	// slash with its two neighbours.
	if start > 0 && start+1 < len(url) && url[start-1:start+2] == "://" {
		start = firstOf(url, start+2)
	}
	return start
}

// firstOf returns the offset of the first '/', '?' or ';' at or after from, or
// -1. On strings this short a loop is faster than strings.IndexAny.
func firstOf(url string, from int) int {
	for i := from; i < len(url); i++ {
		if c := url[i]; c == '/' || c == '?' || c == ';' {
			return i
		}
	}
	return -1
}

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
