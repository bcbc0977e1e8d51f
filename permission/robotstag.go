package permission

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

const (
	keyTag     = "X-Robots-Tag"
	versionTag = "Google's robots meta tag page, 2026-03-24"

	google    = "Google"
	microsoft = "Microsoft"
	amazon    = "Amazon"
	apple     = "Apple"
)

type tagRule struct {
	agent string // empty: for all
	name  string // in lower case
	value string // after the colon, if the rule has one
	text  string // as written
}

// valued are the rules with a value, for which a colon does not follow an agent.
var valued = []string{"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}

// readTag reads the rules of one line. The name of a crawler before a colon is the agent of the
// rules after it, even in the middle of the line. A name has no spaces, so the rest of an
// unreadable date is not an agent. A date can contain commas.
func readTag(line string) (rules []tagRule) {
	agent := ""
	for line != "" {
		item, rest, _ := strings.Cut(line, ",")
		line = rest
		name, value, colon := strings.Cut(item, ":")
		name = ascii.ToLower(strings.TrimSpace(name))
		for colon && !slices.Contains(valued, name) && !strings.ContainsAny(name, " \t") {
			agent, item = name, value
			name, value, colon = strings.Cut(item, ":")
			name = ascii.ToLower(strings.TrimSpace(name))
		}
		if name == "unavailable_after" {
			if next, after, _ := strings.Cut(rest, ","); parseDate(value).IsZero() && !parseDate(value+","+next).IsZero() {
				item, value, line = item+","+next, value+","+next, after
			}
		}
		if name != "" {
			rules = append(rules, tagRule{agent, name, strings.TrimSpace(value), strings.TrimSpace(item)})
		}
	}
	return rules
}

// dateForms are the forms of a date in RFC 822, RFC 850 and ISO 8601.
var dateForms = []string{
	time.RFC1123, time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST", "2 Jan 06 15:04:05 MST", time.RFC822, time.RFC822Z,
	"Mon, 2 Jan 06 15:04:05 MST", "Mon, 2 Jan 2006 15:04 MST", "Mon, 2 Jan 06 15:04 MST", "2 Jan 2006 15:04 MST",
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 06 15:04:05 -0700", "2 Jan 2006 15:04:05 -0700", "2 Jan 06 15:04:05 -0700",
	time.RFC850, "02-Jan-2006 15:04:05 MST", "2-Jan-2006 15:04:05 MST",
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02",
	"20060102T150405Z07:00", "20060102T150405Z0700", "20060102T1504Z0700", "20060102T150405", "20060102T1504", "20060102", // ISO 8601 basic
	"2006-002", "2006002", "2006-002T15:04:05Z07:00", "2006002T150405Z0700", // ordinal dates
}

// weekDate is a date of ISO 8601 with a week, such as 2010-W25-5 or 2010W255T150000Z.
var weekDate = regexp.MustCompile(`^(\d{4})-?W(\d{2})(?:-?([1-7]))?(T.*)?$`)

// fromWeek returns a week date as a date with a month, and other texts as they are.
func fromWeek(text string) string {
	m := weekDate.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	year, _ := strconv.Atoi(m[1])
	week, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(cmp.Or(m[3], "1"))
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // it is in week 1
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
	date := monday.AddDate(0, 0, 7*(week-1)+day-1)
	if y, w := date.ISOWeek(); y != year || w != week {
		return text // there is no such week
	}
	form := time.DateOnly
	if !strings.Contains(text, "-W") {
		form = "20060102"
	}
	return date.Format(form) + m[4]
}

// zones are the names of zones in RFC 822, in hours from UTC. Other names are read as UTC.
var zones = map[string]time.Duration{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// parseDate returns the date of a text, the zero Time if the text is not a
// date.
func parseDate(text string) time.Time {
	text = strings.TrimSpace(text)
	if len(text) > 64 {
		return time.Time{}
	}
	text = fromWeek(text)
	for _, form := range dateForms {
		t, err := time.ParseInLocation(form, text, time.UTC) // not in the zone of the machine
		if err != nil {
			continue
		}
		if name, offset := t.Zone(); offset == 0 {
			t = t.Add(-zones[name] * time.Hour)
		}
		return t
	}
	return time.Time{}
}

// tagEffect is the effect of a rule on purposes, for the crawlers of an operator or
// for all.
type tagEffect struct {
	operator   string // empty: all
	metaOnly   bool   // the operator documents it for meta elements only
	purposes   []crawlers.Purpose
	says       Says
	version    string // empty: versionTag
	reading    string // the operator that documents it; for others it is our reading. Empty: all operators do
	informal   bool   // no organisation defines the rule (DeviantArt, 2022); Question.Formal ignores it
	honouredBy []string
}

const (
	versionBing   = "Bing's blog, 2023-09"
	versionAmazon = "Amazonbot, 2026-09-04"
	versionApple  = "About Applebot, 2026-06-08"
	versionAI     = "Google's AI features page, 2026-08-21"
)

// tagEffects are the effects of rules without a value. noarchive has three meanings: Google
// ignores it, and Microsoft and Amazon read it differently.
var tagEffects = map[string][]tagEffect{
	"noindex": {
		{purposes: []crawlers.Purpose{search}, says: SaysNo, honouredBy: []string{google, microsoft}},
		// The answers come from the index.
		{purposes: []crawlers.Purpose{aiSearch}, says: SaysNo, version: versionAI, reading: google, honouredBy: []string{google}},
	},
	"nosnippet": {
		{purposes: []crawlers.Purpose{search}, says: SaysLimit, honouredBy: []string{google, microsoft}},
		{operator: google, purposes: []crawlers.Purpose{aiSearch}, says: SaysNo, honouredBy: []string{google}},
		{operator: apple, purposes: []crawlers.Purpose{aiSearch}, says: SaysNo, version: versionApple, honouredBy: []string{apple}},
	},
	"snippet": { // max-snippet with a number
		{purposes: []crawlers.Purpose{search}, says: SaysLimit, honouredBy: []string{google, microsoft}},
		{operator: google, purposes: []crawlers.Purpose{aiSearch}, says: SaysLimit, honouredBy: []string{google}},
	},
	"preview": {{purposes: []crawlers.Purpose{search}, says: SaysLimit, honouredBy: []string{google}}},
	"noarchive": {
		{operator: microsoft, purposes: []crawlers.Purpose{aiTraining, aiSearch}, says: SaysNo, version: versionBing, honouredBy: []string{microsoft}},
		{operator: amazon, metaOnly: true, purposes: []crawlers.Purpose{aiTraining}, says: SaysNo, version: versionAmazon, honouredBy: []string{amazon}},
	},
	"nocache": {{operator: microsoft, purposes: []crawlers.Purpose{aiTraining, aiSearch}, says: SaysLimit, version: versionBing, honouredBy: []string{microsoft}}},

	"noai": {{purposes: []crawlers.Purpose{aiTraining}, says: SaysNo, informal: true, honouredBy: []string{"img2dataset"}}},
	// It is about the images of the page.
	"noimageai": {{purposes: []crawlers.Purpose{aiTraining}, says: SaysLimit, informal: true, honouredBy: []string{"img2dataset"}}},
}

// TagAgainst returns a rule of X-Robots-Tag that refuses a purpose to an operator's crawlers, with the
// text that defines it, such as "noarchive: Bing's blog, 2023-09". It is empty if no rule does.
func TagAgainst(operator string, purpose crawlers.Purpose) string {
	for _, name := range slices.Sorted(maps.Keys(tagEffects)) {
		for _, effect := range tagEffects[name] {
			if effect.operator == operator && operator != "" && effect.says == SaysNo &&
				slices.Contains(effect.purposes, purpose) {
				return name + ": " + cmp.Or(effect.version, versionTag)
			}
		}
	}
	return ""
}

type tagged struct {
	tagRule
	source  string
	place   Place
	reading bool
}

func (e *evaluation) readTags() {
	var rules []tagged
	for i, line := range e.header(keyTag) {
		read := readTag(line)
		rules = slices.Grow(rules, len(read))
		for _, r := range read {
			if e.isAddressed(r.agent) {
				rules = append(rules, tagged{tagRule: r, source: sourceTag, place: Place{Header: keyTag, Index: i}})
			}
		}
	}
	rules = append(rules, e.metaRules()...)
	if len(rules) == 0 {
		return
	}
	has := map[string]bool{}
	for _, r := range rules {
		has[r.name] = true
		has["nosnippet"] = has["nosnippet"] || r.name == "max-snippet" && r.value == "0"
	}
	for _, r := range rules {
		e.readTagRule(r, has)
	}
}

// isAddressed reports whether a rule for an agent, in lower case, is for the crawler. Google
// reads only the names googlebot and googlebot-news.
func (e *evaluation) isAddressed(agent string) bool {
	if agent == "" || agent == "*" {
		return true
	}
	if e.q.Crawler.Operator == google && agent != "googlebot" && agent != "googlebot-news" {
		return false
	}
	return slices.ContainsFunc(e.q.Crawler.Reading.Tokens,
		func(token string) bool { return token != "*" && ascii.EqualFold(token, agent) })
}

func (e *evaluation) metaRules() (rules []tagged) {
	if e.s.Page == nil {
		return nil
	}
	for _, m := range e.s.Page.Metas {
		agent := ascii.ToLower(strings.TrimSpace(m.Name))
		if agent == "robots" {
			agent = ""
		}
		if !e.isAddressed(agent) {
			continue
		}
		for _, r := range readTag(m.Content) {
			if r.agent == "" {
				r.agent = agent
				rules = append(rules, tagged{r, sourceMeta, Place{URL: e.q.URL, Offset: m.Offset, Line: m.Line},
					m.OutsideHead && e.q.Crawler.Operator != google})
			}
		}
	}
	return rules
}

// tagEffect returns the name in tagEffects of a rule's effect, "" if it has none. has are the
// names of all rules that apply to the crawler, in a flat list.
func (e *evaluation) tagEffect(r *tagged, has map[string]bool) (name string, overridden bool) {
	switch r.name {
	case "none":
		return "noindex", false
	case "unavailable_after":
		e.readUnavailable(*r)
		return "", false
	case "max-snippet":
		switch n, err := strconv.Atoi(r.value); {
		case err != nil || n < -1:
			e.report(Finding{r.source, r.place, r.text, "the value is not a number, so the rule is ignored"}, search, aiSearch)
			return "", false
		case n == -1:
			return "", false
		case n == 0:
			return "nosnippet", false
		}
		return "snippet", has["nosnippet"]
	case "max-image-preview", "max-video-preview":
		if r.value == "-1" || r.value == "large" {
			return "", false
		}
		return "preview", false
	case "noimageindex", "notranslate":
		return "preview", false
	case "indexifembedded":
		if !has["noindex"] && !has["none"] {
			return "", false
		}
		return "preview", false
	}
	return r.name, r.name == "noarchive" && has["nocache"]
}

func (e *evaluation) readTagRule(r tagged, has map[string]bool) {
	name, overridden := e.tagEffect(&r, has)
	if name == "" {
		return
	}
	e.reportUnseparated(&r)
	for _, effect := range tagEffects[name] {
		isOthers := effect.operator != "" && effect.operator != e.q.Crawler.Operator
		if isOthers || effect.metaOnly && r.source != sourceMeta || effect.informal && e.q.Formal {
			continue
		}
		reason := Reason{
			Source: r.source, Version: cmp.Or(effect.version, versionTag), Place: r.place,
			Text: r.text, Says: effect.says, Agent: r.agent,
			Strength: Vendor, HonouredBy: effect.honouredBy, Overridden: overridden,
			Reading: r.reading || effect.informal || effect.reading != "" && effect.reading != e.q.Crawler.Operator,
		}
		if effect.informal {
			reason.Strength = Informal
			reason.Version = ""
		}
		for _, p := range effect.purposes {
			e.say(p, reason)
		}
	}
}

// reportUnseparated reports rules without a comma between them: together they are the name of no
// rule.
func (e *evaluation) reportUnseparated(r *tagged) {
	words := strings.FieldsFunc(r.name, func(c rune) bool { return strings.ContainsRune(" \t;|", c) })
	isRule := func(word string) bool {
		_, known := tagEffects[word]
		return known || word == "none"
	}
	if len(words) > 1 && slices.ContainsFunc(words, isRule) {
		e.report(Finding{r.source, r.place, r.text, "no rule has this name, so it has no effect; write commas between rules, and a colon after the name of a crawler"})
	}
}

// readUnavailable reads the date after which a page may not be in a search index. AI answers come from that
// index.
func (e *evaluation) readUnavailable(r tagged) {
	date := parseDate(r.value)
	if date.IsZero() {
		e.report(Finding{r.source, r.place, r.text, "the date cannot be read, so the rule is ignored"}, search, aiSearch)
		return
	}
	reason := Reason{
		Source: r.source, Version: versionTag, Place: r.place, Text: r.text, Says: SaysLimit, Agent: r.agent,
		Strength: Vendor, HonouredBy: []string{google}, Reading: r.reading,
	}
	if !e.q.Time.IsZero() && !e.q.Time.Before(date) {
		reason.Says = SaysNo
	}
	e.undated = e.undated || e.q.Time.IsZero()
	e.say(search, reason)
	reason.Reading = reason.Reading || e.q.Crawler.Operator != google // the answers come from the index
	e.say(aiSearch, reason)
}
