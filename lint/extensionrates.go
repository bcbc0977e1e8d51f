package lint

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/crawlers"
)

// longDelay is how many seconds between two pages are a lot.
const longDelay = 60

var rxCrawlDelayExtreme = &check{Entry{
	Code: "RX506", Name: "crawl-delay-extreme", Severity: Warning,
	Title:   "The delay is over a minute, zero or negative.",
	Why:     "A crawler that waits for more than a minute between two pages reads fewer than 1,440 a day. No delay is what crawlers do without the line: zero is information.",
	Bad:     "User-agent: *\nCrawl-delay: 600\nDisallow: /search\n",
	Good:    "User-agent: *\nCrawl-delay: 6\nDisallow: /search\n",
	Example: Config{Profile: Bing},
}}

// inspectCrawlDelay looks at what a delay says and whom it says it to. A sign is
// cut off first: a negative number is a number, if no delay.
func (x *extensions) inspectCrawlDelay(l *line) {
	x.inspectObedience(l)
	if !isNumber(bytes.TrimPrefix(l.value(), []byte("-"))) {
		x.wrongDelay(l)
		return
	}
	seconds, err := strconv.ParseFloat(string(l.value()), 64)
	switch {
	case err != nil || seconds > longDelay:
		x.findValue(rxCrawlDelayExtreme, l, "with %s seconds between two pages a crawler reads %s a day", str(shortened(l.value())), str(pagesADay(seconds)))
	case seconds < 0:
		x.findValue(rxCrawlDelayExtreme, l, "%s is negative, and no delay can be", quote(l.value()))
	case seconds == 0:
		f := x.findValue(rxCrawlDelayExtreme, l, "a delay of zero is what crawlers do without this line")
		x.soften(f, Info)
	}
}

var rxCrawlDelayNotANumber = &check{Entry{
	Code: "RX505", Name: "crawl-delay-not-a-number", Severity: Warning,
	Title:   "The value of a Crawl-delay line is not a number.",
	Why:     "Crawl-delay is a number of seconds, with a point before decimals. No standard has it; what a crawler makes of anything else, it alone knows.",
	Bad:     "User-agent: *\nCrawl-delay: 10s\nDisallow: /search\n",
	Good:    "User-agent: *\nCrawl-delay: 10\nDisallow: /search\n",
	Example: Config{Profile: Bing},
}}

