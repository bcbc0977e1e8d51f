package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/page"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

func newServe(t *term.Terminal) *cobra.Command {
	s := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve a page for the browser and an HTTP API",
		Long: `Serve a page for the browser, and an HTTP API at the same address. The page is an editor
for robots.txt files, which shows verdicts, problems, the effect of each edit, and the live
files of sites. The API answers the same questions in JSON.

robots prints the address of the page. Only this machine can reach it, unless you set
--listen to another address. The service answers only for the names localhost, 127.0.0.1
and [::1], and the names in --host. With --host, or an address that other machines can
reach, the service is public, and limits its clients. It speaks plain HTTP: for HTTPS, run
it behind a reverse proxy, and name the proxy with --trusted-proxy.

The service fetches the files of sites from public addresses only, whatever URL a client
or a redirect gives; --allow-range adds networks. It keeps the files in the --cache: a
directory, or a server for several services with one cache.

Health, metrics and profiles are at a second address, --admin: /healthz, /readyz, /metrics
and /debug/pprof/. To stop the service, send a signal (SIGTERM, SIGHUP or Ctrl-C). It
finishes the requests under way first.

You can also set each flag with an environment variable: --client-rate with
ROBOTS_SERVE_CLIENT_RATE, for example. Flags take precedence. Put secrets in files or in
the variables ROBOTS_SERVE_TOKEN and ROBOTS_SERVE_FORM_KEY, so that the list of processes
does not show them.

--export writes the page into a folder, for any web host, or into one file if the name ends
with .html. You can send the file by e-mail and open it from a disk; it requests nothing.
Both do everything except show the live files of sites.

Exit status: 0 after a signal, 2 if the service cannot start.`,
		Example: `  robots serve
  robots serve --open
  robots serve --listen 127.0.0.1:0 --cache none
  robots serve --listen 0.0.0.0:8070 --host robots.example --trusted-proxy 10.0.0.0/8 --cache valkey://cache.internal:6379
  robots serve --export robots.html
  robots serve --export public/robots-page`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return s.run(cmd, t) },
	}
	s.define(cmd)
	return cmd
}

func (s *serveFlags) run(cmd *cobra.Command, t *term.Terminal) error {
	err := s.readEnvironment(cmd.Flags())
	if err == nil {
		err = separateOutputs(cmd, nil) // again, because variables name files too
	}
	logger := s.logger(t.Err)
	if s.log == logJSON {
		t.Log = func(kind, text, hint string) { logTo(logger, kind, text, hint) }
	}
	if err != nil {
		return err
	}
	if s.export != "" {
		if err := page.Export(s.export, build().version); err != nil {
			return term.Errorf("cannot export the page: %v", err)
		}
		use := "a web host must serve the folder over https"
		if page.IsOneFile(s.export) {
			use = "open it in a browser"
		}
		t.Note("the page is in %q; %s", s.export, use)
		return nil
	}
	config, err := s.settings()
	if err != nil {
		return err
	}
	config.Logger = logger
	opened, err := s.openStore(cmd.Context(), t)
	if err != nil {
		return err
	}
	defer opened.Close()
	if opened != nil {
		config.Store, config.StoreTimeout = opened.Store, opened.Timeout
	}
	if t.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(config.Memory())
	}
	service, err := serve.New(config)
	if mistake, ok := errors.AsType[*serve.ConfigError](err); ok {
		return term.Errorf("--%s %s", flagOf(mistake.Field), mistake.Problem).Hint(`see "robots serve --help"`)
	}
	if err != nil {
		return term.Errorf("cannot start: %v", err)
	}
	return s.serve(cmd.Context(), t, service)
}

// endSignals returns the signals that end a process when its work is done, including the
// signal of a terminal that is closed, unless nohup ignores it.
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

