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
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/store"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

func newCache(t *term.Terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show and remove what is in the cache",
		Long: `Show and remove what is in the cache on disk, where check and explain keep the
robots.txt files that they have fetched.

It is in the user's cache directory, unless another directory is named, as with
"robots cache list --cache DIR". Any number of processes may use it at the same
time, these commands among them.`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args)
			}
			cmd.SetOut(t.Err) // it is no answer
			if err := cmd.Help(); err != nil {
				return err
			}
			return errShown
		},
	}
	cmd.AddCommand(newCacheList(t), newCacheShow(t), newCachePurge(t), newCacheStats(t))
	return cmd
}

// shelf is the flags of a command that reads the cache.
type shelf struct {
	cache cacheFlag
	json  bool
}

func (s *shelf) define(cmd *cobra.Command) {
	cmd.Flags().Var(&s.cache, "cache", "look into the cache in `DIR` instead of the one in the user's cache directory")
	if err := cmd.MarkFlagDirname("cache"); err != nil {
		panic(err) // the flag is not defined
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

func (s *shelf) defineJSON(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.json, "json", false, "print JSON, one object a line")
}

// use opens the cache for a function that prints, and closes it. An unusable cache is
// an error. A directory that does not exist is not made, except the user's.
func (s *shelf) use(ctx context.Context, t *term.Terminal, do func(*disk.Store, *bufio.Writer) error) error {
	switch {
	case s.cache == cacheNone:
		return term.Errorf("give the directory of a cache", `--cache "none" has nothing to look into`)
	case store.IsServer(string(s.cache)):
		return term.Errorf("give the directory of a cache; a server has tools of its own to look into it",
			"of a cache on a server, robots cache can only purge sites")
	}
	if _, err := os.Stat(string(s.cache)); s.cache != cacheOfUser && errors.Is(err, os.ErrNotExist) {
		return term.Errorf("", "there is no directory %q", string(s.cache))
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

// useServer opens the cache on a server for a function that prints, and closes it.
func (s *shelf) useServer(ctx context.Context, t *term.Terminal, do func(cache.Store, io.Writer) error) error {
	opened, err := store.Open(ctx, string(s.cache), slog.New(slog.DiscardHandler))
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
// read-only file system. Then a purge fails, and the other commands work.
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

// whole makes a command of a function that prints something about the whole cache.
// The hint is for arguments.
func (s *shelf) whole(t *term.Terminal, hint string, tell func(context.Context, *disk.Store, *bufio.Writer) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return term.Errorf(hint, "%s takes no arguments", cmd.CommandPath())
		}
		return s.use(cmd.Context(), t, func(opened *disk.Store, out *bufio.Writer) error {
			return tell(cmd.Context(), opened, out)
		})
	}
}

func cacheError(err error) error {
	return term.Errorf("", "the cache cannot be used: %s", term.Escape(err.Error()))
}

func newCacheList(t *term.Terminal) *cobra.Command {
	var s shelf
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "List the sites whose robots.txt is in the cache",
		Long: `List the sites whose robots.txt is in the cache, one a line, in no order: when the
site was asked last, until when the answer is kept, its size, and the site.

An answer is kept for longer than it is fresh, as a copy for when the site is
down; "robots cache show" tells how it stands. What expired is not used any more,
and will be removed.

With --json each line is an object with the fields origin, fetched_at, expires,
expired, size and stored (compressed), in bytes.`,
		Example: `  robots cache list | sort
  robots cache list --json | jq -r .origin`,
		RunE: s.whole(t, "robots cache show tells about a site", s.list),
	}
	s.define(cmd)
	s.defineJSON(cmd)
	return cmd
}

func (s *shelf) list(ctx context.Context, opened *disk.Store, out *bufio.Writer) error {
	now := ask.Now()
	for info, err := range opened.Entries(ctx) {
		if err != nil {
			return cacheError(err)
		}
		if info.Key == fetch.PurgeKey {
			continue // no site
		}
		if err := s.printEntry(out, store.Entry(info, now)); err != nil {
			return term.WriteError(err)
		}
	}
	return nil
}

func (s *shelf) printEntry(out *bufio.Writer, e *wire.CacheEntry) error {
	if s.json {
		return term.PrintJSON(out, e)
	}
	_, err := io.WriteString(out, prose.CacheEntry(e))
	return err
}

func newCacheStats(t *term.Terminal) *cobra.Command {
	var s shelf
	cmd := &cobra.Command{
		Use:   "stats [flags]",
		Short: "Tell how much is in the cache, and where it is",
		Long: `Tell how much is in the cache, and where it is.

With --json it is an object with the fields path, schema_version, entries,
expired (of the entries), bytes (of the entries), file_bytes (on disk, compressed),
max_bytes (on disk) and quarantined (how many damaged files were set aside).`,
		RunE: s.whole(t, "--cache DIR names another cache", s.stats),
	}
	s.define(cmd)
	s.defineJSON(cmd)
	return cmd
}

func (s *shelf) stats(ctx context.Context, opened *disk.Store, out *bufio.Writer) error {
	st, err := opened.Stats(ctx)
	if err != nil {
		return cacheError(err)
	}
	if _, err := opened.Get(ctx, fetch.PurgeKey); err == nil {
		st.Entries-- // a note for other programs, no site
	}
	if s.json {
		return term.WriteError(term.PrintJSON(out, wire.CacheStats(st)))
	}
	_, err = io.WriteString(out, prose.CacheStats(wire.CacheStats(st)))
	return term.WriteError(err)
}

func newCachePurge(t *term.Terminal) *cobra.Command {
	var s shelf
	var stale, all bool
	cmd := &cobra.Command{
		Use:   "purge [flags] URL|HOST...|--stale|--all",
		Short: "Remove sites from the cache",
		Long: `Remove sites from the cache, and print how many were in it: those that are given,
with --stale what has expired, which is not used any more but takes up room, or
with --all everything. A host alone means its site over https.

The cache may be on a server, with --cache valkey://HOST. All programs that share
the cache forget the sites: what they have in memory, within 10 seconds of use.`,
		Example: `  robots cache purge shop.example http://localhost:8080
  robots cache purge --stale`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			const choices = "give sites, --stale for what has expired, or --all for everything"
			switch chosen := b2i(len(args) > 0) + b2i(stale) + b2i(all); {
			case chosen == 0:
				return term.Errorf(choices, "nothing is given that shall be removed")
			case chosen > 1:
				return term.Errorf(choices, "only one of these can be removed at a time")
			}
			origins, err := originsOf(t, args)
			if err != nil {
				return err
			}
			remove := func(opened cache.Store, out io.Writer) (err error) {
				var n int64
				switch {
				case stale:
					n, err = store.PurgeExpired(cmd.Context(), opened)
				case all:
					n, err = store.PurgeAll(cmd.Context(), opened)
				default:
					n, err = store.Purge(cmd.Context(), opened, origins...)
				}
				if err != nil {
					return cacheError(err)
				}
				_, err = fmt.Fprintf(out, "%d removed\n", n)
				return term.WriteError(err)
			}
			if store.IsServer(string(s.cache)) {
				return s.useServer(cmd.Context(), t, remove)
			}
			return s.use(cmd.Context(), t, func(opened *disk.Store, out *bufio.Writer) error { return remove(opened, out) })
		},
	}
	s.define(cmd)
	cmd.Flags().BoolVar(&stale, "stale", false, "remove what has expired")
	cmd.Flags().BoolVar(&all, "all", false, "remove everything")
	return cmd
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// originsOf returns the origins of URLs and hosts.
func originsOf(t *term.Terminal, args []string) (origins []origin.Origin, err error) {
	urls, _ := withSchemes(t, args)
	for _, url := range urls {
		o, err := origin.Of(url)
		if err != nil {
			return nil, term.Errorf("give a URL of the site or its host, such as shop.example", "%s", term.Escape(err.Error()))
		}
		origins = append(origins, o)
	}
	return origins, nil
}

func newCacheShow(t *term.Terminal) *cobra.Command {
	var s shelf
	cmd := &cobra.Command{
		Use:   "show [flags] URL|HOST...",
		Short: "Show what the cache has about a site",
		Long: `Show what the cache has about a site, as "robots fetch" shows what the site
answers, with the same fields for --json. The site is not asked. A host alone
means its site over https.

An answer that is not fresh any more is shown as an expired copy.

Exit status: 0 if all sites could be shown, 1 if one could not, 2 if the cache
cannot be used.`,
		Example: `  robots cache show shop.example`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return term.Errorf("give a URL of the site or its host, such as shop.example", "no site is given")
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

func (s *shelf) show(ctx context.Context, t *term.Terminal, from cache.Store, out *bufio.Writer, origins []origin.Origin, args []string) (missing error) {
	show := (&inspection{json: s.json}).printer(t, out)
	for i, o := range origins {
		r, err := store.Read(ctx, from, o)
		var unreadable *fetch.EntryError
		switch {
		case errors.Is(err, cache.ErrNotFound), errors.As(err, &unreadable):
			if err := out.Flush(); err != nil {
				return term.WriteError(err)
			}
			text := " is not in the cache"
			if unreadable != nil {
				text = " has an entry in the cache that cannot be read: " + term.Escape(unreadable.Problem)
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
