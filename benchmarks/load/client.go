package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// A client is a connection that sends one request after the other. It writes requests that
// were made before and reads only what it must of a response, because it shares its
// processors with the service.
type client struct {
	address string
	local   *net.TCPAddr // nil for that of the system
	conn    net.Conn     // nil if there is none
	buffer  []byte
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
		c.conn = conn
		c.opened++
		if err := conn.SetDeadline(deadline); err != nil {
			return failed, err
		}
	}
	if _, err := c.conn.Write(r.text); err != nil {
		return c.lost(err)
	}
	status, body, closes, err := c.response()
	if err != nil {
		return c.lost(err)
	}
	if closes {
		c.close()
	}
	switch {
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

// response reads a response. The body is valid until the next one.
func (c *client) response() (status int, body []byte, closes bool, err error) {
	if c.buffer == nil {
		c.buffer = make([]byte, 16<<10)
	}
	n, bodyAt, end := 0, 0, 0
	for end == 0 || n < end {
		if n == len(c.buffer) {
			c.buffer = append(c.buffer, make([]byte, len(c.buffer))...)
		}
		read, err := c.conn.Read(c.buffer[n:])
		if n += read; err != nil {
			if n > 0 {
				err = &cutError{err}
			}
			return 0, nil, false, err
		}
		if end > 0 {
			continue
		}
		if at := bytes.Index(c.buffer[:n], headEnd); at >= 0 {
			bodyAt = at + len(headEnd)
			if bytes.Contains(c.buffer[:at+2], chunkedHeader) {
				return c.chunked(c.buffer[:n])
			}
			var length int
			if status, length, closes, err = parseHead(c.buffer[:at+2]); err != nil {
				return 0, nil, false, &cutError{err}
			}
			end = bodyAt + length
		}
	}
	return status, c.buffer[bodyAt:end], closes, nil
}

// chunked reads a response without a Content-Length, whose beginning was read.
func (c *client) chunked(begun []byte) (status int, body []byte, closes bool, err error) {
	response, err := http.ReadResponse(bufio.NewReader(io.MultiReader(bytes.NewReader(begun), c.conn)), nil)
	if err != nil {
		return 0, nil, false, &cutError{err}
	}
	if body, err = io.ReadAll(response.Body); err != nil {
		return 0, nil, false, &cutError{err}
	}
	return response.StatusCode, body, response.Close, nil
}

var (
	headEnd       = []byte("\r\n\r\n")
	chunkedHeader = []byte("\r\nTransfer-Encoding: chunked\r\n")
	lengthHeader  = []byte("\r\nContent-Length: ")
	closeHeader   = []byte("\r\nConnection: close\r\n")
)

// parseHead reads the head of a response, with the line end of its last line.
func parseHead(head []byte) (status, length int, closes bool, err error) {
	if len(head) < 12 || !bytes.HasPrefix(head, []byte("HTTP/1.1 ")) {
		return 0, 0, false, fmt.Errorf("%q is not the head of a response", head)
	}
	if status, err = strconv.Atoi(string(head[9:12])); err != nil {
		return 0, 0, false, err
	}
	_, after, found := bytes.Cut(head, lengthHeader)
	if !found {
		return 0, 0, false, fmt.Errorf("%q has no length", head)
	}
	length, err = strconv.Atoi(string(after[:bytes.IndexByte(after, '\r')]))
	return status, length, bytes.Contains(head, closeHeader), err
}
