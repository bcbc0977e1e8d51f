package audit

import (
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

const robotsPath = "/robots.txt"

// isRobots reports whether inputs are read for a path: the robots.txt of an origin, or a target
// of its redirects, such as /en/robots.txt.
func isRobots(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	return strings.HasSuffix(path, robotsPath)
}

// targetOf returns a URL in the form in which the targets of redirects are compared, if it is
// not the robots.txt of an origin; else it returns "".
func targetOf(url string) string {
	if url == "" || strings.HasSuffix(url, robotsPath) && strings.Count(url, "/") == 3 {
		return ""
	}
	u := origin.Text(url)
	site, err := u.Origin()
	if err != nil || u.Target() == robotsPath || u.Target() == "" {
		return ""
	}
	return site.String() + u.Target()
}

// IsTarget reports whether the file is not the robots.txt of an origin, but a possible target of
// redirects.
func (in *Input) IsTarget() bool { return targetOf(in.URL) != "" }

// outcome is the result that is counted for a site: the facts and verdicts of its chosen
// capture, or of the capture to which its redirects lead.
type outcome struct {
	facts, verdicts uint32
	rules           int32
	from, decides   *entry // the capture of the site, and the one at the end of its redirects
}

// of returns the outcome of a site; ok is false if the crawl does not have the site.
func (c *Crawl) of(site string) (o outcome, ok bool) {
	at, ok := c.sites[site]
	switch {
	case !ok:
		return o, false
	case c.census.by == ByDomain:
		return c.ofDomain(site, at), true
	}
	best := c.entries.at(at)
	for at = best.next; at >= 0; {
		e := c.entries.at(at)
		if compareSchemes(e, best, c.facts.list) < 0 {
			best = e
		}
		at = e.next
	}
	return c.followed(best, nil), true
}

// ofDomain returns the outcome of the host of a domain that is counted. first is its first origin.
func (c *Crawl) ofDomain(domain string, first int32) (best outcome) {
	hosts := map[string]*entry{}
	for at := first; at >= 0; at = c.entries.at(at).next {
		e := c.entries.at(at)
		_, host, _ := strings.Cut(e.origin, "://")
		if have := hosts[host]; have == nil || compareSchemes(e, have, c.facts.list) < 0 {
			hosts[host] = e
		}
	}
	var bestRank hostRank
	for host, e := range hosts {
		o := c.followed(e, nil)
		if r := rankOf(domain, host, &c.facts.list[o.facts]); bestRank.host == "" || r.compare(bestRank) < 0 {
			best, bestRank = o, r
		}
	}
	return best
}

// followed returns the outcome of a capture. It follows redirects among the captures of the
// crawl, as many as the policy permits. If a target is not among them, the outcome is a
// redirect. It appends the captures on the way to way, unless that is nil.
func (c *Crawl) followed(from *entry, way *[]step) outcome {
	note := func(e *entry, isOriginal bool) {
		if way != nil {
			*way = append(*way, step{e, isOriginal})
		}
	}
	note(from, false)
	if c.census.by == ByCapture {
		return outcome{from.facts, from.verdicts, from.rules, from, from}
	}
	most, end := c.census.Policy.Redirects()
	for e, hops := from, 0; ; hops++ {
		if original := c.original(e); original != nil {
			e = original
			note(e, true)
		}
		switch {
		case c.facts.list[e.facts].problem != string(Redirect):
			return outcome{c.inMonthOf(from, e), e.verdicts, e.rules, from, e}
		case hops == most:
			return c.decidedBy(end, from, e)
		}
		next := c.capture(c.locations.list[e.location], from.at)
		if next == nil {
			return outcome{from.facts, from.verdicts, from.rules, from, e}
		}
		e = next
		note(e, false)
	}
}

// capture returns the capture of a URL that is nearest to a time, the newer one of two. If the
// time is unknown, it returns the newest capture. It returns nil if there is none.
func (c *Crawl) capture(url string, at Millis) (best *entry) {
	for i := c.newest(url); i >= 0; {
		e := c.entries.at(i)
		if best == nil || at != 0 && distance(e.at, at) < distance(best.at, at) {
			best = e
		}
		i = e.older
	}
	return best
}

func distance(a, b Millis) Millis { return max(a-b, b-a) }

// newest returns the newest capture of a URL, -1 without one.
func (c *Crawl) newest(url string) int32 {
	u := origin.Text(url)
	site, err := u.Origin()
	if err != nil {
		return -1
	}
	if u.Target() != robotsPath {
		if at, ok := c.targets[site.String()+u.Target()]; ok {
			return at
		}
		return -1
	}
	from := site.String()
	at, ok := c.sites[c.census.by.key(from)]
	for ok && at >= 0 {
		e := c.entries.at(at)
		if e.origin == from {
			return at
		}
		at = e.next
	}
	return -1
}

// inMonthOf returns the facts of a capture, with the month of the capture that led to it.
func (c *Crawl) inMonthOf(from, to *entry) uint32 {
	f, month := c.facts.list[to.facts], c.facts.list[from.facts].month
	if f.month == month {
		return to.facts
	}
	f.month = month
	return c.facts.id(f)
}

// decidedBy returns the outcome of a capture with more redirects than are followed, of which last is the last one.
func (c *Crawl) decidedBy(end fetch.Outcome, from, last *entry) outcome {
	f := c.facts.list[from.facts]
	v := verdict{present: true, Treatment: OpenByStatus}
	f.problem = ""
	f.outcome = wire.OutcomeAllowAll
	if end == fetch.OutcomeDisallowAll {
		v.Treatment = ClosedByStatus
		v.homeClosed = true
		f.outcome = wire.OutcomeDisallowAll
	}
	var verdicts []byte
	for i := range c.crawlers {
		of := v
		if c.readings[i] == "" {
			of = verdict{present: true, Treatment: Unnamed, matched: robotstxt.MatchedByNone}
		}
		verdicts = appendVerdict(verdicts, &of, c.census.lines)
	}
	return outcome{c.facts.id(f), idOf(&c.verdicts, verdicts), 0, from, last}
}
