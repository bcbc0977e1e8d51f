package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/cmd/internal/show/sitereport"
	"github.com/kosterhq/robotstxt/semdiff"
)

// report writes a report on the arguments, one after the other. An error about one of them is printed, and the
// report is about the others.
func (o *overviewFlags) report(ctx context.Context, t *term.Terminal, args []string) error {
	l := &lintFlags{settingFlags: settingFlags{steps: semdiff.DefaultSteps}}
	settings, err := l.settings(t)
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	r := &reportRun{overviewFlags: o, found: &foundProblems{}}
	r.lint = &lintRun{lintFlags: l, t: t, out: bufio.NewWriter(io.Discard), settings: settings,
		known: &knownFindings{}, report: r.found}
	if urls := urlsOf(args); len(urls) > 0 {
		clients, err := o.fetchFlags.open(ctx, t, o.limit, newTyped(urls...))
		if err != nil {
			return err
		}
		defer clients.close()
		r.lint.sites = sites.Prefetch(ctx, clients.Client, urls, false)
		defer r.lint.sites.Close()
	}
	out := bufio.NewWriterSize(t.Out, 1<<16)
	page := markup.NewDocument(out, string(o.language))
	var trouble error
	for i, arg := range args {
		text, err := r.one(ctx, i, arg)
		if err != nil && ctx.Err() != nil {
			_ = out.Flush() // the report so far is correct
			return orInterrupted(ctx.Err())
		}
		if err != nil {
			trouble = errShown
		}
		if err != nil && !errors.Is(err, errShown) {
			t.PrintError(err)
			text = sitereport.Failed(o.language, sites.Now(), arg, term.Printable(err))
		}
		if o.format == formatHTML {
			err = page.Add(text)
		} else {
			_, err = out.WriteString(text)
		}
		if err != nil {
			return term.WriteError(err)
		}
	}
	return cmp.Or(term.WriteError(cmp.Or(page.End(), out.Flush())), trouble)
}

type reportRun struct {
	*overviewFlags
	lint  *lintRun
	found *foundProblems
}

// foundProblems is a report.Reporter that keeps what is found in the last file.
type foundProblems struct{ in *report.File }

func (f *foundProblems) File(in *report.File) error { f.in = in; return nil }

func (*foundProblems) End(bool, []error) error { return nil }

// one returns the report on an argument. The error is errShown with a report on a site that did not respond.
func (r *reportRun) one(ctx context.Context, i int, arg string) (text string, err error) {
	var body []byte
	err = panics.Contain(arg, &body, func() error { text, err = r.section(ctx, i, arg, &body); return err })
	return text, err
}

func (r *reportRun) section(ctx context.Context, i int, arg string, body *[]byte) (string, error) {
	t := r.lint.t
	s := &sitereport.Site{Name: arg}
	checked := arg
	if url, isSite := siteOf(t, arg); isSite {
		result, err := r.lint.sites.Result(ctx, url)
		if err != nil {
			return "", err
		}
		checked, s.Ruling = url, sites.RuleSite(result, sites.Now(), nil, nil)
	} else {
		file, text, err := readBoth(t, arg, r.limit)
		if err != nil {
			return "", err
		}
		r.lint.text = text
		s.Ruling = answer.RuleFile(file, nil, nil)
	}
	*body = s.Ruling.File.Text
	isComplete := true
	isKnown := !s.Ruling.IsUnknown()
	r.found.in = &report.File{}
	if err := r.lint.one(ctx, checked, new([]byte)); err != nil && isKnown {
		return "", err
	}
	s.Problems = r.found.in
	var err error
	if s.Ruling.HasFile() {
		s.AI, err = aiview.New(ctx, arg, s.Ruling, aiview.Config{Purposes: aiview.Purposes})
		if err != nil {
			return "", err
		}
		s.Closed, err = compare.Run(ctx, compare.Question{New: s.Ruling.File.Text})
		if err != nil {
			return "", err
		}
	}
	if len(r.before) > 0 {
		isComplete, err = r.compare(ctx, s, r.before[i])
		if err != nil {
			return "", err
		}
	}
	text := s.Markdown(r.language, sites.Now())
	switch {
	case isKnown && isComplete:
		return text, nil
	case isKnown:
		return text, errShown
	}
	if !isSiteURL(arg) {
		hintHTTP(t, arg)
	}
	return text, errShown
}

// compare compares a site with an older file. It returns false if that file could not be read, which the report says.
func (r *reportRun) compare(ctx context.Context, s *sitereport.Site, older string) (bool, error) {
	t := r.lint.t
	var err error
	s.Before, err = readBody(t, older, r.limit)
	if err != nil {
		t.PrintError(err)
		s.NoBefore, s.Before = term.Printable(err), &answer.File{Name: older}
		return false, nil
	}
	if !s.Ruling.IsUnknown() && (s.Ruling.HasFile() || s.Ruling.Site.Outcome == wire.OutcomeAllowAll) {
		s.Changes, err = compare.Run(ctx, compare.Question{Old: s.Before.Text, New: s.Ruling.File.Text})
	}
	return true, err
}
