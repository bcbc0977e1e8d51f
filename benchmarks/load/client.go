package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// A client is a connection that sends one request after the other. It writes requests that
// were made before, because it shares its processors with the service.
type client struct {
	address string
	local   *net.TCPAddr // nil for that of the system
	conn    net.Conn     // nil if there is none
	reader  *bufio.Reader
	opened  int // connections
}

// request is a request with the answers that it must get.
type request struct {
	text                []byte
	allowed, disallowed int    // verdicts in the response
	part                string // of the response, if verdicts are not counted; "" otherwise
}

var (
	allowedText    = []byte(`"verdict":"allowed"`)
	disallowedText = []byte(`"verdict":"disallowed"`)
)

// outcome is what became of a request.
type outcome int

const (
	right  outcome = iota
	wrong          // another answer than the file has
	busy           // 429 or 503: the service has refused it
	failed         // another status, or no response
)

// errClosed means that the service had closed the connection before the request.
var errClosed = errors.New("the connection was closed")

// send sends a request. A connection that has been used may be closed at any time, so a
// request that gets no byte of an answer on such a one is sent once more on a new one, as
// HTTP clients do. [RFC 9110 9.2.2]
func (c *client) send(r *request, deadline time.Time) (outcome, error) {
	used := c.conn != nil
	got, err := c.sendOnce(r, deadline)
	if used && errors.Is(err, errClosed) {
		got, err = c.sendOnce(r, deadline)
	}
	if got == failed {
		c.close()
	}
	return got, err
}

func (c *client) sendOnce(r *request, deadline time.Time) (outcome, error) {
	if c.conn == nil {
		dialer := net.Dialer{Deadline: deadline}
		if c.local != nil {
			dialer.LocalAddr = c.local
		}
		conn, err := dialer.Dial("tcp", c.address)
		if err != nil {
			return failed, err
		}
		c.use(conn)
		c.opened++
		if err := conn.SetDeadline(deadline); err != nil {
			return failed, err
		}
	}
	if _, err := c.conn.Write(r.text); err != nil {
		return c.lost(err)
	}
	response, body, err := c.response()
	if err != nil {
		return c.lost(err)
	}
	if response.Close {
		c.close()
	}
	switch status := response.StatusCode; {
	case status == 429 || status == 503:
		return busy, fmt.Errorf("status %d: %.300s", status, body)
	case status != 200:
		return failed, fmt.Errorf("status %d: %s", status, body)
	case r.part != "":
		if !bytes.Contains(body, []byte(r.part)) {
			return wrong, fmt.Errorf("want %q in %.1000s", r.part, body)
		}
	case bytes.Count(body, allowedText) != r.allowed || bytes.Count(body, disallowedText) != r.disallowed:
		return wrong, fmt.Errorf("want %d allowed and %d disallowed: %s", r.allowed, r.disallowed, body)
	}
	return right, nil
}

func (c *client) use(conn net.Conn) { c.conn, c.reader = conn, bufio.NewReaderSize(conn, 16<<10) }

// lost closes the connection after an error.
func (c *client) lost(err error) (outcome, error) {
	c.close()
	if timeout := net.Error(nil); !errors.As(err, &timeout) || !timeout.Timeout() {
		if _, cut := errors.AsType[*cutError](err); !cut {
			err = fmt.Errorf("%w: %w", errClosed, err)
		}
	}
	return failed, err
}

func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close() // nothing is sent any more
		c.conn = nil
	}
}

// cutError is a response that is not complete.
type cutError struct{ error }

// response reads a response. An error before its first byte is not a cutError.
func (c *client) response() (*http.Response, []byte, error) {
	if _, err := c.reader.Peek(1); err != nil {
		return nil, nil, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, nil, &cutError{err}
	}
	if response.ContentLength < 0 && response.TransferEncoding == nil {
		return nil, nil, &cutError{errors.New("the response has no length")}
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, &cutError{err}
	}
	return response, body, nil
}
