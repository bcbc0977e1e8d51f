package answer

import (
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

// Compared returns a URL as rules are compared with it: in the form in which a browser or a
// crawler requests it. A host in Unicode becomes its form in ASCII, and characters that a
// request cannot contain are percent-encoded. [WHATWG URL 4.4]
//
// robotstxt.EncodeURL alone encodes only what Google's parser encodes in rules: a blank or
// a quote in a rule stays as it is, and so never matches.
//
// Dot segments, backslashes and control characters are not changed.
func Compared(url string) string {
	if isEncoded(url) {
		return url
	}
	given, rest := splitHost(url)
	host := given
	if hasUnicode(host) {
		if o, err := origin.Of(host); err == nil {
			host = o.String()
		}
	}
	if encoded := encodeRest(rest); host != given || encoded != rest {
		url = host + encoded
	}
	return robotstxt.EncodeURL(url)
}

// splitHost returns scheme and host, "" if the URL is a path, and the rest.
func splitHost(url string) (host, rest string) {
	scheme := strings.Index(url, "://")
	if scheme < 0 || strings.ContainsAny(url[:scheme], "/?#") {
		return "", url
	}
	begin := scheme + len("://")
	if end := strings.IndexAny(url[begin:], "/?#;"); end >= 0 {
		return url[:begin+end], url[begin+end:]
	}
	return url, ""
}

func hasUnicode(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

// The characters that browsers encode in a path and in a query, besides controls and those
// that are not ASCII.
var (
	pathSet  = ascii.OctetsOf(func(c byte) bool { return strings.IndexByte(" \"<>^`{}", c) >= 0 })
	querySet = ascii.OctetsOf(func(c byte) bool { return strings.IndexByte(" \"<>'", c) >= 0 })
)

// plainSet are the characters that nothing changes, wherever they are.
var plainSet = ascii.OctetsOf(func(c byte) bool { return c < 0x80 && c != '%' && !pathSet[c] && !querySet[c] })

// isEncoded reports whether a URL is unchanged, as most are. It is a fast path: it is
// false for some that are unchanged too.
func isEncoded(url string) bool {
	for i := range len(url) {
		if !plainSet[url[i]] {
			return false
		}
	}
	return true
}

// encodeRest returns a path and a query with the characters encoded that browsers encode.
// It returns the same string if there are none. A fragment is not changed.
func encodeRest(rest string) string {
	set, first := &pathSet, -1
	var encoded []byte
	for i := range len(rest) {
		c := rest[i]
		if c == '#' {
			break
		}
		if c == '?' {
			set = &querySet
		}
		if !set[c] {
			continue
		}
		if first < 0 {
			encoded = make([]byte, 0, len(rest)+32)
			first = 0
		}
		encoded = append(encoded, rest[first:i]...)
		encoded = ascii.AppendPercent(encoded, c)
		first = i + 1
	}
	if first < 0 {
		return rest
	}
	return string(append(encoded, rest[first:]...))
}
