package visits

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// logFacts are the facts about a log that its lines show together.
type logFacts struct {
	name         string
	first, last  int64                // the times of its lines
	hours        map[int64]*hourFacts // of each hour that has lines
	hour         int64                // the latest one
	inHour       *hourFacts           // of it
	sites        []uint64             // a bit for each origin that has a line
	isCopy       bool                 // other logs have all its lines
	lacksQueries bool                 // its targets have no queries, which it might not show
	lines        int64                // requests
	unreadable   int64                // lines that are not requests, but should be
	crawlers     int64                // requests that name a known crawler
	targets      int64                // requests with a target
	queries      int64                // of targets

	// Some lines have a name in the field that has the host in some forms, and some an ordinary request without one.
	hasHostInUserField bool
	host               moment // the first line with the requested host in a field of its own; no line if there is none
	emptyUserFields    int64
	userOutages        moments // outages in lines with such a name

	latest int64  // the time of the line that was read last
	unread moment // a line after it that cannot be read and might be for robots.txt; no line if there is none
}

func newLogFacts(name string) logFacts {
	l := logFacts{name: name, hours: map[int64]*hourFacts{}}
	l.first, l.last, l.hour = math.MaxInt64, math.MinInt64, math.MinInt64
	return l
}

// hourFacts are how many lines an hour of a log has, and when the first and the last came.
type hourFacts struct{ lines, first, last int64 }

const hourMillis = int64(time.Hour / time.Millisecond)

// add adds a line. If its time is ambiguous, the first is the later one.
func (l *logFacts) add(origin int, begin, end int64) {
	l.first, l.last = min(l.first, end), max(l.last, end)
	l.lines++
	l.latest = begin
	if hour := begin / hourMillis; hour != l.hour {
		l.hour, l.inHour = hour, l.hours[hour]
		if l.inHour == nil {
			l.inHour = &hourFacts{first: begin, last: begin}
			l.hours[hour] = l.inHour
		}
	}
	l.inHour.lines++
	l.inHour.first, l.inHour.last = min(l.inHour.first, begin), max(l.inHour.last, begin)
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
	begin   int64
	end     int64
	gaps    periods  // between lines, a day or longer
	servers []server // if there are several
}

// server is the logs that follow each other, while those of other servers have lines too.
type server struct {
	first, last int64
	length      int64 // of the last log
	hours       periods
	gaps        periods // between lines, a day or longer
}

// minGap is the longest time without lines that is not a missing day: logs do not rotate at the same time each day.
const minGap = 23 * hourMillis

// minServerLog is the shortest log that shows a server. Services write shorter ones for varying numbers of servers.
const minServerLog = 6 * hourMillis

// isOfServer reports whether a log is long enough to show a server.
func (l *logFacts) isOfServer() bool { return l.last-l.first >= minServerLog }

// overlaps reports whether two logs have lines of the same time.
func (l *logFacts) overlaps(other *logFacts) bool {
	return l.first <= other.last && other.first <= l.last
}

// serversOf returns the servers that wrote some logs. The logs of one server follow each other, or overlap by less
// than half, as after a rotation.
func serversOf(logs []*logFacts) (all []server) {
	slices.SortFunc(logs, func(a, b *logFacts) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last))
	})
	for _, l := range logs {
		if !l.isOfServer() || l.isCopy {
			continue
		}
		length := l.last - l.first
		var best *server
		for i := range all {
			s := &all[i]
			if s.last-l.first < min(length, s.length)/2 && (best == nil || s.last > best.last) {
				best = s
			}
		}
		if best == nil {
			all = append(all, server{first: l.first, last: l.last, length: length})
			best = &all[len(all)-1]
		}
		best.last, best.length = max(best.last, l.last), length
		best.hours = append(best.hours, l.periods()...)
	}
	for i := range all {
		all[i].gaps = all[i].hours.gaps()
	}
	return all
}

// periods returns the hours that have lines, each from its first to its last line.
func (l *logFacts) periods() (all periods) {
	for _, hour := range l.hours {
		all = append(all, period{hour.first, hour.last})
	}
	return all
}

// gaps returns the missing days between periods.
func (all periods) gaps() (gaps periods) {
	all = all.join()
	for i := 1; i < len(all); i++ {
		if all[i].from-all[i-1].to > minGap {
			gaps = append(gaps, period{all[i-1].to, all[i].from})
		}
	}
	return gaps
}

// coverageOf returns the coverage of a site: a log covers it in all its hours if it has one of its lines.
func (r *run) coverageOf(site int) *coverage {
	if c, ok := r.coverages[site]; ok {
		return c
	}
	c := &coverage{begin: math.MaxInt64, end: math.MinInt64}
	var hours periods
	var ofSite []*logFacts
	for i := range r.logs {
		l := &r.logs[i]
		isOfSite := false
		for origin := range r.origins {
			isOfSite = isOfSite || r.siteOf(origin) == site && l.has(origin)
		}
		if isOfSite {
			c.begin, c.end = min(c.begin, l.first), max(c.end, l.last)
			ofSite = append(ofSite, l)
			hours = append(hours, l.periods()...)
		}
	}
	c.gaps = hours.gaps()
	if servers := serversOf(ofSite); len(servers) > 1 {
		c.servers = servers
	}
	r.coverages[site] = c
	return c
}

// lacks returns why the logs do not show each line between two times, "" if they do, and the gap if it is one. They
// are complete from since on, unless that is zero.
func (c *coverage) lacks(from, to int64, since time.Time) (why Why, gap period) {
	if !since.IsZero() {
		to = min(to, since.UnixMilli())
	}
	if to <= from {
		return "", gap
	}
	if c.begin > from {
		return LogsBegin, gap
	}
	if gap, is := c.gaps.firstIn(from, to); is {
		return LogsGap, gap
	}
	for _, s := range c.servers {
		if s.first > from {
			return LogsBegin, gap
		}
		if s.last+hourMillis < to {
			return LogsGap, period{s.last, c.end}
		}
		if gap, is := s.gaps.firstIn(from, to); is {
			return LogsGap, gap
		}
	}
	return "", gap
}

// firstIn returns the first of some periods, in order, that overlaps with a span.
func (all periods) firstIn(from, to int64) (first period, is bool) {
	i, _ := slices.BinarySearchFunc(all, from, func(p period, from int64) int { return cmp.Compare(p.to, from+1) })
	if i < len(all) && all[i].from < to {
		return all[i], true
	}
	return first, false
}
