package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/fetch"
)

// maxExpectations is how long a file of expectations may be, in MiB.
const maxExpectations = 16

// runner returns what runs the expectations as the flags say.
func (s *siteTest) runner(t *term.Terminal) (*expect.Runner, error) {
	r := &expect.Runner{
		Dialect: s.dialect,
		Crawler: func(tokens []string) expect.Crawler {
			c, _ := s.crawler(tokens)
			return expect.Crawler{Tokens: c.Tokens, NamedOnly: c.NamedOnly}
		},
		ReadFile: func(path string) ([]byte, error) { return s.readRobots(t, path) },
		Fetch:    func(ctx context.Context, urls []string) ([]*fetch.Result, error) { return s.fetch(ctx, t, urls) },
	}
	var err error
	switch {
	case s.file != "":
		r.Instead = &expect.Subject{Name: s.file}
		if s.file == "-" {
			r.Instead.Name = "standard input"
		}
		r.Instead.Body, err = s.readRobots(t, s.file)
	case s.url != "":
		urls, _ := withSchemes(t, []string{s.url})
		r.Instead, err = r.Site(urls[0])
		err = withHint(err)
	}
	return r, err
}

func (s *siteTest) readRobots(t *term.Terminal, path string) ([]byte, error) {
	b, err := readBody(t, path, s.limit)
	if err != nil {
		return nil, err
	}
	return b.Text, nil
}

// crawler returns the crawler to check for these tokens, and what is known of it.
func (s *siteTest) crawler(tokens []string) (ask.Crawler, crawlers.Crawler) {
	given := []ask.Crawler{{Tokens: tokens}}
	known := (&crawlerFlags{exact: s.exact}).follow(given)
	return given[0], known[0]
}

// suites reads the files that the arguments name. It prints what is wrong with one,
// and still reads the others.
func (s *siteTest) suites(t *term.Terminal, r *expect.Runner, args []string) (suites []*expect.Suite) {
	for _, arg := range args {
		names, err := filesOf(arg)
		if err != nil {
			suites = append(suites, broken(t, arg, err))
		}
		for _, name := range names {
			data, shown, err := readExpectations(t, name)
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

// filesOf returns the files of an argument.
func filesOf(arg string) (names []string, err error) {
	info, err := os.Stat(arg)
	if arg == "-" || err != nil || !info.IsDir() {
		return []string{arg}, nil // what is wrong with it shows when it is opened
	}
	if names, err = expect.Find(arg); err != nil {
		return nil, term.Errorf("", "cannot search %q: %v", arg, term.Cause(err))
	}
	if len(names) == 0 {
		return nil, term.Errorf("files with other names must be given one by one", "there are no files *%s in %q", expect.Suffix, arg)
	}
	return names, nil
}

// readExpectations returns the content of a file of expectations, and its name as it
// is shown.
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

// withHint returns an error of package expect as it is printed, with what to do.
func withHint(err error) error {
	e := (*expect.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	hint := ""
	switch e.Problem {
	case expect.BadSyntax:
		if filepath.Base(e.Name) == "robots.txt" {
			hint = "--file " + term.Escape(e.Name) + ` tests it against expectations, and "robots lint" checks it without`
		}
	case expect.HasRobots:
		hint = "test it without --file and --url"
	case expect.NoFile:
		hint = "a path starts at the directory of the file that states it; --file and --url name another robots.txt"
	case expect.Unreadable:
		if shown := (*term.Error)(nil); errors.As(e.Err, &shown) {
			hint = shown.Hint
		}
	case expect.NotRobotsURL:
		hint = fmt.Sprintf("give %s, or fetch the other one to a file first", e.RobotsURL)
	case expect.OtherSite:
		hint = "put it into a file of its own that names " + e.RobotsURL
	}
	return term.Errorf(hint, "%s", term.Escape(err.Error()))
}

// fetch returns the results for the URLs of robots.txt files, and warns of sites that
// cannot be reached.
func (s *siteTest) fetch(ctx context.Context, t *term.Terminal, urls []string) (results []*fetch.Result, err error) {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	in := &inquiry{Question: ask.Question{Dialect: s.dialect}, report: t.PrintError}
	done, err := in.openSites(ctx, t, &s.fetchFlags, s.limit, "", urls)
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
		results, s.began = append(results, v.Ruling.Result), v.Ruling.Began
		if site := v.Ruling.Site; site.Source == wire.SourceAssumed {
			t.Warn("%s: %s; what policy %s makes of that is tested", v.URL, term.Escape(standIn(site)), site.Policy)
		}
	}
	return results, nil
}

// noteCrawlers prints, once each, how known crawlers are checked, and warns of tokens
// that no group can name. It leaves out vectors, which may be about just that.
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
			if agent := o.Agent(); once(agent) {
				who, known := s.crawler(o.Check.Agents)
				who.Name = agent
				noteKnown(t, []ask.Crawler{who}, []crawlers.Crawler{known})
			}
			for _, token := range o.Check.Agents {
				if once(o.Dialect.String()+" "+token) && !isNameable(o.Dialect, token) {
					name, _ := crawlers.ProductToken(token)
					t.Warn("%s:%d: no group can name %q: dialect %s reads %q of it",
						term.Escape(suite.Name), o.Check.HeadLine, token, o.Dialect, tokenRead(o.Dialect, name))
				}
			}
		}
	}
}
