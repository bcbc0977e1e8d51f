package conformance

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Samples returns URLs for which an implementation must give the check's verdict: the
// URL of the check, or for a check of a pattern some URLs that the pattern matches,
// with a scheme and a host. Samples replaces each star of the pattern by nothing or
// by a letter, and sometimes adds a letter after the pattern. The result can be
// empty.
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
		path := "/" + strings.TrimPrefix(strings.ReplaceAll(open, "*", fill), "/")
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

// sampleURLs returns URLs with the paths, encoded as crawlers request them, without
// /robots.txt, which some dialects always allow.
func sampleURLs(paths ...string) (urls []string) {
	for _, path := range paths {
		path = encoded(path)
		if path != "/robots.txt" {
			urls = append(urls, "http://example.com"+path)
		}
	}
	return urls
}

// encoded returns a path in the form that patterns have in all dialects: octets that
// are not ASCII become percent codes, and percent codes are in upper case.
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
