package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/faulttext"
	_ "github.com/kosterhq/robotstxt/internal/faulttext/network" // words for the errors of requests
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// attempt is the result of one attempt to fetch robots.txt. It depends on the
// policy only in whether a status without a meaning is a fault.
type attempt struct {
	siteAnswer        // the response, with its whole URL; after a fault its class, status, URL and hops
	err        error  // why the class is unreachable or refused
	proxy      string // URL of the proxy of the last request

	credentials http.Header // that the next request sends, see Network.Credentials
	header      http.Header // the headers in resultHeaders, and those that show the edge
	edge        string      // as in Result
	retryAfter  time.Duration
	notModified bool // 304 to a conditional request: the copy is fresh again
	fromMemory  bool // the file is in memory for another origin, see copyOf
}

func attemptAt(url string, hops ...Hop) attempt {
	return attempt{siteAnswer: siteAnswer{URL: url, Hops: hops}}
}

func (a attempt) fail(err error) attempt {
	a.Class, a.err = classUnreachable, err
	var refused *safedial.RefusedError
	if errors.As(err, &refused) {
		a.Class = classRefused
	}
	return a
}

// try makes one attempt to fetch the robots.txt of o. copied contains the
// validators of the copy, if there is one.
func (c *Client) try(ctx context.Context, o origin.Origin, copied validators) attempt {
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Limits.Timeout,
		timeoutError("the whole fetch took longer than "+c.config.Limits.Timeout.String()))
	defer cancel()
	ctx, resolving := watchResolver(ctx)
	return c.classify(ctx, c.tryProtocol(ctx, o, copied), resolving)
}

// classify returns an attempt that has ended, with its error, if any, in the form that is
// kept. ctx is its context.
func (c *Client) classify(ctx context.Context, a attempt, resolving *atomic.Bool) attempt {
	if a.Status != 0 || len(a.Hops) > 0 {
		c.noteReached()
	}
	if a.err == nil {
		return a
	}
	if ctx.Err() != nil && resolving.Load() {
		a.err = fmt.Errorf("%w: %w", errNoResolver, a.err)
	}
	kept := c.newKeptError(withCause(ctx, a.err))
	switch {
	case kept.kind == kindLocal && len(a.Hops) > 0 && isResolving(a.err):
		// The resolver worked for the site, and a redirect of the site chose a target
		// whose name servers do not answer. The short wait after local trouble would not
		// spare the site.
		kept.kind = kindDNS
	case kept.kind == kindNoRoute && dialError(a.err) != nil && !c.isOnline():
		kept.kind = kindLocal
	}
	a.err = kept
	if kept.kind == kindLocal {
		a.Class = classLocal
	}
	return a
}

func (c *Client) tryProtocol(ctx context.Context, o origin.Origin, copied validators) (a attempt) {
	defer failPanic(&a, o.RobotsURL())
	protocol := "HTTP"
	if o.Scheme() == "ftp" {
		protocol = "FTP"
		a = c.tryFTP(ctx, o)
	} else {
		a = c.tryHTTP(ctx, o, copied)
	}
	if a.err == nil && !a.notModified {
		if err := c.terms().check(protocol, a.Class, &a.siteAnswer); err != nil {
			return a.fail(err)
		}
	}
	return a
}

// failPanic is deferred by the code that calls net/http or the FTP library: a panic there,
// caused by a hostile response, must not end the program.
func failPanic(a *attempt, url string) {
	if p := recover(); p != nil {
		*a = attemptAt(url).fail(panicError{fmt.Sprint(p)})
	}
}

// panicError is the error for a panic. Only the log shows its value, which describes this
// program and not the site.
type panicError struct{ value string }

func (panicError) Error() string { return "the client failed while it read the response" }

// withCause returns err with the cause of the context's end, or the cause alone if err reports
// only that the context ended.
func withCause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil, errors.Is(err, cause):
		return err
	case errors.Is(err, net.ErrClosed), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return cause // which is why err came
	}
	return fmt.Errorf("%w (%w)", cause, err)
}

// readBody reads a body up to Limits.MaxBody. r bounds the bytes on the wire and
// their rate.
func (c *Client) readBody(r io.Reader, a *attempt) error {
	body, truncated, err := robotstxt.ReadBody(r, c.config.Limits.MaxBody)
	if err != nil {
		return err // an incomplete transfer is a fault, not a shorter file
	}
	a.body = body
	a.Truncated = truncated
	return nil
}

// wireBudget returns how many bytes of one body can arrive before decoding.
func (c *Client) wireBudget() int64 { return 2*int64(c.config.Limits.MaxBody) + 64<<10 }

