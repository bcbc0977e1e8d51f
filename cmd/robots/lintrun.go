package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

func (l *lintFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	t.Quiet = l.quiet
	if l.list || l.explain != "" {
		return l.catalogue(t, args)
	}
	if err := l.validate(args); err != nil {
		return err
	}
	if l.watches {
		ctx, stop := untilInterrupted(ctx)
		defer stop()
		return l.watch(ctx, t, args, sleep)
	}
	settings, err := l.settings(t)
	if err != nil {
		return err
	}
	return l.check(ctx, t, bufio.NewWriterSize(t.Out, 1<<16), args, settings)
}

func (l *lintFlags) check(ctx context.Context, t *term.Terminal, out *bufio.Writer, args []string,
	settings *lintconfig.Finder) (err error) {
	r := &lintRun{lintFlags: l, t: t, out: out, settings: settings, report: l.reporter(t, out, args)}
	r.known, err = l.openBaseline()
	if err != nil {
		return err
	}
	if argWhere(args, isSiteURL) != "" {
		var stop func()
		ctx, stop = untilInterrupted(ctx)
		defer stop()
		clients, err := l.fetchFlags.open(ctx, t, sites.LintLimit, newTyped(args...))
		if err != nil {
			return err
		}
		defer clients.close()
		if l.sent != nil && l.variants && l.defined.Changed("variants") {
			return term.Errorf("the other names of a site get no credentials, so --variants has no effect").Hint("omit one of them")
		}
		urls := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !isSiteURL(arg) })
		r.sites = sites.Prefetch(ctx, clients.Client, urls, l.variants && l.sent == nil)
		defer r.sites.Close()
	}
	return r.all(ctx, args)
}

type lintRun struct {
	*lintFlags
	t        *term.Terminal
	out      *bufio.Writer // must be flushed at the end
	settings *lintconfig.Finder
	report   report.Reporter
	sites    *sites.Prefetched // nil if no URL is given
	text     []byte            // of the next file, if it was read already
	known    *knownFindings

	found bool // a finding of severity --fail-on or above
}

func (r *lintRun) all(ctx context.Context, args []string) error {
	names := filesOf(args, r.exclude, r.settings)
	trouble, err := eachFile(ctx, r.t, r.out, names,
		func(name string, body *[]byte) error { return r.one(ctx, name, body) })
	if err != nil {
		return err
	}
	if err := r.report.End(len(trouble) == 0,
		slices.DeleteFunc(slices.Clone(trouble),
			func(err error) bool { return errors.Is(err, errShown) })); err != nil {
		return term.WriteError(err)
	}
	if err := r.out.Flush(); err != nil {
		return term.WriteError(err)
	}
	if err := r.known.close(r.t, len(trouble) == 0); err != nil {
		return err
	}
	return ending(len(trouble) > 0, r.found)
}

// isAboutServing reports whether a kind of finding is about how a file is served
// instead of its content.
func isAboutServing(code lint.Code) bool { return strings.HasPrefix(string(code), "RX6") }

// filesOf yields the files that arguments name, without those that the patterns or the
// settings exclude.
func filesOf(args, exclude []string, settings *lintconfig.Finder) iter.Seq2[string, error] {
	search := files.Robots(exclude...)
	named := make(map[string]bool, len(args))
	for _, arg := range args {
		named[arg] = true
	}
	return func(yield func(string, error) bool) {
		for name, err := range search.Files(args...) {
			if err == nil && !named[name] && settings.Excludes(name) {
				continue
			}
			if !yield(name, err) {
				return
			}
		}
	}
}

// eachFile calls do for each file, in their order, unless standard output is one of them. It prints an
// error of a file at once, adds it to trouble, and continues. do sets body to the bytes that it reads of
// the file, see panics.Contain.
func eachFile(ctx context.Context, t *term.Terminal, out *bufio.Writer, names iter.Seq2[string, error],
	do func(name string, body *[]byte) error) (trouble []error, err error) {
	if err := separateFound(nil, t, yields(names)); err != nil {
		return nil, err
	}
	for name, err := range names {
		if err == nil {
			var body []byte
			err = panics.Contain(name, &body, func() error { return do(name, &body) })
		}
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil || errors.Is(err, files.ErrInterrupted):
			_ = out.Flush() // the report so far is correct
			return nil, errInterrupted
		}
		if err := out.Flush(); err != nil { // even if a write of do has failed
			return nil, term.WriteError(err)
		}
		if !errors.Is(err, errShown) {
			t.PrintError(err)
		}
		trouble = append(trouble, err)
	}
	return trouble, nil
}

