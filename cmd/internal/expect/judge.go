package expect

import (
	"context"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/semdiff"
)

// judge runs all checks of a suite. The error is that of ctx.
func (r *Runner) judge(ctx context.Context, s *Suite) error {
	s.Outcomes = make([]Outcome, 0, len(s.Checks))
	for _, c := range s.Checks {
		began := time.Now()
		o := r.outcome(s, c)
		if c.All && o.visit.Ruling.Robots != nil && s.obstacle() == noObstacle { // without a file, all paths have one verdict
			if err := o.prove(ctx, r.Steps); err != nil {
				return err
			}
		}
		o.Took = time.Since(began)
		s.Outcomes = append(s.Outcomes, o)
	}
	return nil
}

// prove decides a check of a pattern.
func (o *Outcome) prove(ctx context.Context, steps int) error {
	rules := o.crawler.Rules(o.visit.Ruling.Robots)
	d, err := semdiff.Decides(ctx, rules, o.Check.URL, semdiff.Config{Steps: steps})
	if err != nil {
		return err
	}
	proved, expected, other := d.AllAllowed, d.Allowed, d.Disallowed
	if !o.Check.Allowed {
		proved, expected, other = d.AllDisallowed, d.Disallowed, d.Allowed
	}
	shown := other
	if shown == nil {
		shown = expected
	}
	if shown != nil {
		o.Witness, o.visit.Compared = shown.Path, witnessURL(shown.Path)
		o.Answer = o.visit.Answer(0)
	}
	switch {
	case proved:
		o.Result = Passed
	case other != nil:
		o.Result = Failed
	default:
		o.Result, o.Tried, o.Answer.Verdict = Unknown, d.Tried, wire.VerdictUnknown
	}
	return nil
}

// witnessURL returns a URL with a path. It adds a host if the path begins with two
// slashes, because its beginning would be read as a host.
func witnessURL(path string) string {
	if strings.HasPrefix(path, "//") {
		return "http://host" + path
	}
	return path
}

func (r *Runner) outcome(s *Suite, c conformance.Check) Outcome {
	dialect := r.Dialect
	if c.Dialect != "" {
		// ParseExpectations returns no other names than these.
		_ = dialect.UnmarshalText([]byte(c.Dialect))
	}
	crawler, compared := answer.NewCrawler(c.Agents...), c.URL
	if !s.IsVector() {
		compared = answer.Compared(c.URL)
		if !r.Exact {
			crawler, _ = crawler.Documented()
		}
	}
	o := Outcome{Check: c, crawler: crawler, visit: answer.Visit{URL: c.URL, Compared: compared, Ruling: s.Subject.ruling(reading{dialect, crawler.Name, s.UnreachableOK}, crawler)}}
	o.Answer = o.visit.Answer(0)
	hindered := s.obstacle()
	switch {
	case hindered != noObstacle:
		o.Result = hindered.result()
	case o.Answer.Verdict == wire.VerdictUnknown:
		o.Result = Unknown
	case o.Answer.Allowed != c.Allowed, c.Line != conformance.AnyLine && c.Line != o.Answer.Line:
		o.Result = Failed
	}
	return o
}

// ruling returns the robots.txt in a dialect and for a crawler. The file is parsed
// once for each dialect.
func (s *Subject) ruling(key reading, crawler answer.Crawler) *answer.Ruling {
	if known := s.rulings[key]; known != nil {
		return known
	}
	if s.rulings == nil {
		s.rulings = make(map[reading]*answer.Ruling)
	}
	parsed := s.rulings[reading{dialect: key.dialect}]
	if parsed == nil {
		parsed = s.Ruling.For(key.dialect, nil)
		s.rulings[reading{dialect: key.dialect}] = parsed
	}
	r := parsed.For(key.dialect, []answer.Crawler{crawler})
	r.AssumePolicy = key.assumePolicy
	s.rulings[key] = r
	return r
}
