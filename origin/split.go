package origin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// net/url is of no use here: it rejects a URL for its path (http://h/%zz) and
// for spaces around it, and keeps odd addresses as they are.

const (
	// maxAuthority bounds what is copied and decoded of host and port. A host
	// of maxDecoded bytes, every one of them percent-encoded, still fits.
	maxAuthority = 4 << 10

	// maxText holds every canonical text, so that it is put together on the
	// stack: "https://", a host, a colon and a port.
	maxText = len("https://") + maxName + len(":65535") + 1
)

var errNoHost = errors.New("has no host: write http://example.com/… or https://example.com/…")

// appendOrigin appends the canonical text of raw's origin to dst and returns
// what follows the authority: path, query and fragment as they stand.
func appendOrigin(dst []byte, raw string) (text []byte, rest string, err error) {
	scheme, rest, err := cutScheme(trim(raw))
	if err != nil {
		return nil, "", err
	}
	authority, rest, err := cutAuthority(scheme, rest)
	if err != nil {
		return nil, "", err
	}
	host, digits, err := cutPort(authority)
	if err != nil {
		return nil, "", err
	}
	port, err := parsePort(digits, defaultPort(scheme))
	if err != nil {
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

// trim cuts spaces and control characters off both ends.
func trim(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// isTabOrNewline reports whether browsers drop c wherever it stands: it comes
// from attributes that were wrapped over several lines.
func isTabOrNewline(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// isSlash holds for backslashes too, else http://a\@b would be at host a in a
// browser and at host b here.
func isSlash(c byte) bool { return c == '/' || c == '\\' }

// cutScheme returns one of the three schemes and what follows its colon.
func cutScheme(s string) (scheme, rest string, err error) {
	var name [len("https") + 1]byte // longer names need not fit to be unknown
	n := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case isTabOrNewline(c):
			continue
		case c == ':' && n > 0:
			if scheme = knownScheme(name[:n]); scheme == "" {
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

// knownScheme returns constants, so that a scheme costs no memory.
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

// cutAuthority returns host and port without user name and password, which
// never tell one robots.txt from another.
func cutAuthority(scheme, s string) (authority, rest string, err error) {
	for slashes := 0; slashes < 2; s = s[1:] {
		switch {
		case s != "" && isSlash(s[0]):
			slashes++
		case s == "" || !isTabOrNewline(s[0]):
			return "", "", fmt.Errorf("has no // after its scheme: write %s://example.com/…", scheme)
		}
	}
	end := authorityEnd(s)
	authority, rest = s[:end], s[end:]
	// A password may contain @ itself: the last one counts.
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	if len(authority) > maxAuthority {
		return "", "", fmt.Errorf("has a host of %d bytes: at most %d are allowed", len(authority), maxName)
	}
	if strings.ContainsAny(authority, "\t\n\r") {
		authority = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(authority)
	}
	return authority, rest, nil
}

// authorityEnd returns where the authority at the beginning of s ends.
func authorityEnd(s string) int {
	end := len(s)
	for _, c := range [...]byte{'/', '\\', '?', '#'} { // the slash first: it spares the others the path
		if i := strings.IndexByte(s[:end], c); i >= 0 {
			end = i
		}
	}
	return end
}

// cutPort cuts the port's digits, which may be missing, off the host. An IPv6
// address keeps its brackets.
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
		return "", "", errors.New("has something other than a port behind the ] of its host: write [::1]:8080")
	}
	return authority[:end], authority[end+1:], nil
}

// parsePort returns missing where there are no digits: http://h:/ is http://h/.
func parsePort(digits string, missing uint16) (uint16, error) {
	if digits == "" {
		return missing, nil
	}
	port := 0
	for i := range len(digits) {
		if !ascii.IsDigit(digits[i]) {
			return 0, fmt.Errorf("has the port %q: a port is a number from 1 to 65535", shorten(digits))
		}
		// It stays above the limit once it is there, however much follows.
		port = min(port*10+int(digits[i]-'0'), 1<<16)
	}
	if port == 0 || port > 65535 {
		return 0, fmt.Errorf("has the port %s: ports go from 1 to 65535", shorten(digits))
	}
	return uint16(port), nil
}
