package robotshttp

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// The defaults of a Transport's limits.
const (
	defaultMaxDelay      = 30 * time.Second
	defaultMaxRetryAfter = 10 * time.Minute
	defaultMaxOrigins    = 100_000
)

// Transport is an http.RoundTripper that asks robots.txt before each request,
// and waits where it asks for patience. Only Client is required; the zero value
// of every other field is its default. It is safe for concurrent use; do not
// change or copy it after the first request.
type Transport struct {
	// Client knows the robots.txt files. Share one among all transports. It
	// must not itself send through this Transport.
	Client *fetch.Client

	// Base sends the requests; nil means http.DefaultTransport. It dials
	// whatever it is told: the address guard of Client covers the robots.txt
	// only, not the pages.
	Base http.RoundTripper

	// Agents are the product tokens to obey, most specific first; empty means
	// those of Client.
	Agents []string

	// UserAgent is sent with requests that have no User-Agent header of their
	// own; empty leaves them alone. It should be the one that Client sends.
	UserAgent string

	// Judge says whether a request may go: an error refuses it, and is what
	// RoundTrip returns. nil means Obey; ReportOnly lets everything pass.
	Judge func(*http.Request, fetch.Decision) error

	// OnDecision sees each decision before Judge does, for logs and counters.
	// A request that has waited beyond the life of its robots.txt is decided
	// twice. Neither function may change the request, and both are called
	// concurrently.
	OnDecision func(*http.Request, fetch.Decision)

	// MinDelay is the least time between the starts of two requests to an
	// origin, also if its robots.txt asks for less or nothing. Default 0.
	MinDelay time.Duration
	// MaxDelay is the most that a robots.txt can ask for; MinDelay may be
	// more. Default 30 s; negative ignores Crawl-delay and Request-rate.
	MaxDelay time.Duration
	// MaxRetryAfter is for how long a Retry-After can hold an origin. Default
	// 10 minutes; negative ignores Retry-After.
	MaxRetryAfter time.Duration

	// MaxOrigins is of how many origins that are paced or held the transport
	// keeps track, some 320 bytes each. Beyond it the one that was asked
	// longest ago may be asked again too early. Default 100,000.
	MaxOrigins int

	paces paces
}

var errNoClient = errors.New("robotshttp: Transport.Client is nil: set it to a *fetch.Client, which fetch.New returns")

// RoundTrip sends a request through Base if it may go, when it may go. Refused
// by the rules, it returns a *DisallowedError or what Judge says; if the context
// ends first, its error. The context also bounds the fetch of the robots.txt.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.Client == nil {
		return refuse(req, errNoClient)
	}
	if !judged(req.URL) {
		return t.send(req)
	}
	target := sentURL(req.URL)
	o, err := origin.Of(target)
	if err != nil {
		return refuse(req, err)
	}
	if o.IsRobotsURL(target) {
		return t.send(req)
	}
	if err := t.admit(req, o, target); err != nil {
		return refuse(req, err)
	}
	response, err := t.send(req)
	if err == nil {
		t.heed(o, response)
	}
	return response, err
}

// CloseIdleConnections does so in Base, if Base can.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// judged reports whether there is a robots.txt for u. What has none, or is no
// URL to send at all, is for the base to judge.
func judged(u *url.URL) bool {
	if u == nil || u.Host == "" && u.Opaque == "" {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "ftp":
		return true
	default:
		return false
	}
}

// sentURL returns the URL that a request for u names on the wire: as
// url.URL.String has it, but without user name and fragment.
func sentURL(u *url.URL) string {
	path := u.RequestURI()
	switch {
	case strings.HasPrefix(u.Opaque, "//"):
		return path // has scheme and host
	case !strings.HasPrefix(path, "/"):
		path = "/" + path
	}
	return u.Scheme + "://" + u.Host + path
}

// admit returns once req may go, or an error if it may not.
func (t *Transport) admit(req *http.Request, o origin.Origin, target string) error {
	rules, freshUntil, err := t.judge(req, target)
	if err != nil {
		return err
	}
	waited, err := t.paces.wait(req.Context(), o, t.delay(rules, time.Now()), t.maxOrigins())
	if err != nil {
		return err
	}
	if waited && !freshUntil.IsZero() && time.Now().After(freshUntil) {
		_, _, err = t.judge(req, target)
	}
	return err
}

// judge returns the rules for req and how long they hold, and an error if it may
// not go. Grounds are collected only if somebody looks at them.
func (t *Transport) judge(req *http.Request, target string) (robotstxt.Rules, time.Time, error) {
	result, err := t.Client.Robots(req.Context(), target)
	if err != nil {
		return robotstxt.Rules{}, time.Time{}, err
	}
	rules := result.Rules(t.agents()...)
	encoded := robotstxt.EncodeURL(target)
	if t.Judge == nil && t.OnDecision == nil && rules.Allowed(encoded) {
		return rules, result.FreshUntil, nil
	}
	decision := fetch.Decision{Decision: rules.Explain(encoded), URL: encoded, Result: result}
	if t.OnDecision != nil {
		t.OnDecision(req, decision)
	}
	judge := t.Judge
	if judge == nil {
		judge = Obey
	}
	return rules, result.FreshUntil, judge(req, decision)
}

func (t *Transport) agents() []string {
	if len(t.Agents) == 0 {
		return t.Client.Agents()
	}
	return t.Agents
}

// send hands req to the base, with a User-Agent if it has none. An empty one is
// one: that is how net/http is told to send none.
func (t *Transport) send(req *http.Request) (*http.Response, error) {
	if _, ok := req.Header["User-Agent"]; t.UserAgent != "" && !ok {
		req = req.WithContext(req.Context()) // a copy: a RoundTripper changes no request
		if req.Header = req.Header.Clone(); req.Header == nil {
			req.Header = make(http.Header)
		}
		req.Header.Set("User-Agent", t.UserAgent)
	}
	return t.base().RoundTrip(req)
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// refuse closes the body, as a RoundTripper must.
func refuse(req *http.Request, err error) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close() // nobody reads it
	}
	return nil, err
}
