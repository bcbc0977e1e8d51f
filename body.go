package robotstxt

import (
	"bytes"
	"io"
	"math"
)

// DefaultBodyLimit is the number of bytes of a body that ReadBody reads by default:
// 500 KiB, the least that parsers must read, and Google's documented limit
// [RFC 9309 2.5].
const DefaultBodyLimit = 500 * 1024

// ReadBody reads at most limit bytes of a robots.txt body from r. A limit of 0 means
// DefaultBodyLimit; a negative limit means no limit. If the body is longer,
// truncated is true; ReadBody reads at most one byte after the limit.
//
// If the limit or an error cuts a line, ReadBody drops the whole line, because
// "Disallow: /private" must never become "Disallow: /". It returns the lines before
// it, and the reader's error, if any.
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
