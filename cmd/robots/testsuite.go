package main

import (
	"errors"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/origin"
)

// suite is a file of expectations and what came of it.
type suite struct {
	conformance.Expectations
	dialect  robotstxt.Dialect // of checks that state none
	exact    bool              // crawlers ask for what is stated, whatever is known of them
	subject  *subject
	outcomes []outcome
	err      error // it could not be tested; was reported
}

// subject is a robots.txt that expectations are about.
type subject struct {
	name    string // its path or URL, to be shown
	url     string // "" if it is not fetched
	body    *body  // nil until it is read
	err     error  // it cannot be
	found   *finding
	instead *robotstxt.Rules // what holds if there is no file

	readings map[robotstxt.Dialect]*ruling
}

// ruling is the file, or what holds in place of one, as a crawler sees it that
// reads in a dialect.
func (s *subject) ruling(dialect robotstxt.Dialect, c crawler) *ruling {
	r := s.readings[dialect]
	if r == nil {
		r = &ruling{body: s.body, found: s.found}
		if s.instead == nil {
			r.robots = dialect.Parse(s.body.text)
		}
		if s.readings == nil {
			s.readings = make(map[robotstxt.Dialect]*ruling)
		}
		s.readings[dialect] = r
	}
	if s.instead != nil {
		r.rules = []robotstxt.Rules{*s.instead}
	} else {
		r.rules = []robotstxt.Rules{c.rules(r.robots)}
	}
	return r
}

// at adds to an error its place in the file of expectations.
func (s *suite) at(line int, err error) error {
	if err == nil {
		return nil
	}
	hint := ""
	if f := (*term.Error)(nil); errors.As(err, &f) {
		hint = f.Hint
	}
	return term.Errorf(hint, "%s:%d: %s", term.Escape(s.Name), line, term.Escape(err.Error()))
}

// checkSite wants that the robots.txt that a file names by its URL governs the
// URLs in it: an answer about another site means nothing.
func (s *suite) checkSite() error {
	for _, c := range s.Checks {
		if strings.HasPrefix(c.URL, "/") {
			continue
		}
		o, err := origin.Of(c.URL)
		if err != nil {
			return s.at(c.HeadLine, err)
		}
		if o.RobotsURL() != s.subject.url {
			return s.at(c.HeadLine, term.Errorf("put it into a file of its own that names "+o.RobotsURL(),
				"%s is not governed by %s", c.URL, s.subject.url))
		}
	}
	return nil
}
