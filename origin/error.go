package origin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error says why a URL has no origin, and so no robots.txt (RFC 9309 2.3). Its
// message is one line, names the mistake, says what to write instead, and is
// safe to log: it holds no password.
type Error struct {
	URL    string // as given, but shortened, and without user name and password
	Reason string // goes on where the URL ends: `has no host: write …`
}

// Error returns the quoted URL and the reason.
func (e *Error) Error() string { return strconv.Quote(e.URL) + " " + e.Reason }

// noScheme explains why s is not absolute.
func noScheme(s string) error {
	switch {
	case s == "":
		return errors.New("is empty: write http://example.com/… or https://example.com/…")
	case isSlash(s[0]) || s[0] == '?' || s[0] == '#':
		return errors.New("has no scheme: resolve it against the URL of the page it stands on")
	case strings.Contains(s[:min(len(s), maxExcerpt)], "://"):
		return errors.New("does not begin with a scheme: write http://, https:// or ftp:// first")
	}
	// Quoted, lest a line break of s reaches a log; without the quotes, so that
	// the example can be copied.
	written := strconv.Quote(excerpt(s))
	return fmt.Errorf("has no scheme: write http://%s or https://…", written[1:len(written)-1])
}

// badScheme explains why s, whose scheme is none of ours, is refused. What
// looks like a scheme may be the host of "localhost:8080/x".
func badScheme(s, scheme string) error {
	if strings.EqualFold(scheme, "localhost") || strings.IndexByte(scheme, '.') >= 0 {
		return noScheme(s)
	}
	return fmt.Errorf("has the scheme %q: only http, https and ftp have a robots.txt", shorten(scheme))
}

// maxExcerpt is enough to recognise a URL by, and bounds what an error holds on
// to.
const maxExcerpt = 120

// excerpt returns raw in short, and without what might be a password.
func excerpt(raw string) string {
	start := strings.IndexByte(raw, ':') + 1
	for start < len(raw) && (isSlash(raw[start]) || isTabOrNewline(raw[start])) {
		start++
	}
	end := start + authorityEnd(raw[start:])
	at := strings.LastIndexByte(raw[start:end], '@')
	if at < 0 {
		return shorten(raw)
	}
	return shorten(raw[:start]) + "…" + shorten(raw[start+at:])
}

// shorten returns the beginning of s, in its own memory.
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