func (s *serveFlags) serve(ctx context.Context, t *term.Terminal, service *serve.Server) error {
	ctx, stop := signal.NotifyContext(ctx, endSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	listeners, err := service.Listen(ctx)
	if err != nil {
		hint := ""
		if errors.Is(err, syscall.EADDRINUSE) {
			hint = "another program uses this address; --listen 127.0.0.1:0 takes a free port, --admin none omits health and metrics"
		}
		return term.Errorf("cannot listen: %s", term.Escape(err.Error())).Hint(hint)
	}
	url := serve.URL(listeners.Service)
	if _, err := fmt.Fprintln(t.Out, url); err != nil {
		return term.WriteError(err)
	}
	if listeners.Admin != nil {
		t.Note("health and metrics are at %s", serve.URL(listeners.Admin))
	}
	if s.open {
		if err := openBrowser(ctx, url); err != nil {
			t.Warn("no browser can be opened: %s", term.Printable(err))
		}
	}
	if err := service.Serve(ctx, listeners); err != nil {
		return term.Errorf("the service has ended: %v", err)
	}
	return nil
}

// openStore opens the cache, nil for none. If a directory is unusable, the service works
// without a cache. If a server is unreachable, the service works without it until it is
// reachable. If a server refuses the service, for example because of a wrong password, the
// service does not start: only a change of its settings helps.
func (s *serveFlags) openStore(ctx context.Context, t *term.Terminal) (*sites.Store, error) {
	opened, unusable, err := s.store.open(ctx, t, "cache")
	switch {
	case unusable != nil && sites.IsStoreServer(string(s.store)):
		return nil, term.Errorf("the --cache cannot be used: %v", unusable).Hint("check the password and the permissions of the user")
	case unusable != nil:
		t.Warn("the --cache is unusable, so files are kept in memory only: %s", term.Printable(unusable))
	}
	return opened, err
}

func (s *serveFlags) logger(w io.Writer) *slog.Logger {
	if s.log == logJSON {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

func logTo(logger *slog.Logger, kind, text, hint string) {
	level := map[string]slog.Level{"warning": slog.LevelWarn, "error": slog.LevelError}[kind]
	var attrs []slog.Attr
	if hint != "" {
		attrs = append(attrs, slog.String("hint", hint))
	}
	logger.LogAttrs(context.Background(), level, text, attrs...)
}

// secret returns a secret: the first line of a file, or the value of a variable, which can
// be empty.
func secret(flag, file, value string) (string, error) {
	if file == "" {
		return value, nil
	}
	return readSecret(flag, file)
}

// openBrowser opens a URL in the user's browser, and does not wait for that to end.
func openBrowser(ctx context.Context, url string) error {
	command := map[string][]string{
		"darwin":  {"open"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler"},
	}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	browser := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:], url)...)
	if err := browser.Start(); err != nil {
		return err
	}
	go func() { _ = browser.Wait() }()
	return nil
}

type serveFlags struct {
	config  serve.Config
	proxies []netip.Prefix
	guard   guardFlags
	proxy   proxyName
	store   cacheName
	log     string

	tokenFile, formKeyFile string
	history                string // of --history
	token, formKey         string // of the environment
	export                 string
	open                   bool
}

// define defines the flags. Their defaults are serve.Config's, except the defaults that
// depend on --host, which are 0 and described.
func (s *serveFlags) define(cmd *cobra.Command) {
	s.config.UserAgent = defaultUserAgent()
	filled, err := s.config.Filled()
	if err != nil {
		panic(err) // the defaults are valid
	}
	s.config = filled
	s.config.Bounds = serve.Bounds{} // they depend on the flags, and are filled with them
	s.log = logText
	c := &s.config
	flags := cmd.Flags()
	flags.StringVar(&c.Listen, "listen", c.Listen, "serve at `ADDR`, a host and a port; port 0 is any free one. The service is public unless ADDR is loopback")
	flags.BoolVar(&s.open, "open", false, "open the page in the browser")
	flags.StringVar(&s.export, "export", "", "write the page into `FOLDER`, or into one file if the name ends with .html, and stop")
	flags.StringSliceVar(&c.Hosts, "host", nil, "answer for this `NAME` too, and limit clients: the service is public; can be repeated")
	flags.Func("trusted-proxy", "believe the header X-Forwarded-For of reverse proxies in these `RANGES`", addPrefixes(&s.proxies))
	flags.StringVar(&s.tokenFile, "token-file", "", "require the bearer token in the first line of `FILE`")
	flags.StringVar(&s.formKeyFile, "form-key-file", "", "sign the tokens of the form for browsers without scripts with the secret in `FILE`; services with the same name must share it")
	defineHistory(cmd, &s.history, "list the sites that robots watch keeps in `FOLDER`, and what has changed, at /watch")
	flags.StringVar(&c.Admin, "admin", c.Admin, "serve health, metrics and profiles at `ADDR`, or none")
	flags.BoolVar(&c.AdminPublic, "admin-public", false, "permit an --admin address that other machines can reach")
	defineChoice(cmd, &s.log, "log", "log requests as `FORM`: %s; with json, notes and errors are JSON too", logText, logJSON, logNone)
	flags.Var(anyText(&s.store), "cache", "keep robots.txt files in `CACHE`, "+sites.StoreChoices+" (default a directory in the user's cache directory)")
	s.defineLimits(flags)
	s.defineFetching(cmd)
	completeNothing(cmd, "listen", "host", "trusted-proxy")
	complete(cmd, "admin", []string{serve.NoAdmin})
}

// defineLimits defines the flags for the clients' shares, memory and the end of the service. The
// other limits are constants, see serve.Bounds.
func (s *serveFlags) defineLimits(flags *pflag.FlagSet) {
	c := &s.config
	const public = " (default %s for a public service, else no limit; -1 for none)"
	flags.Float64Var(&c.ClientRate, "client-rate", 0, "accept `N` requests a second from one client"+fmt.Sprintf(public, "20"))
	flags.Float64Var(&c.ClientFetchRate, "client-fetch-rate", 0, "send `N` requests a second to sites for one client"+fmt.Sprintf(public, "2"))
	flags.IntVar(&c.ClientConns, "client-connections", 0, "accept `N` connections and requests at the same time from one client"+fmt.Sprintf(public, "256"))
	flags.IntVar(&c.MaxConns, "max-connections", c.MaxConns, "keep `N` connections open; at the limit, the client with the most loses one")
	flags.Int64Var(&c.RequestMemory, "request-memory", c.RequestMemory, "use `BYTES` of memory for all requests and answers together; clients share them")
	flags.DurationVar(&c.IdleTimeout, "idle-timeout", c.IdleTimeout, "keep connections without requests for `DURATION`")
	flags.DurationVar(&c.DrainDelay, "drain-delay", 0, "keep answering for `DURATION` after a signal, while /readyz reports not ready")
	flags.DurationVar(&c.DrainTimeout, "drain-timeout", c.DrainTimeout, "after a signal, wait up to `DURATION` for requests under way")
}

func (s *serveFlags) defineFetching(cmd *cobra.Command) {
	c := &s.config
	flags := cmd.Flags()
	flags.StringVar(&c.UserAgent, "user-agent", c.UserAgent, "send this User-Agent `HEADER` to sites")
	flags.TextVar(&c.Policy, "policy", c.Policy, "use `POLICY` to decide what status codes and outages mean: "+strings.Join(policyNames(), ", "))
	defineNotFound(flags, &c.NotFoundPages)
	flags.DurationVar(&c.FetchTimeout, "timeout", c.FetchTimeout, "give up on a site after `DURATION`")
	defineProxy(cmd, &s.proxy)
	s.guard.defineExceptions(cmd, flags)
	flags.Lookup("allow-ports").Usage = "connect to these `PORTS` only, such as 80,443 (default 80,443,8080,8443 for a public service, else all)"
	flags.Int64Var(&c.MaxMemory, "max-memory", c.MaxMemory, "keep files of sites in `BYTES` of memory")
	flags.IntVar(&c.MaxFetches, "max-fetches", c.MaxFetches, "fetch from `N` sites at the same time")
	flags.DurationVar(&c.OriginInterval, "origin-interval", c.OriginInterval, "request uncached files of one site once every `DURATION`, on average; -1s for no limit")
	complete(cmd, "user-agent", nil)
	complete(cmd, "policy", policyNames())
	markNetwork(flags, "policy", notFoundFlag, "user-agent", "cache")
	delete(flags.Lookup("allow-ports").Annotations, ofNetwork) // its default differs
}

// variable returns the environment variable of a flag.
func variable(flag string) string {
	return "ROBOTS_SERVE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readEnvironment sets the flags that are not on the command line from their variables. A variable
// that is empty counts as unset, except those about secrets: without its token, the service would
// be open to everybody.
func (s *serveFlags) readEnvironment(flags *pflag.FlagSet) (err error) {
	for _, name := range []string{"token", "token-file", "form-key", "form-key-file"} {
		if value, set := os.LookupEnv(variable(name)); set && value == "" {
			return term.Errorf("%s is empty", variable(name)).Hint("set it to the secret or its file, or unset it")
		}
	}
	s.token, s.formKey = os.Getenv(variable("token")), os.Getenv(variable("form-key"))
	flags.VisitAll(func(f *pflag.Flag) {
		value := os.Getenv(variable(f.Name))
		if f.Changed || value == "" || f.Name == "help" || err != nil {
			return
		}
		// The value can contain a password.
		if wrong := flags.Set(f.Name, value); wrong != nil {
			cause := wrong
			if inner := (*pflag.InvalidValueError)(nil); errors.As(wrong, &inner) {
				cause = inner.Unwrap()
			}
			if errors.Is(cause, errNoValue) {
				cause = errNoVariable
			}
			err = term.Errorf("%s: %s", variable(f.Name), term.Printable(cause)).Hint(`see "robots serve --help"`)
		}
	})
	return err
}

func (s *serveFlags) settings() (c serve.Config, err error) {
	c = s.config
	if s.history != "" {
		c.Watched = &watch.Pages{Folder: s.history}
	}
	c.Token, err = secret("token-file", s.tokenFile, s.token)
	if err != nil {
		return c, err
	}
	c.FormKey, err = secret("form-key-file", s.formKeyFile, s.formKey)
	if err != nil {
		return c, err
	}
	c.Proxy, err = s.proxy.choose()
	if err != nil {
		return c, err
	}
	c.TrustedProxies, c.Guard = s.proxies, s.guard.guard()
	c.AccessLog, c.Version = s.log != logNone, build().version
	return c, nil
}

func flagOf(field string) string {
	switch field {
	case "Hosts":
		return "host"
	case "Token":
		return "token-file"
	case "Guard":
		return "nat64"
	case "FetchTimeout":
		return "timeout"
	}
	var name strings.Builder
	for i, r := range strings.Replace(field, "Conns", "Connections", 1) {
		if 'A' <= r && r <= 'Z' && i > 0 {
			name.WriteByte('-')
		}
		name.WriteRune(r)
	}
	return strings.ToLower(name.String())
}

// The values of --log.
const (
	logText = "text"
	logJSON = "json"
	logNone = "none"
)
