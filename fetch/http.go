package fetch

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// headerLimit bounds the headers of a response, interim responses included.
const headerLimit = 64 << 10

// dialerFor returns what opens all connections for a configuration, under the
// address guard unless that is off.
func dialerFor(c Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: c.DialTimeout}
	if c.AllowPrivate {
		return dialer.DialContext
	}
	return (&safedial.Dialer{Net: dialer}).DialContext
}

// newTransport returns the transport for a configuration. Connections are not
// kept: an origin is asked once a day, and trust in an address must not outlive
// the fetch that had it.
//
// HTTP/2 is not offered. A single request gains nothing by it, and it was
// measured to be hard to bound: a server that turns the request away with GOAWAY
// or REFUSED_STREAM is dialled again until the deadline, hundreds of times a
// second, and frames that answer nothing cost memory for as long.
func newTransport(c Config) http.RoundTripper {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  nil, // a proxy would dial past the address guard
		DialContext:            dialerFor(c),
		TLSHandshakeTimeout:    c.TLSTimeout,
		ResponseHeaderTimeout:  c.FirstByteTimeout,
		MaxResponseHeaderBytes: headerLimit,
		DisableCompression:     true, // the decoded size is bounded here
		DisableKeepAlives:      true,
		Protocols:              &protocols,
	}
}

// validators are what revalidation sends, and to which URL alone.
type validators struct{ url, etag, lastModified string }

// tryHTTP gets a robots.txt over HTTP or HTTPS. It follows redirects by itself:
// net/http's client would send credentials from a Location and a Referer
// (RFC 9309 2.3.1.2).
func (c *Client) tryHTTP(ctx context.Context, o origin.Origin, copied validators) attempt {
	a := attempt{url: o.RobotsURL()}
	trusting := c.trusts(o)
	for {
		hop := ctx
		if trusting {
			hop = safedial.Trust(ctx, o.Host())
		}
		next, done := c.get(hop, a, copied)
		if done {
			return next
		}
		a = next
		// Once a redirect has left the trusted host, a stranger chooses where
		// to, and if it leads back, then to any port and path.
		target, err := origin.Of(a.url)
		trusting = trusting && err == nil && target.Host() == o.Host()
	}
}

// get asks a.url. Unless done, the answer was a redirect, and the attempt
// returned is to be tried next.
func (c *Client) get(ctx context.Context, a attempt, copied validators) (_ attempt, done bool) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url, nil)
	if err != nil {
		return a.fail(err), true
	}
	request.Header = c.header(a.url, copied)
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return a.fail(explain(ctx, err)), true
	}
	defer response.Body.Close() // what was not read is dropped with the connection
	a.status = response.StatusCode
	if a.class = classOf(a.status); a.class == classRedirect {
		location, ok := redirectTarget(a.url, response.Header.Get("Location"))
		if ok && len(a.hops) < c.config.MaxRedirects {
			return attempt{url: location, hops: append(a.hops, Hop{a.url, a.status})}, false
		}
		a.class = classUnavailable // as 404
	}
	if err := c.readResponse(response, cancel, request.Header, &a); err != nil {
		return a.fail(explain(ctx, err)), true
	}
	return a, true
}

// header returns all that is sent besides Host.
func (c *Client) header(url string, copied validators) http.Header {
	h := http.Header{
		"User-Agent":      {c.config.UserAgent},
		"Accept":          {"text/plain, */*;q=0.5"},
		"Accept-Encoding": {"gzip"},
	}
	if c.config.Revalidate && copied.url == url {
		if copied.etag != "" {
			h.Set("If-None-Match", copied.etag)
		}
		if copied.lastModified != "" {
			h.Set("If-Modified-Since", copied.lastModified)
		}
	}
	return h
}

// maxLocation is how long a redirect's target may be: the 8000 octets that
// RFC 9110 4.1 asks to support, and some.
const maxLocation = 8 << 10

// redirectTarget resolves a Location. Only HTTP and HTTPS are followed, without
// fragment and without the credentials that a Location may carry. The host is
// spelled as its origin, so that the guard, the trust and the cache see one name.
func redirectTarget(from, location string) (string, bool) {
	if location == "" || len(location) > maxLocation {
		return "", false
	}
	base, err := url.Parse(from)
	if err != nil {
		return "", false
	}
	target, err := base.Parse(location)
	if err != nil || target.Opaque != "" || target.Scheme != "http" && target.Scheme != "https" {
		return "", false
	}
	o, err := origin.Of(target.String())
	if err != nil {
		return "", false
	}
	target.User, target.Fragment, target.RawFragment = nil, "", ""
	target.Host = strings.TrimPrefix(o.String(), o.Scheme()+"://")
	target.RawQuery = escapeQuery(target.RawQuery)
	return target.String(), true
}

