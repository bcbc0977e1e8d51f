package expect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/internal/regular"
	"github.com/kosterhq/robotstxt/origin"
)

// Suffix is the suffix of the names of files of expectations.
const Suffix = ".robots-test"

// Files returns the search for files of expectations.
func Files() files.Search {
	return files.Search{
		Wanted: func(base string) bool { return strings.HasSuffix(base, Suffix) },
		What:   "files *" + Suffix,
	}
}

// Suite parses a file of expectations, or a vector, and finds its robots.txt. The path
// of a robots.txt is relative to the directory of name. Problems are a [*term.Error] in the
// suite's Err, whose message can contain any bytes.
func (r *Runner) Suite(name string, data []byte) *Suite {
	s := &Suite{}
	s.Expectations, s.Err = conformance.ParseExpectations(name, data)
	if s.Err != nil {
		hint := ""
		if filepath.Base(name) == "robots.txt" {
			hint = "--file " + term.Escape(name) + ` tests it against expectations; "robots lint" checks it without expectations`
		}
		s.Name, s.Err = name, term.Errorf("%v", s.Err).Hint(hint)
		return s
	}
	for i := range s.Checks {
		c := &s.Checks[i]
		if s.IsVector() {
			continue
		}
		if !c.All {
			u := origin.Text(c.URL)
			c.URL = u.Given() // reports show the URL
			if _, err := u.OriginFrom(origin.Origin{}); err != nil && s.Err == nil {
				s.Err = err // no file governs a URL without a site
			}
		}
		c.Agents = slices.Clone(c.Agents)
		for j, token := range c.Agents {
			if !c.Quoted[j] && s.Err == nil {
				c.Agents[j], s.Err = answer.Typed(token)
			}
		}
		if s.Err != nil {
			s.Err = s.inLine(c.HeadLine, s.Err)
			return s
		}
	}
	switch {
	case s.Robots == "" && r.Instead != nil:
		s.Err = term.Errorf("%q is a vector, which contains its robots.txt", name).Hint("test it without --file and --url")
	case s.Robots == "":
		s.Subject = NewSubject(name, answer.NewFile(s.Body))
	case r.Instead != nil:
		s.Subject = r.Instead
		site, err := origin.Of(r.Instead.URL)
		if err != nil {
			site = s.site() // a file replaces the robots.txt of this site
		}
		if !site.IsZero() {
			s.Err = s.checkSite(site)
		}
	default:
		s.Subject, s.Err = r.named(s)
	}
	return s
}

// named returns the robots.txt that a file of expectations names.
func (r *Runner) named(s *Suite) (subject *Subject, err error) {
	if strings.Contains(s.Robots, "://") {
		if u := origin.Text(s.Robots); u.Has(origin.ChangeUserinfo) {
			return nil, s.inLine(s.RobotsLine, term.Errorf("%q has a user name or password, which a file of expectations must not contain", u.Given()).
				Hint("omit them, and give the URL with --url, or the header with --header @FILE"))
		}
		subject, err = r.Site(s.Robots)
		if err == nil {
			return subject, s.checkSite(s.site())
		}
	} else {
		path := filepath.FromSlash(s.Robots)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(s.Name), path)
		}
		if path == "-" {
			path = "." + string(filepath.Separator) + path // programs take "-" for standard input
		}
		subject, err = r.file(path)
		if err == nil {
			return subject, nil
		}
	}
	return nil, s.inLine(s.RobotsLine, err)
}

func (s *Suite) inLine(line int, err error) error {
	return term.Prefixed(fmt.Sprintf("%s:%d: ", s.Name, line), err)
}

// file returns the robots.txt of a path. It is read once.
func (r *Runner) file(path string) (*Subject, error) {
	if known := r.subjects[path]; known != nil {
		return known, nil
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, term.Errorf("there is no file %q", path).Hint("paths are relative to the file of expectations; --file and --url name another robots.txt")
	case err == nil && !info.Mode().IsRegular() && !info.IsDir(): // the file of expectations named it, not the user
		return nil, term.Errorf("cannot read %q: %v", path, regular.ErrIrregular).Hint("to read a pipe or a device, name it with --file")
	}
	file, err := r.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return r.keep(NewSubject(path, file)), nil
}

// Site returns the robots.txt of a URL's site, for Instead. The URL is the site's root or its
// robots.txt. Errors are as in Suite.
func (r *Runner) Site(url string) (*Subject, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, term.Errorf("%v", err)
	}
	if u := origin.Text(url); u.Target() != "/" && !o.IsRobotsURL(u) {
		return nil, term.Errorf("crawlers do not request a robots.txt at %q", u.Given()).Hint(fmt.Sprintf("give %s, or save the other one to a file first", o.RobotsURL()))
	}
	if known := r.subjects[o.RobotsURL()]; known != nil {
		return known, nil
	}
	return r.keep(&Subject{Name: o.RobotsURL(), URL: o.RobotsURL()}), nil
}

func (r *Runner) keep(s *Subject) *Subject {
	if r.subjects == nil {
		r.subjects = make(map[string]*Subject)
	}
	r.subjects[s.Name] = s
	return s
}

// checkSite returns an error if the robots.txt of the site does not govern the URL of a check,
// because the answer would be meaningless.
func (s *Suite) checkSite(site origin.Origin) error {
	for _, c := range s.Checks {
		if c.All {
			continue
		}
		u := origin.Text(c.URL)
		o, err := u.OriginFrom(site)
		if err != nil {
			return s.inLine(c.HeadLine, err)
		}
		if !site.Governs(u) {
			hint := "a path belongs to the site that is tested; or move the check to another file, which names " + o.RobotsURL()
			return s.inLine(c.HeadLine, term.Errorf("%s is not governed by %s", c.URL, site.RobotsURL()).Hint(hint))
		}
	}
	return nil
}
