// Package origin reads URLs: it finds the robots.txt that governs a URL, and the text
// with which its rules are compared.
//
//	o, err := origin.Of("HTTPS://www.Example.com:443/folder/page")
//	fmt.Println(o)             // https://www.example.com
//	fmt.Println(o.RobotsURL()) // https://www.example.com/robots.txt
//
// [Text] reads a typed or copied URL, as browsers do; [Request] reads a URL as net/http
// sends it; [Sent] takes a URL from a log as it is. All return a [URL]. Text and Request
// agree about a URL that Text has serialised, except for |.
//
// A robots.txt applies to the scheme, host and port that it is fetched from, and
// to no other. [Of] returns these three as an [Origin], in a canonical form: the
// same robots.txt governs two URLs if and only if their origins are equal with
// ==. [RFC 9309 2.3, Koster 3.1, Page: examples of valid robots.txt URLs]
//
// # Canonical form
//
// Of reads only the scheme and the authority of a URL. It reads them as browsers
// do (WHATWG URL), because crawlers find URLs on pages written for browsers:
//
//   - Scheme and host become lower case. The ports 80 (http), 443 (https) and 21
//     (ftp) are dropped. User names and passwords are ignored.
//   - The host is percent-decoded, and an international name becomes punycode.
//   - 127.1, 0x7f.0.0.1, 0177.0.0.1 and 2130706433 all are 127.0.0.1. IPv6
//     literals are compressed and lower case; a mapped IPv4 address stays IPv6.
//   - A backslash counts as a slash, and any number of slashes after the scheme as
//     two: http:x and http:///x are http://x. White space and control characters
//     around the URL, and tabs and line breaks inside it, are ignored.
//   - Path, query and fragment are not checked: http://h/%zz is valid. [Text] serialises
//     them too.
//
// [Of] differs from browsers in these cases:
//
//   - It drops one trailing dot of a host, since DNS treats both names alike.
//   - Port 0, an empty label, a label of more than 63 bytes and a host of more
//     than 253 bytes are errors. So are the characters " ` { } in a host, which
//     RFC 3986 does not allow there, and the semicolon, with which the path begins
//     for Google's parser.
//   - It does not validate the punycode of an ASCII host, because the client
//     resolves that name as it is.
//
// # Safety
//
// [Of] does not panic, and its work is bounded for hosts of any length. An Origin
// contains no characters that could break a Host header, a log line or a cache
// key. Unusual spellings of IP addresses become canonical, so a guard against
// private addresses can check the host. The guard must still check the addresses
// that a name resolves to, and mapped addresses such as [::ffff:7f00:1].
package origin

import (
	"strconv"
	"strings"
)

// robotsPath is the path of robots.txt: lower case, at the top level.
// [RFC 9309 2.3]
const robotsPath = "/robots.txt"

// Origin is a scheme, host and port: the scope of one robots.txt. It is comparable
// and can be a map key; the same robots.txt governs equal origins. The zero Origin
// is not the origin of any URL, and its scheme, host and port are empty.
// [Page: examples of valid robots.txt URLs]
type Origin struct {
	// The methods cut scheme, host and port out of the canonical text. A single
	// field is fast to compare and cannot be inconsistent.
	text string
}

// Of returns the origin of an absolute http, https or ftp URL, in the canonical
// form that the package documentation describes. Every error is an [*Error].
// [Page: file location and range of validity; RFC 9309 2.3]
func Of(rawURL string) (Origin, error) {
	var buf [maxText]byte
	text, _, err := appendOrigin(buf[:0], rawURL)
	if err != nil {
		return Origin{}, &Error{URL: excerpt(rawURL), Reason: err.Error()}
	}
	return Origin{string(text)}, nil
}

// Scheme returns "http", "https" or "ftp", the schemes that have a robots.txt.
// URLs that differ only in http and https have different origins. [Page: file
// location and range of validity]
func (o Origin) Scheme() string {
	scheme, _, _ := strings.Cut(o.text, ":")
	return scheme
}

// Host returns the name or address without port, brackets or trailing dot, like
// [net/url.URL.Hostname]. An international name is in punycode. [RFC 9309 2.3,
// Page: examples of valid robots.txt URLs]
func (o Origin) Host() string {
	host, _, _ := cutPort(o.authority())
	return strings.Trim(host, "[]")
}

// Port returns the port to dial. It returns the scheme's default port, 80, 443 or
// 21, if the text contains no port. The port of the zero Origin is 0. [Page:
// examples of valid robots.txt URLs]
func (o Origin) Port() uint16 {
	if o.IsZero() {
		return 0
	}
	_, digits, _ := cutPort(o.authority())
	port, _ := parsePort(digits, defaultPort(o.Scheme()))
	return port
}

// Addr returns host and port in the form that [net.Dial] takes. It always includes
// the port: "example.com:443", "[::1]:8080". It is a suitable key for limits per
// server, such as a number of connections.
func (o Origin) Addr() string {
	authority := o.authority()
	if _, digits, _ := cutPort(authority); digits != "" || o.IsZero() {
		return authority
	}
	return authority + ":" + strconv.Itoa(int(o.Port()))
}

// String returns the canonical text, such as "https://example.com" or
// "http://[::1]:8080". It is ASCII without a trailing slash, and [Of] returns o for
// it. Use it as the key of a cache; host and port alone do not separate http from
// https.
func (o Origin) String() string { return o.text }

// RobotsURL returns the URL of the robots.txt that governs o, or "" for the zero
// Origin. [net/url.Parse] accepts it. [RFC 9309 2.3, Koster 3.1]
func (o Origin) RobotsURL() string {
	if o.IsZero() {
		return ""
	}
	return o.text + robotsPath
}

// IsRobotsURL reports whether u is the URL of the robots.txt that governs o: its origin
// is o, its path is exactly /robots.txt, and it has no query, not even an empty one. A
// robots.txt in a folder governs nothing, and every crawler may fetch robots.txt itself.
// [Page: examples of valid robots.txt URLs, RFC 9309 2.2.2]
func (o Origin) IsRobotsURL(u URL) bool {
	return u.target > 0 && o.Governs(u) && u.Target() == robotsPath
}

// IsZero reports whether o is the zero Origin, which [Of] returns only with an
// error. encoding/json calls it for the option omitzero.
func (o Origin) IsZero() bool { return o.text == "" }

// MarshalText returns the text of [Origin.String], which is empty for the zero
// Origin. Origins can therefore be values and map keys in JSON. It never fails.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.text), nil }

// UnmarshalText sets o to [Of] text, so that other spellings become canonical and a
// path is dropped. Empty text gives the zero Origin. On error o is unchanged.
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

func (o Origin) authority() string {
	_, authority, _ := strings.Cut(o.text, "://")
	return authority
}
