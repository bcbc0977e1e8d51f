package main

import (
	"bufio"
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/served"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

func (l *linting) run(ctx context.Context, t *term.Terminal, args []string) error {
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
	settings, err := l.settings()
	if err != nil {
		return err
	}
	return l.check(ctx, t, args, settings)
}

// check checks all arguments once.
func (l *linting) check(ctx context.Context, t *term.Terminal, args []string, settings *lintconfig.Finder) (err error) {
	out := bufio.NewWriterSize(t.Out, 1<<16)
	r := &lintRun{linting: l, t: t, out: out, settings: settings, report: l.reporter(t, out, args)}
	if r.known, err = l.openBaseline(); err != nil {
		return err
	}
	if argWhere(args, isSiteURL) != "" {
		var stop func()
		ctx, stop = untilInterrupted(ctx)
		defer stop()
		clients, err := l.fetchFlags.open(ctx, t, robotstxt.Google, served.Limit, args...)
		if err != nil {
			return err
		}
		defer clients.close()
		urls := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !isSiteURL(arg) })
		r.sites = served.Start(ctx, clients.Client, urls, l.variants)
		defer r.sites.Close()
	}
	return r.all(ctx, args)
}

// lintRun checks all arguments.
type lintRun struct {
	*linting
	t        *term.Terminal
	out      *bufio.Writer // must be flushed at the end
	settings *lintconfig.Finder
	report   report.Reporter
	sites    *served.Sites // nil if no URL is given
	known    *knownFindings

	found bool            // a finding of severity --fail-on or above
	noted map[string]bool // codes of earlier versions
}

// all checks all arguments.
func (r *lintRun) all(ctx context.Context, args []string) error {
	names := filesOf(args, r.exclude, r.settings)
	trouble, err := eachFile(ctx, r.t, r.out, names, func(name string) error { return r.one(ctx, name) })
	if err != nil {
		return err
	}
	if err := r.report.End(len(trouble) == 0, slices.DeleteFunc(slices.Clone(trouble), func(err error) bool { return errors.Is(err, errShown) })); err != nil {
		return term.WriteError(err)
	}
	if err := r.out.Flush(); err != nil {
		return term.WriteError(err)
	}
	if err := r.known.close(r.t, len(trouble) == 0); err != nil {
		return err
	}
	switch {
	case len(trouble) > 0:
		return errShown
	case r.found:
		return errFound
	}
	return nil
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

// eachFile calls do for each file, in their order. It prints an error of a file at once,
// adds it to trouble, and continues.
func eachFile(ctx context.Context, t *term.Terminal, out *bufio.Writer, names iter.Seq2[string, error], do func(name string) error) (trouble []error, err error) {
	for name, err := range names {
		if err == nil {
			err = do(name)
		}
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			_ = out.Flush() // the report so far is correct
			return nil, errInterrupted
		case errors.As(err, new(outputError)):
			return nil, err
		}
		if err := out.Flush(); err != nil {
			return nil, term.WriteError(err)
		}
		if !errors.Is(err, errShown) {
			t.PrintError(err)
		}
		trouble = append(trouble, err)
	}
	return trouble, nil
}

// outputError is the error of a failed write, which ends the run.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// written returns the error of a write as an outputError, nil for nil.
func written(err error) error {
	if err == nil {
		return nil
	}
	return outputError{term.WriteError(err)}
}

// noteRetired notes the codes of earlier versions in the settings, each once.
func (r *lintRun) noteRetired(codes []string) {
	for _, text := range codes {
		e, _, _ := lint.Named(text)
		if r.noted == nil {
			r.noted = make(map[string]bool)
		}
		if !r.noted[text] {
			r.noted[text] = true
			r.t.Note("%s is a part of %s %s now", text, e.Code, e.Name)
		}
	}
}

// one checks one argument, and fixes it if fixes are requested.
func (r *lintRun) one(ctx context.Context, arg string) error {
	s, err := settingsOf(r.settings, arg)
	if err != nil {
		return err
	}
	r.noteRetired(s.Retired)
	config := s.Config()
	config.Steps = r.steps
	if r.everything {
		config.MaxFindings, config.MaxPerCode = -1, -1
	}
	in := &report.File{Name: arg, Profile: config.Profile}
	if isSiteURL(arg) {
		if in.Body, err = r.sites.File(ctx, arg, &config); err != nil {
			return err
		}
		in.Name = config.URL
	} else if r.fixes() {
		if in.Body, err = readWhole(r.t, arg); err != nil {
			return err
		}
	} else if in.Body, config.Truncated, err = readHead(r.t, arg, config.Profile.Bytes()); err != nil {
		return err
	} else if !isStdin(arg) {
		config.File = filepath.Base(arg)
	}
	if in.Body == nil { // there is no file to check
		config.Filter = func(f *lint.Finding) bool { return isAboutServing(f.Code) }
	}
	fixed := false
	if r.fixes() {
		if fixed, err = r.fixed(ctx, in, config); err != nil {
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
		return written(err)
	}
	if served := config.Served; served != nil && served.Status == 0 {
		return term.Errorf("try again later", "%s could not be checked, because the site gave no answer: %s", term.Source(in.Name), term.Escape(served.Fault))
	}
	return nil
}
