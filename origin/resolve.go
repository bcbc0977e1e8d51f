package origin

import (
	"cmp"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Resolve reads a reference on a page or in a header of the response at u, such as the value of href or
// Location, as browsers do (WHATWG URL), and returns what [Text] returns for the whole URL: http:r2.txt at
// an http URL is r2.txt in its folder, a backslash is a slash, and any number of slashes from two on
// precedes a host. Percent codes stay as they are. If u has no origin, Resolve returns Text(reference).
func (u URL) Resolve(reference string) URL {
	if u.target == 0 {
		return Text(reference)
	}
	return Text(absolute(u.text, reference))
}

// absolute returns the absolute URL of a reference at a serialised URL. [WHATWG URL 4.4, "basic URL parser"]
func absolute(from, reference string) string {
	reference = tabsAndBreaks.Replace(trimSpaceAndControls(reference))
	scheme, rest, _ := strings.Cut(from, "://")
	end := len(rest)
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		end = i
	}
	authority, path := rest[:end], rest[end:]
	path, query, hasQuery := strings.Cut(path, "?")
	path = cmp.Or(path, "/")
	if name, other, ok := strings.Cut(reference, ":"); ok && isScheme(name) {
		if !strings.EqualFold(name, scheme) {
			return reference
		}
		reference = other // relative if no two slashes follow
	}
	slashes := len(reference) - len(strings.TrimLeft(reference, `/\`))
	switch {
	case slashes >= 2:
		return scheme + "://" + reference[slashes:]
	case slashes == 1:
		return scheme + "://" + authority + reference
	case strings.HasPrefix(reference, "?"):
		return scheme + "://" + authority + path + reference
	case reference == "" || reference[0] == '#':
		if hasQuery {
			path += "?" + query
		}
		return scheme + "://" + authority + path + reference
	}
	return scheme + "://" + authority + path[:strings.LastIndexByte(path, '/')+1] + reference
}

// tabsAndBreaks removes what browsers ignore within a URL.
var tabsAndBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// isScheme reports whether a text can be a scheme. [RFC 3986 3.1]
func isScheme(name string) bool {
	for i := range len(name) {
		if c := name[i]; !ascii.IsLetter(c) && (i == 0 || !ascii.IsDigit(c) && strings.IndexByte("+-.", c) < 0) {
			return false
		}
	}
	return name != ""
}
