package fetch

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/origin"
)

// Config says how a Client asks and judges. Only UserAgent is required; the
// zero value of every other field is its default.
type Config struct {
	// UserAgent is sent with every request. It should say who is crawling and
	// why, and how to reach a person: "FooBot/1.0 (+https://foobot.example)".
	// Without an address in it the client warns once through Logger.
	UserAgent string

	// Agents are the product tokens to obey, most specific first. Empty means
	// the one in UserAgent, as crawlers.ProductToken reads it. Each must be valid
	// in Dialect, see [robotstxt.Dialect.ValidAgent]: Google reads only
	// [A-Za-z_-] (RFC 9309 2.2.1), so that MJ12bot needs another dialect.
	Agents []string

	// Policy judges status codes and faults; the default is GooglePolicy.
	Policy Policy

	// Dialect reads the files; the default is robotstxt.Google.
	Dialect robotstxt.Dialect

	// Store keeps answers beyond this process or its memory; nil means none.
	// A store in trouble costs fetches, never a wrong answer.
	Store cache.Store
	// StoreTimeout bounds each question to the Store. Default 50 ms.
	StoreTimeout time.Duration

	// MaxMemory bounds the parsed files that are kept in memory, in bytes. What
	// does not fit is asked for again, from the Store or the site. Default
	// 256 MiB, for some 200,000 sites; minimum 1 MiB.
	MaxMemory int64
	// KeepBodies keeps bodies in memory as well, for Result.Body.
	KeepBodies bool
	// NoCache asks the site for every question. It is meant for tests and
	// tools, not for crawlers.
	NoCache bool

	// Revalidate sends If-None-Match and If-Modified-Since once there is a
	// copy. Google's page asks for unconditional GETs, so the default is off.
	Revalidate bool

	// Limit is how many decoded bytes of a file are read; the rest is not
	// downloaded. Default and minimum 500 KiB (RFC 9309 2.5).
	Limit int
	// MaxRedirects is how many redirects in a row are followed. Default and
	// minimum 5 (RFC 9309 2.3.1.2).
	MaxRedirects int

	// Timeout bounds a whole fetch, redirects included. Default 30 s.
	Timeout time.Duration
	// DialTimeout bounds each connection. Default 10 s.
	DialTimeout time.Duration
	// TLSTimeout bounds each TLS handshake. Default 10 s.
	TLSTimeout time.Duration
	// FirstByteTimeout bounds the wait for each response's headers. Default 15 s.
	FirstByteTimeout time.Duration
	// MinRate is how many bytes of body must arrive in each 5 seconds.
	// Default 512; negative means no floor.
	MinRate int

	// AllowPrivate lets the client dial loopback, private, link-local and
	// other special-purpose addresses. Leave it off wherever URLs come from
	// strangers.
	AllowPrivate bool
	// Trusts names origins whose own addresses are dialled wherever they lead,
	// for hosts that the user typed. A redirect to another host is not
	// covered. nil trusts none.
	Trusts func(origin.Origin) bool

	// Transport replaces the HTTP transport, and with it the dial and TLS
	// timeouts, the header limit and the address guard: they become the
	// caller's business. nil is the client's own.
	Transport http.RoundTripper

	// NotFoundPage recognises a 5xx response that is really a "page not found"
	// page, by its status and the first 4 KiB of its body; it is never asked
	// about a 503. nil recognises none; LooksNotFound is one to use.
	NotFoundPage func(status int, head []byte) bool

	// SiteAnswers tells GoogleLadderPolicy whether a site whose robots.txt has
	// been unreachable for 30 days answers other requests. nil: it does not.
	SiteAnswers func(origin.Origin) bool

	// Logger gets faults and warnings; nil is silent.
	Logger *slog.Logger
	// Observe is called for every Event, at once and possibly concurrently:
	// count and return. nil observes nothing.
	Observe func(Event)
}

// ConfigError is a mistake in a Config: the field, and what to do about it.
type ConfigError struct{ Field, Problem string }

