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
	first, last  int64            // the times of its lines
	hours        map[int64]*int64 // the number of lines in each hour that has any
	hour         int64            // the latest one
	inHour       *int64           // its number
	sites        []uint64         // a bit for each origin that has a line
	isCopy       bool             // other logs have all its lines
	lacksQueries bool             // its targets have no queries, which it might not show
	lines        int64            // requests
	unreadable   int64            // lines that are not requests, but should be
	crawlers     int64            // requests that name a known crawler
	targets      int64            // requests with a target
	queries      int64            // of targets

	// Some lines have a name in the field that has the host in some forms, and some an ordinary request without one.
	hasHostInUserField bool
	namesHosts         bool // a line has the requested host in a field of its own
	emptyUserFields    int64
	userOutages        moments // outages in lines with such a name

	latest int64  // the time of the line that was read last
	unread moment // a line after it that cannot be read and might be for robots.txt; no line if there is none
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
	l.latest = begin
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
	begin   int64
	gaps    [][2]int64 // pairs of hours that have lines, a day or more apart
	servers []server   // if there are several
}

// server is the logs that follow each other, while those of other servers have lines too.
type server struct {
	first, last int64
	length      int64      // of the last log
	gaps        [][2]int64 // times between logs, a day or longer
}

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
			continue
		}
		if l.first/hourMillis-best.last/hourMillis >= 24 {
			best.gaps = append(best.gaps, [2]int64{best.last, l.first})
		}
		best.last, best.length = max(best.last, l.last), length
	}
	return all
}

// coverageOf returns the coverage of a site: a log covers it in all its hours if it has one of its lines.
func (r *run) coverageOf(site int) *coverage {
	if c, ok := r.coverages[site]; ok {
		return c
	}
	c := &coverage{begin: 1 << 62}
	hours := map[int64]struct{}{}
	var ofSite []*logFacts
	for i := range r.logs {
		l := &r.logs[i]
		isOfSite := false
		for origin := range r.origins {
			isOfSite = isOfSite || r.siteOf(origin) == site && l.has(origin)
		}
		if isOfSite {
			c.begin = min(c.begin, l.first)
			ofSite = append(ofSite, l)
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
	if servers := serversOf(ofSite); len(servers) > 1 {
		c.servers = servers
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
	for _, s := range c.servers {
		switch {
		case s.first > from:
			return LogsBegin
		case s.last+hourMillis < to, s.lacks(from, to):
			return LogsGap
		}
	}
	return ""
}

// lacks reports whether a day of a server is missing in a span.
func (s *server) lacks(from, to int64) bool {
	return slices.ContainsFunc(s.gaps, func(gap [2]int64) bool { return gap[0] <= to && gap[1] >= from })
}
