package expect

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
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
	dialect := r.Dialect
	if c.Dialect != "" {
		// ParseExpectations returns no other names than these.
		_ = dialect.UnmarshalText([]byte(c.Dialect))
	}
	crawler, compared := ask.NewCrawler(c.Agents...), c.URL
	if !s.IsVector() {
		compared = robotstxt.EncodeURL(c.URL)
		if !r.Exact {
			crawler, _ = crawler.Documented()
		}
	}
	o := Outcome{Check: c, visit: ask.Visit{URL: c.URL, Compared: compared, Ruling: s.Subject.ruling(dialect, crawler)}}
	o.Answer = o.visit.Answer(0)
	switch {
	case o.Answer.Verdict == wire.VerdictUnknown:
		o.Result = Unknown
	case o.Answer.Allowed != c.Allowed, c.Line != conformance.AnyLine && c.Line != o.Answer.Line:
		o.Result = Failed
	}
	return o
}

// ruling returns the robots.txt in a dialect and for a crawler. The file is parsed
// once for each dialect.
func (s *Subject) ruling(dialect robotstxt.Dialect, crawler ask.Crawler) *ask.Ruling {
	key := reading{dialect, crawler.Name}
	if known := s.rulings[key]; known != nil {
		return known
	}
	if s.rulings == nil {
		s.rulings = make(map[reading]*ask.Ruling)
	}
	parsed := s.rulings[reading{dialect: dialect}]
	if parsed == nil {
		parsed = s.Ruling.For(dialect, nil)
		s.rulings[reading{dialect: dialect}] = parsed
	}
	s.rulings[key] = parsed.For(dialect, []ask.Crawler{crawler})
	return s.rulings[key]
}
