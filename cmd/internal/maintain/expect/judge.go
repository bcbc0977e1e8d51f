package expect

import (
	"context"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

func (r *Runner) judge(ctx context.Context, s *Suite) error {
	s.Outcomes = make([]Outcome, 0, len(s.Checks))
	for _, c := range s.Checks {
		began := time.Now()
		o := r.outcome(s, c)
		// without a file, all paths have one verdict
		if c.All && o.visit.Ruling.HasFile() && !o.Answer.Unread && s.obstacle() == noObstacle {
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
	d, err := semdiff.Decides(ctx, o.visit.Ruling.Rules(0), o.Check.URL, semdiff.Config{Steps: steps})
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
		o.Witness, o.visit.Compared, o.visit.Read = shown.Path, witnessURL(shown.Path), origin.URL{}
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
		// ParseExpectations returns only these names.
		dialect = new(robotstxt.Dialect)
		_ = dialect.UnmarshalText([]byte(c.Dialect))
	}
	crawler := answer.NewCrawler(c.Agents...)
	if s.IsVector() || r.Exact {
		crawler = crawler.Exact()
	}
	ruling := s.Subject.ruling(s, dialect, crawler)
	visit := answer.VisitText(c.URL, ruling)
	if s.IsVector() { // the text itself is compared
		visit = answer.Visit{URL: visit.URL, Compared: c.URL, Ruling: ruling}
		c.URL = visit.URL
	}
	o := Outcome{Check: c, crawler: crawler, visit: visit}
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

// ruling returns the robots.txt for a suite, in a dialect and for a crawler, once for each. If
// the suite names a site, the ruling is for that site, even if another file replaces its
// robots.txt.
func (s *Subject) ruling(suite *Suite, dialect *robotstxt.Dialect, crawler answer.Crawler) *answer.Ruling {
	key := rulingKey{suite, "", crawler.Name}
	if dialect != nil {
		key.dialect = dialect.String()
	}
	if known := s.rulings[key]; known != nil {
		return known
	}
	if s.rulings == nil {
		s.rulings = make(map[rulingKey]*answer.Ruling)
	}
	r := s.Ruling.For(dialect, []answer.Crawler{crawler})
	r.Of(suite.site())
	r.AssumePolicy = suite.UnreachableOK
	s.rulings[key] = r
	return r
}
