package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// response is what is read of a response.
type response struct {
	Answers []struct {
		Verdict, Outcome, Source, Fault string
		Line                            int
		FetchedAt                       time.Time `json:"fetched_at"`
	}
}

// slack is how long a replica may take from the end of a fetch to an answer: other callers
// of the same fetch wait for the store too.
const slack = 20 * time.Second

// urls returns the URLs of a query about an origin. The line that decides about each shows
// the version of the file.
func (o *siteOrigin) urls() []string {
	return []string{o.page(), o.otherPage(), o.url + "/flip/page"}
}

// problem compares a response with what the origin has served. It returns "" if the
// response may be right for a request between two times.
func (o *siteOrigin) problem(r *response, from, to time.Time) string {
	if len(r.Answers) != 3 {
		return fmt.Sprintf("%d answers, want 3", len(r.Answers))
	}
	var said []string
	for _, a := range r.Answers {
		if a.Outcome != r.Answers[0].Outcome {
			return "answers of two files"
		}
		said = append(said, fmt.Sprintf("%s by line %d", a.Verdict, a.Line))
	}
	got := strings.Join(said, ", ")
	served := func(right func(*attempt) bool) bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return slices.ContainsFunc(o.attempts, func(a *attempt) bool {
			fresh := a.ended.IsZero() || from.Sub(a.ended) <= o.lifetime()+slack
			return fresh && !a.began.After(to) && a.version != isFault && right(a)
		})
	}
	switch outcome := r.Answers[0].Outcome; {
	case outcome == "disallow-all":
		if strings.Count(got, "allowed by") != strings.Count(got, "disallowed by") { // the latter contains the former
			return "allowed, although there is no answer"
		}
		if !o.failed.Load() {
			return "closed by a fault, although it has not failed: " + r.Answers[0].Fault
		}
	case outcome != string(o.outcome):
		return "outcome " + outcome
	case o.allowsAll:
		if got != "allowed by line 0, allowed by line 0, allowed by line 0" {
			return "not all allowed: " + got
		}
		if !served(func(*attempt) bool { return true }) {
			return "not fresh"
		}
	default:
		version := r.Answers[1].Line - 2
		if got != o.verdicts(version) {
			return "not the rules of this site: " + got
		}
		// The target of a redirect is requested a moment later.
		if !served(func(a *attempt) bool { return a.version == version || a.version == version-1 }) {
			return fmt.Sprintf("version %d of the file is not fresh, or was never served", version)
		}
	}
	return ""
}

// verdicts returns what a version of the file says about the URLs of urls.
func (o *siteOrigin) verdicts(version int) string {
	flip := fmt.Sprintf("disallowed by line %d", version+2)
	if version%2 == 0 {
		flip = fmt.Sprintf("allowed by line %d", version+4)
	}
	return fmt.Sprintf("allowed by line %d, disallowed by line %d, %s", version+3, version+2, flip)
}

// fetches are the attempts in a time.
type fetches struct {
	all, extra int     // extra ones were not due: another replica had the answer, or had to wait
	most       int     // for one origin
	healthy    float64 // the mean for a site that does not fail
}

// count counts the attempts between two times.
func (s *site) count(from, to time.Time) (f fetches) {
	sites := 0
	for _, o := range s.origins {
		n := 0
		o.mu.Lock()
		for _, a := range o.attempts {
			if a.began.Before(from) || !a.began.Before(to) {
				continue
			}
			n++
			if a.extra {
				f.extra++
			}
		}
		o.mu.Unlock()
		f.all, f.most = f.all+n, max(f.most, n)
		if o.fault == nil {
			f.healthy, sites = f.healthy+float64(n), sites+1
		}
	}
	f.healthy /= float64(sites)
	return f
}
