package robotshttp

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
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
	defaultMaxQueues     = 100_000
)

// Transport is an http.RoundTripper that checks robots.txt before each request,
// and delays requests as robots.txt and Retry-After require. Only Client is
// required; the zero value of every other field selects its default. A Transport
// is safe for concurrent use; do not change or copy it after the first request.
type Transport struct {
	// Client fetches and caches the robots.txt files. Several transports should
	// share one. It must not send its own requests through this Transport.
	Client *fetch.Client

	// Base sends the requests; nil means http.DefaultTransport. The address
	// guard of Client protects only the fetch of robots.txt: Base can dial
	// private addresses and use a proxy, unless it dials with the DialContext
	// of a fetch.Guard.
	Base http.RoundTripper

	// Agents are the product tokens to obey, most specific first. If empty, the
	// Transport uses the Client's agents. Agents decide only which rules apply. They do not
	// change the User-Agent of requests, so set UserAgent too, unless the site may see the
	// Client's name.
	Agents []string

	// UserAgent is the User-Agent of requests that have no such header. Default: the
	// Client's, so that a site sees the crawler whose rules are obeyed unless Agents names
	// another. A request with a User-Agent of its own keeps it, and one whose User-Agent is the
	// empty string is sent without one; both are judged by the rules for Agents.
	UserAgent string

	// Judge decides whether a request may be sent. If it returns an error,
	// RoundTrip returns that error instead of sending the request. nil means
	// Obey; ReportOnly allows everything.
	Judge func(*http.Request, fetch.Decision) error

	// OnDecision receives each decision before Judge, for logs and counters. If
	// robots.txt expires while a request waits, that request is decided twice.
	// OnDecision and Judge are called concurrently and must not change the
	// request.
	OnDecision func(*http.Request, fetch.Decision)

	// KeepResult makes ResultOf return the robots.txt by which a request was allowed.
	// Package robotshttp/permission needs it. Default false.
	KeepResult bool

	// Queue returns the name of the queue in which requests to an origin wait.
	// Requests of one queue share their delays, Retry-After and MaxPerHost. If
	// Queue is nil or the name is empty, each host has one queue for all its
	// schemes and ports. ByAddress returns a Queue for IP addresses; ExampleTransport_queue
	// shows one for registered domains. It is called concurrently, with the context
	// of the request.
	Queue func(ctx context.Context, o origin.Origin) string

	// MaxPerHost limits how many requests of one queue are under way at once; the
	// others wait. A request is under way until its response body is closed or read
	// to the end. A program that requests another page of a host while it keeps
	// MaxPerHost bodies open waits forever. Default 0: no limit.
	MaxPerHost int

	// DefaultDelay is the delay if robots.txt states none. Default 0.
	DefaultDelay time.Duration
	// MinDelay is the least time between two requests of one queue, even if robots.txt
	// requires less or nothing. Like all delays, it begins when a request is written,
	// so that the site never sees a shorter one, however long a connection takes to
	// open. If Base does not support net/http/httptrace, it begins when Base returns.
	// Default 0.
	MinDelay time.Duration
	// MaxDelay limits the delay that robots.txt can require with Crawl-delay or
	// Request-rate. A longer delay is shortened to MaxDelay, and the requests
	// are still sent: with the default of 30 s, a site with "Crawl-delay: 300"
	// receives a request every 30 s. To obey longer delays, set a larger
	// MaxDelay. A negative value ignores Crawl-delay and Request-rate. MinDelay
	// takes precedence if it is larger.
	MaxDelay time.Duration
	// RefuseLongDelays refuses requests to sites that require a longer delay than
	// MaxDelay with a *DelayError, instead of shortening the delay.
	RefuseLongDelays bool
	// MaxRetryAfter limits how long a Retry-After header can block a queue; a
	// longer time is shortened to it. Default 10 minutes; negative ignores
	// Retry-After.
	MaxRetryAfter time.Duration

	// MaxQueues is the number of delayed or blocked queues that the Transport
	// tracks, at about 250 bytes each. If there are more, it drops the least
	// recently used queue, whose next request can then start too early. Default
	// 100,000.
	MaxQueues int

	queues queues
}

var (
	errNoRequest = errors.New("robotshttp: the request is nil: http.NewRequest makes one")
	errNoClient  = errors.New("robotshttp: Transport.Client is nil: set it to a *fetch.Client, which fetch.New returns")
)

