package fleet_test

import (
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// wordsOnOutage returns what applies when robots.txt has been unreachable for the
// given time and no answer is fresh. It is written from the texts, like the model of
// package fetch.
func wordsOnOutage(p fetch.Policy, age time.Duration, copied bool) (fetch.Outcome, fetch.Source) {
	long := age > 30*24*time.Hour
	switch {
	case copied && (p == fetch.RFC9309Policy || long):
		return fetch.OutcomeRules, fetch.SourceStale
	case long:
		return fetch.OutcomeAllowAll, fetch.SourceAssumed
	}
	return fetch.OutcomeDisallowAll, fetch.SourceAssumed
}

const (
	// skew is the difference between clocks that the client tolerates.
	skew = 5 * time.Minute
	// rate is how much faster the clock of the soak is than the system's.
	rate = 60
	// saving is how long a flight may take after its answer has arrived, in which
	// callers still join it: some calls of a store that does not answer.
	saving = rate * 20 * time.Second
)

// resultProblem compares a result with the model. It returns "" if the result is right.
func (o *siteOrigin) resultProblem(p fetch.Policy, r *fetch.Result, during span) string {
	if r.Err != nil && !o.failed.Load() {
		return "a fault of a site that has not failed"
	}
	if r.Err != nil && r.FreshUntil.IsZero() {
		return o.outageProblem(p, r, during)
	}
	if r.Outcome != o.outcome {
		return fmt.Sprintf("want %v", o.outcome)
	}
	if lifetime := r.FreshUntil.Sub(r.FetchedAt); lifetime != o.lifetime() {
		return fmt.Sprintf("fresh for %v, want %v", lifetime, o.lifetime())
	}
	// A result from elsewhere may be that of a flight that began before a jump.
	timed := during.steady && (during.calm || r.Source == fetch.SourceMemory)
	if timed && r.FreshUntil.Before(during.from.Add(-saving)) {
		return fmt.Sprintf("an answer that expired at %v, at %v", r.FreshUntil, during.from)
	}
	if timed && r.FetchedAt.After(during.to.Add(skew)) {
		return fmt.Sprintf("an answer of %v, at %v", r.FetchedAt, during.to)
	}
	return o.rulesProblem(r)
}

// outageProblem checks a result that depends on the duration of an outage.
func (o *siteOrigin) outageProblem(p fetch.Policy, r *fetch.Result, during span) string {
	if r.Outcome == fetch.OutcomeRules {
		if problem := o.rulesProblem(r); problem != "" {
			return problem
		}
	}
	if !during.steady {
		return ""
	}
	for _, age := range []time.Duration{during.from.Sub(r.FailingSince), during.to.Sub(r.FailingSince)} {
		for _, copied := range []bool{false, true} {
			outcome, source := wordsOnOutage(p, age, copied)
			if copied && o.outcome != fetch.OutcomeRules {
				continue
			}
			if r.Outcome == outcome && r.Source == source {
				return ""
			}
		}
	}
	return fmt.Sprintf("%v from %v after an outage since %v, at %v", r.Outcome, r.Source, r.FailingSince, during.to)
}

// rulesProblem checks that the rules are those of this origin.
func (o *siteOrigin) rulesProblem(r *fetch.Result) string {
	if r.Origin.String() != o.url {
		return "the result of another origin"
	}
	rules := r.Rules("FleetBot")
	if !rules.Allowed(o.page()) || rules.Allowed(o.otherPage()) != o.allowsAll {
		return "the rules of another site"
	}
	return ""
}
