package serve

import (
	"io"
	"net/http"
)

// lingerBodies is how many times the largest accepted body is read and dropped of a body
// that is too large. A client with 10 Mbit/s sends as much in the time for a body.
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
	_, _ = io.CopyN(io.Discard, c.r.Body, lingerBodies*s.config.MaxRequestBytes) // the client may be gone
}
