package serve

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// pace is the least rate of a transfer. After the grace, at least rate bytes per second
// must have been transferred on average. So a client that sends or reads a byte now and
// then is cut off, although it never pauses for long.
type pace struct {
	began time.Time
	grace time.Duration
	rate  int64 // bytes a second
}

func (p pace) deadline(n int64) time.Time {
	return p.began.Add(p.grace + time.Duration(float64(n)/float64(p.rate)*float64(time.Second)))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// bufferBytes is the number of bytes of a body that are read before its memory counts.
const bufferBytes = 8 << 10

// bodyGrace is the time after which a body must arrive at the least rate.
const bodyGrace = 5 * time.Second

// pieceBytes is the number of bytes of an answer that are written at once. The deadline is
// checked for each piece.
const pieceBytes = 64 << 10

var errTooLarge = problem(http.StatusRequestEntityTooLarge, "request-bytes", "the request body is too large", "")

// received reads the body of a request, which must have a media type. The body's memory counts
// for the request until the answer has been sent.
func (s *Server) received(c *call, want string) (body []byte, err error) {
	r := c.r
	if mediaType(r) != want {
		return nil, wrongType(want)
	}
	if r.ContentLength > s.config.MaxRequestBytes {
		return nil, errTooLarge
	}
	body = make([]byte, 0, min(max(r.ContentLength, bytes.MinRead)+1, bufferBytes))
	arriving := pace{c.began, min(bodyGrace, s.config.BodyTimeout), s.config.MinRate}
	control := http.NewResponseController(c)
	for {
		if len(body) == cap(body) {
			if err := c.memory.take(int64(cap(body))); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, 2*cap(body)), body...)
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if int64(len(body)) > s.config.MaxRequestBytes {
			return nil, errTooLarge
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, bodyError(err)
		}
		deadline := earlier(arriving.deadline(int64(len(body))), c.began.Add(s.config.BodyTimeout))
		if err := supported(control.SetReadDeadline(deadline)); err != nil {
			return nil, err
		}
	}
	mark(c, answering)
	// Without this, the time limit of the body would end a request that waits for a site.
	return body, supported(control.SetReadDeadline(time.Time{}))
}

// lingerBodies limits how much of a body that is too large is read and dropped, as a multiple
// of the largest accepted body. A client with 10 Mbit/s sends that much in the time for a
// body.
const lingerBodies = 4

// refuseBody answers that the body is too large, and then reads and drops more of it, up
// to a bound, until the deadline of the body. If the connection was closed while the body
// arrives, the system would reset it, and clients that read only after they have sent
// everything would lose the answer.
func (s *Server) refuseBody(c *call, p *Problem) {
	control := http.NewResponseController(c)
	// Without full duplex, net/http would read the body before it answers.
	duplex := control.EnableFullDuplex()
	c.Header()["Connection"] = headerClose
	p.write(c)
	if duplex != nil || control.Flush() != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, c.r.Body, lingerBodies*s.config.MaxRequestBytes) // the client might be gone
}

// supported drops the error of a connection without deadlines.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

func bodyError(err error) error {
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return problem(http.StatusRequestTimeout, "timeout", "the request body did not arrive in time", "")
	}
	return problem(http.StatusBadRequest, "body", "the request body cannot be read", "")
}

// Write writes a part of an answer, and fails if the client reads more slowly than the least
// rate. Only a stream has its own time limits.
func (c *call) Write(p []byte) (written int, err error) {
	if c.sent.began.IsZero() {
		c.sent.began = time.Now()
	}
	control := http.NewResponseController(c)
	for written < len(p) {
		piece := p[written:min(len(p), written+pieceBytes)]
		if c.bytes > 0 || len(piece) < len(p) { // the server has a deadline for answers of one piece
			deadline := earlier(c.sent.deadline(c.bytes), time.Now().Add(c.sent.grace))
			if err := supported(control.SetWriteDeadline(deadline)); err != nil {
				return written, err
			}
		}
		n, err := c.write(piece)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

func writeJSON(c *call, text []byte) error {
	h := c.Header()
	h["Content-Type"] = headerJSON
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	c.status = http.StatusOK
	_, _ = c.Write(text) // the client might be gone
	return nil
}
