package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

type proxyKey struct{}

func proxyIn(ctx context.Context) *url.URL {
	proxy, _ := ctx.Value(proxyKey{}).(*url.URL)
	return proxy
}

// route chooses the proxy of a request. It returns the request as it is to be sent,
// with the proxy in its context, or an error if it must not be sent. cancel ends the request
// if it turns out later that it should not have been sent.
func (c *Client) route(request *http.Request, cancel context.CancelCauseFunc) (*http.Request, error) {
	if c.config.Network.Proxy == nil || c.config.Network.Transport != nil {
		return request, nil
	}
	proxy, err := c.config.Network.Proxy(request)
	if err != nil {
		return nil, proxyTrouble(errors.New("Network.Proxy returned an error")) // its error can contain a password
	}
	if proxy == nil {
		return request, nil
	}
	switch proxy.Scheme {
	case "http", "https", "socks5", "socks5h":
	default:
		return nil, proxyTrouble(fmt.Errorf("the proxy has the scheme %.20q: use http, https or socks5", proxy.Scheme))
	}
	if err := c.checkTarget(request.Context(), cancel, request.URL); err != nil {
		return nil, err
	}
	return request.WithContext(context.WithValue(request.Context(), proxyKey{}, proxy)), nil
}

// checkFTPProxy returns an error if Network.Proxy has a proxy for an ftp origin: to
// fetch it directly would bypass the proxy.
func (c *Client) checkFTPProxy(ctx context.Context, o origin.Origin) error {
	if c.config.Network.Proxy == nil {
		return nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.RobotsURL(), nil)
	if err != nil {
		return err
	}
	if proxy, err := c.config.Network.Proxy(request); proxy != nil || err != nil {
		return &safedial.RefusedError{Host: o.Host(), Reason: "FTP through a proxy is not supported"}
	}
	return nil
}

// dialFor returns the dial function of the HTTP transport: the address of a proxy is
// the operator's choice, so the guard does not check it.
func dialFor(dialer *safedial.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	unguarded := *dialer
	unguarded.Guard = safedial.Guard{Allow: everyAddress}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if proxyIn(ctx) != nil {
			return unguarded.DialContext(ctx, network, address)
		}
		return dialer.DialContext(ctx, network, address)
	}
}

// proxyName returns the URL of the proxy in ctx without user name and password, or
// "" if there is none.
func proxyName(ctx context.Context) string {
	proxy := proxyIn(ctx)
	if proxy == nil {
		return ""
	}
	return (&url.URL{Scheme: proxy.Scheme, Host: proxy.Host}).String()
}

// proxyTrouble returns an error of the operator's proxy, which says nothing about
// the site, in the form that net/http uses when a proxy is unreachable.
func proxyTrouble(err error) error { return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err} }

// checkConnect returns an error if a proxy rejects CONNECT. Only a gateway error
// concerns the site; the others are decisions of the proxy.
func checkConnect(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	switch {
	case response.StatusCode == http.StatusOK:
		return nil
	case response.StatusCode >= 500:
		return proxyError{fmt.Errorf("the proxy answered %d: it cannot connect to the site", response.StatusCode)}
	default:
		return proxyTrouble(errNotProxied(response.StatusCode))
	}
}

func errNotProxied(status int) error {
	return errors.New(strings.TrimSpace(fmt.Sprintf("the proxy answered %d %s", status, http.StatusText(status))))
}

type proxyError struct{ error }

func (e proxyError) Unwrap() error { return e.error }

func isProxy(err error) bool {
	var op *net.OpError
	return errors.As(err, new(proxyError)) || errors.As(err, &op) && op.Op == socksOp
}

// isProxyTrouble reports whether err is due to the operator's proxy: it is unreachable,
// refuses the login or the request, or violates its protocol.
func isProxyTrouble(err error) bool {
	var op *net.OpError
	if !errors.As(err, &op) {
		return false
	}
	// A SOCKS server's reply about the site begins with "unknown error" in net/http.
	return op.Op == "proxyconnect" || op.Op == socksOp && op.Err != nil && !strings.HasPrefix(op.Err.Error(), "unknown error")
}

// socksOp is the net.OpError.Op of SOCKS clients in net/http.
const socksOp = "socks connect"
