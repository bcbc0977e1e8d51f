package expect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/conformance"
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
// of a robots.txt is relative to the directory of name. Problems are an *Error in the
// suite's Err.
func (r *Runner) Suite(name string, data []byte) *Suite {
	s := &Suite{}
	if s.Expectations, s.Err = conformance.ParseExpectations(name, data); s.Err != nil {
		s.Name, s.Err = name, &Error{Problem: BadSyntax, Name: name, Err: s.Err}
		return s
	}
	for i := range s.Checks {
		if c := &s.Checks[i]; !c.All {
			c.URL = origin.Text(c.URL).Given() // reports show it
		}
	}
	switch {
	case s.Robots == "" && r.Instead != nil:
		s.Err = &Error{Problem: HasRobots, Name: name}
	case s.Robots == "":
		s.Subject = NewSubject(name, answer.NewFile(s.Body))
	case r.Instead != nil:
		s.Subject = r.Instead
	default:
		s.Subject, s.Err = r.named(s)
	}
	return s
}

// named returns the robots.txt that a file of expectations names.
func (r *Runner) named(s *Suite) (subject *Subject, err error) {
	if strings.Contains(s.Robots, "://") {
		if u := origin.Text(s.Robots); u.Has(origin.ChangeUserinfo) {
			err = &Error{Problem: HasPassword, Name: u.Given()}
		} else if subject, err = r.Site(s.Robots); err == nil {
			return subject, s.checkSite(subject)
		}
	} else {
		path := filepath.FromSlash(s.Robots)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(s.Name), path)
		}
		if path == "-" {
			path = "." + string(filepath.Separator) + path // programs take "-" for standard input
		}
		if subject, err = r.file(path); err == nil {
			return subject, nil
		}
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		e.File, e.FileLine = s.Name, s.RobotsLine
	}
	return nil, err
}

// file returns the robots.txt of a path. It is read once.
func (r *Runner) file(path string) (*Subject, error) {
	if known := r.subjects[path]; known != nil {
		return known, nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Problem: NoFile, Name: path, Err: err}
	}
	file, err := r.readFile(path)
	if err != nil {
		return nil, &Error{Problem: Unreadable, Name: path, Err: err}
	}
	return r.keep(NewSubject(path, file)), nil
}

// Site returns the robots.txt of the site that a URL belongs to, for Instead. The
// URL is that of the site's root or of its robots.txt. An error is an *Error.
func (r *Runner) Site(url string) (*Subject, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, &Error{Problem: BadURL, Name: origin.Text(url).Given(), Err: err}
	}
	if u := origin.Text(url); u.Target() != "/" && !o.IsRobotsURL(u) {
		return nil, &Error{Problem: NotRobotsURL, Name: u.Given(), RobotsURL: o.RobotsURL()}
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

// checkSite returns an error if the file names a robots.txt by its URL and another one
// governs the URL of a check, because the answer would be meaningless.
func (s *Suite) checkSite(subject *Subject) error {
	for _, c := range s.Checks {
		if c.All || strings.HasPrefix(c.URL, "/") {
			continue
		}
		o, err := origin.Of(c.URL)
		if err != nil {
			return &Error{Problem: BadURL, File: s.Name, FileLine: c.HeadLine, Name: c.URL, Err: err}
		}
		if o.RobotsURL() != subject.URL {
			return &Error{Problem: OtherSite, File: s.Name, FileLine: c.HeadLine, Name: c.URL, RobotsURL: o.RobotsURL(), Named: subject.URL}
		}
	}
	return nil
}
