package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// fetchFlags configure how robots.txt files are fetched, and how responses are interpreted.
type fetchFlags struct {
	policy    fetch.Policy
	notFound  bool // of --not-found-pages
	userAgent string
	timeout   time.Duration
	cache     cacheName
	proxy     proxyName
	refresh   bool
	headers   []string // of --header, see credentials
	guardFlags

	adjust  func(*fetch.Config) // sets further fields of the client's configuration; can be nil
	sent    credentials         // set when the credentials are known
	defined *pflag.FlagSet
}

// fetchFlagNames are the flags that have no effect if nothing is fetched.
var fetchFlagNames = append([]string{"policy", notFoundFlag, "user-agent", "timeout", "concurrency", "proxy", "cache", "refresh", "assume", "header"}, guardFlagNames...)

func (f *fetchFlags) define(cmd *cobra.Command) {
	f.timeout, f.defined = 30*time.Second, cmd.Flags()
	f.defined.TextVar(&f.policy, "policy", fetch.GooglePolicy, "use `POLICY` to decide what status codes and outages mean: "+strings.Join(policyNames(), ", "))
	defineNotFound(f.defined, &f.notFound)
	header := "send this User-Agent `HEADER`"
	if f.defined.Lookup("agent") != nil {
		header += "; --agent selects the rules that apply"
	}
	f.defined.StringVar(&f.userAgent, "user-agent", defaultUserAgent(), header)
	f.defined.Var(flagValue[time.Duration]{&f.timeout, readWait}, "timeout", "give up on a site after `DURATION`, such as 5s or 1m30s")
	defineProxy(cmd, &f.proxy)
	f.defined.StringArrayVar(&f.headers, "header", nil, "send the header `NAME: VALUE` to the site, or the headers in a file with @FILE, one on each line; can be repeated")
	f.defineGuard(cmd, f.defined)
	ofUser := ""
	if f.cache == cacheOfUser {
		ofUser = " (default a directory in the user's cache directory)"
	}
	f.defined.Var(anyText(&f.cache), "cache", "keep robots.txt files in `CACHE`, "+sites.StoreChoices+ofUser)
	complete(cmd, "policy", policyNames())
	completeNothing(cmd, "user-agent", "timeout", "header")
	completeFrom(cmd, "cache", completesStores)
	markNetwork(f.defined, "policy", notFoundFlag, "user-agent", "timeout", "header", "allow-private", "cache")
}

const notFoundFlag = "not-found-pages"

// defineNotFound defines the flag next to --policy that makes a "page not found" page a 404.
func defineNotFound(flags *pflag.FlagSet, value *bool) {
	flags.BoolVar(value, notFoundFlag, false, "read a 5xx other than 503 as 404 if its page says \"not found\"; the policy careful ignores it")
}

func (f *fetchFlags) defineRefresh(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.refresh, "refresh", false, "fetch every robots.txt again, whatever is in the cache")
}

// retry returns a function that selects the results of earlier runs to fetch again: all results
// with --refresh, and failures for a person at a terminal, because the site might answer now.
// Programs wait, so that they do not fetch from the site in a loop.
func (f *fetchFlags) retry(t *term.Terminal) func(*fetch.Result) bool {
	person := term.IsTerminal(t.Out)
	return func(r *fetch.Result) bool { return f.refresh || person && r.Err != nil }
}

func (f *fetchFlags) given() string { return f.unused(false) }

// unused returns the name of a flag that the user has set and that has no effect if no
// robots.txt is fetched, "" if there is none. Sitemaps may be downloaded.
func (f *fetchFlags) unused(sitemaps bool) string {
	for _, name := range fetchFlagNames {
		if f.defined.Changed(name) && !(sitemaps && slices.Contains(downloadFlagNames, name)) {
			return name
		}
	}
	return ""
}

// downloadFlagNames are the flags that apply to sitemaps too.
var downloadFlagNames = append([]string{"user-agent", "timeout", "proxy", "header"}, guardFlagNames...)

