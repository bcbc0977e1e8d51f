package fetch

import (
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
	"github.com/kosterhq/robotstxt/internal/agentheader"
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

	// Agents are the product tokens to obey, most specific first. If empty, the
	// client uses the token in UserAgent, as crawlers.ProductToken reads it. Each
	// token must be valid in Dialect, see [robotstxt.Dialect.ValidAgent]. Google
	// accepts only letters, "_" and "-", so MJ12bot needs another Dialect.
	// [RFC 9309 2.2.1]
	Agents []string

	// Policy defines what status codes and faults mean. Default GooglePolicy.
	Policy Policy

	// Dialect selects how files are parsed and matched. Default
	// robotstxt.Google.
	Dialect robotstxt.Dialect

	// Store is a second cache after the client's memory, which may outlive the
	// process or be shared by several. nil means none. If the store fails, the
	// client fetches from the site instead; the answers stay correct.
	Store cache.Store
	// StoreTimeout bounds each call of the Store. Default 50 ms.
	StoreTimeout time.Duration

	// MaxMemory bounds the memory for parsed files, in bytes. Files that do not
	// fit are read from the Store or the site again. Default 256 MiB, enough for
	// some 200,000 sites. Minimum 16 times Limit, so that the largest parsed file
	// fits, which is up to 11 times as large as its text.
	MaxMemory int64
	// KeepBodies also keeps the bodies in memory, for Result.Body.
	KeepBodies bool
	// NoCache fetches from the site in every call and uses neither memory nor
	// Store. It is for tests and tools, not for crawlers.
	NoCache bool

	// Revalidate sends If-None-Match and If-Modified-Since if there is a copy.
	// The default is off, because Google's page describes unconditional GETs.
	Revalidate bool

	// Limit is how many decoded bytes of a file are read; the rest is not
	// downloaded. Default and minimum 500 KiB. [RFC 9309 2.5]
	Limit int
	// MaxRedirects is how many redirects in a row are followed. Default and
	// minimum 5. [RFC 9309 2.3.1.2]
	MaxRedirects int

	// Timeout bounds a whole fetch, redirects included. Default 30 s.
	Timeout time.Duration
	// DialTimeout bounds each connection attempt. Default 10 s.
	DialTimeout time.Duration
	// TLSTimeout bounds each TLS handshake. Default 10 s.
	TLSTimeout time.Duration
	// FirstByteTimeout bounds the wait for each response's headers. Default 15 s.
	FirstByteTimeout time.Duration
	// MinRate is how many bytes of a body must arrive in each 5 seconds;
	// slower transfers fail. Default 512; negative means no minimum.
	MinRate int

	// MaxFetches is how many fetches are under way at the same time. Further ones
	// wait in the order in which they were requested, one for each origin. One whose
	// callers have all gone when its turn comes is not made. A fetch uses one or two
	// descriptors, and up to four while it resolves a name. Origins whose last fetch
	// failed on this machine use at most a quarter, but at least one. Default 256;
	// negative means no bound.
	MaxFetches int
	// MaxFetchRate is how many fetches begin in a second, on average; up to a
	// second's worth may begin at once. Default 0, which means no bound. Minimum 1e-9.
	MaxFetchRate float64

	// MaxFetchesPerAddress is how many fetches use one IP address at the same
	// time, because one server often has many sites. Further ones wait in the
	// order in which they found it busy, without using up MaxFetches or Timeout.
	// Fetches through Proxy or Transport do not count. Default 0, which means no
	// bound.
	MaxFetchesPerAddress int

	// AllowPrivate lets the client dial loopback, private, link-local and
	// other special-purpose addresses. Leave it off if URLs come from untrusted
	// sources, such as links on web pages. Guard.Ports still applies.
	AllowPrivate bool
	// Guard configures the address guard: its exceptions, the ports that may be
	// dialled, and the NAT64 of the network. The zero value refuses all
	// special-purpose addresses.
	Guard Guard
	// Trusts reports whether the guard is off for an origin's own host, for
	// example for a host that a user typed. The client then dials this host on the
	// origin's port, 80 and 443, at the addresses that the first lookup of a fetch
	// returns. Other ports, other hosts, and the host itself after a redirect from
	// another one are checked. nil trusts no origin.
	Trusts func(origin.Origin) bool

	// Resolver looks up hosts; nil means net.DefaultResolver. The guard checks the
	// addresses that it returns.
	Resolver Resolver
	// Dial opens a connection to an address that the guard has accepted: an IP
	// literal and a port, never a name. network is "tcp". Dial must connect there
	// or fail. The context ends after DialTimeout or when Dial returns. nil means
	// a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// LocalAddr is the local address of connections. Only remote addresses of the
	// same family are dialled. The zero Addr leaves the choice to the system; with
	// Dial it must be zero.
	LocalAddr netip.Addr
	// Proxy returns the proxy for a request, or nil for none, such as
	// http.ProxyFromEnvironment or http.ProxyURL(u). Proxies may have the schemes
	// http, https and socks5. The guard looks the target up and checks it before
	// each request, but the proxy resolves the host again: it must refuse private
	// addresses itself if URLs come from untrusted sources. A host that cannot be
	// looked up is left to the proxy. The address of the proxy is not checked. ftp
	// URLs with a proxy are refused. nil means no proxy; the environment is not
	// used.
	Proxy func(*http.Request) (*url.URL, error)
	// TLS configures TLS: roots, client certificates, versions. nil means the
	// defaults of crypto/tls. NextProtos is ignored.
	TLS *tls.Config

	// Transport replaces the client's own HTTP transport and with it the address
	// guard, Resolver, Dial, LocalAddr, Proxy, TLS, DialTimeout, TLSTimeout,
	// FirstByteTimeout and the limit on headers: a replacement must enforce its
	// own. ftp URLs do not use it. Prefer the fields above, which keep the guard.
	// nil means the client's own.
	Transport http.RoundTripper

	// NotFoundPage reports whether a 5xx response is a "page not found" page.
	// It receives the status and the first 4 KiB of the body; it is not called
	// for 503. Such a response counts as 404. nil means that none is; the
	// function LooksNotFound recognises common ones.
	NotFoundPage func(status int, head []byte) bool

	// SiteAnswers reports whether a site whose robots.txt has been unreachable
	// for 30 days answers other requests. Only GoogleLadderPolicy calls it, once
	// after each failed fetch, and only for sites in use. Its context ends after
	// Timeout; if it has not returned by then, the site does not answer. nil means
	// that no site does.
	SiteAnswers func(context.Context, origin.Origin) bool

	// Clock returns the current time, for simulations and replays. It decides
	// which answers are fresh, when a failed fetch is repeated and how long an
	// outage has lasted, and it is recorded in answers and Store entries. It must
	// be safe for concurrent use. Timeouts use the system's clock in any case, and
	// a Store has a clock of its own. Package robotshttp paces requests by it. nil
	// means time.Now.
	Clock func() time.Time

	// Logger receives faults and warnings; nil discards them.
	Logger *slog.Logger
	// Observe receives every Event. It is called synchronously and possibly
	// concurrently, so it should return quickly. It must not call the Client about
	// the same origin: that call could wait for itself. nil means no observer.
	Observe func(Event)
	// OnChange receives a Change if a fetch finds another file, outcome, source
	// or reachability than the client knew of the origin before, or if the Store
	// has such news from another process. What the client no longer has in memory
	// or in the Store it cannot compare. OnChange is called synchronously, in
	// order for one origin and concurrently for several. A fetch that is redirected
	// to the robots.txt of another origin also reports a Change of that one, compared
	// with memory alone and not in order with its own fetches. Like Observe,
	// OnChange must not call the Client about the same origin, or about one that
	// redirects to it. nil means none.
	OnChange func(Change)
}

