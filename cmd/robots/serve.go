package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/page"
	"github.com/kosterhq/robotstxt/cmd/internal/serve"
	"github.com/kosterhq/robotstxt/cmd/internal/store"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

func newServe(t *term.Terminal) *cobra.Command {
	s := &serving{}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve a page for the browser and an HTTP API",
		Long: `Serve a page for the browser, and an HTTP API beside it: an editor for robots.txt
files with verdicts, problems and the effect of each edit; the live files of sites; and
the same as JSON for programs.

The address of the page is printed. It is on this machine alone, unless --listen names
another address, and answers only for the names localhost, 127.0.0.1 and [::1], and
those of --host. With --host the service is public, and limits its clients. It speaks
plain HTTP: for HTTPS run it after a reverse proxy, and name that with --trusted-proxy.

The files of sites are fetched from public addresses only, whatever a client or a
redirect says; --allow-range adds networks. They are kept in the --store: a directory,
or a server for several services with one cache.

Health, metrics and profiles are on a second address, --admin: /healthz, /readyz,
/metrics and /debug/pprof/. A signal (SIGTERM or Ctrl-C) ends the service when the
requests under way are answered.

Each flag can also be set by an environment variable: --client-rate by
ROBOTS_SERVE_CLIENT_RATE, for example. Flags take precedence. Secrets are read from
files or the variables ROBOTS_SERVE_TOKEN and ROBOTS_SERVE_FORM_KEY, so that the list
of processes does not show them.

--export writes the page into a folder, for any web host, where only the live files of
sites are missing.

Exit status: 0 after a signal, 2 if the service cannot start.`,
		Example: `  robots serve
  robots serve --open
  robots serve --listen 127.0.0.1:0 --store none
  robots serve --listen 0.0.0.0:8070 --host robots.example --trusted-proxy 10.0.0.0/8 --store valkey://cache.internal:6379
  robots serve --export public/robots-page`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return s.run(cmd, t) },
	}
	s.define(cmd)
	return cmd
}

func (s *serving) run(cmd *cobra.Command, t *term.Terminal) error {
	if err := s.readEnvironment(cmd.Flags(), t.Getenv); err != nil {
		return err
	}
	if s.export != "" {
		if err := page.Export(s.export, build().version); err != nil {
			return term.Errorf("", "cannot export the page: %v", err)
		}
		t.Note("the page is in %q; a web host must serve the folder over https", s.export)
		return nil
	}
	config, err := s.settings(t)
	if err != nil {
		return err
	}
	opened, err := s.openStore(cmd.Context(), t)
	if err != nil {
		return err
	}
	defer opened.Close()
	if opened != nil {
		config.Store, config.StoreTimeout = opened.Store, opened.Timeout
	}
	service, err := serve.New(config)
	if mistake, ok := errors.AsType[*serve.ConfigError](err); ok {
		return term.Errorf(`see "robots serve --help"`, "--%s %s", flagOf(mistake.Field), mistake.Problem)
	}
	if err != nil {
		return term.Errorf("", "cannot start: %v", err)
	}
	return s.serve(cmd.Context(), t, service)
}

// serve runs a service until a signal.
func (s *serving) serve(ctx context.Context, t *term.Terminal, service *serve.Server) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	listeners, err := service.Listen(ctx)
	if err != nil {
		hint := ""
		if errors.Is(err, syscall.EADDRINUSE) {
			hint = "another program uses this address; --listen 127.0.0.1:0 takes a free port, --admin none leaves out health and metrics"
		}
		return term.Errorf(hint, "cannot listen: %v", err)
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
			t.Warn("no browser can be opened: %s", term.Escape(err.Error()))
		}
	}
	if err := service.Serve(ctx, listeners); err != nil {
		return term.Errorf("", "the service has ended: %v", err)
	}
	return nil
}

// openStore opens the cache, nil for none. If a directory is unusable, the service works
// without. Without its server it does not start, because the services of a fleet would all
// fetch then.
func (s *serving) openStore(ctx context.Context, t *term.Terminal) (*store.Store, error) {
	if s.store == cacheNone {
		return nil, nil
	}
	opened, err := store.Open(ctx, string(s.store), t.Logger())
	if misused := (*term.Error)(nil); errors.As(err, &misused) {
		return nil, term.Prefixed("--store: ", err)
	}
	if err != nil && store.IsServer(string(s.store)) {
		return nil, term.Errorf("start the server first", "the --store is unreachable: %v", err)
	}
	if err != nil {
		t.Warn("the --store is unusable, so files are kept in memory only: %s", term.Escape(err.Error()))
		return nil, nil
	}
	return opened, nil
}

// logger returns the logger of the service.
func (s *serving) logger(w io.Writer) *slog.Logger {
	if s.log == logJSON {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// secret returns a secret: the first line of a file, or the value of a variable, which may
// be empty.
func secret(flag, file, value string) (string, error) {
	if file == "" {
		return value, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", term.Errorf("", "--%s: cannot read %q: %v", flag, file, term.Cause(err))
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", term.Errorf("write the secret into its first line", "--%s: %q is empty", flag, file)
	}
	return line, nil
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
