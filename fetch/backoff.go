package fetch

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// The back-off after faults doubles from firstWait to lastWait. A 503 announces
// that the site will return, so the longest wait is shorter. [Page: handling of
// errors and HTTP status codes]
const (
	firstWait = 30 * time.Second
	lastWait  = time.Hour
	last503   = 10 * time.Minute
)

// backOff returns how long to wait after the given number of failed attempts. It
// adds jitter of up to a fifth, so that clients that failed at the same time do
// not retry at the same time. A longer Retry-After replaces the result, a shorter
// one does not: a site that always sends a short one would be fetched as often.
func backOff(tries, status int, retryAfter time.Duration) time.Duration {
	last := lastWait
	if status == http.StatusServiceUnavailable {
		last = last503
	}
	return max(doubled(firstWait, last, tries), min(retryAfter, day))
}

// doubled returns first, doubled for each attempt after the first one, at most last, with
// a jitter of up to a fifth.
func doubled(first, last time.Duration, tries int) time.Duration {
	wait := last
	if 1 <= tries && tries < 10 { // every first · 2⁹ is longer than its last
		wait = min(first<<(tries-1), last)
	}
	return wait*4/5 + rand.N(wait*2/5)
}

func (s *state) backingOff(now time.Time) bool {
	return s.trouble.waits(now, 2*lastLocalWait) || s.fault.waits(now, day+clockSkew)
}

// waits reports whether it is too early to retry at now. A wait that is longer than most comes
// from a wrong clock and is ignored.
func (f *fault) waits(now time.Time, most time.Duration) bool {
	return f != nil && now.Before(f.NextTry) && !f.NextTry.After(now.Add(most))
}
