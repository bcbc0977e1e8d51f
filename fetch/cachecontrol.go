package fetch

import (
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// lifetime returns how long a response with these headers is fresh after its
// arrival at now, and whether the headers state a lifetime. s-maxage takes
// precedence over max-age, and both over Expires. Unreadable values are ignored.
// no-cache and no-store give a lifetime of 0. private has no effect, because
// robots.txt is the same for every client. [RFC 9111 4.2.1]
func lifetime(h http.Header, now time.Time) (time.Duration, bool) {
	ages := cacheDirectives(h)
	age, _ := parseAge(h.Get("Age")) // time spent in HTTP caches
	for _, name := range []string{"no-store", "no-cache", "s-maxage", "max-age"} {
		if value, ok := ages[name]; ok {
			return max(value-age, 0), true
		}
	}
	expires := h.Get("Expires")
	if expires == "" {
		return 0, false
	}
	at, err := http.ParseTime(expires)
	if err != nil {
		return 0, true // "0" and other invalid dates mean expired [RFC 9111 5.3]
	}
	// Comparing with the server's Date makes differences between the clocks
	// irrelevant. Date is set by the origin server, not by an HTTP cache.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return min(max(at.Sub(date)-age, 0), maxAge), true
	}
	return min(max(at.Sub(now), 0), maxAge), true
}

// cacheDirectives returns the seconds of the Cache-Control directives that have some, by their
// names in lower case: the first readable value of several [RFC 9111 4.2.1], and 0 for no-store
// and no-cache.
func cacheDirectives(h http.Header) map[string]time.Duration {
	ages := make(map[string]time.Duration)
	for _, value := range h.Values("Cache-Control") {
		for part := range splitList(value) {
			name, argument, _ := strings.Cut(part, "=")
			name = strings.ToLower(strings.TrimSpace(name))
			age, ok := parseAge(strings.Trim(strings.TrimSpace(argument), `"`))
			if name == "no-store" || name == "no-cache" {
				age, ok = 0, true
			}
			if _, known := ages[name]; ok && !known {
				ages[name] = age
			}
		}
	}
	return ages
}

// splitList yields the elements of a header that is a list. A comma in a quoted
// string separates nothing. A quote without an end is an ordinary character.
// [RFC 9110 5.6.1, 5.6.4]
func splitList(value string) iter.Seq[string] {
	return func(yield func(string) bool) {
		begin := 0
		balanced := true
		for i := 0; i < len(value); i++ {
			switch {
			case value[i] == '"' && balanced:
				length := quotedLength(value[i:])
				i, balanced = i+length, length > 0
			case value[i] == ',':
				if !yield(value[begin:i]) {
					return
				}
				begin = i + 1
			}
		}
		yield(value[begin:])
	}
}

// quotedLength returns the index of the quote that ends the quoted string at the
// beginning of s, or 0 if it has no end.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return 0
}

// maxAge replaces values that do not fit into 31 bits: about 68 years.
// [RFC 9111 1.2.2]
const maxAge = (1<<31 - 1) * time.Second

// parseAge parses delta-seconds. [RFC 9111 1.2.2]
func parseAge(s string) (time.Duration, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseInt(s, 10, 64)
	if err != nil || seconds > int64(maxAge/time.Second) {
		return maxAge, true
	}
	return time.Duration(seconds) * time.Second, true
}

// RetryAfter returns the wait that the Retry-After header requests, in seconds or
// as a date. It compares a date with the response's Date header, or with now if
// there is none. The result is 0 if the header is missing, invalid or in the past,
// and at most 68 years, so callers should apply their own limit.
// [RFC 9110 10.2.3]
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
	return min(max(at.Sub(now), 0), maxAge)
}
