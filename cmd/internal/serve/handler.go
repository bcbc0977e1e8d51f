package serve

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// setHeaders sets the headers of every response. None of them permits another website to
// read it (CORS).
func setHeaders(h http.Header) { maps.Copy(h, commonHeaders) }

// The values of headers, made once. They must not be changed.
var (
	commonHeaders = http.Header{
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"no-referrer"},
		"X-Frame-Options":              {"DENY"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cache-Control":                {"no-store"},
		// That of the API, whose answers are never a page.
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
	}
	headerClose = []string{"close"}
	headerJSON  = []string{typeJSON}
)

// call is a request that is being answered.
type call struct {
	http.ResponseWriter
	r      *http.Request
	client netip.Addr
	began  time.Time
	id     identity
	status int
	bytes  int64
	memory loan // of the memory for requests
	sent   pace // of the response
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

// endpoint answers the requests for a path.
type endpoint struct {
	name    string // for metrics and the log
	method  string
	isAPI   bool // it wants the bearer token
	handle  func(*call) error
	counted counted
}

// ServeHTTP answers a request. If an error of the endpoint is no Problem, it is a bug:
// its text is logged and not sent.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin(r)
	c := &call{ResponseWriter: w, began: time.Now(), id: identityOf(r)}
	r = r.WithContext(context.WithValue(r.Context(), identityKey{}, &c.id))
	c.r = r
	setHeaders(w.Header())
	c.id.setHeaders(w.Header())
	if s.draining.Load() {
		w.Header()["Connection"] = headerClose // so that the client sends no further request on it, which would be lost
	}
	end, err := s.check(c)
	c.memory = loan{of: s.memory, client: c.client}
	defer c.memory.end()
	if err == nil {
		if err = s.underway.take(c.client, 1); err == nil {
			defer s.underway.give(c.client, 1)
		}
	}
	assign(c)
	finished := false
	defer func() {
		if !finished {
			s.abandon(c, end, recover())
		}
		s.done(c, end)
	}()
	if err == nil {
		if r.Method != http.MethodPost { // otherwise when the body has arrived
			hold(c)
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
		s.logError(r.Context(), "a request failed", slog.String("operation", end.name), slog.Any("error", err))
		p = internalError
	}
	if c.status != 0 {
		finished = false
		return
	}
	s.metrics.limited.WithLabelValues(p.Code).Inc()
	if p.Code == errTooLarge.Code {
		s.refuseBody(c, p)
		return
	}
	p.write(c)
}

// abandon ends a request without its answer. cause is that of a panic, nil without one.
func (s *Server) abandon(c *call, end *endpoint, cause any) {
	if cause != nil && cause != http.ErrAbortHandler {
		s.logError(c.r.Context(), "a request failed", slog.String("operation", end.name), slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))
	}
	if c.status != 0 { // the client must notice that the answer is not complete
		s.done(c, end)
		panic(http.ErrAbortHandler)
	}
	internalError.write(c)
}

// statusGone is the status in the log if the client did not wait for the answer.
const statusGone = 499

var internalError = problem(http.StatusInternalServerError, "internal", "an internal error of the service: its log has the reason", "")

// check finds the endpoint of a request, which is never nil, and makes the checks that do
// not need the body.
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
	if wait := s.requests.take(c.client); wait > 0 {
		return end, busy(http.StatusTooManyRequests, "client-rate", "this client sends too many requests", wait)
	}
	if end.isAPI {
		if p := s.checkToken(r); p != nil {
			return end, p
		}
	}
	return end, nil
}

// route returns the endpoint for a request. If the path has other methods only, it
// returns those, and "" if there is no such path.
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
		s.config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "request", append([]slog.Attr{
			slog.String("client", c.client.String()), slog.String("method", c.r.Method), slog.String("operation", end.name),
			slog.Int("status", c.status), slog.Int64("bytes", c.bytes), slog.Float64("seconds", took.Round(time.Microsecond).Seconds()),
		}, c.id.attributes()...)...)
	}
}

// buffers are for bodies of requests and responses.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 8<<10); return &b }}

// largestBuffer is the size up to which a buffer is used again.
const largestBuffer = 256 << 10

func release(b *[]byte) {
	if cap(*b) <= largestBuffer {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}
