package serve

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// The values of headers, made once. They must not be changed.
var (
	// Headers of every response. None of them permits another website to read it (CORS).
	commonHeaders = http.Header{
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"no-referrer"},
		"X-Frame-Options":              {"DENY"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cache-Control":                {"no-store"},
		// A header of the API, whose answers are never a page.
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
	}
	headerClose = []string{"close"}
	headerJSON  = []string{typeJSON}
)

var refused = &endpoint{name: "refused"}

type call struct {
	http.ResponseWriter
	r      *http.Request
	client netip.Addr
	began  time.Time
	id     identity
	status int
	waited time.Duration // the time waited for the robots.txt of sites
	code   string        // the code of the problem that was the answer, or that ended the answer
	bytes  int64
	memory loan // a part of the memory for requests
	turn   turn // the turn to compute
	sent   pace // the rate of the response; it begins at the first byte
}

type callKey struct{}

// Unwrap is for [http.ResponseController].
func (c *call) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *call) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// write writes a part of the response, without a turn, because a client that does not read would
// occupy it.
func (c *call) write(p []byte) (int, error) {
	c.turn.end()
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

type endpoint struct {
	name   string // for metrics and the log
	method string
	isAPI  bool // it requires the bearer token
	handle func(*call) error
}

// ServeHTTP answers a request. An error of the endpoint that is not a Problem is a bug: its text
// is logged and not sent.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin(r)
	c := &call{ResponseWriter: w, began: time.Now(), id: identityOf(r),
		sent: pace{grace: s.config.WriteTimeout, rate: s.config.MinRate}}
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	c.r = r
	maps.Copy(w.Header(), commonHeaders)
	c.id.setHeaders(w.Header())
	// While the service ends, a further request on the connection would be lost. After a chunked
	// body, it might be one that a proxy has not seen: net/http does not show whether the request
	// had a Content-Length too, in which case the connection must be closed. [RFC 9112 6.1]
	if s.draining.Load() || r.TransferEncoding != nil {
		w.Header()["Connection"] = headerClose
	}
	end, err := s.check(c)
	c.memory = s.memory.lend(c.client)
	defer c.memory.end()
	defer c.turn.end()
	place := s.underway.lend(c.client)
	defer place.end()
	if err == nil {
		err = place.take(1)
	}
	mark(c, arriving)
	finished := false
	defer s.done(c, end)
	defer func() {
		if !finished {
			s.abandon(c, end, recover())
		}
	}()
	if err == nil {
		if r.Method != http.MethodPost { // otherwise when the body has arrived
			mark(c, answering)
		}
		err = end.handle(c)
	}
	finished = true
	if err != nil {
		finished = s.answerError(c, end, err)
	}
}

// answerError answers a request whose endpoint failed. It returns false if an answer has begun,
// which must break off then.
func (s *Server) answerError(c *call, end *endpoint, err error) (finished bool) {
	p, known := asProblem(err)
	if !known {
		if c.r.Context().Err() != nil { // the client is gone
			finished = c.status == 0
			c.status = statusGone
			return finished
		}
		s.config.Logger.ErrorContext(c.r.Context(), "a request failed", "operation", end.name, "error", err,
			"stack", term.TraceOf(err))
		p = internalError
	}
	c.code = p.Code
	if c.status != 0 {
		return false
	}
	s.metrics.limited.WithLabelValues(p.Code).Inc()
	if p.Code == errTooLarge.Code {
		s.refuseBody(c, p)
		return true
	}
	p.write(c)
	return true
}

// abandon ends a request without its answer. cause is the value of a panic, nil without
// one.
func (s *Server) abandon(c *call, end *endpoint, cause any) {
	if cause != nil && cause != http.ErrAbortHandler {
		s.config.Logger.ErrorContext(c.r.Context(), "a request failed", "operation", end.name, "panic", cause, "stack", string(debug.Stack()))
		c.code = internalError.Code
	}
	if c.status != 0 { // the client must notice that the answer is not complete
		panic(http.ErrAbortHandler)
	}
	internalError.write(c)
}

// urls are the URLs in the text of an error, after their schemes, and texts in quotation marks,
// which can be URLs without a site.
var urls = regexp.MustCompile(`//[^\s"'<>]+|"(?:[^"\\]|\\.)*"`)

// withoutURLs returns the text of an error for the log, which must not contain URLs.
func withoutURLs(text string) string { return urls.ReplaceAllString(text, "…") }

// statusGone is the status in the log if the client did not wait for the answer.
const statusGone = 499

var internalError = problem(http.StatusInternalServerError, "internal", "internal error: the service's log has the reason", "")

var notFound = problem(http.StatusNotFound, "not-found", "there is nothing at this path", "see /openapi.json")

// check finds the endpoint of a request, and makes the checks that do not need the body. The
// endpoint is never nil.
func (s *Server) check(c *call) (*endpoint, error) {
	r := c.r
	c.client = s.client(r)
	if p := s.checkHost(r); p != nil {
		return refused, p
	}
	if p := checkOrigin(r); p != nil {
		return refused, p
	}
	end, allowed := s.route(r)
	if end == nil {
		if allowed == "" {
			return refused, notFound
		}
		c.Header().Set("Allow", allowed)
		return refused, problem(http.StatusMethodNotAllowed, "method", "the method must be "+allowed, "")
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

// route returns the endpoint for a request. If the path has only other methods, route returns
// those; if there is no such path, it returns "".
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

func (s *Server) done(c *call, end *endpoint) {
	took := time.Since(c.began)
	s.metrics.requests.WithLabelValues(end.name, strconv.Itoa(c.status), faultOf(c)).Inc()
	s.metrics.duration.WithLabelValues(end.name).Observe((took - c.waited).Seconds())
	if !s.config.AccessLog {
		return
	}
	line := []slog.Attr{
		slog.String("client", c.client.String()), slog.String("method", c.r.Method), slog.String("operation", end.name),
		slog.Int("status", c.status), slog.Int64("bytes", c.bytes), slog.Float64("seconds", took.Round(time.Microsecond).Seconds()),
	}
	if c.code != "" {
		line = append(line, slog.String("code", c.code))
	}
	s.config.Logger.LogAttrs(c.r.Context(), slog.LevelInfo, "request", line...)
}
