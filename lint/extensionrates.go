package lint

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

var rxCrawlDelayExtreme = check{Entry: &Entry{
	Code: "RX506", Name: "crawl-delay-extreme", Severity: Warning,
	Title:   "A Crawl-delay is very long, or has no effect.",
	Why:     "A crawler that waits for more than a minute after each page reads fewer than 1,440 pages a day, too few for most sites. Google ignores Crawl-delay; Bing and some other crawlers follow it. A delay of zero has no effect. It and delays for minor crawlers are reported with --pedantic.",
	Bad:     "User-agent: *\nCrawl-delay: 600\nDisallow: /search\n",
	Good:    "User-agent: *\nCrawl-delay: 6\nDisallow: /search\n",
	Example: Config{Profile: Bing},
}}

func (x *extensions) inspectCrawlDelay(l *line) {
	if !isNumber(bytes.TrimPrefix(l.value(), []byte("-"))) {
		x.findWrongDelay(l)
		return
	}
	seconds, err := strconv.ParseFloat(string(l.value()), 64)
	switch {
	case err != nil || seconds > longDelay:
		ignored := len(x.audience.tokens) > 0 && ignoresDelay(x.audience.tokens[0])
		// A long one is meant for minor crawlers.
		meant := err == nil && (x.isThrottle(l) || l.group >= 0 && x.groups[l.group].closed)
		x.findValue(rxCrawlDelayExtreme.infoIf(ignored).rareIf(meant), l, "With %s seconds between two pages, a crawler reads %s a day.", shortened(l.value()), pagesADay(seconds))
	case seconds < 0:
		x.findValue(rxCrawlDelayExtreme, l, "A delay of %s seconds is not possible.", quote(l.value()))
	case seconds == 0:
		x.findValue(rxCrawlDelayExtreme.at(Info).rareIf(true), l, "A delay of zero has no effect.")
	}
}

// isThrottle reports whether the User-agent lines above a line, of which a few are looked at, name neither all crawlers
// nor a main one of the profile that obeys it. Further ones of its group might be below it, which is RX301.
func (x *extensions) isThrottle(l *line) bool {
	const most = 100
	if l.group < 0 {
		return false
	}
	agents := x.groups[l.group].agents
	return !slices.ContainsFunc(agents[:min(len(agents), most)], func(a robotstxt.Agent) bool {
		return a.Line < l.number && (namesAll(x.line(a.Line)) || x.audience.isMain(a.Token) && !ignoresDelay(a.Token))
	})
}

var rxCrawlDelayNotANumber = check{Entry: &Entry{
	Code: "RX505", Name: "crawl-delay-not-a-number", Severity: Warning,
	Title:   "A Crawl-delay is not a number.",
	Why:     "Crawl-delay is a number of seconds, with a point before decimals. No standard defines it, so each crawler decides how to read any other value. Not reported for a number with decimals, such as 0.5.",
	Bad:     "User-agent: *\nCrawl-delay: 10s\nDisallow: /search\n",
	Good:    "User-agent: *\nCrawl-delay: 10\nDisallow: /search\n",
	Example: Config{Profile: Bing},
}}

