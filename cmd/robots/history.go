package main

import (
	"cmp"
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

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/many/past"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/regular"
)

type historyFlags struct {
	crawlerFlags
	folder string
	at     string
	report string
	json   bool
	body   bool
}

func newHistory(t *term.Terminal) *cobra.Command {
	r := &historyFlags{}
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
	flags.StringArrayVar(&r.agents, "agent", nil, "show only changes for the crawlers `TOKEN[:FALLBACK...],...`; can be repeated (default all)")
	complete(cmd, "agent", nil)
	r.filterFlags.define(cmd, "show changes for")
	cmd.AddCommand(newHistoryImport(t))
	return cmd
}

func (r *historyFlags) define(cmd *cobra.Command) {
	defineHistory(cmd, &r.folder, "use the history in `FOLDER` (default the folder of robots watch)")
}

// defineHistory defines the flag for the folder with a history. Once it named a file in some
// commands.
func defineHistory(cmd *cobra.Command, folder *string, usage string) {
	cmd.Flags().Var(flagValue[string]{folder, func(text string) (string, error) {
		info, err := os.Stat(text)
		if err == nil && !info.IsDir() || err != nil && filepath.Ext(text) == filepath.Ext(historyFile) {
			return "", errors.New("use the folder that contains " + historyFile + ", not a file")
		}
		return text, nil
	}}, "history", usage)
}

const historyExample = `  robots history shop.example
  robots history --at 2026-03-01T12:00:00Z --body shop.example
  robots history --report shop.html shop.example
  robots history import --git .:static/robots.txt --origin https://shop.example`

const historyLong = `Show which robots.txt a site had over time, and what each version opened and closed. SITE
is a host or a URL. To fill the history, use "robots history import"; "robots watch" and
"robots audit --history" also keep one. It is in the --history folder, by default the
folder of robots watch.

An observation proves the file at one instant. If two observations are equal, robots
presumes that nothing else applied between them, provided that they are at most 36 hours
apart, are commits, or have files that are proved to mean the same. Between two different
observations, both are possible. Any other time is unknown. If robots dropped observations
because the history was too large or too old, it reports that.

With --at, robots answers for one time, for readers of logs: it prints the certainty and
the nearest observations. The time is in UTC unless it has a zone. You can write it as
logs, archives and databases do, such as 01/Mar/2026:13:00:00 +0100 and 20260301120000.
--body prints the file if it is proved or presumed.

--report writes a page that needs no other file. It shows versions as bands of time, with
the lines and paths that each opened and closed.

--json prints one object: site and spans, with from, to, certainty, observations, sources,
dropped, version, changed and changes; or with --at, site, at, certainty, before, after
and dropped.

Exit status: 0 if something is known; 1 if the file at the time of --at is neither proved
nor presumed; 2 if there is no history.`

// openHistory opens the history in a folder, by default the folder of robots watch. A history
// that is opened for reading only must exist.
func openHistory(ctx context.Context, t *term.Terminal, folder string, readOnly bool,
	more ...func(*history.Config)) (*history.Store, error) {
	folder, err := historyFolder(folder)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, historyFile)
	if _, err := os.Stat(file); readOnly && errors.Is(err, fs.ErrNotExist) {
		hint := `"robots history import" makes one; name the folder of another with --history`
		if _, err := os.Stat(historyFile); err == nil {
			hint = "there is one in this folder: --history ."
		}
		return nil, term.Errorf("there is no history %q", file).Hint(hint)
	}
	if isOther(file) {
		return nil, term.Errorf("%q is not a history", file).Hint("name another with --history, or move it away")
	}
	config := history.Config{ReadOnly: readOnly, Logger: t.Logger()}
	for _, set := range more {
		set(&config)
	}
	store, err := history.Open(ctx, filepath.Clean(file), config)
	if err != nil {
		return nil, term.Errorf("cannot open the history: %s", term.Printable(err)).Hint("name another with --history")
	}
	return store, nil
}

// isOther reports whether a file is not a database. Such a file must not be opened, because
// it would be set aside as a damaged database.
func isOther(file string) bool {
	f, err := regular.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(sqliteHead))
	n, _ := io.ReadFull(f, head)
	return n > 0 && string(head[:n]) != sqliteHead[:n]
}

// sqliteHead is the beginning of each SQLite database.
const sqliteHead = "SQLite format 3\x00"

func (r *historyFlags) validate(args []string) error {
	switch {
	case len(args) != 1:
		return term.Errorf("%d sites are given", len(args)).Hint("give one host or URL")
	case r.body && (r.at == "" || r.json):
		return term.Errorf("--body prints the file of one time").Hint("give --at TIME, and omit --json")
	case r.report != "" && r.at != "":
		return term.Errorf("--report is about the whole history").Hint("omit --at")
	case r.report != "" && !isPage(r.report):
		return errNoPage(r.report)
	}
	return nil
}

