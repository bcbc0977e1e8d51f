package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/past"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/watch"
	"github.com/kosterhq/robotstxt/history"
)

// recalling has the flags of history.
type recalling struct {
	crawlerFlags
	file   string
	at     string
	report string
	json   bool
	body   bool
}

func newHistory(t *term.Terminal) *cobra.Command {
	r := &recalling{}
	cmd := &cobra.Command{
		Use:     "history [flags] SITE",
		Short:   "Show which robots.txt a site had, and what each version changed",
		Long:    historyLong,
		Example: historyExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), t, args) },
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	r.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.at, "at", "", "show what applied at `TIME`, such as 2026-03-01 or 2026-03-01T12:00:00Z")
	complete(cmd, "at", nil)
	flags.BoolVar(&r.body, "body", false, "with --at, print the file that applied")
	flags.BoolVar(&r.json, "json", false, "print JSON")
	flags.StringVar(&r.report, "report", "", "write the timeline as a picture to the page `FILE.html`")
	flags.StringArrayVar(&r.agents, "agent", nil, "show only changes for the crawlers `TOKEN[:FALLBACK...],...`; may be repeated (default all)")
	complete(cmd, "agent", nil)
	r.crawlerFilter.define(cmd, "show changes for")
	cmd.AddCommand(newHistoryImport(t))
	return cmd
}

func (r *recalling) define(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.file, "history", "history.db", "use the history in `FILE`, or in the folder of robots watch")
}

const historyExample = `  robots history shop.example
  robots history --at 2026-03-01T12:00:00Z --body shop.example
  robots history --report shop.html shop.example
  robots history import --git .:static/robots.txt --origin https://shop.example`

const historyLong = `Show which robots.txt a site had at which time, and what each version opened and closed.
SITE is a host or a URL. "robots history import" fills the history; "robots watch" and
"robots audit --history" keep one, too.

An observation proves an instant. Between equal observations at most 36 hours apart,
nothing else is presumed. Between different ones both are possible. All other time is
unknown. What was dropped because the history is too large or too old is said.

With --at the answer is about one time, in UTC unless it has a zone, for readers of
logs: certainty, and the nearest observations. The form of logs, such as
01/Mar/2026:13:00:00 +0100, is read too. --body prints the file if it is proved or
presumed.

--report writes a page that needs no other file: versions as bands of time, with what
each opened and closed, lines and paths included.

With --json one object is printed: site and spans, with from, to, certainty,
observations, sources, dropped, version, changed and changes; or with --at, site, at,
certainty, before, after and dropped.

Exit status: 0 if something is known, 1 if --at is about a time of which it is not proved
or presumed what applied, 2 if there is no history.`

// openHistory opens the history in a file or a folder. A readOnly one must exist.
func openHistory(ctx context.Context, t *term.Terminal, file string, readOnly bool) (*history.Store, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, historyFile)
	}
	if _, err := os.Stat(file); readOnly && errors.Is(err, fs.ErrNotExist) {
		hint := `"robots history import" makes one; name another with --history`
		if folder, err := (&watching{}).folder(); err == nil {
			if _, err := os.Stat(filepath.Join(folder, historyFile)); err == nil {
				hint = fmt.Sprintf("robots watch keeps one: --history %q", folder)
			}
		}
		return nil, term.Errorf(hint, "there is no history %q", file)
	}
	if isOther(file) {
		return nil, term.Errorf("name another with --history, or move it away", "%q is no history", file)
	}
	store, err := history.Open(ctx, filepath.Clean(file), history.Config{ReadOnly: readOnly, Logger: t.Logger()})
	if err != nil {
		return nil, term.Errorf("name another with --history", "cannot open the history: %s", term.Escape(err.Error()))
	}
	return store, nil
}

// isOther reports whether a file has another content than a database, which would be set
// aside as a damaged one.
func isOther(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(sqliteHead))
	n, _ := io.ReadFull(f, head)
	return n > 0 && string(head[:n]) != sqliteHead[:n]
}

// sqliteHead is what each database of SQLite begins with.
const sqliteHead = "SQLite format 3\x00"

func (r *recalling) validate(args []string) error {
	switch {
	case len(args) != 1:
		return term.Errorf("give one host or URL", "%d sites are given", len(args))
	case r.body && (r.at == "" || r.json):
		return term.Errorf("give --at TIME, and leave out --json", "--body prints the file of one time")
	case r.report != "" && r.at != "":
		return term.Errorf("leave out --at", "--report is about the whole history")
	case r.report != "" && !isPage(r.report):
		return errNoPage(r.report)
	}
	return nil
}

func (r *recalling) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := r.validate(args); err != nil {
		return err
	}
	site, err := originOf(args[0])
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	store, err := openHistory(ctx, t, r.file, true)
	if err != nil {
		return err
	}
	defer store.Close()
	if r.at != "" {
		return orInterrupted(r.showAt(ctx, t, store, site))
	}
	reader := &watch.Reader{}
	if r.narrowed() {
		if reader.Crawlers, _, err = r.requested(t); err != nil {
			return err
		}
	}
	last, ok, err := store.Last(ctx, site)
	if err != nil {
		return err
	}
	if !ok {
		return noObservations(ctx, store, site)
	}
	timeline, err := past.Timeline(ctx, store, site, time.Unix(0, 0), last.To, reader)
	if err != nil {
		return orInterrupted(err)
	}
	if r.report != "" {
		if err := writePage(r.report, func(w io.Writer) error { return auditreport.WriteHistory(w, timeline, time.Now()) }); err != nil {
			return term.Errorf("", "cannot write the page: %v", err)
		}
	}
	if r.json {
		return term.PrintJSON(t.Out, timeline)
	}
	_, err = fmt.Fprint(t.Out, past.Text(timeline))
	return err
}

