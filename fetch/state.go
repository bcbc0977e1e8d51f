package fetch

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// state is what the client knows about one origin: its last answer, and the fault
// since then, if any. It is immutable: each attempt makes a new state. Its effect
// depends on the policy and the time, see judge.
type state struct {
	origin     origin.Origin
	checkedAt  time.Time // time of the last attempt
	lastAnswer *siteAnswer
	fault      *fault

	robots     *robotstxt.Robots // the parsed file of lastAnswer
	trouble    *trouble          // set if the last attempt failed locally; never stored
	refreshing atomic.Bool       // a background refresh is under way
}

// siteAnswer is a response that was not a fault. A client may keep a million of
// them in memory, so the order of the fields avoids padding. Stores contain it as
// JSON under these names.
type siteAnswer struct {
	Class     class
	Stated    bool // the headers state a Lifetime
	Truncated bool
	Delimited bool
	Status    int
	URL       string `json:",omitempty"` // empty for the origin's own RobotsURL
	Hops      []Hop  `json:",omitempty"`
	At        time.Time
	Lifetime  time.Duration
	Bytes     int
	ETag      string `json:",omitempty"`
	Modified  string `json:",omitempty"` // Last-Modified

	body   []byte
	digest *Digest // of the body; nil if nothing uses it
}

// fault is a run of failed tries.
type fault struct {
	Class   class // unreachable or refused, of the last attempt
	Status  int
	URL     string    `json:",omitempty"` // empty for the origin's own RobotsURL
	Hops    []Hop     `json:",omitempty"`
	Since   time.Time // the first attempt of an uninterrupted run of this class
	Tries   int
	NextTry time.Time
	Text    string // the last error
	Kind    string // the kind of the last error, see faultKind

	err  error    // nil if the fault comes from memory or a store
	site siteTest // what Config.SiteAnswers says; not stored
}

// parse sets s.robots if s has a file that is not parsed yet.
func (s *state) parse(d robotstxt.Dialect) {
	if s.hasCopy() && s.robots == nil {
		s.robots = d.Parse(s.lastAnswer.body)
	}
}

// hasCopy reports whether there is a file to use during an outage. An answer such
// as 404 is not a copy.
func (s *state) hasCopy() bool {
	return s.lastAnswer != nil && (s.lastAnswer.Class == classFile || s.lastAnswer.Class == classEmpty)
}

// freshFor returns how long the answer is fresh under p.
func (g *siteAnswer) freshFor(p Policy) time.Duration {
	return p.freshFor(g.Class, g.Lifetime, g.Stated)
}

// isFresh reports whether the last answer is fresh at now. An answer from the
// future is not: one of the clocks was wrong.
func (s *state) isFresh(p Policy, now time.Time) bool {
	if s.lastAnswer == nil || p.isFault(s.lastAnswer.Class) { // an answer to a client with another policy
		return false
	}
	age := now.Sub(s.lastAnswer.At)
	return -clockSkew <= age && age < s.lastAnswer.freshFor(p)
}

// clockSkew is the tolerated difference between the clocks of machines that share
// a store.
const clockSkew = 5 * time.Minute

// backingOff reports whether it is too early to retry after a fault. No wait is
// longer than a day; a longer one comes from a wrong clock and is ignored.
func (s *state) backingOff(now time.Time) bool {
	return s.trouble.wait(now) || s.fault != nil && now.Before(s.fault.NextTry) && !s.fault.NextTry.After(now.Add(day+clockSkew))
}

// refreshDue reports whether a fresh answer is in the last tenth of its lifetime.
func (s *state) refreshDue(p Policy, now time.Time) bool {
	freshFor := s.lastAnswer.freshFor(p)
	return now.Sub(s.lastAnswer.At) >= freshFor-freshFor/10 && !s.backingOff(now)
}

// needsTry reports whether a fetch is due: because s is not fresh, or because its
// refresh is due.
func (s *state) needsTry(p Policy, now time.Time) bool {
	if s.isFresh(p, now) {
		return s.refreshDue(p, now)
	}
	return !s.backingOff(now)
}

// after returns the state that follows s after an attempt at now.
func (s *state) after(a attempt, now time.Time) *state {
	if a.class == classLocal {
		return s.afterLocal(a, now)
	}
	next := &state{origin: s.origin, checkedAt: now, lastAnswer: s.lastAnswer, robots: s.robots}
	switch {
	case a.class == classUnreachable || a.class == classRefused:
		next.fault = s.nextFault(a, now)
	case a.notModified && s.lastAnswer == nil: // cannot happen: validators are sent only with a copy
		next.fault = s.nextFault(a.fail(errors.New("HTTP status 304 to an unconditional request")), now)
	case a.notModified:
		renewed := *s.lastAnswer
		renewed.At, renewed.Hops = now, a.hops
		if a.stated { // otherwise the headers of the copy still apply [RFC 9111 4.3.4]
			renewed.Lifetime, renewed.Stated = a.lifetime, true
		}
		next.lastAnswer = &renewed
	default:
		next.lastAnswer = &siteAnswer{
			Class: a.class, Status: a.status, URL: s.compactURL(a.url), Hops: a.hops, At: now,
			Lifetime: a.lifetime, Stated: a.stated,
			Bytes: len(a.body), Truncated: a.truncated, Delimited: a.delimited,
			ETag: a.etag, Modified: a.lastModified, body: a.body,
		}
		next.robots = nil
	}
	return next
}

