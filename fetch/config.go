package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

// Config configures a Client. Only UserAgent is required; the zero value of
// every other field selects its default.
type Config struct {
	// UserAgent is the User-Agent header of every request. It should name the
	// crawler and a web page or email address of its operator:
	// "FooBot/1.0 (+https://foobot.example)". If it contains neither, New logs a
	// warning through Logger.
	UserAgent string

	// Agents are the product tokens to obey, most specific first. If empty, the client uses
	// the token in UserAgent, as [crawlers.Declared] reads it; if there is none, as in the
	// header of a browser, New returns an error. If UserAgent contains none of the tokens,
	// New logs a warning through Logger. An agent line must be able to contain at least one
	// of them, in Dialect, or if Dialect is nil in the dialect of Google or RFC 9309: see
	// [crawlers.ReadingOf]. The others can be tokens that no line can contain. "" is an
	// error, and so is "*" alone. [RFC 9309 2.2.1]
	Agents []string

	// Policy defines the meaning of status codes and faults. Default
	// GooglePolicy.
	Policy Policy

	// Dialect is how files are parsed and matched, for all crawlers. If it is nil,
	// [crawlers.ReadingOf] chooses the dialect of each crawler. For example, FooBot
	// reads in Google's dialect. MJ12bot reads in the dialect of RFC 9309, because its
	// name is not a token in Google's.
	Dialect *robotstxt.Dialect

	// Store is a second cache after the client's memory. It can outlive the
	// process, and several processes can share it. nil means none. If the store
	// fails, the client fetches from the site instead; the answers stay
	// correct.
	Store cache.Store

	// KeepBodies also keeps the bodies in memory, for Result.Body.
	KeepBodies bool

	// NotFoundPage reports whether a 5xx response is a "page not found" page.
	// It receives the status and the first NotFoundHead bytes of the body; it is not called
	// for 503. The client treats such a response as a 404. If NotFoundPage is nil, it
	// treats none so; LooksNotFound is a function that recognises common pages. CarefulPolicy
	// never calls it: only the status 404 or 410 is evidence that there is no file.
	NotFoundPage func(status int, head []byte) bool

	// Network is how the client connects, and to which addresses. The zero value
	// connects directly, and to public addresses only.
	Network Network

	// Limits bound time, memory, bytes and the number of fetches.
	Limits Limits

	// Freshness changes how long answers apply, and when the client requests them
	// again. Otherwise the Policy decides.
	Freshness Freshness

	// Logger receives faults and warnings; nil discards them. The context of a line about a
	// fetch has the values of the context of the call that caused it.
	Logger *slog.Logger
	// Observe receives every Event. It is called synchronously and possibly
	// concurrently, so it should return quickly. It must not call the Client about
	// the same origin: that call could wait for itself. nil means no observer.
	Observe func(Event)
	// OnFetch receives the result of each fetch, whether or not the site answered: the body, the
	// time and the final URL, or the fault, and the fields of Stored that are set only here. It is
	// called even if the fetch failed on this machine, see FaultError.Local, but not for a fetch
	// that Close ended. nil means none.
	//
	// OnFetch is called in the goroutine of the fetch: in order for one origin, and concurrently
	// for several. The callers of the client get their result after OnFetch returns. It can keep
	// the Stored, but must not change it, and like Observe it must not call the Client about the
	// same origin. With Freshness.Revalidate, OnFetch implies KeepBodies, so the Stored of an
	// unchanged file contains its body. After a fault, the previous answer contains its body only
	// if you set KeepBodies.
	OnFetch func(*Stored)
	// OnChange receives a Change if a fetch finds a different file, outcome, source or
	// reachability from what the client knew before, or if the Store has such news from
	// another process. The client cannot compare with a state that is no longer in
	// memory or in the Store. OnChange is called synchronously, in order
	// for one origin and concurrently for several. A fetch that is redirected to the
	// robots.txt of another origin also reports a Change of the other origin. That
	// Change is compared with memory alone, and is not in order with the other
	// origin's own fetches. Like Observe, OnChange must not call the Client about the
	// same origin, or about one that redirects to it. nil means none.
	OnChange func(Change)
}

