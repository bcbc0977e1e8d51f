package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The policies of responses. Answers of the API are never a page.
const policyNone = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// setHeaders sets the headers of every response. None of them permits another website to
// read it (CORS).
func setHeaders(h http.Header, policy string) {
	h["X-Content-Type-Options"] = headerNosniff
	h["Referrer-Policy"] = headerNoReferrer
	h["X-Frame-Options"] = headerDeny
	h["Cross-Origin-Resource-Policy"] = headerSameOrigin
	h["Cross-Origin-Opener-Policy"] = headerSameOrigin
	h["Cache-Control"] = headerNoStore
	if policy == policyNone {
		h["Content-Security-Policy"] = headerPolicyNone
	} else {
		h["Content-Security-Policy"] = []string{policy}
	}
}

// The values of headers, made once. They must not be changed.
var (
	headerNosniff    = []string{"nosniff"}
	headerNoReferrer = []string{"no-referrer"}
	headerDeny       = []string{"DENY"}
	headerSameOrigin = []string{"same-origin"}
	headerNoStore    = []string{"no-store"}
	headerClose      = []string{"close"}
	headerPolicyNone = []string{policyNone}
	headerJSON       = []string{typeJSON}
)

// call is a request on its way.
type call struct {
	http.ResponseWriter
	r      *http.Request
	client netip.Addr
	began  time.Time
	status int
	bytes  int64
}

// Unwrap is for [http.ResponseController].
func (c *call) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *call) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *call) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// endpoint is what answers the requests for a path.
type endpoint struct {
	name    string // for metrics and the log
	method  string
	isAPI   bool // it wants the bearer token
	handle  func(*call) error
	counted counted
}

// ServeHTTP answers a request. An error of the endpoint that is no Problem is a mistake of
// the program, and its text stays in the log.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{ResponseWriter: w, r: r, began: time.Now()}
	setHeaders(w.Header(), policyNone)
	end, err := s.check(c)
	finished := false
	defer func() {
		if !finished {
			if cause := recover(); cause != nil && cause != http.ErrAbortHandler {
				s.config.Logger.Error("a request failed", "operation", end.name, "panic", cause, "stack", string(debug.Stack()))
			}
			if c.status != 0 { // the client must notice that the answer is not complete
				s.done(c, end)
				panic(http.ErrAbortHandler)
			}
			internalError.write(c)
		}
		s.done(c, end)
	}()
	if err == nil {
		if r.Method != http.MethodPost { // otherwise when the body has arrived
			hold(r)
		}
		err = end.handle(c)
	}
	finished = true
	if err == nil {
		return
	}
	p, known := asProblem(err)
	if !known {
		if r.Context().Err() != nil { // the client is gone
			finished = c.status == 0
			c.status = statusGone
			return
		}
		s.config.Logger.Error("a request failed", "operation", end.name, "error", err)
		p = internalError
	}
	if c.status != 0 {
		finished = false
		return
	}
	s.metrics.limited.WithLabelValues(p.Code).Inc()
	p.write(c)
}

// statusGone stands for requests whose client did not wait for the answer, in the log.
const statusGone = 499

var internalError = problem(http.StatusInternalServerError, "internal", "the service has made a mistake", "")

// check finds the endpoint of a request and makes the checks that need nothing of its body.
// The endpoint is never nil.
func (s *Server) check(c *call) (*endpoint, error) {
	r := c.r
	c.client = s.client(r)
	if p := s.checkHost(r); p != nil {
		return s.refused, p
	}
	if p := checkOrigin(r); p != nil {
		return s.refused, p
	}
	end, allowed := s.route(r)
	if end == nil {
		if allowed == "" {
			return s.refused, problem(http.StatusNotFound, "not-found", "there is nothing at this path", "see /openapi.json")
		}
		c.Header().Set("Allow", allowed)
		return s.refused, problem(http.StatusMethodNotAllowed, "method", "the method must be "+allowed, "")
	}
	if wait := s.takeRequest(c.client); wait > 0 {
		return end, busy(http.StatusTooManyRequests, "client-rate", "this client sends too many requests", wait)
	}
	if end.isAPI {
		if p := s.checkToken(r); p != nil {
			return end, p
		}
	}
	return end, nil
}

