package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// lifetime returns for how long headers say their answer is fresh, counted
// from its arrival at now, and whether they say anything (RFC 9111 4.2.1).
// s-maxage counts before max-age, both before Expires; what cannot be read
// does not count. No-cache and no-store ask for none at all. A robots.txt is
// shared by all crawlers behind a cache, so private means nothing here.
func lifetime(h http.Header, now time.Time) (time.Duration, bool) {
	d := cacheDirectives(h)
	spent, _ := parseAge(h.Get("Age")) // in caches on the way
	switch {
	case d.forbidden:
		return 0, true
	case d.sharedAge.given:
		return max(d.sharedAge.value-spent, 0), true
	case d.age.given:
		return max(d.age.value-spent, 0), true
	}
	expires := h.Get("Expires")
	if expires == "" {
		return 0, false
	}
	at, err := http.ParseTime(expires)
	if err != nil {
		return 0, true // "0" and other junk mean expired (RFC 9111 5.3)
	}
	// The server's own clock, if it tells it, saves us from a wrong one. It is
	// that of the origin, not of the cache that sent us a copy.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return min(max(at.Sub(date)-spent, 0), mostAge), true
	}
	return min(max(at.Sub(now), 0), mostAge), true
}

// directives are those of Cache-Control that say how long an answer is fresh.
type directives struct {
	forbidden      bool // to keep it, or to use it unasked
	sharedAge, age stated
}

// stated is a duration that a header may give.
type stated struct {
	value time.Duration
	given bool
}

// set takes the first value that can be read: of several, that one counts
// (RFC 9111 4.2.1).
func (s *stated) set(argument string) {
	if value, ok := parseAge(argument); ok && !s.given {
		*s = stated{value, true}
	}
}

func cacheDirectives(h http.Header) (d directives) {
	for _, value := range h.Values("Cache-Control") {
		for part := range strings.SplitSeq(value, ",") {
			name, argument, _ := strings.Cut(part, "=")
			argument = strings.Trim(strings.TrimSpace(argument), `"`)
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "no-store", "no-cache":
				d.forbidden = true
			case "s-maxage":
				d.sharedAge.set(argument)
			case "max-age":
				d.age.set(argument)
			}
		}
	}
	return d
}

// mostAge is the 68 years that RFC 9111 1.2.2 suggests for what does not fit.
const mostAge = (1<<31 - 1) * time.Second

// parseAge reads delta-seconds (RFC 9111 1.2.2).
func parseAge(s string) (time.Duration, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseInt(s, 10, 64)
	if err != nil || seconds > int64(mostAge/time.Second) {
		return mostAge, true
	}
	return time.Duration(seconds) * time.Second, true
}

// RetryAfter returns for how long a response's headers ask clients to wait, from
// a number of seconds or a date. A date is compared with the server's own Date if
// there is one, which corrects wrong clocks, else with now. It is 0 if the header
// is missing, unreadable or in the past, and at most 68 years; callers set their
// own limit (RFC 9110 10.2.3).
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if wait, ok := parseAge(value); ok {
		return wait
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), mostAge)
}