// Network is how a Client connects, and to which addresses. The zero value connects
// directly, and to public addresses only.
type Network struct {
	// AllowPrivate lets the client dial loopback, private, link-local and
	// other special-purpose addresses. Leave it off if URLs come from untrusted
	// sources, such as links on web pages. Guard.Ports still applies.
	AllowPrivate bool
	// Guard configures the address guard: its exceptions, the ports that can be
	// dialled, and the NAT64 of the network. The zero value refuses all
	// special-purpose addresses.
	Guard Guard
	// Trusts reports whether the guard is off for an origin's own host, for
	// example for a host that a user typed. The client then dials this host on the
	// origin's port, 80 and 443, at the addresses that the first lookup of a fetch
	// returns. Other ports, other hosts, and the host itself after a redirect from
	// another one are checked. nil trusts no origin.
	Trusts func(origin.Origin) bool

	// Request is called before each request. ctx has the values of the context of the call
	// that caused the fetch. If several calls share one fetch, they are the values of the
	// first.
	//
	// If Request returns an error, the client does not make the request. If it is the first
	// request for a robots.txt, the call that caused the fetch returns the error in a
	// *FaultError, and calls that share the fetch fetch for themselves. If a redirect leads to
	// another origin's robots.txt that is fresh in memory, and KeepBodies is set, the client
	// uses that file. Otherwise the fetch fails with the error. The error is local, see
	// FaultError.Local: it says nothing about the site. Request must not call the Client. nil
	// permits all requests.
	Request func(context.Context, Request) error

	// Credentials returns headers for requests to an origin, such as Authorization; nil for
	// none. A fetch sends them to the origin with which it begins. After a redirect to any
	// other origin, even from http to https of one host, it sends none. They do not replace
	// headers that the client sets, and FTP does not use them.
	//
	// Crawlers without these headers can get other answers, so such answers are not shared:
	// Store must be nil, and a file that a redirect of another origin found without them is
	// not kept for this origin. The Policy defines the meaning of statuses as for any other
	// answer. Credentials must always return the same headers for an origin, and must be
	// safe for concurrent calls.
	Credentials func(origin.Origin) http.Header

	// HideAddresses leaves IP addresses and the names of proxies and name servers out
	// of errors, results and events, for services whose clients must not learn about the
	// network. The Logger receives the whole errors.
	HideAddresses bool

	// Resolver looks up hosts; nil means net.DefaultResolver. The guard checks the
	// addresses that it returns.
	Resolver Resolver
	// Dial opens a connection to an address that the guard has accepted: an IP
	// literal and a port, never a name. network is "tcp". Dial must connect there
	// or fail. The context ends after Limits.DialTimeout or when Dial returns. nil means
	// a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// LocalAddr is the local address of connections. Only remote addresses of the
	// same family are dialled. The zero Addr leaves the choice to the system; with
	// Dial it must be zero.
	LocalAddr netip.Addr
	// Proxy returns the proxy for a request, or nil for none, such as
	// http.ProxyFromEnvironment or http.ProxyURL(u). Proxies can have the schemes
	// http, https and socks5. The guard looks the target up and checks it before
	// each request, but the proxy resolves the host again: it must refuse private
	// addresses itself if URLs come from untrusted sources. If the guard cannot
	// look the host up in 2 seconds, it leaves the host to the proxy. If it has found
	// none of the first 8 hosts, it no longer waits more than 25 ms for others, and
	// ends a request when it finds a refused address. It does not check the address of
	// the proxy. ftp URLs with a proxy are refused. nil means no proxy;
	// the environment is not used.
	Proxy func(*http.Request) (*url.URL, error)
	// TLS configures TLS: roots, client certificates, versions. nil means the
	// defaults of crypto/tls. NextProtos is ignored.
	TLS *tls.Config

	// Transport replaces the client's own HTTP transport. The address guard, Resolver,
	// Dial, LocalAddr, Proxy, TLS, the limits DialTimeout, TLSTimeout and
	// FirstByteTimeout, and the limit on headers then do not apply: a replacement must
	// enforce its own. ftp URLs do not use it. Prefer the fields above, which keep the
	// guard. nil means the client's own.
	Transport http.RoundTripper
}

