package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/internal/cacheheader"
	"github.com/kosterhq/robotstxt/origin"
)

// headerLimit bounds the headers of a response, interim responses included.
const headerLimit = 64 << 10

// validators are the validators of a copy and the only URL they are sent to.
type validators struct{ url, etag, lastModified string }

func (c *Client) tryHTTP(ctx context.Context, o origin.Origin, copied validators) attempt {
	a := c.followRedirects(ctx, o, o.RobotsURL(), func(ctx context.Context, a attempt) (attempt, bool) {
		return c.get(ctx, a, copied)
	})
	if refused := (*notRequestedError)(nil); errors.As(a.err, &refused) && refused.target != o {
		return c.copyOf(refused.target, a)
	}
	return a
}

// copyOf returns the attempt that uses the file of target in memory instead of following
// a redirect to it, if that file is fresh. Without it, many names of one site that
// redirect to its robots.txt would cause as many requests to it, or have no answer.
func (c *Client) copyOf(target origin.Origin, a attempt) attempt {
	s := c.inMemory(target)
	now := c.now()
	if s == nil || c.credentials(target) != nil || !s.hasCopy() || !s.isFresh(c.config.Policy, now) ||
		!target.IsRobotsURL(origin.Text(a.URL)) {
		return a
	}
	g := s.lastAnswer
	if len(g.body) != g.Bytes { // memory does not keep it, see Config.KeepBodies
		return a
	}
	copied := attempt{siteAnswer: *g, fromMemory: true}
	copied.URL = s.expandURL(g.URL)
	copied.Hops = append(a.Hops, g.Hops...)
	copied.Lifetime, copied.Stated = g.freshFor(c.config.Policy)-now.Sub(g.At), true
	copied.ETag, copied.Modified = "", "" // another origin's
	return copied
}

// followRedirects requests url, whose origin is o, and the targets of redirects. It
// does so itself, because http.Client would send a Referer, and credentials from a
// Location. get makes one request; if done is false, the response was a redirect, and
// the returned attempt contains the next URL. [RFC 9309 2.3.1.2]
func (c *Client) followRedirects(ctx context.Context, o origin.Origin, url string,
	get func(ctx context.Context, a attempt) (_ attempt, done bool)) attempt {
	a := attemptAt(url)
	from := o
	if err := requestPermission(ctx, origin.Origin{}, o); err != nil {
		return a.fail(err)
	}
	a.credentials = c.credentials(o)
	hop, trusting := c.trust(ctx, o)
	for {
		next, done := get(hop, a)
		if done {
			return next
		}
		credentials := a.credentials
		a = next
		target, err := origin.Of(a.URL)
		if err != nil {
			return a.fail(err)
		}
		if err := requestPermission(ctx, from, target); err != nil {
			return a.fail(err)
		}
		from = target
		if target == o {
			a.credentials = credentials // which are gone once another origin was the target
		}
		// After a redirect to another host, that host chooses the next target. If
		// it redirects back, it also chooses the path, so the trust ends.
		if trusting && target.Host() != o.Host() {
			hop = ctx
			trusting = false
		}
	}
}

func (c *Client) credentials(o origin.Origin) http.Header {
	if c.config.Network.Credentials == nil {
		return nil
	}
	return c.config.Network.Credentials(o)
}

// get requests a.URL for a robots.txt. If done is false, the response was a redirect,
// and the returned attempt contains the next URL.
func (c *Client) get(ctx context.Context, a attempt, copied validators) (_ attempt, done bool) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	header := c.header(a.URL, copied)
	response, a, err := c.exchange(ctx, cancel, a, header)
	if err != nil {
		return a.fail(err), true
	}
	defer response.Body.Close() // closes the connection too, so the rest is not downloaded
	if next, usable := c.redirected(a, response); usable && c.terms().follows(a.Status, len(a.Hops)) {
		return next, false
	} else if usable {
		a.Next = next.URL
	}
	a.Class, a.err = c.terms().classOfHead(&a.siteAnswer, response.Header, response.ContentLength)
	if err := c.readResponse(response, cancel, header, &a); err != nil {
		a = a.fail(withCause(ctx, err))
	}
	a.noteEdge(response.Header)
	return a, true
}

// exchange requests a.URL. It returns a with the status and its class, and the
// response, whose body the caller closes. cancel cancels ctx.
func (c *Client) exchange(ctx context.Context, cancel context.CancelCauseFunc, a attempt,
	header http.Header) (*http.Response, attempt, error) {
	request, err := newRequest(ctx, a.URL)
	if err != nil {
		return nil, a, err
	}
	for name, values := range a.credentials {
		name = http.CanonicalHeaderKey(name)
		if header[name] == nil {
			header[name] = values
		}
	}
	request.Header = header
	request, err = c.route(request, cancel)
	if err != nil {
		return nil, a, withCause(ctx, err)
	}
	a.proxy = proxyName(request.Context())
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return nil, a, withCause(ctx, err)
	}
	if a.proxy != "" && response.StatusCode == http.StatusProxyAuthRequired {
		response.Body.Close()
		return nil, a, proxyTrouble(errNotProxied(response.StatusCode))
	}
	a.Status = response.StatusCode
	a.Class = classOf(a.Status)
	return response, a, nil
}