func (r *historyFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := r.validate(args); err != nil {
		return err
	}
	site, err := originOf(args[0])
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	store, err := openHistory(ctx, t, r.folder, true)
	if err != nil {
		return err
	}
	defer store.Close()
	if r.at != "" {
		return orInterrupted(r.showAt(ctx, t, store, site))
	}
	reader := &watch.Reader{}
	if r.narrowed() {
		reader.Crawlers, _, err = r.requested(t)
		if err != nil {
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
		if err := files.Write(r.report,
			func(w io.Writer) error { return auditreport.WriteHistory(w, timeline, time.Now()) }); err != nil {
			return err
		}
	}
	if r.json {
		return term.WriteError(term.PrintJSON(t.Out, timeline))
	}
	_, err = fmt.Fprint(t.Out, past.Text(timeline))
	return term.WriteError(err)
}

// noObservations returns the error for a site without observations. The same host might have
// observations with the other scheme.
func noObservations(ctx context.Context, store *history.Store, site string) error {
	hint := `"robots history import" adds some`
	other := "https://" + strings.TrimPrefix(site, "http://")
	isHTTPS := strings.HasPrefix(site, "https://")
	if isHTTPS {
		other = "http://" + strings.TrimPrefix(site, "https://")
	}
	if _, ok, err := store.Last(ctx, other); err == nil && ok {
		hint = "it has some of " + term.Escape(other) + ": robots history " + term.Escape(other)
	}
	return term.Errorf("the history has no observations of %s", term.Escape(site)).Hint(hint)
}

func (r *historyFlags) showAt(ctx context.Context, t *term.Terminal, store *history.Store, site string) error {
	read, err := times.Parse(r.at)
	if err != nil {
		return term.Errorf("--at %q is not a time", r.at).Hint("write it as 2026-03-01T12:00:00Z")
	}
	at := read.Time
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
		err = term.WriteError(term.PrintJSON(t.Out, answer))
	case r.body && known:
		err = printBodyAt(ctx, t, store, site, at)
	default:
		_, err = fmt.Fprint(t.Out, past.AnswerText(answer))
		err = term.WriteError(err)
	}
	if err == nil && !known {
		err = errFound
	}
	return err
}

func printBodyAt(ctx context.Context, t *term.Terminal, store *history.Store, site string, at time.Time) error {
	a, err := store.At(ctx, site, at)
	if err != nil {
		return err
	}
	if !a.Before.HasBody {
		return term.Errorf("the site had no file at that time").Hint("omit --body to see the site's answer")
	}
	body, err := store.Body(ctx, a.Before.SHA256)
	if err != nil {
		return err
	}
	return term.WriteError(t.PrintFile(t.Out, body))
}

func newHistoryImport(t *term.Terminal) *cobra.Command {
	r := &historyFlags{}
	var git, site string
	var archives []string
	cmd := &cobra.Command{
		Use:   "import [flags]",
		Short: "Add the versions in a Git repository or in web archives to the history",
		Long: `Add observations to the history: the versions of a file in a Git repository, with the
times of their commits, or the robots.txt files of web archives (WARC), with the times of
their records. A commit that removes the file counts as status 404. If you import
something again, it is not added twice. robots also adds the newest version in a
repository at the time of the import. --git runs the program git.

Exit status: 0, or 2 if an archive ends early or cannot be read; the other archives are
still imported.`,
		Example: `  robots history import --git .:static/robots.txt --origin https://shop.example
  robots history import --warc crawl.warc.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			colon := strings.LastIndexByte(git, ':')
			switch {
			case len(args) > 0:
				return term.Errorf("unexpected argument %q", args[0])
			case (git == "") == (len(archives) == 0):
				return term.Errorf("import needs --git or --warc").Hint("give one of them")
			case git != "" && (colon <= 0 || site == ""):
				return term.Errorf("--git needs a path in the repository, and --origin").Hint("write --git REPOSITORY:PATH --origin https://shop.example")
			}
			store, err := openHistory(ctx, t, r.folder, false)
			if err != nil {
				return err
			}
			defer store.Close()
			add := func(o history.Observation) error { return store.Add(ctx, o) }
			if git == "" {
				return orInterrupted(importArchives(ctx, t, archives, add))
			}
			site, err = originOf(site)
			if err != nil {
				return err
			}
			n, err := past.Git(ctx, git[:colon], git[colon+1:], site, time.Now(), add)
			if err == nil && n == 0 {
				err = term.Errorf("no commit has changed %q", git[colon+1:]).Hint("check the path; it is relative to the repository")
			}
			t.Note("the history has %s of the file", term.Count(n, "version", "versions"))
			return orInterrupted(err)
		},
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	r.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&git, "git", "", "add the versions of the file `REPOSITORY:PATH`")
	flags.StringVar(&site, "origin", "", "the `SITE` that serves the file of --git")
	flags.StringArrayVar(&archives, "warc", nil, "add the robots.txt files of the web archive `FILE`; can be repeated")
	return cmd
}

// importArchives adds the files of web archives. It prints the error of an archive, and still
// reads the others.
func importArchives(ctx context.Context, t *term.Terminal, archives []string, add past.Add) (trouble error) {
	reader := past.Archives{Add: add}
	var read []string
	for _, name := range archives {
		f, err := os.Open(name)
		if err != nil {
			t.PrintError(term.Errorf("cannot read %q: %v", name, term.Cause(err)))
			trouble = errShown
			continue
		}
		n, skipped := 0, 0
		err = panics.Contain("", nil, func() (err error) { n, skipped, err = reader.Read(f); return err })
		f.Close()
		read = append(read, name)
		t.Note("%s: the history has its %s, %s skipped", term.Escape(name), term.Count(n, "file", "files"), term.Count(skipped, "record", "records"))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			t.PrintError(audit.Incomplete(name, n+skipped, err))
			trouble = errShown
		}
	}
	n, skipped, err := reader.Resolve(func(archive int) (io.ReadCloser, error) { return regular.Open(read[archive]) })
	if n+skipped > 0 {
		t.Note("the history has %s of these files; %s skipped, because their files are in no archive that can be read again", term.Count(n, "revisit", "revisits"), term.Count(skipped, "revisit is", "revisits are"))
	}
	return cmp.Or(err, trouble)
}