// RoundTrip checks the request, waits for its turn, and sends it through Base. It
// returns a *DisallowedError, or the error of Judge, if the request is refused, a
// *WaitError if its turn comes after its deadline, and the context's error if the context
// ends first. The context also bounds the fetch of robots.txt.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case req == nil:
		return nil, errNoRequest
	case t.Client == nil:
		return refuse(req, errNoClient)
	}
	if !hasRobots(req.URL) {
		return t.send(req)
	}
	target := origin.Request(req.URL)
	o, err := target.Origin()
	if err != nil {
		return refuse(req, err)
	}
	if o.IsRobotsURL(target) {
		return t.send(req)
	}
	queue := t.queueOf(req.Context(), o)
	turn, result, err := t.admit(req, o, target, queue)
	if err != nil {
		return refuse(req, err)
	}
	underWay := false
	defer func() { // even if Base panics, because the caller can recover
		if !underWay {
			turn.end()
		}
	}()
	if ctx := turn.watch(req.Context(), req.Body != nil && req.Body != http.NoBody); ctx != req.Context() {
		req = req.WithContext(ctx)
	}
	response, err := t.send(req)
	turn.returned()
	if err != nil {
		return response, err
	}
	t.applyRetryAfter(queue, response)
	if t.KeepResult {
		keepResult(response, req, result)
	}
	underWay = endWithBody(turn, response)
	return response, nil
}

// Next returns when a request to url could start if it were made now: after the delay, the
// Retry-After and the waiting requests of its queue. It returns the zero time if the request
// need not wait. So a scheduler can take another host meanwhile. Next fetches no robots.txt:
// before the first request to a site, its delay is not known. It does not take MaxPerHost
// into account. It returns an *origin.Error if url has no origin.
func (t *Transport) Next(ctx context.Context, url string) (time.Time, error) {
	if t.Client == nil {
		return time.Time{}, errNoClient
	}
	_, o, err := origin.ParseRequest(url)
	if err != nil {
		return time.Time{}, err
	}
	return t.queues.next(t.queueOf(ctx, o), t.limits()), nil
}

func (t *Transport) queueOf(ctx context.Context, o origin.Origin) string {
	if t.Queue != nil {
		if name := t.Queue(ctx, o); name != "" {
			return name
		}
	}
	return o.Host()
}

// CloseIdleConnections calls Base's method of that name, if Base has one.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// hasRobots reports whether robots.txt rules apply to u. If not, or if u is not
// valid in a request, Base handles the request.
func hasRobots(u *url.URL) bool {
	if u == nil || u.Host == "" && u.Opaque == "" {
		return false
	}
	return slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(u.Scheme))
}

// admit returns a turn when req may be sent, with the robots.txt that allows it, or an error
// if it is refused. The caller ends the turn.
func (t *Transport) admit(req *http.Request, o origin.Origin, target origin.URL,
	queue string) (*turn, *fetch.Result, error) {
	rules, result, err := t.judge(req, o, target)
	if err != nil {
		return nil, nil, err
	}
	delay, err := t.delay(o, rules, timeBy(t.Client.Clock()))
	if err != nil {
		return nil, nil, err
	}
	own, waited, err := t.queues.wait(req.Context(), queue, delay, t.limits())
	if err != nil {
		return nil, nil, err
	}
	admitted := false
	defer func() {
		if !admitted { // refused, or a hook has panicked
			own.end()
		}
	}()
	if waited && !result.FreshUntil.IsZero() && timeBy(t.Client.Clock()).After(result.FreshUntil) {
		_, result, err = t.judge(req, o, target)
		if err != nil {
			return nil, nil, err
		}
	}
	admitted = true
	return own, result, nil
}

// judge returns the rules for req and the state that they come from, and an error
// if the request is refused. It calls Explain, which allocates, only if a hook or
// an error needs the decision.
func (t *Transport) judge(req *http.Request, o origin.Origin,
	target origin.URL) (robotstxt.Rules, *fetch.Result, error) {
	result, err := t.Client.Robots(req.Context(), o.RobotsURL(), t.agents()...)
	if err != nil {
		return robotstxt.Rules{}, nil, err
	}
	rules := result.Rules(t.agents()...)
	if t.Judge == nil && t.OnDecision == nil && rules.Allowed(target.Compared()) {
		return rules, result, nil
	}
	decision := fetch.Decision{Decision: rules.Explain(target.Compared()), URL: target.Compared(), Result: result}
	if t.OnDecision != nil {
		t.OnDecision(req, decision)
	}
	judge := t.Judge
	if judge == nil {
		judge = Obey
	}
	return rules, result, judge(req, decision)
}

func (t *Transport) agents() []string {
	if len(t.Agents) == 0 {
		return t.Client.Agents()
	}
	return t.Agents
}

// send sends req through Base. It adds the User-Agent if req has no such header. An empty
// header counts as present: in net/http it suppresses the default header.
func (t *Transport) send(req *http.Request) (*http.Response, error) {
	if _, ok := req.Header["User-Agent"]; !ok {
		req = req.WithContext(req.Context()) // a copy: a RoundTripper must not change the request
		req.Header = req.Header.Clone()
		if req.Header == nil {
			req.Header = make(http.Header)
		}
		req.Header.Set("User-Agent", cmp.Or(t.UserAgent, t.Client.UserAgent()))
	}
	return t.base().RoundTrip(req)
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// refuse returns err. It closes the body, as a RoundTripper must.
func refuse(req *http.Request, err error) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close() // the request is not sent, so the error does not matter
	}
	return nil, err
}
