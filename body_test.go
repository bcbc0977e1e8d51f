package robotstxt_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kosterhq/robotstxt"
)

func TestReadBody(t *testing.T) {
	const text = "User-agent: *\nDisallow: /private\nAllow: /\r\nAllow: /x"
	for _, c := range []struct {
		limit     int
		body      string
		truncated bool
	}{
		{0, text, false},
		{-1, text, false},
		{math.MaxInt, text, false},
		{len(text), text, false},
		{len(text) - 1, text[:43], true},
		{24, "User-agent: *\n", true}, // "Disallow: /" would disallow the site
		{32, "User-agent: *\nDisallow: /private", true},
		{33, "User-agent: *\nDisallow: /private\n", true},
		{34, "User-agent: *\nDisallow: /private\n", true},
		{41, text[:41], true},
		{42, text[:42], true},
		{13, "User-agent: *", true},
		{5, "", true},
	} {
		body, truncated, err := robotstxt.ReadBody(iotest.HalfReader(strings.NewReader(text)), c.limit)
		if string(body) != c.body || truncated != c.truncated || err != nil {
			t.Errorf("limit %d: %q %v %v, want %q %v", c.limit, body, truncated, err, c.body, c.truncated)
		}
	}
}

// TestReadBodyDefault checks that the default limit is 512,000 bytes, and that
// ReadBody reads at most one byte more from an endless reader [RFC 9309 2.5; Page:
// file format].
func TestReadBodyDefault(t *testing.T) {
	endless := &countingReader{unit: "Disallow: /x\n"}
	body, truncated, err := robotstxt.ReadBody(endless, 0)
	if len(body) != 512_000/13*13 || !truncated || err != nil {
		t.Errorf("%d bytes, truncated %v, %v", len(body), truncated, err)
	}
	if endless.n != 512_001 {
		t.Errorf("%d bytes were read, want 512001", endless.n)
	}
}

type countingReader struct {
	unit string
	n    int
}

func (r *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.unit[(r.n+i)%len(r.unit)]
	}
	r.n += len(p)
	return len(p), nil
}

// TestReadBodyError checks that the whole lines before a read error are returned
// with the error.
func TestReadBodyError(t *testing.T) {
	fault := errors.New("reset")
	r := io.MultiReader(strings.NewReader("Allow: /a\nDisallow: /"), iotest.ErrReader(fault))
	body, truncated, err := robotstxt.ReadBody(r, 0)
	if string(body) != "Allow: /a\n" || !truncated || !errors.Is(err, fault) {
		t.Errorf("%q %v %v", body, truncated, err)
	}
}