// compactURL returns url as states keep it: empty for the origin's own RobotsURL,
// which most are, to save memory.
func (s *state) compactURL(url string) string {
	if url == s.origin.RobotsURL() {
		return ""
	}
	return url
}

// expandURL reverses compactURL.
func (s *state) expandURL(url string) string {
	if url == "" {
		return s.origin.RobotsURL()
	}
	return url
}

// nextFault returns the fault that follows s after a failed attempt.
func (s *state) nextFault(a attempt, now time.Time) *fault {
	f := &fault{
		Class: a.class, Status: a.status, URL: s.compactURL(a.url), Hops: a.hops, Since: now, Tries: 1,
		Text: a.err.Error(), Kind: faultKind(a.err), err: a.err,
	}
	if last := s.fault; last != nil && !s.forgotten(now) {
		f.Tries = min(last.Tries, math.MaxInt32) + 1
		// A refused address does not count as an outage. A Since in the future
		// comes from a clock that has been set back.
		if last.Class == f.Class && !last.Since.After(now) {
			f.Since = last.Since
		}
	}
	f.NextTry = now.Add(backOff(f.Tries, a.status, a.retryAfter))
	return f
}

// outageGap is the longest time between two failed attempts of one outage. After a
// longer one nothing is known about the time between them, so the next fault
// begins another outage. It is longer than any wait after a fault.
const outageGap = 48 * time.Hour

// forgotten reports whether the outage that s describes has ended at now, because
// the last attempt is too long ago.
func (s *state) forgotten(now time.Time) bool { return now.Sub(s.checkedAt) > outageGap }

// outage returns how long the file has been unreachable at now.
func (s *state) outage(now time.Time) time.Duration {
	if s.forgotten(now) {
		return 0
	}
	return now.Sub(s.fault.Since)
}

// joined returns the newer of s and other, or s if they are equally old. If the
// newer one has a fault, and the older one an answer that the newer one has not seen,
// the result has both. Otherwise a short failure of the store, or a connection that
// failed after another process had the answer, would lose the copy.
func (s *state) joined(other *state) *state {
	newer, older := s, other
	if s.checkedAt.Before(other.checkedAt) {
		newer, older = other, s
	}
	switch g := newer.lastAnswer; {
	case newer.fault == nil, older.lastAnswer == nil, g != nil && !g.At.Before(older.lastAnswer.At):
		return newer
	}
	joined := &state{origin: newer.origin, checkedAt: newer.checkedAt, lastAnswer: older.lastAnswer, robots: older.robots}
	merged := *newer.fault
	if f := older.fault; f != nil && f.Class == merged.Class && f.Since.Before(merged.Since) && !older.forgotten(merged.Since) {
		merged.Since = f.Since
	}
	if at := older.lastAnswer.At; merged.Since.Before(at) && !at.After(newer.checkedAt) {
		merged.Since, merged.Tries = at, 1 // the answer ended the outage before
	}
	joined.fault = &merged
	return joined
}

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

// doubled returns first, twice as much after each further attempt, and last at most,
// with a jitter of up to a fifth.
func doubled(first, last time.Duration, tries int) time.Duration {
	wait := last
	if 1 <= tries && tries < 10 { // every first · 2⁹ is longer than its last
		wait = min(first<<(tries-1), last)
	}
	return wait*4/5 + rand.N(wait*2/5)
}

// siteTest is what Config.SiteAnswers says about a site after a fault.
type siteTest uint8

const (
	siteUntested siteTest = iota
	siteSilent
	siteAnswers
)

// mustCheckSite reports whether the answer at now depends on
// Config.SiteAnswers, which has not been called since the fault.
func (c *Client) mustCheckSite(s *state, now time.Time) bool {
	return s.fault != nil && s.fault.site == siteUntested && c.config.SiteAnswers != nil &&
		s.fault.Class == classUnreachable && s.trouble == nil && !s.isFresh(c.config.Policy, now) &&
		c.config.Policy.duringOutage(s.outage(now), s.hasCopy()) == effectBySite
}

// checkSite calls Config.SiteAnswers and returns s with its result. It waits at most
// Config.Timeout, even if the function ignores its context.
func (c *Client) checkSite(s *state) *state {
	ctx, cancel := context.WithTimeout(c.background, c.config.Timeout)
	defer cancel()
	answers := make(chan bool, 1)
	go func() { answers <- c.config.SiteAnswers(ctx, s.origin) }()
	tested := *s.fault
	tested.site = siteSilent
	select {
	case ok := <-answers:
		if ok {
			tested.site = siteAnswers
		}
	case <-ctx.Done():
	}
	next := &state{origin: s.origin, checkedAt: s.checkedAt, lastAnswer: s.lastAnswer, fault: &tested, robots: s.robots}
	c.keepUnlessNewer(next)
	return next
}