// noObservations returns the error for a site without observations. The same host may have
// some with the other scheme.
func noObservations(ctx context.Context, store *history.Store, site string) error {
	hint := `"robots history import" adds some`
	other, isHTTPS := "https://"+strings.TrimPrefix(site, "http://"), strings.HasPrefix(site, "https://")
	if isHTTPS {
		other = "http://" + strings.TrimPrefix(site, "https://")
	}
	if _, ok, err := store.Last(ctx, other); err == nil && ok {
		hint = "it has some of " + term.Escape(other) + ": robots history " + term.Escape(other)
	}
	return term.Errorf(hint, "the history has no observations of %s", term.Escape(site))
}

// timeLayouts are the forms of --at: RFC 3339 and what is left out of it, and those of Git and of
// web servers' logs.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	"2006-01-02 15:04:05 -0700", "2006-01-02T15:04:05-0700", "02/Jan/2006:15:04:05 -0700",
}

// showAt prints what applied at a time.
func (r *recalling) showAt(ctx context.Context, t *term.Terminal, store *history.Store, site string) error {
	var at time.Time
	var err error
	for _, layout := range timeLayouts {
		if at, err = time.Parse(layout, r.at); err == nil {
			break
		}
	}
	if err != nil {
		return term.Errorf("write it as 2026-03-01T12:00:00Z", "--at %q is not a time", r.at)
	}
	answer, err := past.At(ctx, store, site, at)
	if err != nil {
		return err
	}
	if answer.Before == nil && answer.After == nil && !answer.Dropped {
		return noObservations(ctx, store, site)
	}
	known := answer.Certainty == string(history.Proved) || answer.Certainty == string(history.Presumed)
	switch {
	case r.json:
		err = term.PrintJSON(t.Out, answer)
	case r.body && known:
		err = printBodyAt(ctx, t, store, site, at)
	default:
		_, err = fmt.Fprint(t.Out, past.AnswerText(answer))
	}
	if err == nil && !known {
		err = errFound
	}
	return err
}

// printBodyAt prints the file of a time at which it is known.
func printBodyAt(ctx context.Context, t *term.Terminal, store *history.Store, site string, at time.Time) error {
	a, err := store.At(ctx, site, at)
	if err != nil {
		return err
	}
	if !a.Before.HasBody {
		return term.Errorf("leave out --body to see what the site answered", "the site had no file at that time")
	}
	body, err := store.Body(ctx, a.Before.SHA256)
	if err != nil {
		return err
	}
	return t.PrintFile(t.Out, body)
}

func newHistoryImport(t *term.Terminal) *cobra.Command {
	r := &recalling{}
	var git, site string
	var archives []string
	cmd := &cobra.Command{
		Use:   "import [flags]",
		Short: "Add the versions in a Git repository or in web archives to the history",
		Long: `Add observations to the history: the versions of a file in a Git repository, with the
times of their commits, or the robots.txt files of web archives (WARC), with the times
of their records. A commit that removes the file counts as status 404. What was
imported before is not added twice. --git runs the program git.`,
		Example: `  robots history import --git .:static/robots.txt --origin https://shop.example
  robots history import --warc crawl.warc.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			colon := strings.LastIndexByte(git, ':')
			switch {
			case len(args) > 0:
				return term.Errorf("", "unexpected argument %q", args[0])
			case (git == "") == (len(archives) == 0):
				return term.Errorf("give one of them", "import needs --git or --warc")
			case git != "" && (colon <= 0 || site == ""):
				return term.Errorf("write --git REPOSITORY:PATH --origin https://shop.example", "--git needs a path in the repository, and --origin")
			}
			store, err := openHistory(ctx, t, r.file, false)
			if err != nil {
				return err
			}
			defer store.Close()
			add := func(o history.Observation) error { return store.Add(ctx, o) }
			if git == "" {
				return orInterrupted(importArchives(t, archives, add))
			}
			if site, err = originOf(site); err != nil {
				return err
			}
			n, err := past.Git(ctx, git[:colon], git[colon+1:], site, add)
			if err == nil && n == 0 {
				err = term.Errorf("check the path; it is relative to the repository", "no commit has changed %q", git[colon+1:])
			}
			t.Note("%s added", term.Count(n, "version", "versions"))
			return orInterrupted(err)
		},
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	r.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&git, "git", "", "add the versions of the file `REPOSITORY:PATH`")
	flags.StringVar(&site, "origin", "", "of the `SITE` that serves the file of --git")
	flags.StringArrayVar(&archives, "warc", nil, "add the robots.txt files of the web archive `FILE`; may be repeated")
	return cmd
}

// importArchives adds the files of web archives.
func importArchives(t *term.Terminal, archives []string, add past.Add) error {
	for _, name := range archives {
		f, err := os.Open(name)
		if err != nil {
			return term.Errorf("", "cannot read the archive: %v", err)
		}
		n, skipped, err := past.Archive(f, add)
		f.Close()
		t.Note("%s: %s added, %s skipped", term.Escape(name), term.Count(n, "file", "files"), term.Count(skipped, "record", "records"))
		if err != nil {
			return err
		}
	}
	return nil
}
