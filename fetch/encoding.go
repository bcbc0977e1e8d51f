package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/kosterhq/robotstxt/internal/contentcoding"
)

// decoded returns a reader of the decoded body of a response, whose bytes come from wire.
// Any compression except a single gzip is an error, because an unreadable body must not
// count as an empty file.
func decoded(response *http.Response, wire *wire) (*decodedBody, error) {
	compressions := contentcoding.Compressions(response.Header.Values("Content-Encoding"))
	for _, compression := range compressions {
		if !contentcoding.IsGzip(compression) {
			return nil, fmt.Errorf("the server sent Content-Encoding %.40q, but only gzip was requested", compression)
		}
	}
	switch len(compressions) {
	case 0:
		return &decodedBody{wire, wire}, nil
	case 1:
		decoder, err := contentcoding.NewGzip(wire)
		if err != nil {
			return nil, fmt.Errorf("the body is not valid gzip: %w", err)
		}
		return &decodedBody{decoder, wire}, nil
	}
	return nil, errors.New("Content-Encoding lists gzip twice")
}

func (c *Client) robotsWire(response *http.Response, cancel context.CancelCauseFunc) *wire {
	return newWire(response.Body, c.wireBudget(), c.config.Limits.MinRate, cancel)
}

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
