package fetch

import "time"

type freshness struct {
	normal, max time.Duration
}

const (
	minFresh    = 5 * time.Minute
	normalFresh = 24 * time.Hour
	noFileFresh = 24 * time.Hour // the longest for an answer other than a file
)

// freshFor returns how long an answer of class c is fresh. lifetime is what its
// headers state; if stated is false, they state none and the policy's default
// applies. An answer other than a file lasts a day at most, because the headers
// of an error page say nothing about a future robots.txt.
func (p Policy) freshFor(c class, lifetime time.Duration, stated bool) time.Duration {
	f := policies[p.index()].freshness
	if c != classFile && c != classEmpty {
		f.normal, f.max = min(f.normal, noFileFresh), min(f.max, noFileFresh)
	}
	if !stated {
		return f.normal
	}
	return min(max(lifetime, minFresh), f.max)
}

func (g *siteAnswer) freshFor(p Policy) time.Duration {
	return p.freshFor(g.Class, g.Lifetime, g.Stated)
}

// isFresh reports whether the last answer is fresh at now. An answer from the
// future is not: one of the clocks was wrong.
func (s *state) isFresh(p Policy, now time.Time) bool {
	if s.lastAnswer == nil {
		return false
	}
	age := now.Sub(s.lastAnswer.At)
	return -clockSkew <= age && age < s.lastAnswer.freshFor(p)
}

// refreshDue reports whether a fresh answer is in the last tenth of its lifetime.
func (s *state) refreshDue(p Policy, now time.Time) bool {
	freshFor := s.lastAnswer.freshFor(p)
	return now.Sub(s.lastAnswer.At) >= freshFor-freshFor/10 && !s.backingOff(now)
}