// wrongDelay finds a value that is no number, and offers the number that it
// begins with if what follows is a unit of seconds.
func (x *extensions) wrongDelay(l *line) {
	if len(l.value()) == 0 {
		x.findKey(rxCrawlDelayNotANumber, l, "the delay has no value: write a number of seconds or take the line out")
		return
	}
	f := x.findValue(rxCrawlDelayNotANumber, l, "%s is no number of seconds, so that crawlers may not find a delay in it", quote(l.value()))
	number := bytes.TrimRight(l.value(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ. \t")
	switch unit := strings.ToLower(strings.Trim(string(l.value()[len(number):]), ". \t")); unit {
	case "", "s", "sec", "secs", "second", "seconds":
		number = bytes.Replace(number, []byte(","), []byte("."), 1)
		if isNumber(number) {
			f.Fix = &Fix{Title: "write the number alone", Edits: l.replaceValue(string(number)), Meaning: true}
		}
	}
}

var rxCrawlDelayIgnored = &check{Entry{
	Code: "RX507", Name: "crawl-delay-ignored", Severity: Info,
	Title: "A Crawl-delay for a crawler that does not obey any.",
	Why:   "Google's crawlers pass over it, and Yandex's have since 22 February 2018. It is said of crawlers whose operator says so, never of groups for all.",
	Bad:   "User-agent: Googlebot\nCrawl-delay: 10\nDisallow: /search\n",
	Good:  "User-agent: Googlebot\nDisallow: /search\n",
}}

// inspectObedience asks which crawlers of the group do not obey the line. It is
// asked once for each group.
func (x *extensions) inspectObedience(l *line) {
	if l.group < 0 || l.group == x.delayed || !x.wants(rxCrawlDelayIgnored) {
		return
	}
	x.delayed = l.group
	var ignore []string
	for _, a := range x.groups[l.group].agents {
		if namesAll(x.line(a.Line)) {
			continue
		}
		if c, ok := crawlers.Find(a.Token); ok && c.Extension("Crawl-delay") == crawlers.No {
			ignore = append(ignore, c.Token)
		}
	}
	if ignore == nil {
		return
	}
	f := x.findLine(rxCrawlDelayIgnored, l, "Crawl-delay means nothing to %s", str(listed(ignore)))
	f.For = ignore
}

// isNumber reports whether text is digits, with decimals behind a point or not.
func isNumber(text []byte) bool {
	whole, decimals, _ := bytes.Cut(text, []byte("."))
	return len(whole)+len(decimals) > 0 && allDigits(whole) && allDigits(decimals)
}

// pagesADay says how many pages a crawler reads in a day that waits so long after
// each, which tells more than the number of seconds.
func pagesADay(seconds float64) string {
	const day = 24 * 60 * 60
	if pages := day / seconds; pages >= 1 {
		return "at most " + strconv.Itoa(int(pages))
	}
	return "fewer than one"
}

var rxRequestRateForm = &check{Entry{
	Code: "RX509", Name: "request-rate-form", Severity: Warning,
	Title: "The value of a Request-rate line has not the form 1/10s.",
	Why:   "Request-rate is a number of pages, a slash, and a time in seconds, minutes or hours: 1/10s or 100/15m, and, if wanted, the time of day in UTC in which it holds: 1/10s 1800-1900. SeznamBot documents it, and no other large crawler does.",
	Bad:   "User-agent: SeznamBot\nRequest-rate: 10\nDisallow: /search\n",
	Good:  "User-agent: SeznamBot\nRequest-rate: 1/10s\nDisallow: /search\n",
}}

// inspectRequestRate holds a value to pages/time[s|m|h] [hhmm-hhmm].
func (x *extensions) inspectRequestRate(l *line) {
	rate, hours, timed := cutBlank(l.value())
	pages, time, ok := bytes.Cut(rate, []byte("/"))
	if n := len(time); n > 0 && bytes.IndexByte([]byte("smhSMH"), time[n-1]) >= 0 {
		time = time[:n-1]
	}
	at := l.valueAt()
	switch {
	case len(l.value()) == 0:
		x.findKey(rxRequestRateForm, l, "the rate has no value: write pages and time, 1/10s for instance")
	case !ok || !isCount(pages) || !isCount(time):
		x.find(rxRequestRateForm, l, at, at+len(rate), "%s is no rate: write pages, a slash and a time in s, m or h, 1/10s for instance", quote(rate))
	case timed && !isTimeOfDay(hours):
		at += len(l.value()) - len(hours)
		x.find(rxRequestRateForm, l, at, at+len(hours), "%s is no time of day: write hhmm-hhmm in UTC, 1800-1900 for instance", quote(hours))
	}
}

var rxVisitTimeForm = &check{Entry{
	Code: "RX510", Name: "visit-time-form", Severity: Warning,
	Title: "The value of a Visit-time line has not the form 0600-0845.",
	Why:   "Visit-time comes from a proposal of 1996: two times of day in UTC, four digits each, joined by a hyphen. No large crawler documents that it reads it.",
	Bad:   "User-agent: *\nVisit-time: 6:00-8:45\nDisallow: /search\n",
	Good:  "User-agent: *\nVisit-time: 0600-0845\nDisallow: /search\n",
}}

// inspectVisitTime holds a value to hhmm-hhmm.
func (x *extensions) inspectVisitTime(l *line) {
	switch {
	case len(l.value()) == 0:
		x.findKey(rxVisitTimeForm, l, "the time has no value: write hhmm-hhmm in UTC, 0600-0845 for instance")
	case !isTimeOfDay(l.value()):
		f := x.findValue(rxVisitTimeForm, l, "%s is no time of day: write hhmm-hhmm in UTC, 0600-0845 for instance", quote(l.value()))
		if bare := bytes.Map(dropBlank, l.value()); isTimeOfDay(bare) {
			f.Fix = &Fix{Title: "write it without blanks", Edits: l.replaceValue(string(bare)), Meaning: true}
		}
	}
}

// dropBlank is for bytes.Map: times such as 0600 - 0845 are common.
func dropBlank(r rune) rune {
	if r == ' ' || r == '\t' {
		return -1
	}
	return r
}

// cutBlank cuts a value at its first run of blanks.
func cutBlank(value []byte) (before, after []byte, found bool) {
	i := bytes.IndexAny(value, " \t")
	if i < 0 {
		return value, nil, false
	}
	return value[:i], bytes.TrimLeft(value[i:], " \t"), true
}

// isCount reports whether text is a number above zero.
func isCount(text []byte) bool {
	return len(text) > 0 && allDigits(text) && len(bytes.Trim(text, "0")) > 0
}

// isTimeOfDay reports whether text is hhmm-hhmm.
func isTimeOfDay(text []byte) bool {
	return len(text) == len("0000-0000") && text[4] == '-' && isClock(text[:4]) && isClock(text[5:])
}

// isClock reports whether text is hhmm. 2400 is the end of a day.
func isClock(text []byte) bool {
	if !allDigits(text) {
		return false
	}
	minutes := int(text[2]-'0')*10 + int(text[3]-'0')
	hours := int(text[0]-'0')*10 + int(text[1]-'0')
	return minutes < 60 && (hours < 24 || hours == 24 && minutes == 0)
}

// cleanParamLimit is how many characters of a Clean-param Yandex reads.
const cleanParamLimit = 500

// inspectCleanParam holds a value to p1[&p2…] [path]. It concerns one operator,
// whatever the profile.
func (x *extensions) inspectCleanParam(l *line) {
	parameters, path, pathed := cutBlank(l.value())
	if f := x.wrongCleanParam(l, parameters, path, pathed); f != nil {
		f.For = []string{"Yandex"}
	}
}

var rxCleanParamForm = &check{Entry{
	Code: "RX508", Name: "clean-param-form", Severity: Warning,
	Title:   "The value of a Clean-param line is not parameters joined by & and a path.",
	Why:     "Yandex alone reads Clean-param: parameter names joined by &, then, if wanted, a blank and a path prefix of the letters A-Za-z0-9.-/*_, 500 characters at most. What follows a blank is a path, even if it was meant as another parameter.",
	Bad:     "User-agent: Yandex\nDisallow: /search\nClean-param: sid sort\n",
	Good:    "User-agent: Yandex\nDisallow: /search\nClean-param: sid&sort /shop/\n",
	Example: Config{Profile: Yandex},
}}

// wrongCleanParam finds the first thing that is wrong, nil if nothing is. Of what
// follows nothing is said: it would be read otherwise once the first is mended.
func (x *extensions) wrongCleanParam(l *line, parameters, path []byte, pathed bool) *Finding {
	c := rxCleanParamForm
	at := l.valueAt() + len(l.value()) - len(path)
	wrong, width := wrongParameter(parameters)
	wrong += l.valueAt()
	switch {
	case len(l.value()) == 0:
		return x.findKey(c, l, "the line names no parameter")
	case len(l.value()) > cleanParamLimit:
		return x.findValue(c, l, "Yandex reads %d characters of a Clean-param, and this one has %d: write several lines", num(cleanParamLimit), num(len(l.value())))
	case width > 0 && x.body[wrong] == '&':
		return x.find(c, l, wrong, wrong+width, "a name is missing beside this &")
	case width > 0:
		return x.find(c, l, wrong, wrong+width, "%s is no parameter name: write the names alone, joined by &", quote(x.body[wrong:wrong+width]))
	case !pathed:
		return nil
	case path[0] != '/' && path[0] != '*':
		f := x.find(c, l, at, at+len(path), "Yandex reads %s as a path, because a blank stands in front of it: join parameters by &", quote(path))
		f.Fix = joinParameters(l, parameters, path)
		return f
	case bytes.ContainsAny(path, " \t"):
		return x.find(c, l, at, at+len(path), "%s is more than one path: write a line for each", quote(path))
	case !isCleanParamPath(path):
		return x.find(c, l, at, at+len(path), "the path %s has characters other than A-Za-z0-9.-/*_, which Yandex does not take in a Clean-param", quote(path))
	}
	return nil
}

// wrongParameter returns where the first name stands that cannot be one, and how
// long it is; of an empty name it is the & beside it.
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

// joinParameters is the fix for parameters parted by blanks, with the path that
// may follow them.
func joinParameters(l *line, parameters, path []byte) *Fix {
	joined := bytes.Clone(parameters)
	for len(path) > 0 && path[0] != '/' && path[0] != '*' {
		var name []byte
		name, path, _ = cutBlank(path)
		if name = bytes.Trim(name, "&"); len(name) > 0 {
			joined = append(append(joined, '&'), name...)
		}
	}
	if len(path) > 0 {
		joined = append(append(joined, ' '), path...)
	}
	return &Fix{Title: "join the parameters by &", Edits: l.replaceValue(string(joined)), Meaning: true}
}

// isCleanParamPath reports whether Yandex takes the path: with other letters, or
// coded ones, there is no way to write it.
func isCleanParamPath(path []byte) bool {
	for _, c := range path {
		if !isWord(c) && bytes.IndexByte([]byte(".-/*_"), c) < 0 {
			return false
		}
	}
	return true
}
