package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cmd/internal/download"
	"github.com/kosterhq/robotstxt/cmd/internal/store"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
)

// fetchFlags configure how robots.txt files are fetched, and what their responses mean.
type fetchFlags struct {
	policy    fetch.Policy
	userAgent string
	timeout   waitFlag
	cache     cacheFlag
	proxy     proxyFlag
	refresh   bool
	guardFlags

	observe func(fetch.Event) // nil for no observer; called concurrently
	defined *pflag.FlagSet
}

// fetchFlagNames are the flags that have no effect if nothing is fetched.
var fetchFlagNames = append([]string{"policy", "user-agent", "timeout", "concurrency", "proxy", "cache", "refresh", "assume"}, guardFlagNames...)

func (f *fetchFlags) define(cmd *cobra.Command) {
	f.timeout, f.defined = waitFlag(defaultWait), cmd.Flags()
	f.defined.TextVar(&f.policy, "policy", fetch.GooglePolicy, "decide by `POLICY` about status codes and outages: "+strings.Join(policyNames(), ", "))
	header := "send this User-Agent `HEADER`"
	if f.defined.Lookup("agent") != nil {
		header += "; --agent selects the rules that apply"
	}
	f.defined.StringVar(&f.userAgent, "user-agent", defaultUserAgent(), header)
	f.defined.Var(&f.timeout, "timeout", "give up on a site after `DURATION`, such as 5s or 1m30s")
	f.proxy = proxyEnv
	f.defined.Var(&f.proxy, "proxy", "fetch through `PROXY`: "+proxyChoices+", the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY")
	f.defineGuard(cmd, f.defined)
	f.defined.Var(&f.cache, "cache", "keep robots.txt files in `CACHE`, "+store.Choices+f.cacheDefault())
	complete(cmd, "policy", policyNames())
	complete(cmd, "user-agent", nil)
	complete(cmd, "timeout", nil)
	complete(cmd, "proxy", []string{proxyEnv.String(), proxyNone.String()})
	names := cobra.FixedCompletions([]string{cacheNone.String()}, cobra.ShellCompDirectiveDefault) // or a file
	if err := cmd.RegisterFlagCompletionFunc("cache", names); err != nil {
		panic(err) // the flag is not defined
	}
}

// cacheDefault describes the default of --cache if its value is empty.
func (f *fetchFlags) cacheDefault() string {
	if f.cache == cacheOfUser {
		return " (default a directory in the user's cache directory)"
	}
	return ""
}

// defineRefresh defines --refresh, for commands that answer from a cache.
func (f *fetchFlags) defineRefresh(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.refresh, "refresh", false, "fetch every robots.txt again, whatever is in the cache")
}

// retry returns which results of earlier runs are not used: all with --refresh. A person
// at a terminal is not told a failure of an earlier run, because the site may answer now;
// programs wait, so that they do not fetch from it in a loop.
func (f *fetchFlags) retry(t *term.Terminal) func(*fetch.Result) bool {
	person := term.IsTerminal(t.Out)
	return func(r *fetch.Result) bool { return f.refresh || person && r.Err != nil }
}

// given returns the name of a flag that the user has set, "" if there is none.
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
var downloadFlagNames = append([]string{"user-agent", "timeout", "proxy"}, guardFlagNames...)

// opener returns the function that opens sitemaps. The address guard checks all hosts but
// the typed ones.
func (f *fetchFlags) opener(typed *typedSites) (opener, error) {
	proxy, err := f.proxy.choose()
	if err != nil {
		return nil, err
	}
	client := download.New(download.Config{
		UserAgent: f.userAgent, Timeout: time.Duration(f.timeout), Proxy: proxy,
		Guard: f.guard(), AllowPrivate: f.allowPrivate, Trusts: typed.contains,
	})
	return client.Open, nil
}