// findWrongDelay reports a value that is not a number. The fix is the number at its beginning,
// if the rest means seconds.
func (x *extensions) findWrongDelay(l *line) {
	if len(l.value()) == 0 {
		x.findKey(rxCrawlDelayNotANumber, l, "This Crawl-delay has no value. Write a number of seconds.")
		return
	}
	if directiveIn(l.value()) > 0 {
		x.findValue(rxCrawlDelayNotANumber, l, "Two directives are on one line, so this is not a number. Write a line for each.")
		return
	}
	f := x.findValue(rxCrawlDelayNotANumber, l, "%s is not a number. Write the number of seconds only.", quote(l.value()))
	number := bytes.TrimRight(l.value(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ. \t")
	switch unit := strings.ToLower(strings.Trim(string(l.value()[len(number):]), ". \t")); unit {
	case "", "s", "sec", "secs", "second", "seconds":
		number = bytes.Replace(number, []byte(","), []byte("."), 1)
		if isNumber(number) {
			f.Fix = x.mend("write the number only", l.replaceValue(string(number)))
		}
	}
}

var rxCrawlDelayIgnored = check{Entry: &Entry{
	Code: "RX507", Name: "crawl-delay-ignored", Severity: Info, Once: Info,
	Title: "A crawler ignores its Crawl-delay.",
	Why:   "Google's crawlers do not read Crawl-delay, and Yandex's have not since 22 February 2018. Reported if the operators of all crawlers of a group document this, and with --pedantic if one operator does.",
	Bad:   "User-agent: Googlebot\nCrawl-delay: 10\nDisallow: /search\n",
	Good:  "User-agent: Googlebot\nDisallow: /search\n",
}}

func (x *extensions) inspectDelays() {
	first := 0 // the number of the first user-agent line
	for e := range x.robots.Extensions() {
		l := x.line(e.Line)
		if e.Name != "Crawl-delay" || l.missingColon {
			continue
		}
		for a := range e.Agents() { // mostly the same as for the line before: only the first is looked at
			if a.Line != first {
				first = a.Line
				x.inspectIgnored(l, slices.Collect(e.Agents()))
				x.inspectClosedGroup(l)
			}
			break
		}
	}
}

func (x *extensions) inspectIgnored(l *line, agents []robotstxt.Agent) {
	if !x.wants(rxCrawlDelayIgnored) {
		return
	}
	var ignore []string
	heeds := func(a robotstxt.Agent) bool { return namesAll(x.line(a.Line)) || !ignoresDelay(a.Token) }
	for _, a := range agents {
		if c, _ := findCrawler(a.Token); !heeds(a) && !slices.Contains(ignore, c.Token) {
			ignore = append(ignore, c.Token)
		}
	}
	zero := len(l.value()) > 0 && bytes.Trim(l.value(), "0.") == nil // it asks for nothing
	if ignore != nil && !zero {
		message := choose(len(ignore) > 1, "These crawlers ignore Crawl-delay: "+listed(ignore)+".", ignore[0]+" ignores Crawl-delay.")
		f := x.findLine(rxCrawlDelayIgnored.rareIf(slices.ContainsFunc(agents, heeds)), l, "%s", message)
		f.For = ignore
	}
}

var rxCrawlDelayOfClosed = check{Entry: &Entry{
	Code: "RX522", Name: "crawl-delay-of-closed", Severity: Info, Pedantic: true,
	Title:   "A Crawl-delay is in a group that closes the site.",
	Why:     "The crawlers of the group fetch nothing, so they never wait between two pages. Often the group was closed later, or the Disallow was meant for a part of the site. The line does no harm. Reported once for a file. Not reported if an Allow opens a part of the site.",
	Bad:     "User-agent: FooBot\nCrawl-delay: 10\nDisallow: /\n",
	Good:    "User-agent: FooBot\nCrawl-delay: 10\nDisallow: /search\n",
	Example: Config{Pedantic: true},
}}

func (x *extensions) inspectClosedGroup(l *line) {
	if l.group < 0 || x.delayOfClosed || x.shared()[l.group] || !x.wants(rxCrawlDelayOfClosed) {
		return
	}
	g := &x.groups[l.group]
	if g.closed && g.opens == 0 {
		x.delayOfClosed = true
		x.findLine(rxCrawlDelayOfClosed, l, "This Crawl-delay has no effect, because the group closes the whole site to its crawlers.")
	}
}

func ignoresDelay(token string) bool {
	c, ok := findCrawler(token)
	return ok && c.Extension("Crawl-delay") == crawlers.No
}

func isNumber(text []byte) bool {
	whole, decimals, _ := bytes.Cut(text, []byte("."))
	return len(whole)+len(decimals) > 0 && allDigits(whole) && allDigits(decimals)
}

// pagesADay returns how many pages a crawler with such a delay reads in a day, in words.
func pagesADay(seconds float64) string {
	const day = 24 * 60 * 60
	pages := int(day / seconds)
	return choose(pages >= 1, "at most "+number(pages, "page"), "fewer than one page")
}

var rxRateForm = check{Entry: &Entry{
	Code: "RX509", Name: "rate-form", Severity: Warning,
	Title: "A Request-rate or Visit-time has the wrong form.",
	Why:   "Request-rate is a number of pages, a slash, and a time in seconds, minutes or hours, such as 1/10s, then optionally a time of day in UTC: 1/10s 1800-1900. SeznamBot documents it. Visit-time, a 1996 proposal, is two times of day, such as 0600-0845; no large crawler documents it, so a mistake is info.",
	Bad:   "User-agent: SeznamBot\nRequest-rate: 10\nDisallow: /search\n",
	Good:  "User-agent: SeznamBot\nRequest-rate: 1/10s\nDisallow: /search\n",
}}

// inspectRequestRate compares a value with the form pages/time[s|m|h] [hhmm-hhmm].
func (x *extensions) inspectRequestRate(l *line) {
	rate, hours := cutBlank(l.value())
	pages, period, ok := bytes.Cut(rate, []byte("/"))
	if n := len(period); n > 0 && bytes.IndexByte([]byte("smhSMH"), period[n-1]) >= 0 {
		period = period[:n-1]
	}
	at := l.valueAt()
	switch {
	case len(l.value()) == 0:
		x.findKey(rxRateForm, l, "This Request-rate has no value. Write pages and time, such as 1/10s.")
	case !ok || !isCount(pages) || !isCount(period):
		x.find(rxRateForm, l, at, at+len(rate), "%s is not a rate. Write pages, a slash and a time in s, m or h, such as 1/10s.", quote(rate))
	case len(hours) > 0 && !isTimeOfDay(hours):
		at += len(l.value()) - len(hours)
		x.find(rxRateForm, l, at, at+len(hours), "%s is not a time of day. Write it in UTC, such as 1800-1900.", quote(hours))
	}
}

// inspectVisitTime compares a value with the form hhmm-hhmm.
func (x *extensions) inspectVisitTime(l *line) {
	switch {
	case len(l.value()) == 0:
		x.findKey(rxRateForm.at(Info), l, "This Visit-time has no value. No large crawler documents it.")
	case !isTimeOfDay(l.value()):
		f := x.findValue(rxRateForm.at(Info), l, "%s is not a time of day in UTC, such as 0600-0845. No large crawler documents Visit-time.", quote(l.value()))
		if bare := bytes.Join(bytes.Fields(l.value()), nil); isTimeOfDay(bare) { // 0600 - 0845 is common
			f.Fix = x.mend("write it without spaces", l.replaceValue(string(bare)))
		}
	}
}

// cutBlank cuts a value at its first run of white space. If there is none, nothing comes after it.
func cutBlank(value []byte) (before, after []byte) {
	i := bytes.IndexAny(value, " \t")
	if i < 0 {
		return value, nil
	}
	return value[:i], bytes.TrimLeft(value[i:], " \t")
}

func isCount(text []byte) bool { return allDigits(text) && len(bytes.Trim(text, "0")) > 0 }

func isTimeOfDay(text []byte) bool {
	from, to, _ := strings.Cut(string(text), "-")
	return isClock(from) && isClock(to)
}

// isClock reports whether text is hhmm. 2400 is the end of a day.
func isClock(text string) bool {
	_, err := time.Parse("1504", text)
	return err == nil || text == "2400"
}

// cleanParamLimit is how many characters of a Clean-param Yandex reads.
const cleanParamLimit = 500

var rxCleanParamForm = check{Entry: &Entry{
	Code: "RX508", Name: "clean-param-form", Severity: Warning,
	Once:    Warning, // generators repeat one mistake
	Title:   "A Clean-param line has the wrong form.",
	Why:     "Only Yandex reads Clean-param: parameter names joined by &, then optionally a space and the beginning of a path, with the characters A-Za-z0-9.-/*_ and at most 500 characters. Text after a space is a path, even if it was meant as another parameter. Not reported for a line without a path, which is about the whole site.",
	Bad:     "User-agent: Yandex\nDisallow: /search\nClean-param: sid sort\n",
	Good:    "User-agent: Yandex\nDisallow: /search\nClean-param: sid&sort /shop/\n",
	Example: Config{Profile: Yandex},
}}

// inspectCleanParam compares a value with the form p1[&p2…] [path], and reports the first mistake, because a
// fix of it changes the rest. It concerns Yandex in every profile.
func (x *extensions) inspectCleanParam(l *line) {
	parameters, path := cutBlank(l.value())
	at := l.valueAt() + len(l.value()) - len(path)
	wrong, width := wrongParameter(parameters)
	wrong += l.valueAt()
	var f *Finding
	switch c := rxCleanParamForm; {
	case len(l.value()) == 0:
		f = x.findKey(c, l, "This Clean-param has no parameter.")
	case len(l.value()) > cleanParamLimit:
		f = x.findValue(c, l, "Yandex reads %d characters of a Clean-param; this one has %d. Write several lines.", cleanParamLimit, len(l.value()))
	case width > 0 && x.body[wrong] == '&':
		f = x.find(c, l, wrong, wrong+width, "The name of a parameter is missing next to this &.")
	case width > 0:
		f = x.find(c, l, wrong, wrong+width, "%s is not the name of a parameter. Write only names, joined by &.", quote(x.body[wrong:wrong+width]))
	case len(path) == 0:
		return
	case path[0] != '/' && path[0] != '*':
		f = x.find(c, l, at, at+len(path), "Yandex reads %s as a path, because it follows a space. A path begins with /; parameters are joined by &.", quote(path))
		f.Fix = x.joinParameters(l, parameters, path)
	case bytes.ContainsAny(path, " \t"):
		f = x.find(c, l, at, at+len(path), "%s is more than one path. Write a line for each.", quote(path))
	case !isCleanParamPath(path):
		f = x.find(c, l, at, at+len(path), "Yandex accepts only A-Za-z0-9.-/*_ in this path, not %s.", quote(path))
	default:
		return
	}
	f.For = []string{"Yandex"}
}

// wrongParameter returns place and length of the first name that cannot be one. For an empty
// name it is the & next to it.
func wrongParameter(parameters []byte) (at, width int) {
	for name := range bytes.SplitSeq(parameters, []byte("&")) {
		switch {
		case len(name) == 0:
			return min(at, len(parameters)-1), 1
		case bytes.ContainsAny(name, "=?,;/"):
			return at, len(name)
		}
		at += len(name) + 1
	}
	return 0, 0
}

func (x *extensions) joinParameters(l *line, parameters, path []byte) *Fix {
	joined := bytes.Clone(parameters)
	for len(path) > 0 && path[0] != '/' && path[0] != '*' {
		var name []byte
		name, path = cutBlank(path)
		if bytes.IndexByte(name, '.') >= 0 {
			return nil // the name of a host
		}
		name = bytes.Trim(name, "&")
		if len(name) > 0 {
			joined = append(append(joined, '&'), name...)
		}
	}
	if len(path) > 0 {
		joined = append(append(joined, ' '), path...)
	}
	return x.mend("join the parameters by &", l.replaceValue(string(joined)))
}

// isCleanParamPath reports whether Yandex accepts the path. Other characters cannot be
// written, not even percent-encoded.
func isCleanParamPath(path []byte) bool {
	return consistsOf(path, func(c byte) bool { return isWord(c) || strings.IndexByte(".-/*_", c) >= 0 })
}
