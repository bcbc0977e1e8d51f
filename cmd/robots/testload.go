package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// expectationsSuffix ends the names of the files that a directory is searched
// for.
const expectationsSuffix = ".robots-test"

// maxExpectations is how long such a file may be, in MiB.
const maxExpectations = 16

// loader reads expectations, and each robots.txt they are about once.
type loader struct {
	*term.Terminal
	test     *siteTest
	subjects map[string]*subject // by path or URL
}

// load returns a suite for each file that the arguments name. What is wrong with
// one is reported, and the others are loaded all the same.
func (l *loader) load(ctx context.Context, args []string) (suites []*suite, err error) {
	other, err := l.other()
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		names, err := filesOf(arg)
		if err != nil {
			// It is told of as a file that it stands for.
			suites = append(suites, &suite{Expectations: conformance.Expectations{Vector: conformance.Vector{Name: arg}}, err: err})
			l.PrintError(err)
		}
		for _, name := range names {
			s := &suite{dialect: l.test.dialect, exact: l.test.exact}
			s.Name = name
			if s.err = l.prepare(s, other); s.err != nil {
				l.PrintError(s.err)
			}
			suites = append(suites, s)
		}
	}
	if err := l.fetch(ctx, suites); err != nil {
		return nil, orInterrupted(err)
	}
	return suites, nil
}

// other returns the robots.txt that flags name for all files, nil for none.
func (l *loader) other() (*subject, error) {
	switch {
	case l.test.file != "":
		body, err := readBody(l.Terminal, l.test.file, l.test.limit)
		name := l.test.file
		if name == "-" {
			name = "standard input"
		}
		return &subject{name: name, body: body}, err
	case l.test.url != "":
		urls, _ := withSchemes(l.Terminal, []string{l.test.url})
		return l.site(urls[0])
	default:
		return nil, nil
	}
}

// filesOf returns the files that an argument stands for.
func filesOf(arg string) (names []string, err error) {
	info, err := os.Stat(arg)
	if arg == "-" || err != nil || !info.IsDir() {
		return []string{arg}, nil // whatever is wrong with it shows when it is opened
	}
	err = filepath.WalkDir(arg, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != arg && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, expectationsSuffix):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, term.Errorf("", "cannot search %q: %v", arg, term.Cause(err))
	}
	if len(names) == 0 {
		return nil, term.Errorf("files with other names must be given one by one", "there are no files *%s in %q", expectationsSuffix, arg)
	}
	return names, nil
}

// prepare reads a file of expectations, and finds out which robots.txt it is about.
func (l *loader) prepare(s *suite, other *subject) error {
	data, shown, err := l.read(s.Name)
	if err != nil {
		return err
	}
	if s.Expectations, err = conformance.ParseExpectations(shown, data); err != nil {
		s.Name = shown
		hint := ""
		if filepath.Base(shown) == "robots.txt" {
			hint = "--file " + term.Escape(shown) + " tests it against expectations, and \"robots lint\" checks it without"
		}
		return term.Errorf(hint, "%s", term.Escape(err.Error()))
	}
	switch {
	case s.Robots == "" && other != nil:
		return term.Errorf("test it without --file and --url", "%q is a vector, which has its robots.txt in it", s.Name)
	case s.Robots == "":
		s.subject = &subject{name: s.Name, body: newBody(s.Body)}
		return nil
	case other != nil:
		s.subject = other
		return nil
	}
	return l.named(s)
}

// read returns what is in a file of expectations, and its name as it is shown.
func (l *loader) read(name string) (data []byte, shown string, err error) {
	in, err := openInput(l.Terminal, name, "reading expectations from the terminal; Ctrl-D ends them")
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

// named finds the robots.txt that a file of expectations names.
func (l *loader) named(s *suite) (err error) {
	if strings.Contains(s.Robots, "://") {
		if s.subject, err = l.site(s.Robots); err != nil {
			return s.at(s.RobotsLine, err)
		}
		return s.checkSite()
	}
	name := filepath.FromSlash(s.Robots)
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(s.Name), name)
	}
	if name == "-" {
		name = "." + string(filepath.Separator) + name // here it is a file
	}
	s.subject = l.local(name)
	return s.at(s.RobotsLine, s.subject.err)
}

// local returns the robots.txt of a path.
func (l *loader) local(name string) *subject {
	if known := l.subjects[name]; known != nil {
		return known
	}
	sub := &subject{name: name}
	l.subjects[name] = sub
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		sub.err = term.Errorf("a path starts at the directory of the file that states it; --file and --url name another robots.txt",
			"there is no file %q", name)
		return sub
	}
	sub.body, sub.err = readBody(l.Terminal, name, l.test.limit)
	return sub
}

// site returns the robots.txt of a site, yet to be fetched.
func (l *loader) site(url string) (*subject, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, term.Errorf("", "%s", term.Escape(err.Error()))
	}
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 && rest[i:] != "/" && !o.IsRobotsURL(url) {
		return nil, term.Errorf("give "+o.RobotsURL()+", or fetch the other one to a file first",
			"%q is no robots.txt that crawlers ask for", url)
	}
	name := o.RobotsURL()
	if l.subjects[name] == nil {
		l.subjects[name] = &subject{name: name, url: name}
	}
	return l.subjects[name], nil
}

// fetch gets the robots.txt of all sites.
func (l *loader) fetch(ctx context.Context, suites []*suite) error {
	var urls []string
	asked := make(map[*subject]bool)
	for _, s := range suites {
		if s.err == nil && s.subject.url != "" && !asked[s.subject] {
			asked[s.subject] = true
			urls = append(urls, s.subject.url)
		}
	}
	if len(urls) == 0 {
		return nil
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	// Whoever is asked for here, its rules are used only where there is no file.
	in := &inquiry{dialect: l.test.dialect, crawlers: []crawler{{asked: "*", tokens: []string{"*"}}}, report: l.PrintError}
	done, err := in.openSites(ctx, l.Terminal, &l.test.fetchFlags, l.test.limit, "", urls)
	if err != nil {
		return err
	}
	defer done()
	for v, err := range in.visits(ctx) {
		if err == nil {
			err = v.err
		}
		if err != nil {
			return err
		}
		sub := l.subjects[v.url]
		sub.body, sub.found = v.ruling.body, v.ruling.found
		if v.ruling.robots == nil {
			sub.instead = &v.ruling.rules[0]
		}
		if sub.found.Source == fetch.SourceAssumed {
			l.Warn("%s: %s; what policy %s makes of that is tested", sub.name, term.Escape(sub.found.inPlace), sub.found.Policy)
		}
	}
	return nil
}
