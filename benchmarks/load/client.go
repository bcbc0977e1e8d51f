package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// A client is a connection that sends one request after the other. It writes requests that
// were made before, because it shares its processors with the service.
type client struct {
	address string
	local   net.Addr // nil for the system's choice
	conn    net.Conn // nil if there is none
	reader  *bufio.Reader
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

// outcome is the result of a request.
type outcome int

const (
	right  outcome = iota
	wrong          // another answer than the file has
	busy           // 429 or 503: the service has refused it
	failed         // another status, or no response
)

// errClosed means that the service closed the connection without an answer.
var errClosed = errors.New("the connection was closed")

// send sends a request. A connection that has been used can be closed at any time, so a
// request that gets no byte of an answer on such a one is sent once more on a new one, as
// HTTP clients do. [RFC 9110 9.2.2]
func (c *client) send(r *request, deadline time.Time) (outcome, error) {
	used := c.conn != nil
	response, body, err := c.exchange(r.text, deadline)
	if used && errors.Is(err, errClosed) {
		c.close()
		response, body, err = c.exchange(r.text, deadline)
	}
	if err != nil {
		c.close()
		return failed, err
	}
	got, err := r.judge(response.StatusCode, body)
	if got == failed || response.Close {
		c.close()
	}
	return got, err
}

// judge compares a response with what it must be.
func (r *request) judge(status int, body []byte) (outcome, error) {
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

// exchange sends a request and reads the response, on a new connection if there is none.
func (c *client) exchange(text []byte, deadline time.Time) (*http.Response, []byte, error) {
	if c.conn == nil {
		dialer := net.Dialer{Deadline: deadline, LocalAddr: c.local}
		conn, err := dialer.Dial("tcp", c.address)
		if err != nil {
			return nil, nil, err
		}
		c.use(conn)
		if err := conn.SetDeadline(deadline); err != nil {
			return nil, nil, err
		}
	}
	_, err := c.conn.Write(text)
	if err == nil {
		_, err = c.reader.Peek(1)
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, nil, err
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", errClosed, err)
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, nil, err
	}
	if response.ContentLength < 0 && response.TransferEncoding == nil {
		return nil, nil, errors.New("the response has no length")
	}
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func (c *client) use(conn net.Conn) { c.conn, c.reader = conn, bufio.NewReaderSize(conn, 16<<10) }

func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close() // nothing is sent any more
		c.conn = nil
	}
}