// opener returns the function that opens sitemaps. The address guard checks all hosts but
// the typed ones.
func (f *fetchFlags) opener(t *term.Terminal, typed *typedSites) (opener, error) {
	client, err := f.client(t, 0, typed, nil)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, url string) (io.ReadCloser, error) {
		in, err := client.Open(ctx, url, 2*urllist.SitemapBytes) // urllist reports a list that is too long
		if isGuarded(err) {
			err = term.Errorf("%s", term.Printable(err)).Hint(answer.AllowHint)
		}
		return in, err
	}, nil
}

// isGuarded reports whether the address guard refused an address.
func isGuarded(err error) bool {
	fault := (*fetch.FaultError)(nil)
	return errors.As(err, &fault) && fault.Kind == wire.FaultRefused
}

type runClients struct {
	*fetch.Client
	refetch *fetch.Client            // uses no answers of earlier runs; nil without a store
	usable  func(*fetch.Result) bool // whether an answer of an earlier run may be used
	store   *sites.Store
}

func (c *runClients) close() {
	for _, client := range []*fetch.Client{c.Client, c.refetch} {
		if client != nil {
			client.Close()
		}
	}
	c.store.Close()
}

// open returns the clients of a run, which the caller closes. The address guard checks all sites
// but the typed ones.
func (f *fetchFlags) open(ctx context.Context, t *term.Terminal, limit byteLimit,
	typed *typedSites) (*runClients, error) {
	sent, err := f.credentials(typed)
	if err != nil {
		return nil, err
	}
	c := &runClients{usable: func(r *fetch.Result) bool { return f.usable(r, limit) }}
	switch {
	case sent == nil:
		var unusable error
		c.store, unusable, err = f.cache.open(ctx, t, "cache")
		if unusable != nil {
			t.Warn("the cache is unusable, so every robots.txt is fetched: %s", term.Printable(unusable))
		}
	case f.defined.Changed("cache") && f.cache != cacheNone:
		err = term.Errorf("answers to requests with credentials are not stored, so --cache has no effect").Hint("omit it")
	default:
		sent.note(t, f.policy)
	}
	if err != nil {
		return nil, err
	}
	c.Client, err = f.client(t, limit, typed, c.store)
	if err == nil && c.store != nil {
		unread := &sites.Store{Store: sites.UnreadStore(c.store), Timeout: c.store.Timeout}
		c.refetch, err = f.client(t, limit, typed, unread)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// usable reports whether this run's flags would give the same answer as the flags of the earlier
// run that fetched the result.
func (f *fetchFlags) usable(r *fetch.Result, limit byteLimit) bool {
	if r.Truncated && r.Bytes < int(limit) {
		return false
	}
	if fault, ok := r.Err.(*fetch.FaultError); ok {
		// The refused addresses depend on the arguments and flags of a run.
		return !(fault.Kind == wire.FaultRefused || fault.Kind == wire.FaultTimeout && f.defined.Changed("timeout"))
	}
	return true
}

// client returns a client that has a store, or nil for none.
func (f *fetchFlags) client(t *term.Terminal, limit byteLimit, typed *typedSites,
	store *sites.Store) (*fetch.Client, error) {
	if limit < 0 {
		return nil, term.Errorf("--limit none is for files: a site might never stop sending").Hint("give a number of bytes")
	}
	proxy, err := f.proxy.choose()
	if err != nil {
		return nil, err
	}
	sent, err := f.credentials(typed)
	if err != nil {
		return nil, err
	}
	config := fetch.Config{
		UserAgent: f.userAgent,
		// The client only fetches files and gives no verdicts, so its agents do not
		// matter. They are set because the header might contain no product token.
		Agents:     []string{"robots"},
		Policy:     f.policy,
		KeepBodies: true,
		Network: fetch.Network{
			Proxy: proxy, AllowPrivate: f.allowPrivate, Guard: f.guard(),
			Trusts: func(o origin.Origin) bool { return typed.set[o] },
		},
		Limits: fetch.Limits{MaxBody: int(limit), Timeout: f.timeout},
	}
	if f.notFound {
		config.NotFoundPage = fetch.LooksNotFound
	}
	if store != nil {
		config.Store, config.Limits.StoreTimeout = store.Store, store.Timeout
	}
	if f.defined.Changed("timeout") {
		// The other time limits must not end before the given one, so that the error
		// does not depend on which of them ends first.
		longer := config.Limits.Timeout + time.Second
		config.Limits.DialTimeout, config.Limits.TLSTimeout, config.Limits.FirstByteTimeout = longer, longer, longer
	}
	sent.configure(t, &config)
	if f.adjust != nil {
		f.adjust(&config)
	}
	client, err := fetch.New(config)
	if mistake, ok := errors.AsType[*fetch.ConfigError](err); ok {
		// Other fields have the names of the flags.
		flag := cmp.Or(map[string]string{
			"UserAgent": "user-agent", "Network.Guard": "nat64", "Limits.MaxBody": "limit",
		}[mistake.Field], strings.ToLower(mistake.Field))
		return nil, term.Errorf("%s", term.Escape("--"+flag+" "+mistake.Problem))
	}
	return client, err
}

// defaultUserAgent returns the User-Agent header of the tool, with its address.
func defaultUserAgent() string {
	product := "robots"
	if v := build().version; v != devel {
		product += "/" + strings.TrimPrefix(v, "v")
	}
	return product + " (+https://github.com/kosterhq/robotstxt)"
}

func policyNames() []string { return namesOf(fetch.Policies()) }

func readWait(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("use a time above 0 with its unit, such as 5s or 1m30s")
	}
	return d, nil
}

// cacheName is the value of --cache: a directory, a server, cacheNone or cacheOfUser.
type cacheName string

const (
	cacheOfUser cacheName = ""
	cacheNone   cacheName = "none"
)

// open opens the cache of the named flag, or returns nil for none. An error means wrong usage;
// unusable is the reason why the cache cannot be used.
func (c cacheName) open(ctx context.Context, t *term.Terminal, flag string) (opened *sites.Store, unusable, err error) {
	if c == cacheNone {
		return nil, nil, nil
	}
	opened, err = sites.OpenStore(ctx, string(c), t.Logger())
	if misused := (*term.Error)(nil); errors.As(err, &misused) {
		return nil, nil, term.Prefixed("--"+flag+": ", err)
	}
	return opened, err, nil
}

// proxyName is the value of --proxy: a URL, proxyNone or proxyEnv.
type proxyName string

const (
	proxyEnv  proxyName = "env"
	proxyNone proxyName = "none"
)

func defineProxy(cmd *cobra.Command, proxy *proxyName) {
	const choices = "the URL of a proxy, none or env"
	*proxy = proxyEnv
	cmd.Flags().Var(anyText(proxy), "proxy", "fetch through `PROXY`: "+choices+", which reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY")
	complete(cmd, "proxy", []string{string(proxyEnv), string(proxyNone)})
	markNetwork(cmd.Flags(), "proxy")
}

var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

// choose returns the function that chooses the proxy of a request, nil for none.
func (p proxyName) choose() (func(*http.Request) (*url.URL, error), error) {
	switch p {
	case proxyNone:
		return nil, nil
	case proxyEnv:
		return http.ProxyFromEnvironment, checkProxyVariables()
	}
	proxy, err := url.Parse(string(p))
	if err != nil || !isProxy(proxy) {
		return nil, term.Errorf("--proxy is not the URL of a proxy").Hint("use none, env, or a URL such as " + proxyExamples)
	}
	return http.ProxyURL(proxy), nil
}

const proxyExamples = "http://proxy.example:3128 or socks5://proxy.example:1080"

func isProxy(u *url.URL) bool {
	return slices.Contains(proxySchemes, u.Scheme) && u.Hostname() != "" && (u.Port() == "" || readPort(u.Port()) > 0)
}

// checkProxyVariables returns an error if a variable has an invalid proxy: package http would
// ignore it and connect to sites directly, which a proxy is often there to prevent.
func checkProxyVariables() error {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		if !strings.Contains(text, "://") {
			text = "http://" + text // as package http
		}
		if proxy, err := url.Parse(text); err != nil || !isProxy(proxy) {
			return term.Errorf("%s is not the URL of a proxy", name).Hint("set it to a URL such as " + proxyExamples + ", or use --proxy none")
		}
	}
	return nil
}

