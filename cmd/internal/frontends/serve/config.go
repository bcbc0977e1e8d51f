package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/fetch"
)

// Config configures a [Server]. The zero value serves only this machine: it listens on loopback,
// answers for loopback names, and does not limit clients. A public service (see Hosts) has other
// defaults, and a negative number then means no limit.
type Config struct {
	// Listen is the address of the service, a host and a port. Port 0 chooses a free one.
	// Default DefaultListen.
	Listen string
	// Admin is the address of the second listener: /healthz, /readyz, /metrics and /debug/pprof/.
	// It must be a loopback address unless AdminPublic is set. "none" means no such listener.
	// Default DefaultAdmin; if its port is occupied, a warning is logged, and the service runs
	// without that listener.
	Admin string
	// AdminPublic permits an Admin address that other machines reach.
	AdminPublic bool

	// Hosts are the names under which the service is reached, besides localhost, 127.0.0.1 and
	// [::1]: without ports, for example robots.example. Requests with another Host header are
	// refused, so that a website whose name leads to this machine gets nothing (DNS rebinding). A
	// service with Hosts is public, and so is a service whose Listen address other machines can
	// reach.
	Hosts []string
	// TrustedProxies are the addresses of reverse proxies. For their requests the client is the
	// last address of X-Forwarded-For that is not such a proxy. Without TrustedProxies that
	// header is ignored.
	TrustedProxies []netip.Prefix
	// Token is a secret, of at least 16 characters, that requests to /v1/ must have as
	// "Authorization: Bearer TOKEN". The page then works without live fetching. Empty means none.
	Token string
	// FormKey is a secret, also of at least 16 characters, for the tokens of the page's form.
	// Services that share the requests for one name need the same FormKey. Empty means a random
	// one.
	FormKey string

	// Watched answers GET /watch, the pages of watched sites. They require the Token too. nil
	// means no such pages.
	Watched http.Handler

	// MaxConns is the limit of open connections. For a further connection, one of the client with
	// the most connections is closed: the one that has waited longest for a request or, if none
	// waits, the one whose request has been answered for longest. Default 4096.
	MaxConns int
	// ClientConns is the limit of open connections of one client; further ones are closed. It
	// also bounds the requests of one client under way. Connections of TrustedProxies do not
	// count, but their requests count for the client. Default 0: no limit; of a public service
	// 256.
	ClientConns int
	// ClientRate is the number of requests that one client may send in a second, on average; ten
	// seconds' worth may come at once. A client is an IPv4 address or an IPv6 network of 64 bits.
	// Default 0: no limit; of a public service 20.
	ClientRate float64
	// ClientFetchRate is the number of requests to sites, redirects included, that one client may
	// cause in a second; ten seconds' worth may come at once. Answers from the cache do not
	// count. Default 0: no limit; of a public service 2.
	ClientFetchRate float64
	// OriginInterval is the mean time between two requests that the service sends to one site:
	// for its live robots.txt, a sitemap, a page or another document, and because of redirects.
	// Three may come at once. Default 10 s; negative means no limit. A robots.txt that is not in
	// the cache is requested without this limit.
	OriginInterval time.Duration
	// RequestMemory is the limit in bytes of the memory for all requests together: for their
	// bodies and the data made from them, for results, and for answers that clients have not read
	// yet. One client gets up to four fifths while no other client needs any. A request that does
	// not fit is refused with status 429 or 503. Default 512 MiB; see Memory for the whole
	// process.
	RequestMemory int64

	// IdleTimeout bounds the wait for the next request on a connection. Default 60 s.
	IdleTimeout time.Duration
	// DrainDelay is the time for which the service continues to answer after Serve's context has
	// ended. /readyz then reports that it is not ready, so that a load balancer notices. Each
	// answer ends its connection then, and idle connections stay open. If DrainDelay is longer
	// than the idle timeout of a reverse proxy, no request is lost. Default 0.
	DrainDelay time.Duration
	// DrainTimeout bounds the time for requests under way at the end. Default 15 s.
	DrainTimeout time.Duration

	// UserAgent is the User-Agent header of requests to sites. It is required, and names a
	// crawler.
	UserAgent string
	// Policy decides about status codes and outages. Default fetch.GooglePolicy.
	Policy fetch.Policy
	// NotFoundPages reads a 5xx other than 503 as 404 if fetch.LooksNotFound recognises its page.
	NotFoundPages bool
	// FetchTimeout bounds a fetch. Default 15 s.
	FetchTimeout time.Duration
	// Guard configures the exceptions of the address guard. The guard cannot be turned off: it
	// refuses private, loopback and other special-purpose addresses, even after redirects.
	// Default of its Ports: all; for a public service 80, 443, 8080 and 8443.
	Guard fetch.Guard
	// Resolver and Dial are passed to fetch.Config; nil means the system's. The guard
	// checks the addresses first.
	Resolver fetch.Resolver
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	// Proxy is passed to fetch.Config; nil means none.
	Proxy func(*http.Request) (*url.URL, error)
	// Store is a cache for robots.txt files in addition to memory; nil means none. The caller
	// closes it.
	Store cache.Store
	// StoreTimeout bounds each call of the Store. Default: the default of package
	// fetch.
	StoreTimeout time.Duration
	// MaxMemory is the limit in bytes of the memory for the files of sites, as text and parsed. A
	// typical file takes 4,000. Default 256 MiB.
	MaxMemory int64
	// MaxFetches is the limit of sites that are fetched at the same time. Default 256.
	MaxFetches int

	// Bounds are the other limits. Tests set smaller ones.
	Bounds

	// Version is the program's version, for the description of the service and the
	// page.
	Version string
	// Logger receives warnings and, with AccessLog, a line for each request, without its
	// query and its body. nil discards them.
	Logger *slog.Logger
	// AccessLog logs each request.
	AccessLog bool
}