// Request is a request that a [Client] is about to make.
type Request struct {
	Origin origin.Origin // that gets it
	// From is the origin whose redirect is followed: the zero Origin for the first request of
	// a fetch, and Origin if the fetch begins again because an address was busy.
	From   origin.Origin
	IsFile bool // for the file of Open or OpenResponse; otherwise for a robots.txt
}

// Limits bound what a Client uses. The zero value of each field selects its default.
type Limits struct {
	// MaxMemory bounds the memory for parsed files, in bytes. Files that do not fit
	// are read from the Store or the site again. Default 256 MiB, enough for about
	// 200,000 sites. Minimum 16 times MaxBody, so that the largest parsed file
	// fits: it is up to 11 times as large as its text.
	MaxMemory int64
	// MaxBody is how many decoded bytes of a file are read; the rest is not
	// downloaded. Default and minimum 500 KiB. [RFC 9309 2.5]
	MaxBody int
	// MaxRedirects is how many redirects in a row are followed. Default 5, in
	// KosterPolicy 20. Minimum 5. [RFC 9309 2.3.1.2]
	MaxRedirects int

	// Timeout bounds a whole fetch, redirects included. Default 30 s.
	Timeout time.Duration
	// DialTimeout bounds each connection attempt. Default 10 s.
	DialTimeout time.Duration
	// TLSTimeout bounds each TLS handshake. Default 10 s.
	TLSTimeout time.Duration
	// FirstByteTimeout bounds the wait for each response's headers. Default 15 s.
	FirstByteTimeout time.Duration
	// StoreTimeout bounds each call of the Store. Default 50 ms.
	StoreTimeout time.Duration
	// MinRate is how many bytes of a body must arrive in each 5 seconds;
	// slower transfers fail. Default 512; negative means no minimum.
	MinRate int

	// MaxFetches is how many fetches are under way at the same time. Further fetches
	// wait in the order in which they were requested, one for each origin. If all
	// callers cancel before a fetch's turn comes, the client skips it. A fetch uses
	// one or two descriptors, and up to four while it resolves a name. Origins whose
	// last fetch failed on this machine share a quarter of MaxFetches, but at least
	// one. Default 256; negative means no bound.
	MaxFetches int
	// MaxFetchRate is how many fetches begin in a second, on average; up to a second's
	// worth can begin at once. Default 0, which means no bound. Minimum 1e-9.
	MaxFetchRate float64
	// MaxFetchesPerAddress is how many fetches use one IP address at the same
	// time, because one server often has many sites. Further fetches wait in the
	// order in which they found the address busy, without using up MaxFetches or
	// Timeout. Fetches through Network.Proxy or Network.Transport do not count.
	// Default 0, which means no bound.
	MaxFetchesPerAddress int
}

// Freshness changes how long answers apply, and when a Client requests them again.
// Otherwise the Policy decides. The zero value is right for crawlers.
type Freshness struct {
	// Revalidate sends If-None-Match and If-Modified-Since if there is a copy.
	// The default is off, because Google's page describes unconditional GETs.
	Revalidate bool

	// NoCache fetches from the site in every call and uses neither memory nor
	// Store. It is for tests and tools, not for crawlers.
	NoCache bool

	// SiteAnswers reports whether a site whose robots.txt has been unreachable
	// for 30 days answers other requests. Only GoogleLadderPolicy calls it, once
	// after each failed fetch, and only for sites in use. Its context ends after
	// Limits.Timeout; if it has not returned by then, the site does not answer. nil
	// means that no site does.
	SiteAnswers func(context.Context, origin.Origin) bool

	// Clock returns the current time, for simulations and replays. It decides
	// which answers are fresh, when a failed fetch is repeated, and how long an
	// outage has lasted. The times in answers and Store entries come from it.
	// Package robotshttp paces requests by it. But timeouts always use the system's clock,
	// and a Store has its own. Clock must be safe for concurrent use. nil means
	// time.Now.
	Clock func() time.Time
}