// ConfigError reports an invalid field of a Config and how to correct it.
type ConfigError struct{ Field, Problem string }

// Error returns the field and the problem in one line.
func (e *ConfigError) Error() string { return "fetch.Config." + e.Field + ": " + e.Problem }

// withDefaults validates c and sets the defaults of fields that are zero.
func (c Config) withDefaults() (Config, error) {
	if strings.TrimSpace(c.UserAgent) == "" {
		return c, &ConfigError{"UserAgent", `is required: name the crawler and a contact, for example "FooBot/1.0 (+https://foobot.example)"`}
	}
	if strings.ContainsFunc(c.UserAgent, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return c, &ConfigError{"UserAgent", "contains a control character, which HTTP headers do not allow"}
	}
	if err := c.findAgents(); err != nil {
		return c, err
	}
	if err := c.checkNumbers(); err != nil {
		return c, err
	}
	if err := c.checkNetwork(); err != nil {
		return c, err
	}
	orDefault(&c.Limit, robotstxt.DefaultBodyLimit)
	orDefault(&c.MaxRedirects, minRedirects)
	orDefault(&c.MaxMemory, max(256<<20, c.minMemory()))
	orDefault(&c.MinRate, 512)
	orDefault(&c.MaxFetches, 256)
	orDefault(&c.StoreTimeout, 50*time.Millisecond)
	orDefault(&c.Timeout, 30*time.Second)
	orDefault(&c.DialTimeout, 10*time.Second)
	orDefault(&c.TLSTimeout, 10*time.Second)
	orDefault(&c.FirstByteTimeout, 15*time.Second)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if !strings.Contains(c.UserAgent, "://") && !strings.Contains(c.UserAgent, "@") {
		c.Logger.Warn("the User-Agent contains no contact: add a URL or an email address, since many sites block anonymous crawlers", "user_agent", c.UserAgent)
	}
	return c, nil
}

