package expect

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
)

// judge puts all checks of a suite to its robots.txt.
func (r *Runner) judge(s *Suite) {
	s.Outcomes = make([]Outcome, 0, len(s.Checks))
	for _, c := range s.Checks {
		began := time.Now()
		o := r.outcome(s, c)
		o.Took = time.Since(began)
		s.Outcomes = append(s.Outcomes, o)
	}
}

func (r *Runner) outcome(s *Suite, c conformance.Check) Outcome {
	o := Outcome{Check: c, Dialect: r.Dialect, Crawler: Crawler{Tokens: c.Agents}, Compared: c.URL}
	if c.Dialect != "" {
		// ParseExpectations returns no other names than these.
		_ = o.Dialect.UnmarshalText([]byte(c.Dialect))
	}
	if !s.IsVector() {
		o.Compared = robotstxt.EncodeURL(c.URL)
		if r.Crawler != nil {
			o.Crawler = r.Crawler(c.Agents)
		}
	}
	o.Rules = s.Subject.rules(o.Dialect, o.Crawler)
	o.Allowed, o.Line = o.Rules.Verdict(o.Compared)
	o.Passed = o.Allowed == c.Allowed && (c.Line == conformance.AnyLine || c.Line == o.Line)
	return o
}

// rules returns the rules of a crawler, or what applies without a file.
func (s *Subject) rules(dialect robotstxt.Dialect, c Crawler) robotstxt.Rules {
	robots := s.Robots(dialect)
	switch {
	case robots == nil:
		return s.Result.Rules(c.Tokens...)
	case c.NamedOnly:
		return robots.NamedRules(c.Tokens...)
	default:
		return robots.Rules(c.Tokens...)
	}
}

// Robots returns the file as a dialect reads it, nil if the site has none. The
// suites of the subject must have been run.
func (s *Subject) Robots(dialect robotstxt.Dialect) *robotstxt.Robots {
	if s.Result != nil && s.Result.Robots() == nil {
		return nil
	}
	robots := s.parsed[dialect]
	if robots == nil {
		robots = dialect.Parse(s.Body)
		if s.parsed == nil {
			s.parsed = make(map[robotstxt.Dialect]*robotstxt.Robots)
		}
		s.parsed[dialect] = robots
	}
	return robots
}