type budgetReader struct {
	r    io.Reader
	left int64
}

var errOverBudget = errors.New("the response is too large")

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errOverBudget
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

type timeoutError string

func (e timeoutError) Error() string { return string(e) }

// Timeout implements the timeout part of net.Error, which os.IsTimeout uses.
func (e timeoutError) Timeout() bool { return true }

const paceInterval = 5 * time.Second

const (
	errTooSlow = timeoutError("the body arrives too slowly")
	errTooLong = timeoutError("the body takes too long to arrive")
)

// wire reads a body from the network, before decoding. It bounds the number of
// bytes, cancels a transfer that delivers fewer than minRate bytes in an interval or
// takes longer than allowed, and records the error that ended it. The time between
// reads does not count, because the caller can spend it on the bytes that it has
// read.
type wire struct {
	r       budgetReader
	minRate int           // no minimum if negative
	pace    time.Duration // the interval of minRate
	allowed time.Duration // for all reads; 0 if the context bounds them
	cancel  context.CancelCauseFunc

	seen   int           // bytes in this interval
	waited time.Duration // in this interval
	total  time.Duration // in all reads
	err    error         // the error that ended the transfer, io.EOF if complete
}

func newWire(r io.Reader, budget int64, minRate int, cancel context.CancelCauseFunc) *wire {
	return &wire{r: budgetReader{r, budget}, minRate: minRate, pace: paceInterval, cancel: cancel}
}

func (w *wire) Read(p []byte) (int, error) {
	defer w.limitTime()()
	began := time.Now()
	n, err := w.r.Read(p)
	took := time.Since(began)
	w.waited, w.total = w.waited+took, w.total+took
	w.seen += n
	if w.seen >= w.minRate {
		w.seen, w.waited = 0, 0
	}
	if err != nil {
		w.err = err
	}
	return n, err
}

// limitTime cancels the transfer when a limit of time is reached, unless the result is
// called before.
func (w *wire) limitTime() (stop func()) {
	left, err := w.allowed-w.total, error(errTooLong)
	if pause := w.pace - w.waited; w.minRate > 0 && (w.allowed == 0 || pause < left) {
		left, err = pause, errTooSlow
	} else if w.allowed == 0 {
		return func() {}
	}
	timer := time.AfterFunc(left, func() { w.cancel(err) })
	return func() { timer.Stop() }
}

type statusError struct {
	protocol string
	status   int
	text     string
}

func (e statusError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("%s status %d: %s", e.protocol, e.status, e.text), ": ")
}

// keptError is the form of an error that is safe to keep and to log: one short
// line without control characters. The errors of the network libraries can quote
// text that a server sent, and can reference certificates.
type keptError struct {
	text, kind string
	whole      string // for the log, if text hides addresses or a panic; else empty
	err        error  // nil if it is too large to keep
}

// maxErrorText is more than the errors of this package need.
const maxErrorText = 400

func newKeptError(err error) *keptError { return keep(err, faulttext.Words{Own: ownWords}) }

func keep(err error, words faulttext.Words) *keptError {
	kept := &keptError{text: oneLine(words.Of(err)), kind: faultKind(err), err: err}
	if len(kept.text) > maxErrorText {
		kept.text, kept.err = strings.ToValidUTF8(kept.text[:maxErrorText], "")+"…", nil
	}
	if isTLS(err) {
		kept.err = nil
	}
	return kept
}

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

func (e *keptError) Error() string { return e.text }
func (e *keptError) Unwrap() error { return e.err }

// Timeout implements the timeout part of net.Error, which os.IsTimeout uses.
func (e *keptError) Timeout() bool { return e.kind == "timeout" }

// Values of FaultError.Kind that decide something.
const (
	kindRefused = "refused address" // the guard refused the address
	kindStatus  = "status"
	kindDNS     = "DNS"
	kindNoRoute = "no route"
	kindInvalid = "invalid response"
)

func faultKind(err error) string {
	var kept *keptError
	if errors.As(err, &kept) {
		return kept.kind
	}
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case err == nil:
		return ""
	case errors.As(err, new(*safedial.RefusedError)):
		return kindRefused
	case errors.As(err, new(statusError)):
		return kindStatus
	case isLocal(err):
		return kindLocal
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &dns):
		return kindDNS
	case isProxy(err):
		return "proxy"
	case isTLS(err):
		return "TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case isAnyOf(err, routeErrors):
		return kindNoRoute
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "cut transfer"
	default:
		return kindInvalid
	}
}

// isTLS reports whether err comes from crypto/tls. Most of its errors have no
// exported type.
func isTLS(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || strings.Contains(err.Error(), "tls: ")
}
