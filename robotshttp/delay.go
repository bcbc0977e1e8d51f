package robotshttp

import (
	"cmp"
	"context"
	"fmt"
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

// DelayError is the error for a request that was not sent because robots.txt requires
// a longer delay than Transport.MaxDelay. Only Transport.RefuseLongDelays causes it.
type DelayError struct {
	Origin origin.Origin
	Delay  time.Duration // that robots.txt requires
	Max    time.Duration // the Transport's MaxDelay
}

// Error returns the two delays in one line.
func (e *DelayError) Error() string {
	return fmt.Sprintf("robotshttp: robots.txt of %v requires a delay of %v, longer than MaxDelay, %v", e.Origin, e.Delay, e.Max)
}

// WaitError is the error for a request that was not sent because its turn would come after its
// deadline. It wraps context.DeadlineExceeded.
type WaitError struct {
	Queue string        // the name of the queue, by default the host
	Wait  time.Duration // how long the request would have to wait
	Until time.Time     // when its turn would come
}

// Error returns the wait in one line.
func (e *WaitError) Error() string {
	return fmt.Sprintf("robotshttp: the next request to %s must wait %v, longer than the request's deadline: %v",
		e.Queue, e.Wait.Round(time.Millisecond), context.DeadlineExceeded)
}

// Timeout returns true. So does the *url.Error in which an http.Client wraps this error.
func (e *WaitError) Timeout() bool { return true }

// Unwrap returns context.DeadlineExceeded.
func (e *WaitError) Unwrap() error { return context.DeadlineExceeded }

func (t *Transport) delay(o origin.Origin, rules robotstxt.Rules, now time.Time) (time.Duration, error) {
	most := cmp.Or(t.MaxDelay, defaultMaxDelay)
	stated, ok := statedDelay(rules, now)
	switch {
	case !ok || most < 0:
		return max(t.MinDelay, t.DefaultDelay), nil
	case stated > most && t.RefuseLongDelays:
		return 0, &DelayError{o, stated, most}
	}
	return max(t.MinDelay, min(stated, most)), nil
}

// statedDelay returns the longest delay that the rules require at a time. ok is false
// if they require no delay.
func statedDelay(rules robotstxt.Rules, now time.Time) (delay time.Duration, ok bool) {
	delay, ok = rules.CrawlDelay()
	for e := range rules.Extensions() {
		if e.Name != "Request-rate" {
			continue
		}
		if r, valid := parseRequestRate(e.Value); valid && r.at(now) {
			delay, ok = max(delay, r.interval), true
		}
	}
	return delay, ok
}

func (t *Transport) limits() limits {
	return limits{queues: cmp.Or(max(t.MaxQueues, 0), defaultMaxQueues), atOnce: max(t.MaxPerHost, 0),
		clock: t.Client.Clock()}
}

// requestRate is a Request-rate line: the time between requests, and the time of
// day in which it applies.
type requestRate struct {
	interval time.Duration
	window   window
}

func (r requestRate) at(now time.Time) bool { return r.window.contains(now) }

// longest is the interval for rates of zero and for intervals that overflow.
const longest = time.Duration(math.MaxInt64)

var units = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour}

// parseRequestRate parses "n/t[s|m|h] [hhmm-hhmm]". A t without unit is in
// seconds. An n of zero gives the longest interval. An invalid window counts as
// the whole day, because the rate itself is readable.
func parseRequestRate(s string) (requestRate, bool) {
	rate, rest, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	count, period, found := strings.Cut(rate, "/")
	unit := time.Second
	if last := len(period) - 1; last >= 0 && units[period[last]|0x20] > 0 {
		unit = units[period[last]|0x20]
		period = period[:last]
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

// parseNumber parses digits. A number that overflows becomes the largest one.
func parseNumber(s string) (uint64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil || n == math.MaxUint64
}

// window is a time of day, in minutes after midnight UTC, from inclusive and to
// exclusive. If both are equal it is the whole day; if from is later than to, the
// window spans midnight.
type window struct{ from, to int }

func (w window) contains(now time.Time) bool {
	hour, minute, _ := now.UTC().Clock()
	m := hour*60 + minute
	if w.from < w.to {
		return w.from <= m && m < w.to
	}
	return w.from <= m || m < w.to || w.from == w.to
}

// parseWindow parses "hhmm-hhmm". Any other text gives the whole day.
func parseWindow(s string) window {
	from, to, _ := strings.Cut(s, "-")
	start, okStart := parseClock(from)
	end, okEnd := parseClock(to)
	if !okStart || !okEnd {
		return window{}
	}
	return window{start, end}
}

// parseClock parses hhmm, up to 2400, and returns minutes after midnight.
func parseClock(s string) (int, bool) {
	n, ok := parseNumber(s)
	if !ok || len(s) != 4 || n > 2400 || n%100 > 59 {
		return 0, false
	}
	return int(n/100*60 + n%100), true
}

func (t *Transport) applyRetryAfter(queue string, response *http.Response) {
	if s := response.StatusCode; s != http.StatusTooManyRequests && s != http.StatusServiceUnavailable {
		return
	}
	most := cmp.Or(t.MaxRetryAfter, defaultMaxRetryAfter)
	at := timeBy(t.Client.Clock())
	if wait := min(fetch.RetryAfter(response.Header, at), most); wait > 0 {
		t.queues.block(queue, at.Add(wait), t.limits())
	}
}