// runClients are the clients of a run.
type runClients struct {
	*fetch.Client
	typed   *typedSites
	refetch *fetch.Client            // uses no answers of earlier runs; nil without a store
	usable  func(*fetch.Result) bool // whether an answer of an earlier run may be used
	store   *store.Store
}

func (c *runClients) close() {
	c.Client.Close()
	if c.refetch != nil {
		c.refetch.Close()
	}
	c.store.Close()
}

// open returns the clients of a run, which the caller closes. The user has typed the
// given URLs; the address guard checks all others.
func (f *fetchFlags) open(ctx context.Context, t *term.Terminal, dialect robotstxt.Dialect, limit byteLimit, typed ...string) (*runClients, error) {
	sites := new(typedSites)
	sites.add(typed...)
	return f.openFor(ctx, t, dialect, limit, sites)
}

// openFor is open with the sites that the user has typed.
func (f *fetchFlags) openFor(ctx context.Context, t *term.Terminal, dialect robotstxt.Dialect, limit byteLimit, typed *typedSites) (_ *runClients, err error) {
	opened, err := f.cache.open(ctx, t)
	if err != nil {
		return nil, err
	}
	var entries cache.Store
	var patience time.Duration
	if opened != nil {
		entries, patience = opened.Store, opened.Timeout
	}
	c := &runClients{typed: typed, store: opened, usable: func(r *fetch.Result) bool { return f.usable(r, limit) }}
	if c.Client, err = f.client(dialect, limit, c.typed, entries, patience); err != nil {
		opened.Close()
		return nil, err
	}
	if opened != nil {
		if c.refetch, err = f.client(dialect, limit, c.typed, store.NewUnread(entries), patience); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// usable reports whether the flags of this run would give the same answer as those of
// the earlier run that fetched it.
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
func (f *fetchFlags) client(dialect robotstxt.Dialect, limit byteLimit, typed *typedSites, entries cache.Store, patience time.Duration) (*fetch.Client, error) {
	if limit < 0 {
		return nil, term.Errorf("give a number of bytes", "--limit none is for files: a site may never stop sending")
	}
	proxy, err := f.proxy.choose()
	if err != nil {
		return nil, err
	}
	config := fetch.Config{
		UserAgent: f.userAgent,
		Proxy:     proxy,
		// The client only fetches files and gives no verdicts, so its agents do not
		// matter. They are set because the header may contain no product token.
		Agents:       []string{"robots"},
		Policy:       f.policy,
		Dialect:      dialect,
		KeepBodies:   true,
		Limit:        int(limit),
		Timeout:      time.Duration(f.timeout),
		AllowPrivate: f.allowPrivate,
		Store:        entries,
		StoreTimeout: patience,
		Guard:        f.guard(),
		Trusts:       typed.contains,
		Observe:      f.observe,
	}
	if f.defined.Changed("timeout") {
		// The other time limits must not end before the given one, so that the error
		// does not depend on which of them ends first.
		longer := config.Timeout + time.Second
		config.DialTimeout, config.TLSTimeout, config.FirstByteTimeout = longer, longer, longer
	}
	client, err := fetch.New(config)
	if mistake, ok := errors.AsType[*fetch.ConfigError](err); ok {
		// The fields have the names of the flags.
		flag := cmp.Or(map[string]string{"UserAgent": "user-agent", "Guard": "nat64"}[mistake.Field], strings.ToLower(mistake.Field))
		return nil, term.Errorf("", "%s", term.Escape("--"+flag+" "+mistake.Problem))
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

func policyNames() (names []string) {
	for _, p := range fetch.Policies() {
		names = append(names, p.String())
	}
	return names
}

// waitFlag is the value of --timeout.
type waitFlag time.Duration

const defaultWait = 30 * time.Second

func (w waitFlag) String() string { return time.Duration(w).String() }

func (w waitFlag) Type() string { return "duration" }

func (w *waitFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a time above 0 with its unit, such as 5s or 1m30s")
	}
	*w = waitFlag(d)
	return nil
}
