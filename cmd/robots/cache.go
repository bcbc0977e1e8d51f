package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/faulttext"
	"github.com/kosterhq/robotstxt/origin"
)

func newCache(t *term.Terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show and remove the content of the cache",
		Long: `Show and remove the content of the cache on disk, where check, explain and other commands
keep the robots.txt files they have fetched.

The cache is in your cache directory; "robots cache stats" prints where. To use another one,
name it, for example with "robots cache list --cache DIR". Several processes can use a cache
at the same time, including these commands.`,
		Example: `  robots cache list
  robots cache show shop.example
  robots cache purge shop.example`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args)
			}
			cmd.SetOut(t.Err) // printing help is not a verdict
			if err := cmd.Help(); err != nil {
				return err
			}
			return errShown
		},
	}
	cmd.AddCommand(newCacheList(t), newCacheShow(t), newCachePurge(t), newCacheStats(t))
	return cmd
}

type cacheFlags struct {
	cache cacheName
	json  bool
}

func (s *cacheFlags) define(cmd *cobra.Command) {
	cmd.Flags().Var(anyText(&s.cache), "cache", "use the cache in `DIR` instead of the cache in the user's cache directory")
	if err := cmd.MarkFlagDirname("cache"); err != nil {
		panic(err) // the flag is not defined
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

func (s *cacheFlags) defineJSON(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.json, "json", false, "print JSON, one object a line")
}

func (s *cacheFlags) use(ctx context.Context, t *term.Terminal, do func(*disk.Store, *bufio.Writer) error) error {
	switch {
	case s.cache == cacheNone:
		return term.Errorf(`--cache "none" is not a cache`).Hint("give the directory of a cache")
	case sites.IsStoreServer(string(s.cache)):
		return term.Errorf("robots cache can only purge sites from a cache on a server").Hint("to show its content, use the tools of the server")
	}
	if _, err := os.Stat(string(s.cache)); s.cache != cacheOfUser && errors.Is(err, os.ErrNotExist) {
		return term.Errorf("there is no directory %q", string(s.cache))
	}
	opened, err := openToShow(ctx, disk.Config{Dir: string(s.cache), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return cacheError(err)
	}
	defer opened.Close()
	out := bufio.NewWriterSize(t.Out, 1<<16)
	err = do(opened, out)
	if flushed := out.Flush(); flushed != nil {
		return term.WriteError(flushed)
	}
	return err
}

func (s *cacheFlags) useServer(ctx context.Context, t *term.Terminal, do func(cache.Store, io.Writer) error) error {
	opened, err := sites.OpenStore(ctx, string(s.cache), slog.New(slog.DiscardHandler))
	var usage *term.Error
	switch {
	case errors.As(err, &usage):
		return err
	case err != nil:
		return cacheError(err)
	}
	defer opened.Close()
	return do(opened.Store, t.Out)
}

// openToShow opens a cache, for reading only if it cannot be written, for example on a
// read-only file system. A purge then fails, but the other commands work.
func openToShow(ctx context.Context, config disk.Config) (*disk.Store, error) {
	opened, err := disk.Open(ctx, config)
	if err != nil || opened.Degraded() == nil {
		return opened, err
	}
	defer opened.Close()
	config.ReadOnly = true
	readable, err := disk.Open(ctx, config)
	if err == nil && readable.Degraded() != nil {
		readable.Close()
		err = opened.Degraded()
	}
	return readable, err
}

// whole returns the function of a command that prints something about the whole cache.
// The hint is for the error about arguments.
func (s *cacheFlags) whole(t *term.Terminal, hint string,
	print func(context.Context, *disk.Store, *bufio.Writer) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return term.Errorf("%s takes no arguments", cmd.CommandPath()).Hint(hint)
		}
		return s.use(cmd.Context(), t, func(opened *disk.Store, out *bufio.Writer) error {
			return print(cmd.Context(), opened, out)
		})
	}
}

func cacheError(err error) error {
	return term.Errorf("the cache is unusable: %s", term.Escape(faulttext.Of(err)))
}

func newCacheList(t *term.Terminal) *cobra.Command {
	var s cacheFlags
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "List the sites whose robots.txt is in the cache",
		Long: `List the sites whose robots.txt is in the cache, one on each line, in no particular
order: when the file was last fetched, when the answer expires, its size, and the site.

The cache keeps an answer for longer than it is fresh, as a copy for times when the site
is down; "robots cache show" shows its state. robots no longer uses expired answers, and
will remove them.

--json prints an object for each site, one on each line, with the fields origin,
fetched_at, expires, expired, size and stored (compressed), in bytes.`,
		Example: `  robots cache list | sort
  robots cache list --json | jq -r .origin`,
		RunE: s.whole(t, `"robots cache show" shows one site`, s.list),
	}
	s.define(cmd)
	s.defineJSON(cmd)
	return cmd
}

func (s *cacheFlags) list(ctx context.Context, opened *disk.Store, out *bufio.Writer) error {
	now := sites.Now()
	for info, err := range opened.Entries(ctx) {
		if err != nil {
			return cacheError(err)
		}
		if info.Key == fetch.PurgeKey {
			continue // no site
		}
		if err := s.printEntry(out, sites.StoreEntry(info, now)); err != nil {
			return term.WriteError(err)
		}
	}
	return nil
}

func (s *cacheFlags) printEntry(out *bufio.Writer, e *wire.CacheEntry) error {
	if s.json {
		return term.PrintJSON(out, e)
	}
	_, err := io.WriteString(out, prose.CacheEntry(e))
	return err
}

