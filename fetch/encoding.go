package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/kosterhq/robotstxt/internal/contentcoding"
)

// decoded returns a reader of the decoded body of a response, whose bytes come from
// wire. A compression that was not offered is an error.
func decoded(response *http.Response, wire *wire) (*decodedBody, error) {
	d := &decodedBody{wire: wire}
	gzipped, err := isGzipped(response.Header)
	switch {
	case err != nil:
	case gzipped:
		if d.decoder, err = contentcoding.NewGzip(d.wire); err != nil {
			err = fmt.Errorf("Content-Encoding says gzip: %w", err)
		}
	default:
		d.decoder = d.wire
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// robotsWire returns the wire of a response for robots.txt.
func (c *Client) robotsWire(response *http.Response, cancel context.CancelCauseFunc) *wire {
	return newWire(response.Body, c.wireBudget(), c.config.Limits.MinRate, cancel)
}

// isGzipped reads Content-Encoding. Any compression but a single gzip is an error,
// because a body that cannot be read must not count as an empty file.
func isGzipped(h http.Header) (bool, error) {
	compressions := contentcoding.Compressions(h.Values("Content-Encoding"))
	for _, compression := range compressions {
		if !contentcoding.IsGzip(compression) {
			return false, fmt.Errorf("Content-Encoding %.40q was not requested: only gzip is", compression)
		}
	}
	if len(compressions) > 1 {
		return false, errors.New("Content-Encoding says gzip twice")
	}
	return len(compressions) == 1, nil
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
