package robotshttp

import (
	"math"
	"math/bits"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// delay returns how far apart the requests of one crawler have to start.
func (t *Transport) delay(rules robotstxt.Rules, now time.Time) time.Duration {
	most := t.MaxDelay
	switch {
	case most < 0:
		return t.MinDelay
	case most == 0:
		most = defaultMaxDelay
	}
	asked, _ := rules.CrawlDelay()
	for e := range rules.Extensions() {
		if e.Name != "Request-rate" {
			continue
		}
		if r, ok := parseRequestRate(e.Value); ok && r.at(now) {
			asked = max(asked, r.interval)
		}
	}
	return max(t.MinDelay, min(asked, most))
}

func (t *Transport) maxOrigins() int {
	if t.MaxOrigins <= 0 {
		return defaultMaxOrigins
	}
	return t.MaxOrigins
}

// requestRate is a Request-rate: the time between requests, and when of the day
// it applies.
type requestRate struct {
	interval time.Duration
	window   window
}

// at reports whether the rate applies at now.
func (r requestRate) at(now time.Time) bool { return r.window.contains(now) }

// longest stands for all intervals that do not fit, or have no end.
const longest = time.Duration(math.MaxInt64)

// parseRequestRate reads "n/t[s|m|h] [hhmm-hhmm]". A t without unit is seconds,
// and no requests at all are one in the longest time. A window that cannot be
// read is the whole day: the rate itself is clear enough.
func parseRequestRate(s string) (requestRate, bool) {
	rate, rest, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	count, period, found := strings.Cut(rate, "/")
	unit := time.Second
	if n := len(period); n > 0 {
		switch period[n-1] | 0x20 {
		case 's':
			period = period[:n-1]
		case 'm':
			unit, period = time.Minute, period[:n-1]
		case 'h':
			unit, period = time.Hour, period[:n-1]
		}
	}
	n, okCount := parseNumber(count)
	t, okPeriod := parseNumber(period)
	if !found || !okCount || !okPeriod || n == 0 && t == 0 {
		return requestRate{}, false
	}
	r := requestRate{interval: longest, window: parseWindow(strings.TrimSpace(rest))}
	if high, span := bits.Mul64(t, uint64(unit)); n > 0 && high == 0 && span/n < uint64(longest) {
		r.interval = time.Duration(span / n)
	}
	return r, true
}

// parseNumber reads digits. What does not fit becomes the largest number.
func parseNumber(s string) (uint64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil || n == math.MaxUint64
}

// window is a part of each day, in minutes after midnight UTC: from the first
// one up to the second. If they are equal it is the whole day; if the first is
// later, the window spans midnight.
type window struct{ from, to int }

func (w window) contains(now time.Time) bool {
	hour, minute, _ := now.UTC().Clock()
	m := hour*60 + minute
	if w.from < w.to {
		return w.from <= m && m < w.to
	}
	return w.from <= m || m < w.to || w.from == w.to
}

// parseWindow reads "hhmm-hhmm"; anything else is the whole day.
func parseWindow(s string) window {
	from, to, _ := strings.Cut(s, "-")
	start, okStart := parseClock(from)
	end, okEnd := parseClock(to)
	if !okStart || !okEnd {
		return window{}
	}
	return window{start, end}
}

// parseClock reads hhmm, up to 2400, as minutes after midnight.
func parseClock(s string) (int, bool) {
	n, ok := parseNumber(s)
	if !ok || len(s) != 4 || n > 2400 || n%100 > 59 {
		return 0, false
	}
	return int(n/100*60 + n%100), true
}

// heed holds o if response asks for it.
func (t *Transport) heed(o origin.Origin, response *http.Response) {
	if s := response.StatusCode; s != http.StatusTooManyRequests && s != http.StatusServiceUnavailable {
		return
	}
	most := t.MaxRetryAfter
	if most == 0 {
		most = defaultMaxRetryAfter
	}
	if wait := min(fetch.RetryAfter(response.Header, time.Now()), most); wait > 0 {
		t.paces.hold(o, time.Now().Add(wait), t.maxOrigins())
	}
}
