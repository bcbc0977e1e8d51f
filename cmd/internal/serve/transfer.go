package serve

import (
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

// deadline returns the time by which more than n bytes must have been transferred.
func (p pace) deadline(n int64) time.Time {
	return p.began.Add(p.grace + time.Duration(float64(n)/float64(p.rate)*float64(time.Second)))
}

// bodyGrace is the time after which a body must arrive at the least rate.
const bodyGrace = 5 * time.Second

// pieceBytes is how much of an answer is written at once. The deadline is checked for each
// piece.
const pieceBytes = 64 << 10

var errTooLarge = problem(http.StatusRequestEntityTooLarge, "request-bytes", "the body of the request is too large", "")

// body reads the body of a request into a buffer. Its memory counts for the request until
// the answer has been sent.
func (s *Server) body(c *call, into []byte) ([]byte, error) {
	r := c.r
	if r.ContentLength > s.config.MaxRequestBytes {
		return into, errTooLarge
	}
	arriving := pace{c.began, min(bodyGrace, s.config.BodyTimeout), s.config.MinRate}
	control := http.NewResponseController(c)
	for {
		if len(into) == cap(into) {
			if err := c.memory.take(int64(cap(into))); err != nil {
				return into, err
			}
			larger := make([]byte, len(into), 2*cap(into))
			copy(larger, into)
			into = larger
		}
		n, err := r.Body.Read(into[len(into):cap(into)])
		into = into[:len(into)+n]
		if int64(len(into)) > s.config.MaxRequestBytes {
			return into, errTooLarge
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return into, bodyError(err)
		}
		deadline := arriving.deadline(int64(len(into)))
		if last := c.began.Add(s.config.BodyTimeout); last.Before(deadline) {
			deadline = last
		}
		if err := supported(control.SetReadDeadline(deadline)); err != nil {
			return into, err
		}
	}
	hold(c)
	// Without this, the time limit of the body would end a request that waits for a site.
	return into, supported(control.SetReadDeadline(time.Time{}))
}

// received reads the body of a request, which must have a type, into a buffer, which the
// caller releases.
func (s *Server) received(c *call, want string) (*[]byte, error) {
	buffer := buffers.Get().(*[]byte)
	if mediaType(c.r) != want {
		return buffer, wrongType(want)
	}
	var err error
	*buffer, err = s.body(c, (*buffer)[:0])
	return buffer, err
}

// supported drops the error of a connection without deadlines.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// bodyError returns the problem of a body that cannot be read.
func bodyError(err error) error {
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return problem(http.StatusRequestTimeout, "timeout", "the body of the request did not arrive in time", "")
	}
	return problem(http.StatusBadRequest, "body", "the body of the request cannot be read", "")
}

// send writes a part of an answer.
func (s *Server) send(c *call, text []byte) error {
	if c.sent.began.IsZero() {
		c.sent = pace{time.Now(), s.config.WriteTimeout, s.config.MinRate}
	}
	control := http.NewResponseController(c)
	for len(text) > 0 {
		piece := text[:min(len(text), pieceBytes)]
		if c.bytes > 0 || len(piece) < len(text) { // the server has a deadline for answers of one piece
			deadline := c.sent.deadline(c.bytes)
			if wait := time.Now().Add(s.config.WriteTimeout); wait.Before(deadline) {
				deadline = wait
			}
			if err := supported(control.SetWriteDeadline(deadline)); err != nil {
				return err
			}
		}
		if _, err := c.Write(piece); err != nil {
			return err
		}
		text = text[len(piece):]
	}
	return nil
}

// writeJSON answers with JSON that is complete.
func (s *Server) writeJSON(c *call, text []byte) error {
	h := c.Header()
	h["Content-Type"] = headerJSON
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	c.status = http.StatusOK
	_ = s.send(c, text) // the client may be gone
	return nil
}