// guardFlags configure the addresses to which the tool connects.
type guardFlags struct {
	allowPrivate bool
	ranges       []netip.Prefix
	ports        []uint16
	nat64        []netip.Prefix
}

var guardFlagNames = []string{"allow-private", "allow-range", "allow-ports", "nat64"}

func (f *guardFlags) defineGuard(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "connect to private and loopback addresses in lists and redirects too; hosts named on the command line are always allowed")
	f.defineExceptions(cmd, flags)
}

// defineExceptions defines the flags without --allow-private, which is for the user's own
// requests.
func (f *guardFlags) defineExceptions(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.Func("allow-range", "connect to addresses in these private `RANGES`, such as 10.1.0.0/16,fd00::/8", addPrefixes(&f.ranges))
	flags.Func("allow-ports", "connect to these `PORTS` only, such as 80,443, and to those named on the command line", f.addPorts)
	flags.Func("nat64", "the network translates these IPv6 `RANGES` to IPv4, such as 64:ff9b::/96", addPrefixes(&f.nat64))
	completeNothing(cmd, guardFlagNames[1:]...)
	markNetwork(flags, guardFlagNames[1:]...)
}

func (f *guardFlags) guard() fetch.Guard {
	return fetch.Guard{Allow: f.ranges, Ports: f.ports, NAT64: f.nat64}
}