// Error names the field and the problem in one line.
func (e *ConfigError) Error() string { return "fetch.Config." + e.Field + ": " + e.Problem }

// withDefaults checks c and fills in what was left out.
func (c Config) withDefaults() (Config, error) {
	if strings.TrimSpace(c.UserAgent) == "" {
		return c, &ConfigError{"UserAgent", `is required: say who is crawling and how to reach you, such as "FooBot/1.0 (+https://foobot.example)"`}
	}
	if strings.ContainsFunc(c.UserAgent, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return c, &ConfigError{"UserAgent", "holds a control character, which no header may"}
	}
	if err := c.findAgents(); err != nil {
		return c, err
	}
	if err := c.checkNumbers(); err != nil {
		return c, err
	}
	orDefault(&c.Limit, robotstxt.DefaultBodyLimit)
	orDefault(&c.MaxRedirects, minRedirects)
	orDefault(&c.MaxMemory, 256<<20)
	orDefault(&c.MinRate, 512)
	orDefault(&c.StoreTimeout, 50*time.Millisecond)
	orDefault(&c.Timeout, 30*time.Second)
	orDefault(&c.DialTimeout, 10*time.Second)
	orDefault(&c.TLSTimeout, 10*time.Second)
	orDefault(&c.FirstByteTimeout, 15*time.Second)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	if !strings.Contains(c.UserAgent, "://") && !strings.Contains(c.UserAgent, "@") {
		c.Logger.Warn("the User-Agent names no contact; sites block crawlers they cannot ask", "user_agent", c.UserAgent)
	}
	return c, nil
}

// checkNumbers finds values that no default replaces and that make no sense.
func (c *Config) checkNumbers() error {
	switch {
	case int(c.Policy) >= len(policies):
		return &ConfigError{"Policy", fmt.Sprintf("%d is no policy: take one of Policies()", c.Policy)}
	case c.Limit != 0 && c.Limit < robotstxt.DefaultBodyLimit:
		return &ConfigError{"Limit", fmt.Sprintf("%d is below the %d bytes that RFC 9309 2.5 asks for", c.Limit, robotstxt.DefaultBodyLimit)}
	case c.MaxRedirects != 0 && c.MaxRedirects < minRedirects:
		return &ConfigError{"MaxRedirects", fmt.Sprintf("%d is below the %d that RFC 9309 2.3.1.2 asks for", c.MaxRedirects, minRedirects)}
	case c.MaxMemory != 0 && c.MaxMemory < minMemory:
		return &ConfigError{"MaxMemory", fmt.Sprintf("%d is below %d bytes, which a few large files take", c.MaxMemory, minMemory)}
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
			return &ConfigError{bound.field, fmt.Sprintf("%v is negative: leave it out for the default", bound.value)}
		}
	}
	return nil
}

const (
	minRedirects = 5
	minMemory    = 1 << 20
)

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// findAgents derives Agents from UserAgent if there are none, and checks them.
func (c *Config) findAgents() error {
	if len(c.Agents) == 0 {
		token, ok := agentheader.Product(c.UserAgent)
		if !ok {
			return &ConfigError{"Agents", fmt.Sprintf("is empty, and UserAgent %q contains no product token to obey instead", c.UserAgent)}
		}
		if !c.Dialect.ValidAgent(token) {
			return &ConfigError{"Agents", "is empty, and in place of it " + c.whyInvalid(token)}
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

// whyInvalid says that no agent line names token in the dialect of c, and which
// dialects read it.
func (c *Config) whyInvalid(token string) string {
	why := fmt.Sprintf("%q is no product token that dialect %v reads", token, c.Dialect)
	var others []string
	for _, d := range robotstxt.Dialects() {
		if d.ValidAgent(token) {
			others = append(others, d.String())
		}
	}
	if len(others) > 0 {
		return why + ": set Dialect to " + strings.Join(others, " or ") + ", or take a token of [A-Za-z_-]"
	}
	return why + `: take one of [A-Za-z_-], such as "FooBot"`
}

// ErrClosed is returned by a Client after Close.
var ErrClosed = errors.New("fetch: the client is closed")
