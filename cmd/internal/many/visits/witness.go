package visits

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/visitor"
)

// witness identifies an operator and an origin, for failed fetches of robots.txt.
type witness struct{ origin, operator int }

// moment is when something happened, with a line of a log that shows it.
type moment struct {
	at   int64
	log  int
	line int64
}

// moments are in ascending order, one a minute. So a site that refuses its robots.txt a million times a
// day needs no more memory than one that refuses it each minute.
type moments []moment

// with returns moments with another one. The first of a minute is kept.
func (all moments) with(m moment) moments {
	i, known := slices.BinarySearchFunc(all, minuteOf(m.at), compareMinute)
	if !known {
		return slices.Insert(all, i, m)
	}
	if m.compare(all[i]) < 0 {
		all[i] = m
	}
	return all
}

// minuteOf returns the minute of a time.
func minuteOf(t int64) int64 { return t - mod(t, minuteMillis) }

func compareMinute(m moment, minute int64) int { return cmp.Compare(minuteOf(m.at), minute) }

func (m moment) compare(other moment) int {
	return cmp.Or(cmp.Compare(m.at, other.at), cmp.Compare(m.log, other.log), cmp.Compare(m.line, other.line))
}

// firstIn returns the first moment in a span, or nil. The minutes of its ends count.
func (all moments) firstIn(from, to int64) *moment {
	i, _ := slices.BinarySearchFunc(all, minuteOf(from), compareMinute)
	if i < len(all) && minuteOf(all[i].at) <= to {
		return &all[i]
	}
	return nil
}

const minuteMillis = int64(time.Minute / time.Millisecond)

func momentsOf(v *visit) (first, last moment) {
	first = moment{at: v.begin, log: v.log, line: v.line}
	last = first
	last.at = v.end
	return first, last
}

// isRefusal reports whether the answer to a request for robots.txt leaves a crawler without rules. Some
// statuses are caused by the request itself; a firewall sends others, such as 202, with a challenge.
func isRefusal(status int, method string) bool {
	switch status {
	case 200, 203, 206, 400, 416, 431:
		return false
	case 405:
		return method == "GET" || method == "HEAD"
	}
	return status < 300 || status >= 400
}

// isRedirect reports whether a status sends the client to another URL.
func isRedirect(status int) bool { return status >= 300 && status < 400 && status != 304 }

// isOutage reports whether an answer to a request for robots.txt shows that the site served no rules. A
// cache can pass it on to any client.
func isOutage(status int, isGet, isEmpty bool) bool {
	return status == 404 || status == 410 || status >= 500 || status == 204 || status == 200 && isGet && isEmpty
}

// redirect is one or more redirected fetches of robots.txt by an operator in a minute.
type redirect struct {
	first moment
	last  int64
	sites []int
	addrs []netip.Addr // from which they came

	// own are the requests after it to the same host or from the same address. any are all others; they
	// can be its target only if there are none of the first kind, because a target is fetched at once.
	own, any   followers
	isFollowed bool // a robots.txt was fetched after it
}

// followers are requests after a redirect.
type followers struct {
	times   []int64  // of at most five requests of verified senders
	answers []answer // to at most five requests of senders who might be the operator
}

// answer is the answer to a request after a redirect.
type answer struct {
	moment
	status    int
	isRefusal bool
}

const (
	maxFollowers   = 5
	maxAddrs       = 16
	followDuration = 2 * minuteMillis
)

func (f *followers) add(v *visit, isVerified bool) {
	if isVerified {
		f.times = append(f.times, v.begin)
		slices.Sort(f.times)
		f.times = f.times[:min(len(f.times), maxFollowers)]
	}
	m, _ := momentsOf(v)
	f.answers = append(f.answers, answer{m, v.status, isRefusal(v.status, v.method)})
	slices.SortFunc(f.answers, func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.at, b.at), -compareBool(a.isRefusal, b.isRefusal), a.moment.compare(b.moment))
	})
	f.answers = f.answers[:min(len(f.answers), maxFollowers)]
}

// has reports whether a time is not after the fifth request.
func (f *followers) has(t int64) bool {
	return len(f.times) < maxFollowers || t <= f.times[maxFollowers-1]
}

// targets returns the requests that can be the target of a redirect.
func (found *redirect) targets() *followers {
	if len(found.own.answers) > 0 {
		return &found.own
	}
	return &found.any
}

// isOwn reports whether a visit is to a host of the redirect, or from its address.
func (found *redirect) isOwn(r *run, v *visit) bool {
	return len(found.addrs) >= maxAddrs || v.addr.IsValid() && slices.Contains(found.addrs, v.addr) ||
		slices.ContainsFunc(found.sites, func(site int) bool {
			return site == v.origin || r.origins[site].Host() == r.origins[v.origin].Host()
		})
}

