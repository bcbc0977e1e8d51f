package origin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// This package does not use net/url. That rejects URLs with an invalid path
// (http://h/%zz) or with spaces around them, and keeps unusual spellings of
// addresses.

const (
	// maxAuthority bounds the text of host and port that is decoded. A host of
	// maxDecoded bytes fits even if every byte is percent-encoded.
	maxAuthority = 4 << 10

	// maxText is the length of the longest canonical text: "https://", a host, a
	// colon and a port. A buffer of that size on the stack avoids allocations.
	maxText = len("https://") + maxName + len(":65535") + 1
)

var errNoHost = errors.New("has no host: write http://example.com/… or https://example.com/…")

var errPassword = errors.New("has something other than a port after its host: in a password, write %2F, %3F and %23 for /, ? and #")

func appendOrigin(dst []byte, raw string) (text []byte, rest string, err error) {
	scheme, rest, err := cutScheme(trimSpaceAndControls(raw))
	if err != nil {
		return nil, "", err
	}
	authority, rest, err := cutAuthority(rest)
	if err != nil {
		return nil, "", err
	}
	host, digits, err := cutPort(authority)
	if err != nil {
		return nil, "", err
	}
	port, err := parsePort(digits, defaultPort(scheme))
	if err != nil {
		if strings.Contains(rest, "@") {
			err = errPassword // without its beginning
		}
		return nil, "", err
	}
	dst = append(dst, scheme...)
	dst = append(dst, "://"...)
	dst, err = appendHost(dst, host)
	if err != nil {
		return nil, "", err
	}
	if port != defaultPort(scheme) {
		dst = append(dst, ':')
		dst = strconv.AppendUint(dst, uint64(port), 10)
	}
	return dst, rest, nil
}

func trimSpaceAndControls(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// isTabOrNewline reports whether browsers remove c anywhere in a URL. Such
// characters come from attributes that are wrapped over several lines.
func isTabOrNewline(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// isSlash accepts backslashes too, as browsers do. Otherwise the host of
// http://a\@b would be a in a browser and b here.
func isSlash(c byte) bool { return c == '/' || c == '\\' }

func cutScheme(s string) (scheme, rest string, err error) {
	var name [len("https") + 1]byte // longer names are unknown, so they need not fit
	n := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case isTabOrNewline(c):
			continue
		case c == ':' && n > 0:
			scheme = knownScheme(name[:n])
			if scheme == "" {
				return "", "", badScheme(s, s[:i])
			}
			return scheme, s[i+1:], nil
		case !ascii.IsLetter(c) && (n == 0 || !ascii.IsDigit(c) && c != '+' && c != '-' && c != '.'):
			return "", "", noScheme(s)
		}
		if n < len(name) {
			name[n] = ascii.Lower(c)
			n++
		}
	}
	return "", "", noScheme(s)
}

// knownScheme returns name if it is a known scheme, and "" otherwise. It returns
// constants to avoid an allocation.
func knownScheme(name []byte) string {
	switch string(name) {
	case "http":
		return "http"
	case "https":
		return "https"
	case "ftp":
		return "ftp"
	}
	return ""
}

func defaultPort(scheme string) uint16 {
	switch scheme {
	case "http":
		return 80
	case "https":
		return 443
	}
	return 21
}

// cutAuthority returns host and port. It drops user name and password, which do
// not affect which robots.txt applies. [WHATWG URL 4.4, special authority slashes state]
func cutAuthority(s string) (authority, rest string, err error) {
	for s != "" && (isSlash(s[0]) || isTabOrNewline(s[0])) { // any number, even none
		s = s[1:]
	}
	end := authorityEnd(s)
	authority, rest = s[:end], s[end:]
	// A password can contain @, so the last @ ends it.
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	if len(authority) > maxAuthority {
		return "", "", fmt.Errorf("has a host of %d bytes: at most %d are allowed", len(authority), maxName)
	}
	if strings.ContainsAny(authority, "\t\n\r") {
		authority = tabsAndBreaks.Replace(authority)
	}
	return authority, rest, nil
}

func authorityEnd(s string) int {
	end := len(s)
	for _, c := range [...]byte{'/', '\\', '?', '#'} { // the slash first, so that the others need not search the path
		if i := strings.IndexByte(s[:end], c); i >= 0 {
			end = i
		}
	}
	return end
}

// cutPort splits authority into the host and the digits of the port, which can be
// empty. An IPv6 address keeps its brackets.
func cutPort(authority string) (host, digits string, err error) {
	end := strings.IndexByte(authority, ':')
	if strings.HasPrefix(authority, "[") {
		end = strings.IndexByte(authority, ']') + 1
		if end == 0 {
			return "", "", errors.New("has a [ without ] in its host: write IPv6 addresses as [::1]")
		}
	}
	if end < 0 || end == len(authority) {
		return authority, "", nil
	}
	if authority[end] != ':' {
		return "", "", errors.New("has something other than a port after the ] of its host: write [::1]:8080")
	}
	return authority[:end], authority[end+1:], nil
}

// parsePort returns the port, or fallback if there are no digits: http://h:/
// equals http://h/.
func parsePort(digits string, fallback uint16) (uint16, error) {
	if digits == "" {
		return fallback, nil
	}
	port := 0
	for i := range len(digits) {
		if !ascii.IsDigit(digits[i]) {
			return 0, fmt.Errorf("has the port %q: a port is a number from 1 to 65535", shorten(digits))
		}
		// min prevents an overflow: once above 65535, the port stays above it.
		port = min(port*10+int(digits[i]-'0'), 1<<16)
	}
	if port == 0 || port > 65535 {
		return 0, fmt.Errorf("has the port %s: ports go from 1 to 65535", shorten(digits))
	}
	return uint16(port), nil
}
