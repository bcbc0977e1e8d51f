package conformance

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Samples returns URLs to put a check to an implementation with: the URL itself, or
// if the check is about a pattern, some of the URLs that it matches, with a scheme
// and a host. They are made from the pattern alone: its stars replaced by nothing and
// by a letter, with nothing and with a letter after it. There may be none.
func (c Check) Samples() []string {
	if !c.All {
		return []string{c.URL}
	}
	if c.Dialect == Koster1996 {
		if strings.ContainsAny(c.URL, "?*$") {
			return nil // the query is not compared, and there are no wildcards
		}
		return sampleURLs(c.URL, c.URL+"x")
	}
	open, anchored := strings.CutSuffix(c.URL, "$")
	var paths []string
	for _, fill := range []string{"", "x"} {
		path := strings.ReplaceAll(open, "*", fill)
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		paths = append(paths, path)
		if !anchored {
			paths = append(paths, path+"x")
		}
		if !strings.Contains(open, "*") {
			break
		}
	}
	return sampleURLs(paths...)
}

// sampleURLs returns URLs with the paths, encoded as crawlers request them. The path
// of the robots.txt itself is left out: some dialects always allow it.
func sampleURLs(paths ...string) (urls []string) {
	for _, path := range paths {
		if path = encoded(path); path != "/robots.txt" {
			urls = append(urls, "http://example.com"+path)
		}
	}
	return urls
}

// encoded returns a path with percent codes for octets that are not ASCII, and upper
// case in all percent codes: the form of patterns in all dialects.
func encoded(path string) string {
	var text []byte
	for i := 0; i < len(path); i++ {
		octet, coded := ascii.Unhex(path[i+1:])
		switch {
		case path[i] == '%' && coded:
			text = ascii.AppendPercent(text, octet)
			i += 2
		case path[i] >= 0x80:
			text = ascii.AppendPercent(text, path[i])
		default:
			text = append(text, path[i])
		}
	}
	return string(text)
}
