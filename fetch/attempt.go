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
	"syscall"
	"time"
	"unicode"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// attempt is what one try to get a robots.txt came to, before any policy.
type attempt struct {
	class  class
	status int    // of HTTP or FTP, 0 without an answer
	url    string // that answered
	hops   []Hop  // redirects before it
	err    error  // why the class is unreachable or refused

	header    http.Header // what of it matters
	body      []byte
	truncated bool
	delimited bool

	lifetime     time.Duration // that the headers ask for
	stated       bool          // they do
	retryAfter   time.Duration
	etag         string
	lastModified string
	notModified  bool // 304 to our question: the copy is good again
}

// fail makes a an attempt that got no answer because of err.
func (a attempt) fail(err error) attempt {
	a.class, a.err = classUnreachable, err
	var refused *safedial.RefusedError
	if errors.As(err, &refused) {
		a.class = classRefused
	}
	return a
}

// try asks o for its robots.txt once. copied is what revalidation needs of the
// copy at hand.
func (c *Client) try(ctx context.Context, o origin.Origin, copied validators) attempt {
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Timeout, timeoutError("the whole fetch took longer than "+c.config.Timeout.String()))
	defer cancel()
	a := c.tryProtocol(ctx, o, copied)
	if a.err != nil {
		a.err = keepable(explain(ctx, a.err))
	}
	return a
}

func (c *Client) tryProtocol(ctx context.Context, o origin.Origin, copied validators) (a attempt) {
	// Parsers of hostile bytes that are not ours must not take us down.
	defer func() {
		if p := recover(); p != nil {
			a = attempt{url: o.RobotsURL()}.fail(fmt.Errorf("the answer broke its parser: %v", p))
		}
	}()
	if o.Scheme() == "ftp" {
		return c.tryFTP(ctx, o)
	}
	return c.tryHTTP(ctx, o, copied)
}

// trusts reports whether the addresses of o may be dialled wherever they lead.
func (c *Client) trusts(o origin.Origin) bool {
	return c.config.Trusts != nil && c.config.Trusts(o)
}

// explain names the deadline that is behind an error, which the network
// libraries wrap beyond recognition.
func explain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}

// readBody reads a body up to the limit. Its size and pace on the wire are
// bounded already.
func (c *Client) readBody(r io.Reader, a *attempt) error {
	body, truncated, err := robotstxt.ReadBody(r, c.config.Limit)
	if err != nil {
		return err // a cut body is a fault, not a shorter file
	}
	a.body, a.truncated = body, truncated
	return nil
}

// wireBudget is how many bytes may arrive for one body, however little comes
// out of them when decoded.
func (c *Client) wireBudget() int64 { return 2*int64(c.config.Limit) + 64<<10 }

// budgetReader fails once more than left bytes came through it.
type budgetReader struct {
	r    io.Reader
	left int64
}

var errOverBudget = errors.New("more bytes than any robots.txt needs")

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errOverBudget
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// timeoutError is a deadline of this package.
type timeoutError string

func (e timeoutError) Error() string { return string(e) }

// Timeout makes it a timeout to net.Error and os.IsTimeout.
func (e timeoutError) Timeout() bool { return true }

// paceInterval is the time over which Config.MinRate counts.
const paceInterval = 5 * time.Second

const errTooSlow = timeoutError("the body arrives too slowly")

// wire is a body as it arrives. It bounds its bytes, ends a transfer of which
// fewer than floor bytes arrive in an interval, and notes how it ended.
type wire struct {
	r      budgetReader
	floor  int // none if negative
	seen   int // since the timer was set
	timer  *time.Timer
	cancel context.CancelCauseFunc
	err    error // that reading ended with
}

func newWire(r io.Reader, budget int64, floor int, cancel context.CancelCauseFunc) *wire {
	return &wire{r: budgetReader{r, budget}, floor: floor, cancel: cancel}
}

func (w *wire) Read(p []byte) (int, error) {
	if w.timer == nil && w.floor > 0 {
		w.timer = time.AfterFunc(paceInterval, func() { w.cancel(errTooSlow) })
	}
	n, err := w.r.Read(p)
	if w.seen += n; w.timer != nil && w.seen >= w.floor {
		w.seen = 0
		w.timer.Reset(paceInterval)
	}
	if err != nil {
		w.err = err
	}
	return n, err
}

func (w *wire) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// statusError is an answer that is no answer to what was asked.
type statusError struct {
	protocol string
	status   int
	text     string
}

func (e statusError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("%s status %d: %s", e.protocol, e.status, e.text), ": ")
}

// keptError is what is kept of an error while its origin is in memory: one
// short line, without control characters. The errors of the network libraries
// quote what strangers sent, and hold whole certificates.
type keptError struct {
	text, kind string
	err        error // nil if it holds too much
}

// maxErrorText is longer than any error of ours.
const maxErrorText = 400

func keepable(err error) error {
	kept := &keptError{text: oneLine(err.Error()), kind: faultOf(err), err: err}
	if len(kept.text) > maxErrorText {
		kept.text, kept.err = strings.ToValidUTF8(kept.text[:maxErrorText], "")+"…", nil
	}
	if isTLS(err) {
		kept.err = nil
	}
	return kept
}

// oneLine replaces what would break out of a line or move a terminal's cursor.
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

// Timeout is asked by net.Error and os.IsTimeout.
func (e *keptError) Timeout() bool { return e.kind == "timeout" }

// faultOf names the kind of an error in a word, for logs and reasons.
func faultOf(err error) string {
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
		return "refused address"
	case errors.As(err, new(statusError)):
		return "status"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &dns):
		return "DNS"
	case isTLS(err):
		return "TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "cut transfer"
	default:
		return "invalid response"
	}
}

// isTLS recognises the errors of crypto/tls, most of which have no type.
func isTLS(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || strings.Contains(err.Error(), "tls: ")
}
