package history

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/internal/cacheheader"
)

// Terms are how long a file is in use after a site has replaced it.
type Terms struct {
	SiteCache time.Duration // as in Config
	DeployLag time.Duration // as in Config
}

const (
	minCache     = 24 * time.Hour   // of caches between site and client, and of clients [RFC 9309 2.4]
	defaultLag   = 24 * time.Hour   //
	clockMargin  = 10 * time.Minute // for clocks that differ, and for purges of caches
	timeInfinite = 1 << 62          // milliseconds
)

// MaxLifetime bounds the lifetimes that a site's headers give a file.
const MaxLifetime = 30 * 24 * time.Hour

// Timeline is the versions of an origin's robots.txt over some time, with the times at which
// they were, or could have been, served. It is safe for concurrent use.
type Timeline struct {
	known   []period // in the order of from
	last    []int64  // the largest end of the known periods up to each, with its cache
	unknown []period // times of which no version is known
	early   int64    // the largest of the known periods
}

// period is a time in milliseconds, both ends included, and a version that a client could
// have received in it.
type period struct {
	from, to int64
	early    int64 // how long before from a client can have received it
	cache    int64
	version  *Version // nil if unknown
}

// VersionSet is the versions in use at a time.
type VersionSet struct {
	// Versions are in the order of their times, each once. The site or a cache could have
	// served any of them, or the client could have cached it.
	Versions []*Version

	// Unknown reports whether the served version is unknown for a part of the time that
	// decides.
	Unknown bool

	Cache time.Duration // the longest time for which a cache can have used one of the versions
}

// InUse returns the versions that a client can use at a time if it caches a file for clientCache, or
// for 24 h if that is longer [RFC 9309 2.4]. They are the versions that were, or could have been,
// served in that time before t. A cache between the site and the client can have stored a
// version even before, so its time is added, see [Config.SiteCache] and [Span.Lifetime]. Ten minutes are
// added at both ends, for purges and for clocks that differ. The error wraps ErrInvalid if the
// origin is not canonical.
func (s *Store) InUse(ctx context.Context, origin string, t time.Time, clientCache time.Duration) (VersionSet, error) {
	timeline, err := s.Timeline(ctx, origin, t, t, clientCache)
	if err != nil {
		return VersionSet{}, err
	}
	return timeline.InUse(t, t, clientCache), nil
}

// Timeline returns the versions that [Timeline.InUse] needs for times between from and to, and for
// clients that cache a file for at most clientCache.
func (s *Store) Timeline(ctx context.Context, origin string, from, to time.Time,
	clientCache time.Duration) (*Timeline, error) {
	from = from.Add(-max(clientCache, minCache) - max(MaxLifetime, s.terms.SiteCache) - s.terms.lag() - clockMargin)
	spans, err := s.spans(ctx, origin, from.UnixMilli(), to.Add(clockMargin).UnixMilli())
	if err != nil {
		return nil, err
	}
	return NewTimeline(spans, s.terms), nil
}

// NewTimeline returns the versions in successive spans, as [Store.Window] returns them. Nothing is
// known about the time before the first span and after the last.
func NewTimeline(spans []Span, terms Terms) *Timeline {
	t := &Timeline{}
	for i, span := range spans {
		from, to := span.millis()
		if span.Observations == 0 {
			if span.Certainty == Unknown {
				cache := terms.cache(0)
				for _, beside := range spans[max(i-1, 0):min(i+2, len(spans))] {
					cache = max(cache, terms.cache(beside.Lifetime))
				}
				t.unknown = append(t.unknown, period{from: from, to: to, cache: cache})
			}
			continue
		}
		if i > 0 && spans[i-1].Certainty == Possible {
			from = spans[i-1].From.UnixMilli()
		}
		if i+1 < len(spans) && spans[i+1].Certainty == Possible {
			to = spans[i+1].To.UnixMilli()
		}
		early := int64(0)
		if slices.Contains(span.Sources, "git") {
			to += terms.lag().Milliseconds()
			early = terms.lag().Milliseconds() // a version can be deployed before it is committed
		}
		t.early = max(t.early, early)
		t.known = append(t.known, period{from, to, early, terms.cache(span.Lifetime), &spans[i].Version})
	}
	begin, end := int64(timeInfinite), int64(timeInfinite)
	if len(spans) > 0 {
		begin, _ = spans[0].millis()
		_, end = spans[len(spans)-1].millis()
		end++
	}
	t.unknown = append(t.unknown, period{from: -timeInfinite, to: begin, cache: terms.cache(0)},
		period{from: end, to: timeInfinite, cache: terms.cache(0)})
	slices.SortStableFunc(t.known, func(a, b period) int { return cmp.Compare(a.from, b.from) })
	last := int64(-timeInfinite)
	for _, v := range t.known {
		last = max(last, v.to+v.cache)
		t.last = append(t.last, last)
	}
	return t
}