// one checks one argument, and fixes it if fixes are requested. It sets body to the file.
func (r *lintRun) one(ctx context.Context, arg string, body *[]byte) error {
	s, err := settingsOf(r.settings, arg)
	if err != nil {
		return err
	}
	config := s.Config()
	config.Steps = r.steps
	if r.everything {
		config.MaxFindings, config.MaxPerCode = -1, -1
	}
	in := &report.File{Name: arg, Profile: config.Profile}
	if err := r.read(ctx, in, &config); err != nil {
		return err
	}
	*body = in.Body
	if in.Body == nil { // there is no file to check
		config.Filter = func(f *lint.Finding) bool { return isAboutServing(f.Code) }
	}
	fixed := false
	if r.fixes() {
		fixed, err = r.fixed(ctx, in, config)
		if err != nil {
			return err
		}
	}
	if !fixed {
		in.Report = lint.Inspect(in.Body, r.known.unlimited(config))
	}
	if fixed || r.known.all != nil {
		r.known.apply(in)
		in.Report = lint.Limit(in.Findings, config)
	}
	in.Fails = s.Fails
	for _, c := range in.Counts {
		r.found = r.found || s.Fails(c.Severity)
	}
	if err := r.report.File(in); err != nil {
		return err
	}
	if served := config.Served; served != nil && served.Status == 0 {
		return term.Errorf("%s could not be checked, because the site did not respond: %s", term.Source(in.Name), term.Escape(served.Fault)).Hint("try again later")
	}
	return nil
}

// read reads the body of the argument that in names, and sets the fields of config about
// it. If fixes are requested, it reads the whole file, otherwise only the part that
// crawlers read.
func (r *lintRun) read(ctx context.Context, in *report.File, config *lint.Config) (err error) {
	switch {
	case isSiteURL(in.Name):
		in.Body, err = r.sites.File(ctx, in.Name, config)
		in.Name = config.URL
	case r.fixes():
		in.Body, err = readWhole(r.t, in.Name)
	default:
		if !isStdin(in.Name) {
			config.File = filepath.Base(in.Name)
		}
		if r.text != nil {
			in.Body, config.Truncated, err = (&input{Reader: bytes.NewReader(r.text)}).lines(config.Profile.Bytes())
			return err
		}
		in.Body, config.Truncated, err = readHead(r.t, in.Name, config.Profile.Bytes())
	}
	return err
}

// reporter returns the reporter in the format of the flags. With a diff or a fixed
// standard input, standard output contains nothing else.
func (l *lintFlags) reporter(t *term.Terminal, out *bufio.Writer, args []string) report.Reporter {
	config := report.Config{Format: l.format, Out: out, Palette: t.Palette(), Version: build().version}
	switch {
	case l.quiet, l.write:
		config.Out = bufio.NewWriter(io.Discard)
		return report.New(config)
	case l.counts:
		return report.NewStatistics(config)
	case l.diff, l.fixes() && slices.Contains(args, "-"):
		return countReport{t}
	default:
		return report.New(config)
	}
}

type countReport struct{ t *term.Terminal }

func (r countReport) File(in *report.File) error {
	n := 0
	for _, c := range in.Counts {
		n += c.Found
	}
	if n > 0 {
		r.t.Note("%s: %s", term.Source(in.Name), term.Count(n, "finding", "findings"))
	}
	return nil
}

func (countReport) End(bool, []error) error { return nil }

func about(name string, err error) error {
	if f := (*term.Error)(nil); errors.As(err, &f) {
		return term.Prefixed(term.Source(name)+": ", f)
	}
	return err
}

