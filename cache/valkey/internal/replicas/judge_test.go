package replicas_test

import (
	"fmt"
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

// urls returns the URLs of a query about an origin. The line that decides about each tells
// the version of the file.
func (o *siteOrigin) urls() []string {
	return []string{fmt.Sprintf("%s/of/%d/page", o.url, o.id), fmt.Sprintf("%s/of/%d/page", o.url, o.id+1), o.url + "/flip/page"}
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
	switch outcome := r.Answers[0].Outcome; outcome {
	case "disallow-all":
		if strings.Count(got, "allowed by") != strings.Count(got, "disallowed by") { // the latter contains the former
			return "allowed, although there is no answer"
		}
		if !o.hasServed(to, func(s served) bool { return s.version == isFault }) {
			return "closed by a fault, although it has not failed: " + r.Answers[0].Fault
		}
	case "allow-all":
		if !o.kind.allowsAll || got != "allowed by line 0, allowed by line 0, allowed by line 0" {
			return "no file, although there is one: " + got
		}
		if !o.hasServed(to, func(s served) bool { return s.version != isFault && s.isFresh(from) }) {
			return "not fresh"
		}
	case "rules":
		version := r.Answers[1].Line - 2
		if o.kind.allowsAll || got != o.verdicts(version) {
			return "not the rules of this site: " + got
		}
		if !o.hasServed(to, func(s served) bool {
			// The target of a redirect is requested a moment later.
			return (s.version == version || s.version == version-1) && s.isFresh(from)
		}) {
			return fmt.Sprintf("version %d of the file is not fresh, or was never served", version)
		}
	default:
		return "outcome " + outcome
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

// isFresh reports whether an answer may be used at a time.
func (s served) isFresh(at time.Time) bool {
	return s.ended.IsZero() || at.Sub(s.ended) <= lifetime+slack
}

// hasServed reports whether the origin has served something until a time.
func (o *siteOrigin) hasServed(until time.Time, what func(served) bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.served {
		if !s.began.After(until) && what(s) {
			return true
		}
	}
	return false
}

// fetches are the attempts in a time.
type fetches struct {
	all, extra int // extra ones were not due: another replica had the answer, or had to wait
	most       int // for one origin
}

// Answers are refreshed in the last tenth of their lifetime, and faults are not tried again
// for 30 s, less a fifth.
const (
	dueAfterAnswer = lifetime * 9 / 10
	dueAfterFault  = 24 * time.Second
)

// fetches counts the attempts between two times.
func (s *site) fetches(from, to time.Time) (f fetches) {
	for _, o := range s.origins {
		o.mu.Lock()
		n := 0
		for i, attempt := range o.served {
			if attempt.began.Before(from) || !attempt.began.Before(to) {
				continue
			}
			n++
			if i == 0 {
				continue
			}
			due := dueAfterAnswer
			if o.served[i-1].version == isFault {
				due = dueAfterFault
			}
			if attempt.began.Sub(o.served[i-1].began) < due {
				f.extra++
			}
		}
		o.mu.Unlock()
		f.all, f.most = f.all+n, max(f.most, n)
	}
	return f
}

// healthyFetches returns the mean number of attempts at a site that does not fail.
func (s *site) healthyFetches(from, to time.Time) float64 {
	attempts, sites := 0, 0
	for _, o := range s.origins {
		if o.fault != nil {
			continue
		}
		sites++
		o.mu.Lock()
		for _, attempt := range o.served {
			if !attempt.began.Before(from) && attempt.began.Before(to) {
				attempts++
			}
		}
		o.mu.Unlock()
	}
	return float64(attempts) / float64(sites)
}