// The default addresses.
const (
	DefaultListen = "127.0.0.1:8070"
	DefaultAdmin  = "127.0.0.1:8071"
)

// NoAdmin is the Admin of a service without the second listener.
const NoAdmin = "none"

// ConfigError names the field of a [Config] that is wrong.
type ConfigError struct{ Field, Problem string }

func (e *ConfigError) Error() string { return "serve: " + e.Field + " " + e.Problem }

// isPublic reports whether the configuration serves other machines. They choose the Host header,
// so a service that they can reach is public even without Hosts.
func (c *Config) isPublic() bool {
	return len(c.Hosts) > 0 || !isLoopback(cmp.Or(c.Listen, DefaultListen))
}

// The memory of the process in bytes, apart from the parts that Config bounds. docs/operations.md
// has the formula, and the figures that were measured.
const (
	baseMemory  = 192 << 20 // the program, the tables of clients and sites, and the heapFloor
	connMemory  = 48 << 10  // a connection with its buffers, which sends headers or a body
	fetchMemory = 1 << 20   // a fetch with a file of the largest size
)

// Memory returns an upper bound of the memory of the process, in bytes: the limit for
// debug.SetMemoryLimit. A sixth of it is for the garbage collector. The limit of the systemd unit
// or the container must be a tenth higher, because Go briefly exceeds its own limit. The
// configuration must be filled.
func (c *Config) Memory() int64 {
	sites := c.MaxMemory + c.MaxMemory/4 + readBytes
	used := baseMemory + connMemory*int64(c.MaxConns) + fetchMemory*int64(c.MaxFetches) + sites + c.RequestMemory
	return used + used/5
}

// Filled returns the configuration with the defaults of its zero fields. The error is a
// *ConfigError.
func (c Config) Filled() (Config, error) {
	c.Listen = cmp.Or(c.Listen, DefaultListen)
	c.Admin = cmp.Or(c.Admin, DefaultAdmin)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.NewTextHandler(io.Discard, nil)))
	c.MaxConns = cmp.Or(c.MaxConns, 4096)
	c.RequestMemory = cmp.Or(c.RequestMemory, 512<<20)
	c.MaxMemory = cmp.Or(c.MaxMemory, 256<<20)
	c.MaxFetches = cmp.Or(c.MaxFetches, 256)
	c.FetchTimeout = cmp.Or(c.FetchTimeout, 15*time.Second)
	c.OriginInterval = cmp.Or(c.OriginInterval, 10*time.Second)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, time.Minute)
	c.DrainTimeout = cmp.Or(c.DrainTimeout, 15*time.Second)
	c.Bounds = c.Bounds.filled(c.FetchTimeout, c.isPublic())
	if c.isPublic() {
		c.ClientConns = cmp.Or(c.ClientConns, 256)
		c.ClientRate = cmp.Or(c.ClientRate, 20)
		c.ClientFetchRate = cmp.Or(c.ClientFetchRate, 2)
		if c.Guard.Ports == nil {
			c.Guard.Ports = []uint16{80, 443, 8080, 8443} // so that clients cannot use it to look for other servers
		}
	}
	return c, c.check()
}

// check returns a *ConfigError for values that are invalid or contradict each other.
func (c *Config) check() error {
	const positive = "MaxConns MaxFetches RequestMemory FetchTimeout IdleTimeout DrainTimeout"
	for field := range strings.FieldsSeq(positive) {
		if reflect.ValueOf(c).Elem().FieldByName(field).Int() <= 0 {
			return &ConfigError{field, "must be above 0"}
		}
	}
	for _, host := range c.Hosts {
		if host == "" || strings.ContainsAny(host, "/:@ *") && net.ParseIP(strings.Trim(host, "[]")) == nil {
			return &ConfigError{"Hosts", fmt.Sprintf("contains %q: use names without scheme and port, such as robots.example", host)}
		}
	}
	if strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return &ConfigError{"Token", "contains spaces or characters that are not allowed in a header"}
	}
	for _, secret := range []struct{ field, value string }{{"Token", c.Token}, {"FormKey", c.FormKey}} {
		if n := len(secret.value); n > 0 && n < minSecret {
			return &ConfigError{secret.field, fmt.Sprintf("has %d characters but needs at least %d: make one with openssl rand -hex 32", n, minSecret)}
		}
	}
	if _, ok := crawlers.Declared(c.UserAgent); c.UserAgent != "" && !ok {
		return &ConfigError{"UserAgent", "names no crawler, so sites cannot tell which of their rules apply: begin it with a product token, such as ShopBot/1.0 (+https://shop.example/bot)"}
	}
	if c.Admin != NoAdmin && !c.AdminPublic && !isLoopback(c.Admin) {
		return &ConfigError{"Admin", "is not a loopback address: metrics and profiles must not be public"}
	}
	return nil
}

// minSecret is the length of the shortest secret that is safe against guessing.
const minSecret = 16

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// loopbackNames are the hosts that lead to this machine wherever they are resolved.
var loopbackNames = []string{"localhost", "127.0.0.1", "[::1]"}

func (c *Config) names() map[string]bool {
	names := make(map[string]bool)
	for _, host := range slices.Concat(loopbackNames, c.Hosts) {
		if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() {
			host = "[" + host + "]"
		}
		names[strings.ToLower(host)] = true
	}
	return names
}
