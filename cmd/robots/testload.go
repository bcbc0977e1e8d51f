package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// maxExpectations is the limit of a file of expectations, in MiB.
const maxExpectations = 16

// runner returns the runner of the expectations, configured by the flags.
func (s *siteTest) runner(t *term.Terminal) (r *expect.Runner, err error) {
	r = &expect.Runner{
		Dialect:  s.dialect,
		Exact:    s.exact,
		ReadFile: func(path string) (*answer.File, error) { return readBody(t, path, s.limit) },
		Fetch:    func(ctx context.Context, urls []string) ([]*answer.Ruling, error) { return s.fetch(ctx, t, urls) },
	}
	switch {
	case s.file != "":
		file, err := readBody(t, s.file, s.limit)
		if err != nil {
			return nil, err
		}
		name := s.file
		if name == "-" {
			name = "standard input"
		}
		r.Instead = expect.NewSubject(name, file)
	case s.url != "":
		urls, _ := withSchemes(t, []string{s.url})
		if r.Instead, err = r.Site(urls[0]); err != nil {
			return nil, withHint(err)
		}
	}
	return r, nil
}

// suites reads the files of the arguments. It prints the error of a file and still
// reads the others.
func (s *siteTest) suites(t *term.Terminal, r *expect.Runner, args []string) (suites []*expect.Suite) {
	search := expect.Files()
	search.Exclude = s.exclude
	for name, err := range search.Files(args...) {
		var data []byte
		shown := name
		if err == nil {
			data, shown, err = readExpectations(t, name)
		}
		if err != nil {
			suites = append(suites, broken(t, name, err))
			continue
		}
		suite := r.Suite(shown, data)
		if suite.Err != nil {
			t.PrintError(withHint(suite.Err))
		}
		suites = append(suites, suite)
	}
	return suites
}

// broken returns the suite of a file, or a directory, that could not be read, and
// prints why.
func broken(t *term.Terminal, name string, err error) *expect.Suite {
	t.PrintError(err)
	s := &expect.Suite{Err: err}
	s.Name = name
	return s
}

// readExpectations returns the content of a file of expectations, and its name for
// messages.
func readExpectations(t *term.Terminal, name string) (data []byte, shown string, err error) {
	in, err := openInput(t, name, "reading expectations from the terminal; Ctrl-D ends them")
	if err != nil {
		return nil, "", err
	}
	defer in.close()
	if shown = name; name == "-" {
		shown = in.shown
	}
	data, err = in.whole(maxExpectations, "give a file of expectations")
	return data, shown, err
}

// withHint returns an error of package expect with a hint.
func withHint(err error) error {
	e := (*expect.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	hint := ""
	switch e.Problem {
	case expect.BadSyntax:
		if filepath.Base(e.Name) == "robots.txt" {
			hint = "--file " + term.Escape(e.Name) + ` tests it against expectations; "robots lint" checks it without expectations`
		}
	case expect.HasRobots:
		hint = "test it without --file and --url"
	case expect.NoFile:
		hint = "paths are relative to the file of expectations; --file and --url name another robots.txt"
	case expect.Unreadable:
		if shown := (*term.Error)(nil); errors.As(e.Err, &shown) {
			hint = shown.Hint
		}
	case expect.NotRobotsURL:
		hint = fmt.Sprintf("give %s, or save the other one to a file first", e.RobotsURL)
	case expect.OtherSite:
		hint = "move the check to another file, which names " + e.RobotsURL
	}
	return term.Errorf(hint, "%s", term.Escape(err.Error()))
}

// fetch returns the rulings for the URLs of robots.txt files.
func (s *siteTest) fetch(ctx context.Context, t *term.Terminal, urls []string) (rulings []*answer.Ruling, err error) {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	in := &inquiry{Question: ask.Question{Dialect: s.dialect, Concurrency: int(s.concurrency)}, report: t.PrintError}
	done, err := in.openSites(ctx, t, &s.fetchFlags, s.limit, nil, urls)
	if err != nil {
		return nil, err
	}
	defer done()
	for v, err := range in.Visits(ctx, in.urls.URLs) {
		if err == nil {
			err = v.Err
		}
		if err != nil {
			return nil, orInterrupted(err)
		}
		rulings = append(rulings, v.Ruling)
	}
	return rulings, nil
}

// warnOfAccepted warns about unreachable sites whose files of expectations accept that.
func warnOfAccepted(t *term.Terminal, suites []*expect.Suite) {
	for _, suite := range suites {
		if why := suite.Accepted(); why != "" {
			t.Warn("%s: %s; the decision of policy %s is tested", term.Escape(suite.Subject.Name), term.Escape(why), suite.Subject.Ruling.Site.Policy)
		}
	}
}

// noteCrawlers prints, once each, the fallbacks of known crawlers, and warns about
// tokens that no group can name. It ignores vectors, which may test just that.
func (s *siteTest) noteCrawlers(t *term.Terminal, suites []*expect.Suite) {
	noted := make(map[string]bool)
	once := func(what string) bool {
		first := !noted[what]
		noted[what] = true
		return first
	}
	for _, suite := range suites {
		if suite.IsVector() {
			continue
		}
		for i := range suite.Outcomes {
			o := &suite.Outcomes[i]
			if once(o.Answer.Agent) && !s.exact {
				who, known := answer.NewCrawler(o.Check.Agents...).Documented()
				noteKnown(t, []answer.Crawler{who}, []crawlers.Crawler{known})
				noteUnknown(t, []answer.Crawler{who})
			}
			for _, token := range o.Check.Agents {
				if once(o.Answer.Dialect.String()+" "+token) && !answer.IsNameable(o.Answer.Dialect, token) {
					name, _ := crawlers.ProductToken(token)
					t.Warn("%s:%d: no group can name %q: dialect %s reads %q of it",
						term.Escape(suite.Name), o.Check.HeadLine, token, o.Answer.Dialect, answer.TokenRead(o.Answer.Dialect, name))
				}
			}
		}
	}
}