// millis returns when a span begins and ends, plus or minus timeInfinite if that is open.
func (s *Span) millis() (from, to int64) {
	from, to = -timeInfinite, timeInfinite
	if !s.From.IsZero() {
		from = s.From.UnixMilli()
	}
	if !s.To.IsZero() {
		to = s.To.UnixMilli()
	}
	return from, to
}

// InUse is [Store.InUse] for a time between begin and end.
func (t *Timeline) InUse(begin, end time.Time, clientCache time.Duration) VersionSet {
	return t.within(begin.Add(-max(clientCache, minCache)-clockMargin), end.Add(clockMargin), true)
}

// Served returns the versions that the site itself served within ten minutes of a time between begin
// and end.
func (t *Timeline) Served(begin, end time.Time) VersionSet {
	return t.within(begin.Add(-clockMargin), end.Add(clockMargin), false)
}

// Changes returns when the site began, or could have begun, to serve each version except the
// first.
func (t *Timeline) Changes() (times []time.Time) {
	for i, v := range t.known {
		if i > 0 && !v.version.Equal(*t.known[i-1].version) {
			times = append(times, instant(v.from))
		}
	}
	return times
}

// within returns the versions in a time, which is longer by the cache of each, and for Git by the
// time between deployment and commit.
func (t *Timeline) within(begin, end time.Time, cached bool) (set VersionSet) {
	from, to := begin.UnixMilli(), end.UnixMilli()
	overlaps := func(v period) bool {
		if !cached {
			v.cache, v.early = 0, 0
		}
		return v.from-v.early <= to && v.to+v.cache >= from
	}
	n, _ := slices.BinarySearchFunc(t.known, to+t.early, func(v period, to int64) int {
		if v.from <= to {
			return -1
		}
		return 1
	})
	for i := n - 1; i >= 0 && t.last[i] >= from; i-- {
		v := t.known[i]
		if !overlaps(v) {
			continue
		}
		set.Cache = max(set.Cache, time.Duration(v.cache)*time.Millisecond)
		if !slices.ContainsFunc(set.Versions,
			func(other *Version) bool { return other == v.version || other.Equal(*v.version) }) {
			set.Versions = append(set.Versions, v.version)
		}
	}
	slices.Reverse(set.Versions)
	set.Unknown = slices.ContainsFunc(t.unknown, overlaps)
	return set
}

// cache returns for how many milliseconds caches can use a file with a lifetime.
func (t Terms) cache(lifetime time.Duration) int64 {
	return max(min(lifetime, MaxLifetime), t.SiteCache, minCache).Milliseconds()
}

func (t Terms) lag() time.Duration { return cmp.Or(max(t.DeployLag, 0), defaultLag) }

// lifetimeOf returns the longest time for which a cache can use a response, by any header that some cache obeys: by
// max-age or s-maxage, with stale-while-revalidate and stale-if-error [RFC 9111 5.2, RFC 5861, RFC 9213], or until
// Expires. It is at most MaxLifetime.
func lifetimeOf(h http.Header, received time.Time) time.Duration {
	var longest, stale time.Duration
	if at, err := http.ParseTime(h.Get("Expires")); err == nil {
		longest = min(at.Sub(received), MaxLifetime)
	}
	isSeparator := func(r rune) bool { return r == ',' || r == ';' }
	for _, header := range append([]string{"Cache-Control"}, cacheheader.Targeted...) {
		var age, stales time.Duration
		for directive := range strings.FieldsFuncSeq(strings.Join(h.Values(header), ","), isSeparator) {
			name, value, hasName := strings.Cut(strings.TrimSpace(directive), "=")
			if !hasName {
				name, value = "max-age", name // X-Accel-Expires
			}
			name = strings.ToLower(strings.TrimSpace(name))
			switch {
			case strings.HasSuffix(name, "max-age"), strings.HasSuffix(name, "maxage"), strings.HasSuffix(name, "-ttl"):
				age = max(age, keptFor(value, received))
			case name == "stale-while-revalidate", name == "stale-if-error":
				stales = min(stales+keptFor(value, received), MaxLifetime)
			}
		}
		longest, stale = max(longest, age), max(stale, stales)
	}
	return min(max(longest, 0)+stale, MaxLifetime).Truncate(time.Second)
}

// keptFor returns the time that a value such as 3600, "3600", 3600+600, 1d or @1790000000 states, 0 for other values.
func keptFor(value string, received time.Time) (total time.Duration) {
	value = strings.Trim(strings.TrimSpace(value), `"`)
	value, isInstant := strings.CutPrefix(value, "@")
	for part := range strings.SplitSeq(value, "+") {
		part = strings.TrimSpace(part)
		unit := strings.TrimLeft(part, "0123456789")
		seconds, err := strconv.ParseInt(part[:len(part)-len(unit)], 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			continue
		}
		if isInstant {
			seconds -= received.Unix()
		}
		one := cmp.Or(units[strings.ToLower(unit)], time.Second)
		total = min(total+time.Duration(min(max(seconds, 0), int64(MaxLifetime/one)))*one, MaxLifetime)
	}
	return total
}

// units are those of Akamai's headers.
var units = map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