// escapeQuery escapes what cannot stand in a request line. Of all parts of a
// URL, net/url lets it pass in the query alone.
func escapeQuery(query string) string {
	escaped := make([]byte, 0, len(query))
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c >= 0x7F {
			escaped = ascii.AppendPercent(escaped, c)
		} else {
			escaped = append(escaped, c)
		}
	}
	return string(escaped)
}

// resultHeaders are the names of what Result.Header contains, in the order of
// Result.HeaderLines.
var resultHeaders = [...]string{
	"Location", "Retry-After", "Content-Type", "Content-Length", "Content-Encoding",
	"Cache-Control", "Age", "Expires", "Date", "ETag", "Last-Modified",
}

func pickHeaders(from http.Header) http.Header {
	picked := http.Header{}
	for _, name := range resultHeaders {
		if values := from.Values(name); len(values) > 0 {
			picked[http.CanonicalHeaderKey(name)] = values
		}
	}
	return picked
}

// HeaderLines yields the names and values of Header in an order that people can
// read, from Location to Last-Modified. A name is yielded for each of its values.
func (r *Result) HeaderLines() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, name := range resultHeaders {
			for _, value := range r.Header.Values(name) {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}

// readResponse takes what a response that is no redirect says.
func (c *Client) readResponse(response *http.Response, cancel context.CancelCauseFunc, sent http.Header, a *attempt) error {
	now := time.Now()
	a.header = pickHeaders(response.Header)
	a.lifetime, a.stated = lifetime(response.Header, now)
	switch {
	case a.status == http.StatusNotModified && (sent.Get("If-None-Match") != "" || sent.Get("If-Modified-Since") != ""):
		a.notModified, a.class = true, classFile
		return nil
	case a.class == classEmpty:
		a.delimited = true
	case a.class == classFile:
		a.etag, a.lastModified = response.Header.Get("ETag"), response.Header.Get("Last-Modified")
		a.delimited = response.ContentLength >= 0 || len(response.TransferEncoding) > 0 || response.ProtoMajor >= 2
		return c.readDecoded(response, cancel, a)
	case a.class == classUnreachable:
		a.retryAfter = RetryAfter(response.Header, now)
		if c.isNotFoundPage(response, cancel, a.status) {
			a.class = classUnavailable
			return nil
		}
		a.err = statusError{"HTTP", a.status, ""}
	}
	return nil
}

// isNotFoundPage asks Config.NotFoundPage about a server error.
func (c *Client) isNotFoundPage(response *http.Response, cancel context.CancelCauseFunc, status int) bool {
	if c.config.NotFoundPage == nil || status < 500 || status > 599 || status == http.StatusServiceUnavailable {
		return false
	}
	body, err := c.decoded(response, cancel)
	if err != nil {
		return false
	}
	defer body.Close()
	head, _ := io.ReadAll(io.LimitReader(body, 4<<10)) // of a cut page the start will do
	return c.config.NotFoundPage(status, head)
}

func (c *Client) readDecoded(response *http.Response, cancel context.CancelCauseFunc, a *attempt) error {
	body, err := c.decoded(response, cancel)
	if err != nil {
		return err
	}
	defer body.Close()
	return c.readBody(body, a)
}

// decoded returns the response's body, bounded on the wire, watched for its
// pace, and decoded. A coding that was not offered is an error.
func (c *Client) decoded(response *http.Response, cancel context.CancelCauseFunc) (*decodedBody, error) {
	d := &decodedBody{wire: newWire(response.Body, c.wireBudget(), c.config.MinRate, cancel)}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(response.Header.Values("Content-Encoding"), ",")))
	var err error
	switch encoding {
	case "", "identity":
		d.decoder = d.wire
	case "gzip", "x-gzip":
		d.decoder, err = newGzip(d.wire)
	default:
		err = fmt.Errorf("Content-Encoding %.40q was not requested: only gzip is", encoding)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// newGzip reads the header of a gzip stream. No byte at all is an empty body,
// which needs no encoding.
func newGzip(r io.Reader) (io.Reader, error) {
	decoder, err := gzip.NewReader(r)
	if err == io.EOF {
		return strings.NewReader(""), nil
	}
	if err != nil {
		return nil, fmt.Errorf("Content-Encoding says gzip: %w", err)
	}
	return decoder, nil
}

// decodedBody is a body with what watches it.
type decodedBody struct {
	decoder io.Reader
	wire    *wire
}

// Read fails if the transfer has, also where the decoder is content: a transfer
// that was cut after a gzip member looks whole to it.
func (d *decodedBody) Read(p []byte) (int, error) {
	n, err := d.decoder.Read(p)
	if err == io.EOF && d.wire.err != nil {
		err = d.wire.err
	}
	return n, err
}

// Close ends the watch. It does not close the response.
func (d *decodedBody) Close() { d.wire.stop() }