// redirects are in ascending order, one a minute.
type redirects []*redirect

func compareRedirect(r *redirect, minute int64) int { return compareMinute(r.first, minute) }

func (all redirects) with(v *visit) redirects {
	m, _ := momentsOf(v)
	i, known := slices.BinarySearchFunc(all, minuteOf(v.begin), compareRedirect)
	if !known {
		all = slices.Insert(all, i, &redirect{first: m, last: v.begin})
	}
	r := all[i]
	r.last = max(r.last, v.begin)
	if !slices.Contains(r.sites, v.origin) {
		r.sites = append(r.sites, v.origin)
	}
	if v.addr.IsValid() && len(r.addrs) < maxAddrs && !slices.Contains(r.addrs, v.addr) {
		r.addrs = append(r.addrs, v.addr)
	}
	if m.compare(r.first) < 0 {
		r.first = m
	}
	return all
}

// near yields the redirects within two minutes before a time.
func (all redirects) near(t int64) redirects {
	begin, _ := slices.BinarySearchFunc(all, t-followDuration-minuteMillis, compareRedirect)
	end := begin
	for end < len(all) && all[end].first.at <= t {
		end++
	}
	return slices.DeleteFunc(slices.Clone(all[begin:end]), func(r *redirect) bool { return t > r.last+followDuration })
}

