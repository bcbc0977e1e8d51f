package fetch

import (
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// state is what is known about one origin: its last settled answer, and the
// fault that has come since, if any. It does not change; a try makes a new one.
// What it amounts to depends on the policy and the time, which judge asks.
type state struct {
	origin    origin.Origin
	checkedAt time.Time // of the last try
	settled   *settledAnswer
	fault     *fault

	robots     *robotstxt.Robots // of a settled file
	refreshing atomic.Bool       // a refresh ahead of expiry is under way
}

// settledAnswer is an answer that the site stands by until it expires. There
// may be a million in memory, so the fields are in the order that packs them.
type settledAnswer struct {
	Class     class
	Stated    bool // the headers ask for a Lifetime
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

	body []byte
}

// fault is a run of failed tries.
type fault struct {
	Class   class // unreachable or refused, of the last try
	Status  int
	URL     string    `json:",omitempty"` // empty for the origin's own RobotsURL
	Hops    []Hop     `json:",omitempty"`
	Since   time.Time // the first try of this class in a row
	Tries   int
	NextTry time.Time
	Text    string // of the last error, and its kind
	Kind    string

	err error // nil if the fault comes from memory or a store
}

// parse reads the file of s, if it is one and not read yet: once for all
// questions.
func (s *state) parse(d robotstxt.Dialect) {
	if s.hasCopy() && s.robots == nil {
		s.robots = d.Parse(s.settled.body)
	}
}

// hasCopy reports whether there is a file to fall back on. That a site had none
// is no copy.
func (s *state) hasCopy() bool {
	return s.settled != nil && (s.settled.Class == classFile || s.settled.Class == classEmpty)
}

// lasts is for how long the settled answer may be used under p.
func (g *settledAnswer) lasts(p Policy) time.Duration { return p.fresh(g.Lifetime, g.Stated) }

// fresh reports whether the settled answer holds at now. One from the future
// holds no more than an expired one: a clock was wrong, and who knows when.
func (s *state) fresh(p Policy, now time.Time) bool {
	if s.settled == nil {
		return false
	}
	age := now.Sub(s.settled.At)
	return -clockSkew <= age && age < s.settled.lasts(p)
}

// clockSkew is how far clocks of machines that share a store may be apart.
const clockSkew = 5 * time.Minute

// backingOff reports whether it is too early to try again after a fault. No
// wait is longer than a day, so one that seems to be was set by a wrong clock.
func (s *state) backingOff(now time.Time) bool {
	return s.fault != nil && now.Before(s.fault.NextTry) && !s.fault.NextTry.After(now.Add(day+clockSkew))
}

// refreshDue reports whether a fresh answer is in the last tenth of its time.
func (s *state) refreshDue(p Policy, now time.Time) bool {
	lasts := s.settled.lasts(p)
	return now.Sub(s.settled.At) >= lasts-lasts/10 && !s.backingOff(now)
}

// needsTry reports whether the site must be asked before s can be used, or
// should be because a refresh is due.
func (s *state) needsTry(p Policy, now time.Time) bool {
	if s.fresh(p, now) {
		return s.refreshDue(p, now)
	}
	return !s.backingOff(now)
}

// after returns the state that a try at now leads to.
func (s *state) after(a attempt, now time.Time) *state {
	next := &state{origin: s.origin, checkedAt: now, settled: s.settled, robots: s.robots}
	switch {
	case a.class == classUnreachable || a.class == classRefused:
		next.fault = s.nextFault(a, now)
	case a.notModified && s.settled == nil: // cannot be: there was nothing to ask about
		next.fault = s.nextFault(a.fail(errors.New("HTTP status 304 without a question")), now)
	case a.notModified:
		again := *s.settled
		again.At, again.Hops = now, a.hops
		if a.stated { // else the headers of the copy go on to hold (RFC 9111 4.3.4)
			again.Lifetime, again.Stated = a.lifetime, true
		}
		next.settled = &again
	default:
		next.settled = &settledAnswer{
			Class: a.class, Status: a.status, URL: s.foreign(a.url), Hops: a.hops, At: now,
			Lifetime: a.lifetime, Stated: a.stated,
			Bytes: len(a.body), Truncated: a.truncated, Delimited: a.delimited,
			ETag: a.etag, Modified: a.lastModified, body: a.body,
		}
		next.robots = nil
	}
	return next
}

// foreign is url as states keep it: most are the origin's own, and need no
// room.
func (s *state) foreign(url string) string {
	if url == s.origin.RobotsURL() {
		return ""
	}
	return url
}

// full is the opposite of foreign.
func (s *state) full(url string) string {
	if url == "" {
		return s.origin.RobotsURL()
	}
	return url
}

func (s *state) nextFault(a attempt, now time.Time) *fault {
	f := &fault{
		Class: a.class, Status: a.status, URL: s.foreign(a.url), Hops: a.hops, Since: now, Tries: 1,
		Text: a.err.Error(), Kind: faultOf(a.err), err: a.err,
	}
	if last := s.fault; last != nil {
		f.Tries = min(last.Tries, math.MaxInt32) + 1
		// A refused address is no outage. And a clock may have been set back.
		if last.Class == f.Class && !last.Since.After(now) {
			f.Since = last.Since
		}
	}
	f.NextTry = now.Add(backOff(f.Tries, a.status, a.retryAfter))
	return f
}

// joined returns the newer of s and other, of s if they are equally old. If
// that one is a fault that has never seen an answer, the older one's answer is
// its copy: a store that was away for a moment must not cost it.
func (s *state) joined(other *state) *state {
	newer, older := s, other
	if s.checkedAt.Before(other.checkedAt) {
		newer, older = other, s
	}
	if newer.fault == nil || newer.settled != nil || older.settled == nil {
		return newer
	}
	joined := &state{origin: newer.origin, checkedAt: newer.checkedAt, settled: older.settled, robots: older.robots}
	since := *newer.fault
	if f := older.fault; f != nil && f.Class == since.Class && f.Since.Before(since.Since) {
		since.Since = f.Since
	}
	joined.fault = &since
	return joined
}

// The back-off after faults: it doubles from the first to the last wait. A 503
// says that the site will be back, so it is asked more often (Page: handling of
// errors and HTTP status codes).
const (
	firstWait = 30 * time.Second
	lastWait  = time.Hour
	last503   = 10 * time.Minute
)

// backOff returns how long to wait after so many tries. It is jittered by a
// fifth, so that clients which failed together do not come back together.
func backOff(tries, status int, retryAfter time.Duration) time.Duration {
	if retryAfter > 0 {
		return max(min(retryAfter, day), firstWait)
	}
	last := lastWait
	if status == http.StatusServiceUnavailable {
		last = last503
	}
	wait := last
	if 1 <= tries && tries < 10 { // 30 s · 2⁹ is over the last wait
		wait = min(firstWait<<(tries-1), last)
	}
	return wait*4/5 + rand.N(wait*2/5)
}