// typedSites are the sites that the user named on the command line. The address
// guard is off for their hosts.
type typedSites struct {
	set  map[origin.Origin]bool
	urls []string
}

// newTyped returns the sites of URLs. It ignores invalid URLs, which are reported elsewhere.
func newTyped(urls ...string) *typedSites {
	s := &typedSites{set: make(map[origin.Origin]bool)}
	for _, url := range urls {
		if o, err := origin.Of(url); err == nil {
			s.set[o], s.urls = true, append(s.urls, url)
		}
	}
	return s
}

// addPrefixes returns the function of a flag that adds address ranges. A single address is a
// range too.
func addPrefixes(to *[]netip.Prefix) func(string) error {
	return func(text string) error {
		for part := range strings.SplitSeq(text, ",") {
			prefix, err := netip.ParsePrefix(part)
			if addr, notAddr := netip.ParseAddr(part); notAddr == nil && addr.Zone() == "" {
				prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
			}
			if err != nil {
				return errors.New("use address ranges such as 10.1.0.0/16, separated by commas")
			}
			*to = append(*to, prefix)
		}
		return nil
	}
}

func (f *guardFlags) addPorts(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		port := readPort(part)
		if port == 0 {
			return errors.New("use ports such as 80,443, each from 1 to 65535")
		}
		f.ports = append(f.ports, port)
	}
	return nil
}

// readPort returns a port from 1 to 65535, 0 for another text.
func readPort(text string) uint16 {
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0
	}
	return uint16(port)
}

// maxConcurrent is the greatest value of --concurrency. The URLs of more sites are not read
// ahead.
const maxConcurrent = 256

func defineConcurrency(cmd *cobra.Command, sites *int) {
	*sites = 64
	read := func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxConcurrent {
			return 0, fmt.Errorf("use a number from 1 to %d", maxConcurrent)
		}
		return n, nil
	}
	cmd.Flags().Var(flagValue[int]{sites, read}, "concurrency", "fetch up to `N` sites at the same time")
	complete(cmd, "concurrency", nil)
}