func newCacheStats(t *term.Terminal) *cobra.Command {
	var s cacheFlags
	cmd := &cobra.Command{
		Use:     "stats [flags]",
		Short:   "Print the size of the cache, and where it is",
		Example: `  robots cache stats`,
		Long: `Print the size of the cache, and where it is.

--json prints an object with the fields path, schema_version, entries, expired (of the
entries), bytes (of the entries), file_bytes (on disk, compressed), max_bytes (on disk)
and quarantined (the number of damaged files set aside).`,
		RunE: s.whole(t, "--cache DIR names another cache", s.stats),
	}
	s.define(cmd)
	s.defineJSON(cmd)
	return cmd
}

func (s *cacheFlags) stats(ctx context.Context, opened *disk.Store, out *bufio.Writer) error {
	st, err := opened.Stats(ctx)
	if err != nil {
		return cacheError(err)
	}
	if _, err := opened.Get(ctx, fetch.PurgeKey); err == nil {
		st.Entries-- // an entry with information for other programs, not a site
	}
	if s.json {
		return term.WriteError(term.PrintJSON(out, wire.CacheStats(st)))
	}
	_, err = io.WriteString(out, prose.CacheStats(wire.CacheStats(st)))
	return term.WriteError(err)
}

func newCachePurge(t *term.Terminal) *cobra.Command {
	var s cacheFlags
	var stale, all bool
	cmd := &cobra.Command{
		Use:   "purge [flags] URL|HOST...|--stale|--all",
		Short: "Remove sites from the cache",
		Long: `Remove sites from the cache, and print how many were removed: the sites that you name;
with --stale the expired answers, which are no longer used but take space; or with --all
everything. For a host without a scheme, robots uses its site over https.

The cache can be on a server, with --cache valkey://HOST. All programs that share the
cache also drop the sites from their memory, within 10 seconds of use.`,
		Example: `  robots cache purge shop.example http://localhost:8080
  robots cache purge --stale`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			const choices = "give sites, --stale for expired answers, or --all for everything"
			switch {
			case len(args) == 0 && !stale && !all:
				return term.Errorf("nothing to remove").Hint(choices)
			case len(args) > 0 && (stale || all), stale && all:
				return term.Errorf("only one of these can be given").Hint(choices)
			}
			origins, err := originsOf(t, args)
			if err != nil {
				return err
			}
			remove := func(opened cache.Store, out io.Writer) (err error) {
				var n int64
				switch {
				case stale:
					n, err = sites.PurgeExpired(cmd.Context(), opened)
				case all:
					n, err = sites.PurgeAll(cmd.Context(), opened)
				default:
					n, err = sites.Purge(cmd.Context(), opened, origins...)
				}
				if err != nil {
					return cacheError(err)
				}
				_, err = fmt.Fprintf(out, "%d removed\n", n)
				return term.WriteError(err)
			}
			if sites.IsStoreServer(string(s.cache)) {
				return s.useServer(cmd.Context(), t, remove)
			}
			return s.use(cmd.Context(), t,
				func(opened *disk.Store, out *bufio.Writer) error { return remove(opened, out) })
		},
	}
	s.define(cmd)
	cmd.Flags().BoolVar(&stale, "stale", false, "remove expired answers")
	cmd.Flags().BoolVar(&all, "all", false, "remove everything")
	return cmd
}

func originsOf(t *term.Terminal, args []string) (origins []origin.Origin, err error) {
	urls, _ := withSchemes(t, args)
	for _, url := range urls {
		o, err := origin.Of(url)
		if err != nil {
			return nil, term.Errorf("%s", term.Printable(err)).Hint("give a URL of the site or its host, such as shop.example")
		}
		origins = append(origins, o)
	}
	return origins, nil
}

func newCacheShow(t *term.Terminal) *cobra.Command {
	var s cacheFlags
	cmd := &cobra.Command{
		Use:   "show [flags] URL|HOST...",
		Short: "Show the answer of a site in the cache",
		Long: `Show the answer of a site in the cache, in the form of "robots fetch", with the same
fields for --json. robots fetches nothing. For a host without a scheme, it uses the site
over https.

robots shows an answer that is no longer fresh as an expired copy.

Exit status: 0 if all sites could be shown, 1 if one could not, 2 if the cache is
unusable.`,
		Example: `  robots cache show shop.example`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return term.Errorf("no site is given").Hint("give a URL of the site or its host, such as shop.example")
			}
			origins, err := originsOf(t, args)
			if err != nil {
				return err
			}
			return s.use(cmd.Context(), t, func(opened *disk.Store, out *bufio.Writer) error {
				return s.show(cmd.Context(), t, opened, out, origins, args)
			})
		},
	}
	s.define(cmd)
	s.defineJSON(cmd)
	return cmd
}

func (s *cacheFlags) show(ctx context.Context, t *term.Terminal, from cache.Store, out *bufio.Writer,
	origins []origin.Origin, args []string) (missing error) {
	show, _ := (&fetchCommandFlags{formatFlags: formatFlags{format: table.Text, json: s.json}}).printer(t, out)
	for i, o := range origins {
		r, err := sites.ReadStored(ctx, from, o)
		unreadable := errors.Is(err, sites.ErrUnreadable)
		switch {
		case errors.Is(err, cache.ErrNotFound), unreadable:
			if err := out.Flush(); err != nil {
				return term.WriteError(err)
			}
			text := " is not in the cache"
			if unreadable {
				text = ": the cache has an " + term.Printable(err)
			}
			t.Warn("%s", term.Escape(o.String())+text)
			missing = errDisallowed
			continue
		case err != nil:
			return cacheError(err)
		}
		if err := show(args[i], r); err != nil {
			return term.WriteError(err)
		}
	}
	return missing
}
