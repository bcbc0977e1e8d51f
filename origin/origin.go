// Package origin tells which robots.txt speaks for a URL.
//
// A robots.txt is valid for the scheme, the host and the port it was fetched
// from, and for nothing else (RFC 9309 2.3, Koster 3.1, Page: examples of valid
// robots.txt URLs). [Of] reduces a URL to those three, in one spelling: two
// URLs obey the same file exactly if their origins are equal with ==.
//
// # Spelling
//
// Only scheme and authority are read, as browsers read them (WHATWG URL),
// because a crawler takes its URLs from pages that were written for browsers:
//
//   - Scheme and host are lower case; the ports 80 (http), 443 (https) and 21
//     (ftp) are dropped; user names and passwords are ignored.
//   - A host is percent-decoded, and an international one becomes punycode.
//   - 127.1, 0x7f.0.0.1, 0177.0.0.1 and 2130706433 all are 127.0.0.1. IPv6
//     literals are compressed and lower case; a mapped IPv4 address stays IPv6.
//   - A backslash counts as a slash. White space and control characters around
//     the URL, and tabs and line breaks inside of it, are ignored.
//   - What follows the authority is not looked at: http://h/%zz is fine.
//
// Where a browser would guess, or where it keeps names that DNS cannot tell
// apart, Of differs:
//
//   - One trailing dot of a host is dropped.
//   - Two slashes must follow the scheme, and a host must follow those: http:x
//     is relative on some pages, and http:///x has no host in RFC 3986.
//   - Port 0, an empty label, a label of more than 63 bytes and a host of more
//     than 253 are errors, and so are the characters " ` { } in a host, which
//     RFC 3986 does not know there.
//   - A host that is ASCII already is never checked for its punycode: that name
//     is what DNS will be asked for, well formed or not.
//
// # Safety
//
// Of never panics and does bounded work on hosts of any length. Its results
// hold nothing that could break out of a Host header, a log line or a cache
// key. Since odd spellings of addresses become plain ones, a guard against
// private addresses sees what will be dialled; it still has to look at what a
// name resolves to, and at mapped addresses such as [::ffff:7f00:1].
package origin

import (
	"strconv"
	"strings"
)

// robotsPath is all lower case, and at the top level (RFC 9309 2.3).
const robotsPath = "/robots.txt"

// Origin is the scheme, host and port that share one robots.txt. It is
// comparable: equal origins obey the same file (Page: examples of valid
// robots.txt URLs). The zero Origin is that of no URL, and all its parts are
// empty.
type Origin struct {
	// Everything else is cut out of the canonical text when it is asked for:
	// one word to compare, and no two fields that could disagree.
	text string
}

// Of returns the origin of an absolute http, https or ftp URL, in the spelling
// that the package documentation describes. Every error is an [*Error].
// Page: file location and range of validity; RFC 9309 2.3.
func Of(rawURL string) (Origin, error) {
	var buf [maxText]byte
	text, _, err := appendOrigin(buf[:0], rawURL)
	if err != nil {
		return Origin{}, &Error{URL: excerpt(rawURL), Reason: err.Error()}
	}
	return Origin{string(text)}, nil
}

// Scheme returns "http", "https" or "ftp", the protocols that have a robots.txt
// (Page: file location and range of validity). An https site and its http twin
// are two origins.
func (o Origin) Scheme() string {
	scheme, _, _ := strings.Cut(o.text, ":")
	return scheme
}

// Host returns what [net/url.URL.Hostname] would: the name or address alone, in
// punycode where it is international, without port, brackets or trailing dot.
// It is the host to resolve (RFC 9309 2.3). An international name and its
// punycode are equal (Page: examples of valid robots.txt URLs).
func (o Origin) Host() string {
	host, _, _ := cutPort(o.authority())
	return strings.Trim(host, "[]")
}

// Port returns the port to dial, also where it is the scheme's own and
// therefore absent from the text: 80, 443 or 21 (Page: examples of valid
// robots.txt URLs).
func (o Origin) Port() uint16 {
	if o.IsZero() {
		return 0
	}
	_, digits, _ := cutPort(o.authority())
	port, _ := parsePort(digits, defaultPort(o.Scheme()))
	return port
}

// Addr returns host and port as [net.Dial] takes them, the port always written
// and IPv6 in brackets: "example.com:443", "[::1]:8080". It keys what is shared
// by one listener, such as a limit of connections.
func (o Origin) Addr() string {
	authority := o.authority()
	if _, digits, _ := cutPort(authority); digits != "" || o.IsZero() {
		return authority
	}
	return authority + ":" + strconv.Itoa(int(o.Port()))
}

// String returns the canonical text, such as "https://example.com" or
// "http://[::1]:8080". It is ASCII, has no slash at its end, gives o back when
// handed to [Of], and is the key to cache a robots.txt under: the authority
// alone would mix up http and https.
func (o Origin) String() string { return o.text }

// RobotsURL returns the URL of the one file that governs o. It parses with
// [net/url.Parse]. RFC 9309 2.3, Koster 3.1: "/robots.txt", all lower case, at
// the top level.
func (o Origin) RobotsURL() string {
	if o.IsZero() {
		return ""
	}
	return o.text + robotsPath
}

// IsRobotsURL reports whether rawURL names the file that governs o: its origin
// is o, its path is /robots.txt to the letter, and it has no query, not even an
// empty one. A fragment is ignored, dots and escapes in the path are not
// resolved. A robots.txt in a folder governs nothing (Page: examples of valid
// robots.txt URLs), and the file itself is always allowed (RFC 9309 2.2.2).
func (o Origin) IsRobotsURL(rawURL string) bool {
	var buf [maxText]byte
	text, rest, err := appendOrigin(buf[:0], rawURL)
	return err == nil && string(text) == o.text && isRobotsPath(rest)
}

// IsZero reports whether o is the zero Origin, which [Of] returns only beside
// an error and which no robots.txt governs (RFC 9309 2.3). encoding/json asks
// this for the option omitzero.
func (o Origin) IsZero() bool { return o.text == "" }

// MarshalText returns the text of [Origin.String], empty for the zero Origin,
// so that origins can be values and map keys in JSON. It never fails. The text
// is RFC 9309 2.3's URI without its path.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.text), nil }

// UnmarshalText sets o to the origin of text, by the rules of [Of]: a path is
// dropped, and what another program stored in another spelling (RFC 9309 2.3)
// is made canonical. Empty text gives the zero Origin. On error o is unchanged.
func (o *Origin) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*o = Origin{}
		return nil
	}
	read, err := Of(string(text))
	if err != nil {
		return err
	}
	*o = read
	return nil
}

// authority returns host and port as they stand in the text.
func (o Origin) authority() string {
	_, authority, _ := strings.Cut(o.text, "://")
	return authority
}

// isRobotsPath reports whether rest, which follows the authority, is the path
// of robots.txt and nothing else.
func isRobotsPath(rest string) bool {
	want := robotsPath
	for i := range len(rest) {
		c := rest[i]
		switch {
		case c == '#':
			return want == ""
		case isTabOrNewline(c):
			continue
		case c == '\\':
			c = '/'
		}
		if want == "" || c != want[0] {
			return false
		}
		want = want[1:]
	}
	return want == ""
}