// followAll records a request after redirects, which are near.
func (r *run) followAll(near redirects, v *visit, isVerified bool) {
	for _, found := range near {
		switch {
		case isRobots(v.target):
			found.isFollowed = found.isFollowed || v.status == 200 || v.status == 304
		case v.begin < found.last:
		case found.isOwn(r, v):
			found.own.add(v, isVerified)
		default:
			found.any.add(v, isVerified)
		}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// mayBeTarget reports whether a visit can be the target of a redirected robots.txt: one of the operator's
// next five requests within two minutes.
func (r *run) mayBeTarget(v *visit) bool {
	all := r.redirects[r.crawlers[v.crawler].operator]
	if len(all) == 0 {
		return false
	}
	for _, t := range []int64{v.begin, v.end} {
		for _, found := range all.near(t) {
			targets := found.targets()
			if targets.has(t) && (targets == &found.any || found.isOwn(r, v)) {
				return true
			}
		}
	}
	return false
}

// collect finds the verified crawlers, and which answers to fetches of robots.txt had no rules.
func (r *run) collect(v *visit, id visitor.Identity, later map[int][]visit) {
	if id.State == visitor.Verified && !r.isVerified(v.crawler) {
		r.verified[v.crawler], _ = momentsOf(v)
	}
	isWitness := isRefusal(v.status, v.method) || isRedirect(v.status) || r.isEmptyToo(v)
	if !isRobots(v.target) || !r.isJudged() || !isWitness {
		return
	}
	if isFalse(id.State) { // it counts only if no visit of the crawler is verified
		if n := len(later[v.crawler]); n < maxLater {
			later[v.crawler] = append(later[v.crawler], *v)
			return
		}
	}
	r.testify(v)
}

const maxLater = 100_000

// isVerified reports whether a visit of a crawler is verified.
func (r *run) isVerified(crawler int) bool {
	_, is := r.verified[crawler]
	return is
}

func isFalse(s visitor.State) bool { return s == visitor.NotListed || s == visitor.Contradicted }

// isEmptyToo reports whether a visit shows an outage that only its operator saw.
func (r *run) isEmptyToo(v *visit) bool {
	return r.NoSiteCache && isOutage(v.status, v.method == "GET", v.is(empty))
}

// testify records an answer to a fetch of robots.txt for the operator that it names, and for the
// operators whose address got it.
func (r *run) testify(v *visit) {
	if v.crawler >= 0 {
		r.testifyFor(v, r.crawlers[v.crawler].operator)
	}
	if v.addr.IsValid() && r.Lists != nil && !isRedirect(v.status) {
		for name, operator := range r.operators {
			isNamed := v.crawler >= 0 && operator == r.crawlers[v.crawler].operator
			if !isNamed && r.verifier.OfOperator(name, v.addr, instant(v.begin)) {
				r.testifyFor(v, operator)
			}
		}
	}
}

func (r *run) testifyFor(v *visit, operator int) {
	if isRedirect(v.status) {
		r.redirects[operator] = r.redirects[operator].with(v)
		return
	}
	if r.origins[v.origin].judged || v.origin == 0 {
		first, last := momentsOf(v)
		key := witness{r.siteOf(v.origin), operator}
		r.refusals[key] = r.refusals[key].with(first).with(last)
	}
}

// follow finds where redirected fetches of robots.txt led.
func (r *run) follow() {
	for operator, all := range r.redirects {
		for _, found := range all {
			// --served-since states that the file was served, perhaps by a server without a log here.
			isAnswered := found.isFollowed || r.History == nil && len(found.own.answers)+len(found.any.answers) == 0
			for _, a := range found.targets().answers {
				isAnswered = isAnswered || a.status == 200 || a.status == 304
			}
			for _, site := range found.sites {
				if !r.origins[site].judged && site != 0 {
					continue
				}
				key := witness{r.siteOf(site), operator}
				for _, a := range found.targets().answers {
					// Many pages do not exist, so their 404 says nothing if another request got an answer.
					if a.isRefusal && !(isAnswered && (a.status == 404 || a.status == 410)) {
						r.refusals[key] = r.refusals[key].with(a.moment)
					}
				}
				if !isAnswered {
					last := found.first
					last.at = found.last
					r.redirected[key] = r.redirected[key].with(found.first).with(last)
				}
			}
		}
	}
}

// logFacts are the facts about a log that its lines show together.
type logFacts struct {
	name         string
	first, last  int64            // the times of its lines
	hours        map[int64]*int64 // the number of lines in each hour that has any
	hour         int64            // the latest one
	inHour       *int64           // its number
	sites        []uint64         // a bit for each origin that has a line
	lacksQueries bool             // its targets have no queries, which it might not show
	lines        int64            // requests
	unreadable   int64            // lines that are not requests, but should be
	crawlers     int64            // requests that name a known crawler
	targets      int64            // requests with a target
	queries      int64            // of targets
}

func newLogFacts(name string) logFacts {
	l := logFacts{name: name, hours: map[int64]*int64{}}
	l.first, l.last, l.hour = math.MaxInt64, math.MinInt64, math.MinInt64
	return l
}

const hourMillis = int64(time.Hour / time.Millisecond)

// add adds a line. If its time is ambiguous, the first is the later one.
func (l *logFacts) add(origin int, begin, end int64) {
	l.first, l.last = min(l.first, end), max(l.last, end)
	l.lines++
	if hour := begin / hourMillis; hour != l.hour {
		l.hour, l.inHour = hour, l.hours[hour]
		if l.inHour == nil {
			l.inHour = new(int64)
			l.hours[hour] = l.inHour
		}
	}
	*l.inHour++
	l.cover(origin)
}

// cover records that a line is for an origin.
func (l *logFacts) cover(origin int) {
	for origin>>6 >= len(l.sites) {
		l.sites = append(l.sites, 0)
	}
	l.sites[origin>>6] |= 1 << (origin & 63)
}

// has reports whether a line is for an origin.
func (l *logFacts) has(origin int) bool {
	return origin>>6 < len(l.sites) && l.sites[origin>>6]>>(origin&63)&1 == 1
}

// coverage is when the logs of a site have lines.
type coverage struct {
	begin int64
	gaps  [][2]int64 // pairs of hours that have lines, a day or more apart
}

// coverageOf returns the coverage of a site: a log covers it in all its hours if it has one of its lines.
func (r *run) coverageOf(site int) *coverage {
	if c, ok := r.coverages[site]; ok {
		return c
	}
	c := &coverage{begin: 1 << 62}
	hours := map[int64]struct{}{}
	for i := range r.logs {
		l := &r.logs[i]
		isOfSite := false
		for origin := range r.origins {
			isOfSite = isOfSite || r.siteOf(origin) == site && l.has(origin)
		}
		if isOfSite {
			c.begin = min(c.begin, l.first)
			for hour := range l.hours {
				hours[hour] = struct{}{}
			}
		}
	}
	all := make([]int64, 0, len(hours))
	for hour := range hours {
		all = append(all, hour)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i]-all[i-1] >= 24 {
			c.gaps = append(c.gaps, [2]int64{all[i-1], all[i]})
		}
	}
	r.coverages[site] = c
	return c
}

// lacks returns why the logs do not show each line between two times, "" if they do. They are complete
// from since on, unless that is zero.
func (c *coverage) lacks(from, to int64, since time.Time) Why {
	if !since.IsZero() {
		to = min(to, since.UnixMilli())
	}
	if to <= from {
		return ""
	}
	if c.begin > from {
		return LogsBegin
	}
	i, _ := slices.BinarySearchFunc(c.gaps, from/hourMillis, func(gap [2]int64, hour int64) int {
		return cmp.Compare(gap[1], hour)
	})
	if i < len(c.gaps) && c.gaps[i][0] <= to/hourMillis {
		return LogsGap
	}
	return ""
}
