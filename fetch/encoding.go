package fetch

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// decoded returns a reader of the decoded body that bounds the bytes on the wire
// and their rate. A compression that was not offered is an error.
func (c *Client) decoded(response *http.Response, cancel context.CancelCauseFunc) (*decodedBody, error) {
	d := &decodedBody{wire: newWire(response.Body, c.wireBudget(), c.config.MinRate, cancel)}
	gzipped, err := isGzipped(response.Header)
	switch {
	case err != nil:
	case gzipped:
		d.decoder, err = newGzip(d.wire)
	default:
		d.decoder = d.wire
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// isGzipped reads Content-Encoding. It ignores names that are no compression, such
// as that of a character set: servers send them with plain bodies. Any other name
// is an error, because a body that cannot be read must not count as an empty file.
func isGzipped(h http.Header) (gzipped bool, err error) {
	for coding := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		switch coding = strings.ToLower(strings.TrimSpace(coding)); {
		case isNoCompression(coding):
		case coding != "gzip" && coding != "x-gzip":
			return false, fmt.Errorf("Content-Encoding %.40q was not requested: only gzip is", coding)
		case gzipped:
			return false, errors.New("Content-Encoding says gzip twice")
		default:
			gzipped = true
		}
	}
	return gzipped, nil
}

// noCompressions are values of Content-Encoding that compress nothing: identity,
// which is no coding, and what belongs into other headers. [RFC 9110 8.4, 12.5.3]
var noCompressions = []string{
	"", "identity", "none", "null", "off", "plain", "text", "text/plain", "text/html", "binary", "7bit", "8bit", "chunked",
	"ascii", "us-ascii", "utf8", "latin1",
}

// charsets are the beginnings of the names of character sets.
var charsets = []string{"utf-", "iso-8859-", "windows-12", "charset="}

func isNoCompression(coding string) bool {
	return slices.Contains(noCompressions, coding) ||
		slices.ContainsFunc(charsets, func(begin string) bool { return strings.HasPrefix(coding, begin) })
}

// gzipReader decodes a gzip stream of one or more members. It ignores zeros after
// the last member, with which some servers pad.
type gzipReader struct {
	wire   *bufio.Reader
	member *gzip.Reader
}

// newGzip returns a gzip decoder. A body without any byte counts as empty,
// although it is not a gzip stream.
func newGzip(r io.Reader) (io.Reader, error) {
	wire := bufio.NewReader(r)
	member, err := gzip.NewReader(wire)
	if err == io.EOF {
		return strings.NewReader(""), nil
	}
	if err != nil {
		return nil, fmt.Errorf("Content-Encoding says gzip: %w", err)
	}
	member.Multistream(false)
	return &gzipReader{wire, member}, nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		n, err := g.member.Read(p)
		if err != io.EOF {
			return n, err
		}
		if err := g.next(); n > 0 || err != nil {
			return n, err
		}
	}
}

// next begins the next member. It returns io.EOF if there is none.
func (g *gzipReader) next() error {
	first, err := g.wire.Peek(1)
	if err != nil {
		return err
	}
	if first[0] == 0 {
		return g.skipZeros()
	}
	if err := g.member.Reset(g.wire); err != nil {
		return err
	}
	g.member.Multistream(false)
	return nil
}

var errAfterGzip = errors.New("other bytes than zeros after the end of the gzip stream")

// skipZeros returns io.EOF if only zeros follow.
func (g *gzipReader) skipZeros() error {
	for {
		b, err := g.wire.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return errAfterGzip
		}
	}
}

// decodedBody is a decoder with the wire that it reads from.
type decodedBody struct {
	decoder io.Reader
	wire    *wire
}

// Read returns the error of the transfer even if the decoder reports io.EOF: the
// decoder cannot detect a transfer that ends early after a complete gzip member.
func (d *decodedBody) Read(p []byte) (int, error) {
	n, err := d.decoder.Read(p)
	if err == io.EOF && d.wire.err != nil {
		err = d.wire.err
	}
	return n, err
}

// Close stops the timer of the wire. It does not close the response.
func (d *decodedBody) Close() { d.wire.stop() }
