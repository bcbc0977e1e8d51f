package robotstxt

import (
	"bytes"
	"io"
	"math"

	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// DefaultBodyLimit is the number of bytes of a body that ReadBody reads by default:
// 500 KiB, the least that parsers must read, and Google's documented limit
// [RFC 9309 2.5].
const DefaultBodyLimit = 500 * 1024

// DefaultRedirects is how many redirects in a row a client follows to a robots.txt by
// default: the least number that crawlers should follow. [RFC 9309 2.3.1.2]
const DefaultRedirects = 5

// ReadBody reads at most limit bytes of a robots.txt body from r. A limit of 0 means
// DefaultBodyLimit; a negative limit means no limit. If the body is longer,
// truncated is true; ReadBody reads at most one byte after the limit.
//
// If the limit or an error cuts a line, ReadBody drops the whole line, because
// "Disallow: /private" must never become "Disallow: /". It returns the lines before
// it, and the reader's error, if any. It panics if r is nil.
func ReadBody(r io.Reader, limit int) (body []byte, truncated bool, err error) {
	if limit == 0 {
		limit = DefaultBodyLimit
	}
	if limit > 0 && limit < math.MaxInt {
		r = io.LimitReader(r, int64(limit)+1)
	}
	body, err = io.ReadAll(r)
	switch {
	case limit > 0 && len(body) > limit:
		return wholeLines(body, limit), true, err
	case err != nil:
		return wholeLines(body, len(body)), true, err
	}
	return body, false, nil
}

// wholeLines returns the lines of body that end within its first n bytes, or whose
// terminator is the byte after them.
func wholeLines(body []byte, n int) []byte {
	if n < len(body) && (body[n] == '\n' || body[n] == '\r') {
		return body[:n]
	}
	return body[:bytes.LastIndexAny(body[:n], "\r\n")+1]
}

// Body is the kind of content of a robots.txt, such as text or a web page. It does not
// affect verdicts: Google's parser reads any bytes as lines [G1].
type Body string

// The kinds of bodies.
const (
	BodyText   Body = "text"
	BodyHTML   Body = "html"   // it begins like a web page, and no group has a rule
	BodyEmpty  Body = "empty"  // no bytes
	BodyBinary Body = "binary" // it is not text, such as UTF-16 or gzip, and no group has a rule
)

// BodyHead is the number of bytes at the beginning of a body, after white space and byte order
// marks, that can make it BodyHTML or BodyBinary. A body whose first BodyHead bytes are text is
// BodyText.
const BodyHead = bodyhead.Size

// BodyOf returns the kind of a body. A body with a rule in a group is text, even if an
// HTML comment, the warning of a server's program or a NUL byte comes first, because
// crawlers read the rule.
func BodyOf(body []byte) Body {
	head := bodyhead.TrimMarks(body)
	head = head[:min(len(head), BodyHead)]
	suspected := BodyText
	switch {
	case len(body) == 0:
		return BodyEmpty
	case bodyhead.IsBinary(head):
		suspected = BodyBinary
	case bodyhead.IsMarkup(head):
		suspected = BodyHTML
	}
	if suspected != BodyText && hasRule(body) {
		return BodyText
	}
	return suspected
}

func hasRule(body []byte) bool {
	inGroup := false
	for line := range Lines(body) {
		switch line.Kind {
		case KindUserAgent:
			inGroup = true
		case KindAllow, KindDisallow:
			if inGroup {
				return true
			}
		}
	}
	return false
}
