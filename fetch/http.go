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

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// headerLimit bounds the headers of a response, interim responses included.
const headerLimit = 64 << 10

// dialerFor returns the dial function for a configuration. It applies the address
// guard unless AllowPrivate is set.
func dialerFor(c Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: c.DialTimeout}
	if c.AllowPrivate {
		return dialer.DialContext
	}
	return (&safedial.Dialer{Net: dialer}).DialContext
}

// newTransport returns the transport for a configuration. It does not reuse
// connections: each origin is fetched about once a day, and a connection to a
// trusted address must not serve a later fetch without that trust.
//
// It does not offer HTTP/2. A single request gains nothing from it, and its
// resource use was measured to be hard to bound. If a server rejects the request
// with GOAWAY or REFUSED_STREAM, net/http redials until the deadline, hundreds of
// times a second. Frames that carry no response use memory until then.
func newTransport(c Config) http.RoundTripper {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  nil, // the address guard cannot check what a proxy dials
		DialContext:            dialerFor(c),
		TLSHandshakeTimeout:    c.TLSTimeout,
		ResponseHeaderTimeout:  c.FirstByteTimeout,
		MaxResponseHeaderBytes: headerLimit,
		DisableCompression:     true, // this package decodes, to bound the size
		DisableKeepAlives:      true,
		Protocols:              &protocols,
	}
}

// validators are the validators of a copy and the only URL they may be sent to.
type validators struct{ url, etag, lastModified string }

// tryHTTP fetches robots.txt over HTTP or HTTPS. It follows redirects itself,
// because http.Client would send a Referer, and credentials from a Location.
// [RFC 9309 2.3.1.2]
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
		// After a redirect to another host, that host chooses the next target. If
		// it redirects back, it also chooses port and path, so the trust ends.
		target, err := origin.Of(a.url)
		trusting = trusting && err == nil && target.Host() == o.Host()
	}
}

// get requests a.url. If done is false, the response was a redirect, and the
// returned attempt contains the next URL.
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
		return a.fail(withCause(ctx, err)), true
	}
	defer response.Body.Close() // closes the connection too, so the rest is not downloaded
	a.status = response.StatusCode
	if a.class = classOf(a.status); a.class == classRedirect {
		location, ok := redirectTarget(a.url, response.Header.Get("Location"))
		if ok && len(a.hops) < c.config.MaxRedirects {
			return attempt{url: location, hops: append(a.hops, Hop{a.url, a.status})}, false
		}
		a.class = classUnavailable // like 404
	}
	if err := c.readResponse(response, cancel, request.Header, &a); err != nil {
		return a.fail(withCause(ctx, err)), true
	}
	return a, true
}

// header returns the headers of a request, except Host.
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

// maxLocation is the longest Location that is followed, in bytes. It is above the
// 8000 octets that implementations should support. [RFC 9110 4.1]
const maxLocation = 8 << 10

// redirectTarget resolves a Location. It accepts only HTTP and HTTPS, and removes
// the fragment and any credentials. It writes the host in the canonical form of
// package origin, so that the address guard, Trusts and the cache see the same
// name.
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

// escapeQuery escapes bytes that are not allowed in a request line. net/url leaves
// them unescaped in the query only.
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

// resultHeaders lists the headers in Result.Header, in the order of
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

// HeaderLines yields the names and values of Header in a fixed, readable order. It
// yields a name once for each of its values.
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

// readResponse fills a from a response that is not a redirect to follow.
func (c *Client) readResponse(response *http.Response, cancel context.CancelCauseFunc, sent http.Header, a *attempt) error {
	now := c.now()
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

// isNotFoundPage calls Config.NotFoundPage for a server error.
func (c *Client) isNotFoundPage(response *http.Response, cancel context.CancelCauseFunc, status int) bool {
	if c.config.NotFoundPage == nil || status < 500 || status > 599 || status == http.StatusServiceUnavailable {
		return false
	}
	body, err := c.decoded(response, cancel)
	if err != nil {
		return false
	}
	defer body.Close()
	head, _ := io.ReadAll(io.LimitReader(body, 4<<10)) // an incomplete page is sufficient
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

// decoded returns a reader of the decoded body that bounds the bytes on the wire
// and their rate. A Content-Encoding that was not offered is an error.
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

// newGzip returns a gzip decoder. A body without any byte counts as empty,
// although it is not a gzip stream.
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

// decodedBody is a decoder with the wire that it reads from.
type decodedBody struct {
	decoder io.Reader
	wire    *wire
}

// Read returns the error of the transfer even if the decoder reports io.EOF: the
// decoder cannot detect a transfer that ends early after a complete gzip member.
func (d *decodedBody) Read(p []byte) (int, error) {
	n, err := d.decoder.Read(p)
	if err == io.EOF && d.wire.err != nil {
		err = d.wire.err
	}
	return n, err
}

// Close stops the timer of the wire. It does not close the response.
func (d *decodedBody) Close() { d.wire.stop() }
