package fetch

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

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

	forms      forms       // the parsed file of lastAnswer
	trouble    *fault      // set if the last attempt failed locally; never stored
	within     *terms      // of its fetch; nil in memory
	refreshing atomic.Bool // a background refresh is under way
}

// clone returns a copy, without the mark that a refresh is under way.
func (s *state) clone() *state {
	return &state{
		origin: s.origin, checkedAt: s.checkedAt, lastAnswer: s.lastAnswer, fault: s.fault,
		forms: s.forms, trouble: s.trouble,
	}
}

// siteAnswer is a response that was not a fault. A client can keep a million of
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
	Next      string `json:",omitempty"` // usable Location of a response that was not followed
	At        time.Time
	Lifetime  time.Duration
	Bytes     int
	ETag      string `json:",omitempty"`
	Modified  string `json:",omitempty"` // Last-Modified

	body   []byte
	digest *[32]byte // SHA-256 of the body; nil if nothing uses it
}

type fault struct {
	Class   class // unreachable, refused or local, of the last attempt
	Status  int
	URL     string    `json:",omitempty"` // empty for the origin's own RobotsURL
	Hops    []Hop     `json:",omitempty"`
	Next    string    `json:",omitempty"` // as in siteAnswer
	Since   time.Time // the first attempt of an uninterrupted run of this class
	Tries   int
	NextTry time.Time
	Text    string // the last error
	Kind    string // the kind of the last error, see faultKind

	err  error    // nil if the fault comes from memory or a store
	site siteTest // the result of Freshness.SiteAnswers; not stored
}

// hasCopy reports whether there is a file. An answer such as 404 is not a copy.
func (s *state) hasCopy() bool {
	return s.lastAnswer != nil && (s.lastAnswer.Class == classFile || s.lastAnswer.Class == classEmpty)
}

func (s *state) hasCopyFor(p Policy, now time.Time) bool {
	if !s.hasCopy() {
		return false
	}
	age := now.Sub(s.lastAnswer.At)
	return !policies[p.index()].onEvidence || -clockSkew <= age && age < evidenceLasts
}

// clockSkew is the tolerated difference between the clocks of machines that share
// a store.
const clockSkew = 5 * time.Minute

func (s *state) needsTry(p Policy, now time.Time) bool {
	if s.isFresh(p, now) {
		return s.refreshDue(p, now)
	}
	return !s.backingOff(now)
}

func (s *state) after(a attempt, now time.Time) *state {
	if a.Class == classLocal {
		return s.afterLocal(a, now)
	}
	next := &state{origin: s.origin, checkedAt: now, lastAnswer: s.lastAnswer, forms: s.forms}
	switch {
	case a.Class == classUnreachable || a.Class == classRefused:
		next.fault = s.nextFault(a, now)
	case a.notModified && s.lastAnswer == nil: // cannot happen: validators are sent only with a copy
		next.fault = s.nextFault(a.fail(errors.New("HTTP status 304 to an unconditional request")), now)
	case a.notModified:
		renewed := *s.lastAnswer
		renewed.At = now
		renewed.Hops = a.Hops
		if a.Stated { // otherwise the headers of the copy still apply [RFC 9111 4.3.4]
			renewed.Lifetime, renewed.Stated = a.Lifetime, true
		}
		next.lastAnswer = &renewed
	default:
		answer := a.siteAnswer
		answer.URL = s.compactURL(a.URL)
		answer.At = now
		answer.Bytes = len(a.body)
		next.lastAnswer = &answer
		next.forms = forms{}
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

func (s *state) expandURL(url string) string {
	if url == "" {
		return s.origin.RobotsURL()
	}
	return url
}

func (s *state) nextFault(a attempt, now time.Time) *fault {
	last := s.fault
	if s.forgotten(now) {
		last = nil
	}
	f := s.newFault(a, now, last)
	// A refused address does not count as an outage. A Since in the future
	// comes from a clock that has been set back.
	if last != nil && last.Class == f.Class && !last.Since.After(now) {
		f.Since = last.Since
	}
	f.NextTry = now.Add(backOff(f.Tries, a.Status, a.retryAfter))
	return f
}

func (s *state) newFault(a attempt, now time.Time, last *fault) *fault {
	f := &fault{
		Class: a.Class, Status: a.Status, URL: s.compactURL(a.URL), Hops: a.Hops, Next: a.Next, Since: now, Tries: 1,
		Text: a.err.Error(), Kind: faultKind(a.err), err: a.err,
	}
	if last != nil {
		f.Tries = min(last.Tries, math.MaxInt32) + 1
	}
	return f
}

// outageGap is the longest time between two failed attempts of one outage. After a
// longer time nothing is known about the site between the attempts, so the next
// fault begins another outage. It is longer than any wait after a fault.
const outageGap = 48 * time.Hour

// forgotten reports whether the outage that s describes no longer counts at now, because
// the last attempt is too long ago.
func (s *state) forgotten(now time.Time) bool { return now.Sub(s.checkedAt) > outageGap }

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
	joined := &state{origin: newer.origin, checkedAt: newer.checkedAt, lastAnswer: older.lastAnswer, forms: older.forms}
	merged := *newer.fault
	if f := older.fault; f != nil && f.Class == merged.Class && f.Since.Before(merged.Since) &&
		!older.forgotten(merged.Since) {
		merged.Since = f.Since
	}
	if at := older.lastAnswer.At; merged.Since.Before(at) && !at.After(newer.checkedAt) {
		merged.Since, merged.Tries = at, 1 // the answer ended the outage before
	}
	joined.fault = &merged
	return joined
}

type siteTest uint8

const (
	siteUntested siteTest = iota
	siteSilent
	siteAnswers
)

// mustCheckSite reports whether the answer at now depends on
// Freshness.SiteAnswers, which has not been called since the fault.
func (c *Client) mustCheckSite(s *state, now time.Time) bool {
	return s.fault != nil && s.fault.site == siteUntested && c.config.Freshness.SiteAnswers != nil &&
		s.fault.Class == classUnreachable && s.trouble == nil && !s.isFresh(c.config.Policy, now) &&
		c.config.Policy.duringOutage(s.outage(now), s.hasCopyFor(c.config.Policy, now)) == effectBySite
}

// checkSite calls Freshness.SiteAnswers and returns s with its result. It waits at most
// Limits.Timeout, even if the function ignores its context.
func (c *Client) checkSite(s *state) *state {
	ctx, cancel := context.WithTimeout(c.background, c.config.Limits.Timeout)
	defer cancel()
	answers := make(chan bool, 1)
	go func() { answers <- c.config.Freshness.SiteAnswers(ctx, s.origin) }()
	tested := *s.fault
	tested.site = siteSilent
	select {
	case ok := <-answers:
		if ok {
			tested.site = siteAnswers
		}
	case <-ctx.Done():
	}
	next := s.clone()
	next.fault = &tested
	c.keepUnlessNewer(next)
	return next
}