// redirected returns the attempt that follows a response which some policy takes for a
// redirect, and whether it has a usable target.
func (c *Client) redirected(a attempt, response *http.Response) (next attempt, usable bool) {
	if !mayRedirect(a.Status) {
		return next, false
	}
	location, usable := redirectTarget(origin.Text(a.URL), response.Header.Get("Location"))
	return attemptAt(location, append(a.Hops, Hop{a.URL, a.Status})...), usable
}

func (c *Client) header(url string, copied validators) http.Header {
	h := http.Header{
		"User-Agent":      {c.config.UserAgent},
		"Accept":          {"text/plain, */*;q=0.5"},
		"Accept-Encoding": {"gzip"},
	}
	if c.config.Freshness.Revalidate && copied.url == url {
		if copied.etag != "" {
			h.Set("If-None-Match", copied.etag)
		}
		if copied.lastModified != "" {
			h.Set("If-Modified-Since", copied.lastModified)
		}
	}
	return h
}

// resultHeaders lists the headers in Result.Header, in the order of
// Result.HeaderLines, before edgeHeaders.
var resultHeaders = append([]string{
	"Location", "Retry-After", "Content-Type", "Content-Length", "Content-Encoding",
	"Cache-Control", "Age", "Expires", "Date", "ETag", "Last-Modified",
}, cacheheader.Targeted...)

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
		for _, name := range slices.Concat(resultHeaders, edgeHeaders) {
			for _, value := range r.Header.Values(name) {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}

func (c *Client) readResponse(response *http.Response, cancel context.CancelCauseFunc, sent http.Header,
	a *attempt) error {
	now := c.now()
	a.header = pickHeaders(response.Header)
	a.Lifetime, a.Stated = lifetime(response.Header, now)
	switch {
	case a.Status == http.StatusNotModified && (sent.Get("If-None-Match") != "" || sent.Get("If-Modified-Since") != ""):
		a.notModified = true
		a.Class, a.err = classFile, nil
	case a.Class == classEmpty:
		a.Delimited = true
	case a.Class == classFile:
		return c.readFile(response, cancel, a)
	case a.Class == classUnreachable:
		a.retryAfter = RetryAfter(response.Header, now)
		if c.readNotFoundPage(response, cancel, a.Status) {
			a.Class, a.err = classUnavailable, nil
		}
	}
	return nil
}

func (c *Client) readNotFoundPage(response *http.Response, cancel context.CancelCauseFunc, status int) bool {
	if !c.terms().NotFound || !mayBeNotFound(status) {
		return false
	}
	body, err := decoded(response, c.robotsWire(response, cancel))
	if err != nil {
		return false
	}
	head, _ := io.ReadAll(io.LimitReader(body, NotFoundHead)) // an incomplete page is sufficient
	return c.config.NotFoundPage(status, head)
}

// readFile reads a file. Of a 206, all bytes that its Content-Range promises must arrive.
func (c *Client) readFile(response *http.Response, cancel context.CancelCauseFunc, a *attempt) error {
	a.ETag, a.Modified = response.Header.Get("ETag"), response.Header.Get("Last-Modified")
	a.Delimited = response.ContentLength >= 0 || len(response.TransferEncoding) > 0 || response.ProtoMajor >= 2
	body, err := decoded(response, c.robotsWire(response, cancel))
	if err != nil {
		return err
	}
	if err := c.readBody(body, a); err != nil {
		return err
	}
	n, _ := wholeRange(response.Header)
	arrived := c.wireBudget() - body.wire.r.left
	if a.Status == http.StatusPartialContent && arrived != n && !a.Truncated {
		a.body = nil
		return fmt.Errorf("Content-Range promises %d bytes, but %d arrived", n, arrived)
	}
	return nil
}

// wholeRange returns n for a Content-Range of "bytes 0-(n-1)/n": such a 206 has all of the file. Another part of
// a file can lack the rules that matter. [RFC 9110 14.4, 15.3.7]
func wholeRange(h http.Header) (n int64, ok bool) {
	values := h.Values("Content-Range")
	if len(values) != 1 {
		return 0, false
	}
	unit, span, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	last, length, _ := strings.Cut(strings.TrimPrefix(span, "0-"), "/")
	n, err := strconv.ParseInt(length, 10, 64)
	ok = err == nil && n > 0 && strings.EqualFold(unit, "bytes") && span == fmt.Sprintf("0-%s/%d", last, n) &&
		last == strconv.FormatInt(n-1, 10)
	return n, ok
}
