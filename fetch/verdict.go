package fetch

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// judge returns the effect of s under a policy at now. assumed reports that the
// policy alone decided, because the file is unreachable and no copy is used.
func (s *state) judge(p Policy, now time.Time) (_ effect, assumed bool) {
	if s.fault == nil && s.trouble == nil || s.isFresh(p, now) {
		return p.effectOf(s.lastAnswer.Class), false
	}
	if s.trouble != nil {
		return effectLocal, true
	}
	if s.fault.Class == classRefused {
		return p.effectOf(classRefused), true
	}
	e := p.duringOutage(s.outage(now), s.hasCopyFor(p, now))
	if e == effectBySite {
		e = effectDisallowAll
		if s.fault.site == siteAnswers {
			e = effectAllowAll
		}
	}
	return e, e != effectCopy
}

func (e effect) outcome() Outcome {
	switch e {
	case effectFile, effectCopy:
		return OutcomeRules
	case effectAllowAll:
		return OutcomeAllowAll
	case effectLocal:
		return OutcomeLocal
	default:
		return OutcomeDisallowAll
	}
}

func (s *state) result(p Policy, now time.Time, source Source) *Result {
	e, assumed := s.judge(p, now)
	r := &Result{Origin: s.origin, Policy: p, Source: source, Outcome: e.outcome(), Reason: s.reasonOf(e, assumed)}
	if s.fault != nil {
		r.FailingSince = s.fault.Since
		r.NextTry = s.fault.NextTry
		r.Err = s.fault.error()
	}
	if s.trouble != nil {
		r.NextTry, r.Err = s.trouble.NextTry, s.trouble.error()
	}
	switch {
	case e == effectLocal:
		r.Source = SourceAssumed
		r.URL = s.origin.RobotsURL()
		r.FetchedAt = s.trouble.Since
		r.Detail = "robots.txt could not be requested from here: " + s.trouble.Text
	case assumed:
		r.describeFault(s)
	case e == effectCopy:
		r.describeAnswer(s)
		r.Source = SourceStale
		r.Detail = fmt.Sprintf("the file is unreachable (%s); the copy of %s applies", s.fault.Text, s.lastAnswer.At.Format(time.RFC3339))
	default:
		r.describeAnswer(s)
		r.FreshUntil = s.lastAnswer.At.Add(s.lastAnswer.freshFor(p))
	}
	return r
}

func (r *Result) describeAnswer(s *state) {
	g := s.lastAnswer
	r.Status = g.Status
	r.URL = s.expandURL(g.URL)
	r.Hops = g.Hops
	r.FetchedAt = g.At
	r.Bytes, r.Truncated, r.Delimited = g.Bytes, g.Truncated, g.Delimited
	r.Detail = g.detail(s.origin)
	if r.Outcome == OutcomeRules {
		r.forms = s.forms
		r.body = g.body
	}
}

func (g *siteAnswer) detail(o origin.Origin) string {
	if o.Scheme() == "ftp" {
		return "FTP status " + strconv.Itoa(g.Status)
	}
	status := "HTTP status " + strconv.Itoa(g.Status)
	switch g.reason(o) {
	case reasonUndefined:
		return status + ", which says nothing about robots.txt"
	case reasonRedirects:
		return status + ", " + g.lost()
	case reasonNotFoundPage:
		return status + `, with a "not found" page, which counts as 404`
	}
	return status
}

// lost is how a redirect led nowhere.
func (g *siteAnswer) lost() string {
	switch {
	case g.Next == "":
		return "without a usable Location"
	case len(g.Hops) == 1:
		return "after 1 redirect"
	}
	return fmt.Sprintf("after %d redirects", len(g.Hops))
}

func (r *Result) describeFault(s *state) {
	f := s.fault
	r.Source = SourceAssumed
	r.Status = f.Status
	r.URL = s.expandURL(f.URL)
	r.Hops = f.Hops
	r.FetchedAt = s.checkedAt
	if f.Class == classRefused {
		r.Detail = "blocked by the address guard: " + f.Text
		return
	}
	r.Detail = fmt.Sprintf("the file has been unreachable since %s (%s); policy %s", f.Since.Format(time.RFC3339), f.Text, r.Policy)
}

func (f *fault) error() error { return &FaultError{f.Kind, f.Text, f.err} }
