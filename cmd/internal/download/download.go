// Package download fetches files of sites other than robots.txt: sitemaps. It dials only
// addresses that the address guard accepts, as package fetch does.
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// Config configures a Client. Its fields have the meaning of those of fetch.Config.
type Config struct {
	UserAgent    string
	Timeout      time.Duration // of each step: until the headers arrive, and of each read
	Proxy        func(*http.Request) (*url.URL, error)
	Guard        fetch.Guard
	AllowPrivate bool
	Trusts       func(origin.Origin) bool
	Resolver     fetch.Resolver
	Dial         func(ctx context.Context, network, address string) (net.Conn, error)
}

// maxRedirects is how many redirects in a row are followed.
const maxRedirects = 5

// Client fetches files. It is safe for concurrent use.
type Client struct {
	config Config
	dialer *safedial.Dialer
	http   *http.Client
}

// New returns a client.
func New(c Config) *Client {
	guard := safedial.Guard(c.Guard)
	if c.AllowPrivate {
		guard.Allow = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}
	}
	client := &Client{config: c, dialer: &safedial.Dialer{Guard: guard, Resolver: c.Resolver, Dial: c.Dial, Timeout: c.Timeout}}
	transport := &http.Transport{
		DialContext:            client.dial,
		TLSHandshakeTimeout:    c.Timeout,
		ResponseHeaderTimeout:  c.Timeout,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // the reader of the file decompresses
		DisableKeepAlives:      true, // a connection to a trusted address must not serve another request
		Proxy:                  client.proxy,
	}
	client.http = &http.Client{Transport: transport, CheckRedirect: client.redirect}
	return client
}

// proxyKey is the key of the proxy's address in the context of a request.
type proxyKey struct{}

// proxy chooses the proxy of a request. The proxy resolves the target itself, so the guard
// checks the target here.
func (c *Client) proxy(r *http.Request) (*url.URL, error) {
	if c.config.Proxy == nil {
		return nil, nil
	}
	proxy, err := c.config.Proxy(r)
	if err != nil || proxy == nil {
		return nil, err
	}
	o, err := origin.Of(r.URL.String())
	if err != nil {
		return nil, err
	}
	if err := c.dialer.CheckAll(r.Context(), o.Addr()); err != nil {
		return nil, err
	}
	if chosen, ok := r.Context().Value(proxyKey{}).(*string); ok {
		*chosen = proxyAddr(proxy)
	}
	return proxy, nil
}

// proxyAddr returns the host and port of a proxy.
func proxyAddr(proxy *url.URL) string {
	port := proxy.Port()
	if port == "" {
		port = map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[proxy.Scheme]
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(proxy.Hostname(), port)
}

// dial opens a connection. The address of a proxy is the user's choice, so the guard does
// not check it.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if chosen, ok := ctx.Value(proxyKey{}).(*string); ok && *chosen == address {
		return (&net.Dialer{Timeout: c.config.Timeout}).DialContext(ctx, network, address)
	}
	return c.dialer.DialContext(ctx, network, address)
}

// startKey is the key of the context without trust of a request.
type startKey struct{}

// redirect decides about a redirect. The trust in the first host ends with the first other
// one, which chooses the next target.
func (c *Client) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("there are over %d redirects", maxRedirects)
	}
	if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
		return fmt.Errorf("it redirects to the scheme %.20q", r.URL.Scheme)
	}
	r.Header.Del("Referer")
	for _, earlier := range append(via, r) {
		if earlier.URL.Hostname() != via[0].URL.Hostname() {
			*r = *r.WithContext(r.Context().Value(startKey{}).(context.Context))
			break
		}
	}
	return nil
}

// Open returns the body of a file. The caller closes it. An error is a short text.
func (c *Client) Open(ctx context.Context, url string) (io.ReadCloser, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, err
	}
	if o.Scheme() == "ftp" {
		return nil, errors.New("FTP is not supported here")
	}
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, proxyKey{}, new(string)))
	start := ctx
	ctx = context.WithValue(ctx, startKey{}, start)
	if c.config.Trusts != nil && c.config.Trusts(o) {
		ctx = safedial.Trust(ctx, o.Host(), o.Port(), 80, 443)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSpace(url), nil)
	if err != nil {
		cancel(nil)
		return nil, cause(err)
	}
	request.Header.Set("User-Agent", c.config.UserAgent)
	request.Header.Set("Accept", "application/xml, text/xml, text/plain, */*;q=0.5")
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := c.http.Do(request)
	if err != nil {
		cancel(nil)
		return nil, cause(err)
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		cancel(nil)
		return nil, fmt.Errorf("HTTP status %d", response.StatusCode)
	}
	return &body{ReadCloser: response.Body, ctx: ctx, cancel: cancel, timeout: c.config.Timeout}, nil
}

// cause returns an error without the URL that the caller knows.
func cause(err error) error {
	if refused, ok := errors.AsType[*safedial.RefusedError](err); ok {
		return refused
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// body is a body each of whose reads has a time limit. The time between reads does not
// count, because the URLs in it are answered then.
type body struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timeout time.Duration
}

var errTimeout = errors.New("timeout")

func (b *body) Read(p []byte) (int, error) {
	if b.timeout > 0 {
		timer := time.AfterFunc(b.timeout, func() { b.cancel(errTimeout) })
		defer timer.Stop()
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && context.Cause(b.ctx) != nil {
		err = context.Cause(b.ctx)
	}
	return n, err
}

func (b *body) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}
