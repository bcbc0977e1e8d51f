package fetch

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// judge returns what s amounts to under a policy at now, never answerAskSite,
// and whether that is the policy's word for a file that cannot be had.
// siteAnswers is asked where the policy leaves it to the site.
func (s *state) judge(p Policy, now time.Time, siteAnswers func(origin.Origin) bool) (_ answer, assumed bool) {
	if s.fault == nil || s.fresh(p, now) {
		return p.settled(s.settled.Class), false
	}
	if s.fault.Class == classRefused {
		return p.settled(classRefused), true
	}
	verdict := p.during(now.Sub(s.fault.Since), s.hasCopy())
	if verdict == answerAskSite {
		verdict = answerDisallowAll
		if siteAnswers != nil && siteAnswers(s.origin) {
			verdict = answerAllowAll
		}
	}
	return verdict, verdict != answerCopy
}

// outcome is what an answer comes down to.
func (a answer) outcome() Outcome {
	switch a {
	case answerFile, answerCopy:
		return OutcomeRules
	case answerAllowAll:
		return OutcomeAllowAll
	default:
		return OutcomeDisallowAll
	}
}

// result is judge with all grounds. Source is where s was found.
func (s *state) result(p Policy, now time.Time, source Source, siteAnswers func(origin.Origin) bool) *Result {
	verdict, assumed := s.judge(p, now, siteAnswers)
	r := &Result{Origin: s.origin, Policy: p, Source: source, Outcome: verdict.outcome()}
	if s.fault != nil {
		r.FailingSince, r.NextTry, r.Err = s.fault.Since, s.fault.NextTry, s.fault.error()
	}
	switch {
	case assumed:
		r.assume(s)
	case verdict == answerCopy:
		r.take(s)
		r.Source = SourceStale
		r.Reason = fmt.Sprintf("the file is unreachable (%s); its copy of %s holds", s.fault.Text, s.settled.At.Format(time.RFC3339))
	default:
		r.take(s)
		r.FreshUntil = s.settled.At.Add(s.settled.lasts(p))
	}
	return r
}

// take fills r from the settled answer.
func (r *Result) take(s *state) {
	g := s.settled
	r.Status, r.URL, r.Hops, r.FetchedAt = g.Status, s.full(g.URL), g.Hops, g.At
	r.Bytes, r.Truncated, r.Delimited = g.Bytes, g.Truncated, g.Delimited
	r.Reason = g.reason(s.origin)
	if r.Outcome == OutcomeRules {
		r.robots, r.body = s.robots, g.body
	}
}

// reason words a settled answer.
func (g *settledAnswer) reason(o origin.Origin) string {
	if o.Scheme() == "ftp" {
		return "FTP status " + strconv.Itoa(g.Status)
	}
	reason := "HTTP status " + strconv.Itoa(g.Status)
	if g.Class == classUnavailable {
		switch classOf(g.Status) {
		case classRedirect:
			reason += ", one redirect too many or a Location that leads nowhere"
		case classUnreachable:
			reason += `, with a page that says "not found"`
		}
	}
	return reason
}

// assume fills r from the fault.
func (r *Result) assume(s *state) {
	f := s.fault
	r.Source = SourceAssumed
	r.Status, r.URL, r.Hops, r.FetchedAt = f.Status, s.full(f.URL), f.Hops, s.checkedAt
	if f.Class == classRefused {
		r.Reason = "the address guard refuses to ask: " + f.Text
		return
	}
	r.Reason = fmt.Sprintf("the file has been unreachable since %s (%s); policy %s", f.Since.Format(time.RFC3339), f.Text, r.Policy)
}

func (f *fault) error() error { return &FaultError{f.Kind, f.Text, f.err} }