const exampleUserAgent = "FooBot/1.0 (+https://foobot.example)"

// ConfigError reports an invalid field of a Config and how to correct it.
type ConfigError struct{ Field, Problem string }

// Error returns the field and the problem in one line.
func (e *ConfigError) Error() string { return "fetch.Config." + e.Field + ": " + e.Problem }

func (c Config) withDefaults() (Config, error) {
	if strings.TrimSpace(c.UserAgent) == "" {
		return c, &ConfigError{"UserAgent", fmt.Sprintf("is required: name the crawler and a contact, for example %q", exampleUserAgent)}
	}
	if strings.ContainsFunc(c.UserAgent, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return c, &ConfigError{"UserAgent", "contains a control character, which HTTP headers do not allow"}
	}
	if err := c.findAgents(); err != nil {
		return c, err
	}
	if int(c.Policy) >= len(policies) {
		return c, &ConfigError{"Policy", fmt.Sprintf("%d is not a policy: use one of Policies()", c.Policy)}
	}
	if err := cmp.Or(c.Limits.check(), c.checkNetwork()); err != nil {
		return c, err
	}
	c.Limits.MaxRedirects = cmp.Or(c.Limits.MaxRedirects, policies[c.Policy.index()].redirects)
	c.Limits.setDefaults()
	if c.OnFetch != nil && c.Freshness.Revalidate {
		c.KeepBodies = true
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if !strings.Contains(c.UserAgent, "://") && !strings.Contains(c.UserAgent, "@") {
		c.Logger.Warn("the User-Agent contains no contact: add a URL or an email address, since many sites block anonymous crawlers", "user_agent", c.UserAgent)
	}
	if !slices.ContainsFunc(c.Agents, c.identifies) {
		c.Logger.Warn("the User-Agent contains none of the Agents: begin it with the product token that the client obeys, so that sites can tell which of their rules apply", "agents", c.Agents, "user_agent", c.UserAgent)
	}
	return c, nil
}

func (l *Limits) check() error {
	invalid := func(field, problem string, values ...any) error {
		return &ConfigError{"Limits." + field, fmt.Sprintf(problem, values...)}
	}
	switch {
	case l.MaxBody != 0 && l.MaxBody < robotstxt.DefaultBodyLimit:
		return invalid("MaxBody", "%d is below the minimum of %d bytes (RFC 9309 2.5)", l.MaxBody, robotstxt.DefaultBodyLimit)
	case l.MaxRedirects != 0 && l.MaxRedirects < robotstxt.DefaultRedirects:
		return invalid("MaxRedirects", "%d is below the minimum of %d (RFC 9309 2.3.1.2)", l.MaxRedirects, robotstxt.DefaultRedirects)
	case !(l.MaxFetchRate >= 0): // or not a number
		return invalid("MaxFetchRate", "%v is not a rate: use 0 for no bound", l.MaxFetchRate)
	case l.MaxFetchRate > 0 && l.MaxFetchRate < minFetchRate:
		return invalid("MaxFetchRate", "%v is below the minimum of %v, one fetch in 32 years: use 0 for no bound", l.MaxFetchRate, minFetchRate)
	case l.MaxMemory != 0 && l.MaxMemory < l.minMemory():
		return invalid("MaxMemory", "%d is below the minimum of %d bytes, 16 times MaxBody", l.MaxMemory, l.minMemory())
	}
	for field, value := range map[string]time.Duration{
		"Timeout": l.Timeout, "DialTimeout": l.DialTimeout, "TLSTimeout": l.TLSTimeout,
		"FirstByteTimeout": l.FirstByteTimeout, "StoreTimeout": l.StoreTimeout,
	} {
		if value < 0 {
			return invalid(field, "%v is negative: use 0 for the default", value)
		}
	}
	return nil
}

// minFetchRate is a rate whose interval does not overflow a time.Duration. The next
// lower power of ten would.
const minFetchRate = 1e-9

// minMemory returns the least MaxMemory that keeps any file, parsed and as a body.
func (l *Limits) minMemory() int64 { return 16 * int64(max(l.MaxBody, robotstxt.DefaultBodyLimit)) }

func (c *Client) terms() terms {
	p := c.config.Policy
	limits := &c.config.Limits
	return terms{p, limits.MaxRedirects, limits.MaxBody, p.takesNotFound(c.config.NotFoundPage)}
}

func (l *Limits) setDefaults() {
	l.MaxMemory = cmp.Or(l.MaxMemory, max(256<<20, l.minMemory()))
	l.MaxBody = cmp.Or(l.MaxBody, robotstxt.DefaultBodyLimit)
	l.Timeout = cmp.Or(l.Timeout, 30*time.Second)
	l.DialTimeout = cmp.Or(l.DialTimeout, 10*time.Second)
	l.TLSTimeout = cmp.Or(l.TLSTimeout, 10*time.Second)
	l.FirstByteTimeout = cmp.Or(l.FirstByteTimeout, 15*time.Second)
	l.StoreTimeout = cmp.Or(l.StoreTimeout, 50*time.Millisecond)
	l.MinRate = cmp.Or(l.MinRate, 512)
	l.MaxFetches = cmp.Or(l.MaxFetches, 256)
}

// findAgents checks Agents. If there are none, it takes the token in UserAgent.
func (c *Config) findAgents() error {
	instead := "" // the words of an error about the token in UserAgent
	if len(c.Agents) == 0 {
		token, ok := crawlers.Declared(c.UserAgent)
		if !ok {
			return &ConfigError{"Agents", fmt.Sprintf("is empty, and UserAgent %q names no crawler: set Agents, or begin UserAgent with your product, such as %q", c.UserAgent, exampleUserAgent)}
		}
		c.Agents = []string{token}
		instead = "is empty, and the token in UserAgent cannot replace it: "
	}
	if slices.Contains(c.Agents, "") {
		return &ConfigError{"Agents", "contains an empty token"}
	}
	if !c.isNameable() {
		return &ConfigError{"Agents", instead + c.whyInvalid()}
	}
	c.Agents = slices.Clone(c.Agents)
	return nil
}

// identifies reports whether the UserAgent contains a token. [RFC 9309 2.2.1]
func (c *Config) identifies(token string) bool {
	return strings.Contains(ascii.ToLower(c.UserAgent), ascii.ToLower(token))
}

func (c *Config) isNameable() bool {
	reading, ok := crawlers.ReadingOf(c.Agents...)
	if c.Dialect != nil {
		return slices.ContainsFunc(reading.Tokens, c.Dialect.ValidAgent)
	}
	return ok && slices.ContainsFunc(c.Agents, func(token string) bool { return token != "*" })
}

func (c *Config) whyInvalid() string {
	const want = `use a product token such as "FooBot"`
	if c.Dialect != nil {
		return fmt.Sprintf("no user-agent line can contain %q in the %v dialect: leave Dialect unset, or %s", c.Agents, *c.Dialect, want)
	}
	return fmt.Sprintf("no user-agent line can contain %q in any dialect: %s", c.Agents, want)
}

// ErrClosed is the error of a Client's methods after Close.
var ErrClosed = errors.New("fetch: the client is closed")
