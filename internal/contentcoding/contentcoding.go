// Package contentcoding reads which compressions the Content-Encoding of a response
// names, and decompresses gzip as servers send it.
package contentcoding

import (
	"bufio"
	"compress/gzip"
	"io"
	"slices"
	"strings"
)

// Compressions returns the compressions in the values of Content-Encoding, in lower case and in
// the order in which they were applied. It ignores names that are not compressions, such as a
// character set: servers send them with plain bodies.
func Compressions(values []string) (compressions []string) {
	for coding := range strings.SplitSeq(strings.Join(values, ","), ",") {
		coding = strings.ToLower(strings.TrimSpace(coding))
		if !isNoCompression(coding) {
			compressions = append(compressions, coding)
		}
	}
	return compressions
}

// IsGzip reports whether a compression is gzip.
func IsGzip(compression string) bool { return compression == "gzip" || compression == "x-gzip" }

// noCompressions are values of Content-Encoding that compress nothing: identity, which means no
// coding, and values that belong in other headers. [RFC 9110 8.4, 12.5.3]
var noCompressions = []string{
	"", "identity", "none", "null", "off", "plain", "text", "text/plain", "text/html", "binary", "7bit", "8bit", "chunked",
	"ascii", "us-ascii", "utf8", "latin1",
}

var charsets = []string{"utf-", "iso-8859-", "windows-12", "charset="}

func isNoCompression(coding string) bool {
	return slices.Contains(noCompressions, coding) ||
		slices.ContainsFunc(charsets, func(begin string) bool { return strings.HasPrefix(coding, begin) })
}

// gzipReader decodes a gzip stream of one or more members.
type gzipReader struct {
	wire   *bufio.Reader
	member *gzip.Reader
}

// NewGzip returns a decoder of a gzip stream of one or more members [RFC 1952 2.2]. Like gzip,
// curl and browsers it ignores what follows the last member: zeros with which some servers pad,
// or a line break. It still reads those bytes, so that r can report a transfer that was cut. A
// body without any byte counts as empty, although it is not a gzip stream.
func NewGzip(r io.Reader) (io.Reader, error) {
	wire := bufio.NewReader(r)
	member, err := gzip.NewReader(wire)
	if err == io.EOF {
		return strings.NewReader(""), nil
	}
	if err != nil {
		return nil, err
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

func (g *gzipReader) next() error {
	if head, err := g.wire.Peek(2); err != nil && err != io.EOF {
		return err
	} else if string(head) != "\x1f\x8b" {
		if _, err := io.Copy(io.Discard, g.wire); err != nil {
			return err
		}
		return io.EOF
	}
	if err := g.member.Reset(g.wire); err != nil {
		return err
	}
	g.member.Multistream(false)
	return nil
}