// takeRequest counts a request of a client. If it is one too many, the result is the time
// until the next one.
func (s *Server) takeRequest(client netip.Addr) time.Duration {
	if s.config.ClientRate <= 0 {
		return 0
	}
	return take(s.clients.of(client).requests, time.Now())
}

// route returns the endpoint for a request, or the methods of its path, "" if there is
// nothing.
func (s *Server) route(r *http.Request) (end *endpoint, allowed string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	ends := s.routes[r.URL.Path]
	if ends == nil && strings.HasPrefix(r.URL.Path, "/") && !strings.HasPrefix(r.URL.Path, "/v1/") {
		ends = s.pageRoutes
	}
	for _, end := range ends {
		if end.method == method {
			return end, ""
		}
		if allowed != "" {
			allowed += ", "
		}
		allowed += end.method
	}
	return nil, allowed
}

// done logs and counts a request.
func (s *Server) done(c *call, end *endpoint) {
	took := time.Since(c.began)
	end.counted.done(c.status, took)
	if s.config.AccessLog {
		s.config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "request",
			slog.String("client", c.client.String()), slog.String("method", c.r.Method), slog.String("operation", end.name),
			slog.Int("status", c.status), slog.Int64("bytes", c.bytes), slog.Float64("seconds", took.Round(time.Microsecond).Seconds()))
	}
}

// buffers are for bodies of requests and responses.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 8<<10); return &b }}

// largestBuffer is the size of the largest buffer that is used again.
const largestBuffer = 256 << 10

func release(b *[]byte) {
	if cap(*b) <= largestBuffer {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}

// bodyBudget bounds the memory for bodies that have not arrived completely: as many bytes
// as 64 of the largest bodies have.
type bodyBudget struct {
	left atomic.Int64
}

var errTooLarge = problem(http.StatusRequestEntityTooLarge, "request-bytes", "the body of the request is too large", "")

// body reads the body of a request into a buffer.
func (s *Server) body(c *call, into []byte) ([]byte, error) {
	r := c.r
	if r.ContentLength > s.config.MaxRequestBytes {
		return into, errTooLarge
	}
	taken := int64(0)
	defer func() { s.budget.left.Add(taken) }()
	for {
		if len(into) == cap(into) {
			more := int64(cap(into))
			if s.budget.left.Add(-more) < 0 {
				s.budget.left.Add(more)
				return into, busy(http.StatusServiceUnavailable, "memory", "too many large requests are arriving", time.Second)
			}
			taken += more
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
	}
	hold(r)
	// Otherwise the time limit of the body would end a request that waits for a site.
	if err := http.NewResponseController(c).SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return into, err
	}
	return into, nil
}

// bodyError returns the problem of a body that cannot be read.
func bodyError(err error) error {
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return problem(http.StatusRequestTimeout, "timeout", "the body of the request did not arrive in time", "")
	}
	return problem(http.StatusBadRequest, "body", "the body of the request cannot be read", "")
}

// slots bound what is done at the same time.
type slots chan struct{}

// slotWait is how long a request waits for a slot.
const slotWait = time.Second

// enter takes a slot, which the caller returns by leave. It waits for a while.
func (s slots) enter(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(slotWait)
	defer timer.Stop()
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return busy(http.StatusServiceUnavailable, "busy", "the service has too much to do", slotWait)
	}
}

func (s slots) leave() { <-s }

// writeJSON answers with JSON. Answers that are not small share a budget while clients
// read them, which bounds their memory.
func (s *Server) writeJSON(c *call, text []byte) error {
	if size := int64(len(text)); size > largestBuffer {
		defer s.unread.Add(size)
		if s.unread.Add(-size) < 0 {
			return busy(http.StatusServiceUnavailable, "memory", "too many large answers have not been read yet", time.Second)
		}
	}
	h := c.Header()
	h["Content-Type"] = headerJSON
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	c.status = http.StatusOK
	_, _ = c.Write(text) // the client may be gone
	return nil
}
