package robotstxt

import (
	"bytes"
	"io"
	"math"
)

// DefaultBodyLimit is how many bytes of a body ReadBody reads unless told
// otherwise: the 500 KiB that RFC 9309 2.5 asks for at least and Google
// documents as its limit.
const DefaultBodyLimit = 500 * 1024

// ReadBody reads a robots.txt body up to limit bytes; 0 means
// DefaultBodyLimit, a negative limit none. If there is more, truncated is true
// and at most one byte more is read from r. A line that the limit cuts is
// dropped whole, because "Disallow: /private" must never become "Disallow: /";
// the same goes for the last line read before an error. The lines before are
// returned in either case, beside the reader's error, if any.
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

// wholeLines returns those lines of body that end within its first n bytes. A
// line whose terminator is the next byte ends there too.
func wholeLines(body []byte, n int) []byte {
	if n < len(body) && (body[n] == '\n' || body[n] == '\r') {
		return body[:n]
	}
	return body[:bytes.LastIndexAny(body[:n], "\r\n")+1]
}