// catalogue lists all kinds of findings, or describes one.
func (l *lintFlags) catalogue(t *term.Terminal, args []string) error {
	switch {
	case len(args) > 0:
		return term.Errorf("--list and --explain check no files, so %q has no effect", args[0]).Hint("omit the files, or the flag")
	case l.list && l.explain != "":
		return term.Errorf("--list prints all kinds of findings, --explain one").Hint("omit one of them")
	case l.format != report.Text && l.format != report.JSON:
		return term.Errorf("--list and --explain print no findings, so --format %s has no effect", l.format).Hint("use text or json")
	}
	entries := lint.Catalogue()
	if l.explain != "" {
		code, err := report.CodeNamed(l.explain)
		if err != nil {
			return term.Errorf("--explain: %v", err)
		}
		entry, _ := lint.About(code)
		entries = []lint.Entry{entry}
	}
	p := t.Palette()
	return t.Print(func(out *bufio.Writer) (err error) {
		for _, e := range entries {
			switch {
			case l.format == report.JSON:
				err = cmp.Or(err, term.PrintJSON(out, report.WireEntry(e)))
			case l.list:
				err = cmp.Or(err, report.EntryLine(out, p, e))
			default:
				err = cmp.Or(err, report.Entry(out, p, e))
			}
		}
		return err
	})
}

type baselineFlags struct {
	baseline string
	write    bool
}

func (f *baselineFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "hide the findings that `FILE` contains")
	cmd.Flags().BoolVar(&f.write, "write-baseline", false, "write the findings to the file of --baseline, and report none")
}

// maxBaseline is the limit of a baseline, in MiB.
const maxBaseline = 64

func (f *baselineFlags) openBaseline() (*knownFindings, error) {
	if f.baseline == "" {
		return &knownFindings{}, nil
	}
	k := &knownFindings{baselineFlags: *f}
	_, err := os.Stat(f.baseline)
	switch isMissing := errors.Is(err, fs.ErrNotExist); {
	case isMissing && f.write:
		k.all, err = report.NewBaseline(f.baseline)
		return k, err
	case isMissing:
		return nil, term.Errorf("there is no file %q", f.baseline).Hint("--write-baseline writes it")
	}
	k.before, err = readFile(f.baseline, maxBaseline, "give a baseline")
	if err != nil {
		return nil, err
	}
	k.all, err = report.ParseBaseline(f.baseline, k.before)
	return k, err
}

// knownFindings are the findings of a baseline during a run. Without a baseline nothing
// is known.
type knownFindings struct {
	baselineFlags
	all    *report.Baseline // nil without a baseline
	before []byte           // of the file, nil if there is none
	hidden int
	files  int
}

// unlimited returns the configuration for all findings, if there is a baseline: limits
// then apply only to unknown findings.
func (k *knownFindings) unlimited(config lint.Config) lint.Config {
	if k.all != nil {
		config.MaxFindings, config.MaxPerCode = -1, -1
	}
	return config
}

// apply removes the known findings of a file, or makes all of them known.
func (k *knownFindings) apply(in *report.File) {
	switch {
	case k.all == nil:
	case k.write:
		k.all.Set(in.Name, in.Body, in.Findings)
		in.Findings = []lint.Finding{}
		k.files++
	default:
		in.Findings, in.Known = k.all.Unknown(in.Name, in.Body, in.Findings)
		k.hidden += in.Known
	}
}

// close writes the baseline, or notes how many findings were hidden. complete is true if
// all files were checked.
func (k *knownFindings) close(t *term.Terminal, complete bool) error {
	switch {
	case k.all == nil:
		return nil
	case k.write:
		return k.save(t)
	}
	if k.hidden > 0 {
		t.Note("%s", term.Count(k.hidden, "finding in the baseline is hidden", "findings in the baseline are hidden"))
	}
	if complete && k.all.Gone > 0 {
		t.Note("%s", term.Count(k.all.Gone, "finding of the baseline is fixed; --write-baseline drops it",
			"findings of the baseline are fixed; --write-baseline drops them"))
	}
	return nil
}

func (k *knownFindings) save(t *term.Terminal) error {
	k.all.Prune()
	text, err := k.all.Text()
	if err != nil {
		return err
	}
	if k.before != nil {
		err = files.Replace(k.baseline, k.before, text)
	} else {
		err = files.Write(k.baseline, func(to io.Writer) error {
			_, err := to.Write(text)
			return err
		})
	}
	if err == nil {
		t.Note("%s: %s; %s", term.Source(k.baseline), term.Count(k.all.Len(), "finding", "findings"),
			term.Count(k.files, "file was checked", "files were checked"))
	}
	return err
}