// checkNumbers returns an error for values out of range. Zero selects a default.
func (c *Config) checkNumbers() error {
	switch {
	case int(c.Policy) >= len(policies):
		return &ConfigError{"Policy", fmt.Sprintf("%d is not a policy: use one of Policies()", c.Policy)}
	case c.Limit != 0 && c.Limit < robotstxt.DefaultBodyLimit:
		return &ConfigError{"Limit", fmt.Sprintf("%d is below the minimum of %d bytes (RFC 9309 2.5)", c.Limit, robotstxt.DefaultBodyLimit)}
	case c.MaxRedirects != 0 && c.MaxRedirects < minRedirects:
		return &ConfigError{"MaxRedirects", fmt.Sprintf("%d is below the minimum of %d (RFC 9309 2.3.1.2)", c.MaxRedirects, minRedirects)}
	case !(c.MaxFetchRate >= 0): // or not a number
		return &ConfigError{"MaxFetchRate", fmt.Sprintf("%v is not a rate: use 0 for no bound", c.MaxFetchRate)}
	case c.MaxFetchRate > 0 && c.MaxFetchRate < minFetchRate:
		return &ConfigError{"MaxFetchRate", fmt.Sprintf("%v is below the minimum of %v, one fetch in 32 years: use 0 for no bound", c.MaxFetchRate, minFetchRate)}
	case c.MaxMemory != 0 && c.MaxMemory < c.minMemory():
		return &ConfigError{"MaxMemory", fmt.Sprintf("%d is below the minimum of %d bytes, 16 times Limit", c.MaxMemory, c.minMemory())}
	}
	for _, bound := range []struct {
		field string
		value time.Duration
	}{
		{"StoreTimeout", c.StoreTimeout},
		{"Timeout", c.Timeout},
		{"DialTimeout", c.DialTimeout},
		{"TLSTimeout", c.TLSTimeout},
		{"FirstByteTimeout", c.FirstByteTimeout},
	} {
		if bound.value < 0 {
			return &ConfigError{bound.field, fmt.Sprintf("%v is negative: use 0 for the default", bound.value)}
		}
	}
	return nil
}

const minRedirects = 5

// minFetchRate is a rate whose interval does not overflow a time.Duration. The next
// lower power of ten would.
const minFetchRate = 1e-9

// minMemory returns the least MaxMemory that keeps any file, parsed and as a body.
func (c *Config) minMemory() int64 { return 16 * int64(max(c.Limit, robotstxt.DefaultBodyLimit)) }

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// findAgents checks Agents. If there are none, it takes the token in UserAgent.
func (c *Config) findAgents() error {
	if len(c.Agents) == 0 {
		token, ok := agentheader.Product(c.UserAgent)
		if !ok {
			return &ConfigError{"Agents", fmt.Sprintf("is empty, and UserAgent %q contains no product token to use instead", c.UserAgent)}
		}
		if !c.Dialect.ValidAgent(token) {
			return &ConfigError{"Agents", "is empty, and the token in UserAgent cannot replace it: " + c.whyInvalid(token)}
		}
		c.Agents = []string{token}
		return nil
	}
	for _, agent := range c.Agents {
		if !c.Dialect.ValidAgent(agent) {
			return &ConfigError{"Agents", c.whyInvalid(agent)}
		}
	}
	c.Agents = slices.Clone(c.Agents)
	return nil
}

// whyInvalid explains that token is not valid in c.Dialect, and lists the
// dialects in which it is.
func (c *Config) whyInvalid(token string) string {
	why := fmt.Sprintf("%q is not a product token in dialect %v", token, c.Dialect)
	var others []string
	for _, d := range robotstxt.Dialects() {
		if d.ValidAgent(token) {
			others = append(others, d.String())
		}
	}
	if len(others) > 0 {
		return why + ": set Dialect to " + strings.Join(others, " or ") + ", or use a token of [A-Za-z_-]"
	}
	return why + `: use only [A-Za-z_-], for example "FooBot"`
}

// ErrClosed is the error of a Client's methods that would have to fetch after
// Close.
var ErrClosed = errors.New("fetch: the client is closed")
