package origin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is the reason why a URL has no origin, and therefore no robots.txt. Its
// message is one line that describes the problem and a correction. It contains no
// password and is safe to log. [RFC 9309 2.3]
type Error struct {
	URL    string // the URL, shortened, without user name and password
	Reason string // the predicate of a sentence about the URL: `has no host: write …`
}

// Error returns the quoted URL and the reason.
func (e *Error) Error() string { return strconv.Quote(e.URL) + " " + e.Reason }

func noScheme(s string) error {
	switch {
	case s == "":
		return errors.New("is empty: write http://example.com/… or https://example.com/…")
	case isSlash(s[0]) || s[0] == '?' || s[0] == '#':
		return errors.New("has no scheme: resolve it against the URL of the page that contains it")
	case strings.Contains(s[:min(len(s), maxExcerpt)], "://"):
		return errors.New("does not begin with a scheme: write http://, https:// or ftp:// first")
	}
	// Quote keeps line breaks out of logs. The quotes are removed, so that the
	// example can be copied.
	written := strconv.Quote(excerpt(s))
	return fmt.Errorf("has no scheme: write http://%s or https://…", written[1:len(written)-1])
}

// badScheme explains why the scheme of s is refused. An apparent scheme can be a
// host, as in "localhost:8080/x".
func badScheme(s, scheme string) error {
	if strings.EqualFold(scheme, "localhost") || strings.IndexByte(scheme, '.') >= 0 {
		return noScheme(s)
	}
	const reason = "has the scheme %q: only http, https and ftp have a robots.txt"
	if rest := s[len(scheme):]; strings.IndexByte(rest, '@') >= 0 && !strings.HasPrefix(rest, "://") {
		return fmt.Errorf(reason+"; a user name and password need a scheme before them", shorten(scheme))
	}
	return fmt.Errorf(reason, shorten(scheme))
}

// maxExcerpt is the length of an excerpt in bytes. It suffices to recognise a URL,
// and bounds the memory of an error.
const maxExcerpt = 120

// excerpt returns raw, shortened, and without a possible password.
func excerpt(raw string) string {
	from, to := userinfo(raw)
	if to < 0 {
		return shorten(raw)
	}
	return shorten(raw[:from]) + hidden(raw[from:to]) + shorten(raw[to:])
}

// shorten returns the beginning of s in memory of its own, so that an error does
// not keep all of s in memory.
func shorten(s string) string {
	if len(s) <= maxExcerpt {
		return strings.Clone(s)
	}
	end := maxExcerpt
	for end > maxExcerpt-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
