package lint

import (
	"bytes"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/typo"
	"github.com/kosterhq/robotstxt/origin"
)

var extensionFamily = family{inspect: inspectExtensions, checks: []*check{rxRetiredDirective, rxSitemapNotAbsolute, rxSitemapTwice, rxSitemapDisallowed, rxCrawlDelayNotANumber, rxCrawlDelayExtreme, rxCrawlDelayIgnored, rxCleanParamForm, rxRequestRateForm, rxVisitTimeForm, rxContentSignalForm, rxContentUsageForm, rxPreferenceLabel, rxPreferenceContradicted, rxLicenseNotAbsolute, rxUnknownDirective, rxUnreadMisspelling, rxExtensionOutsideGroup}}

// inspectExtensions looks at the lines beyond the protocol.
func inspectExtensions(d *document) {
	x := extensions{document: d, delayed: -1, budget: d.config.Work}
	if d.config.URL != "" {
		x.origin = originOf(d.config.URL)
		for i := range d.groups {
			x.cost += 3 * (len(d.groups[i].rules) + len(d.groups[i].agents)) // two crawlers, and an explanation
		}
	}
	for i := range d.lines {
		switch l := &d.lines[i]; {
		case l.told:
		case l.kind == robotstxt.KindSitemap:
			x.inspectSitemap(l)
		case l.kind >= robotstxt.KindUnused && !l.missingColon:
			x.inspectNamed(l)
		}
	}
	x.inspectPreferences()
}

// extensions is a document and what is known about the extension lines seen so
// far. Its maps are made when a line needs them: most files have a sitemap and
// nothing else.
type extensions struct {
	*document
	sitemaps     map[string]int // the line on which an address stands first
	origin       origin.Origin  // of the file; zero if unknown
	budget, cost int            // how many rules may still be asked about sitemaps, and how many each takes
	unknown      map[string]bool
	delayed      int32 // the last group whose Crawl-delay was seen
	preferences  []preference
}

// inspectNamed looks at a line whose key is no field of the protocol.
func (x *extensions) inspectNamed(l *line) {
	key := strings.ToLower(string(l.key()))
	switch key {
	case "crawl-delay":
		x.inspectCrawlDelay(l)
	case "request-rate":
		x.inspectRequestRate(l)
	case "visit-time":
		x.inspectVisitTime(l)
	case "content-signal", "content-signals":
		x.inspectContentSignal(l, key)
	case "content-usage":
		x.inspectContentUsage(l)
	case "clean-param":
		x.inspectCleanParam(l)
	case "license":
		x.inspectLicense(l)
	default:
		if !x.inspectRetired(l, key) {
			x.inspectUnknown(l, key)
		}
	}
	x.inspectPlace(l, key)
}

var rxExtensionOutsideGroup = &check{Entry{
	Code: "RX518", Name: "extension-outside-group", Severity: Warning,
	Title:   "A line for the crawlers of a group is not in any group.",
	Why:     "Who reads Crawl-delay, Request-rate, Visit-time or Content-Usage takes it from the group that names him; before the first User-agent line it is for no one. Content-Signal is shown inside groups only, but some readers take it for the whole file: there it is information.",
	Bad:     "Crawl-delay: 10\n\nUser-agent: *\nDisallow: /search\n",
	Good:    "User-agent: *\nCrawl-delay: 10\nDisallow: /search\n",
	Example: Config{Profile: Bing},
}}

// inspectPlace finds lines of no group that belong into one. Clean-param and
// License are for the whole file. Of the alias of Content-Signal the parser does
// not tell the group.
func (x *extensions) inspectPlace(l *line, key string) {
	if l.group >= 0 {
		return
	}
	switch key {
	case "crawl-delay", "request-rate", "visit-time", "content-usage":
		x.findKey(rxExtensionOutsideGroup, l, "%s stands in no group, so that it is for no crawler: put it under a User-agent line", quote(l.key()))
	case "content-signal":
		f := x.findKey(rxExtensionOutsideGroup, l, "%s stands in no group, and not every reader takes it for the whole file: put it under a User-agent line (%s)", quote(l.key()), str(draftSignals))
		x.soften(f, Info)
	}
}

// retired says about a key why it is dead and what to write instead.
type retired struct{ why, instead string }

var retiredKeys = map[string]retired{
	"noindex": {
		"Google stopped reading it on 1 September 2019 and no other crawler documents it",
		"send X-Robots-Tag: noindex with those pages, or write it into their robots meta tag, and do not disallow them",
	},
	"nofollow": {
		"Google stopped reading it on 1 September 2019 and no other crawler documents it",
		"send X-Robots-Tag: nofollow with those pages, or mark links with rel=nofollow",
	},
	"noarchive": {
		"Google stopped reading it on 1 September 2019 and no other crawler documents it",
		"send X-Robots-Tag: noarchive with those pages",
	},
	"host": {
		"Yandex, which alone read it, stopped in 2018",
		"redirect the other hosts to the main one",
	},
	"revisit-after": {"no search engine reads it", "let the lastmod of a sitemap say what has changed"},
	"domain":        {"no crawler reads it", "a robots.txt is for the host that it is fetched from"},
	"robot-version": {"it was proposed in 1996 and no crawler reads it", "take it out"},
	"comment":       {"it was proposed in 1996 and no crawler reads it", "write a comment behind a #"},
	"cache-delay":   {"no crawler documents it", "Cache-Control headers say how long copies are fresh"},
}

var rxRetiredDirective = &check{Entry{
	Code: "RX501", Name: "retired-directive", Severity: Warning,
	Title: "A line that no crawler reads any more, or none ever did.",
	Why:   "Noindex does the most harm: Google took it without ever documenting it, and stopped on 1 September 2019, so that pages listed there are in the index. The others, Host and Nofollow for instance, are information.",
	Bad:   "User-agent: *\nDisallow: /search\nNoindex: /drafts/\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

// inspectRetired reports whether the key is a dead one. Noindex alone is a warning:
// who relies on it has pages in the index. The others do no harm.
func (x *extensions) inspectRetired(l *line, key string) bool {
	dead, ok := retiredKeys[key]
	if strings.HasPrefix(key, "acap-") {
		dead, ok = retired{"ACAP was proposed in 2007 and no search engine has read it", "take it out"}, true
	}
	if !ok {
		return false
	}
	f := x.findKey(rxRetiredDirective, l, "%s has no effect: %s; instead, %s", quote(l.key()), str(dead.why), str(dead.instead))
	if key != "noindex" {
		x.soften(f, Info)
	}
	if edits := x.removal(l); edits != nil {
		f.Fix = &Fix{Title: "take the line out", Edits: edits}
	}
	return true
}

var rxLicenseNotAbsolute = &check{Entry{
	Code: "RX515", Name: "license-not-absolute", Severity: Warning,
	Title: "The value of a License line is not an absolute URL.",
	Why:   "RSL 1.0 asks for a complete URL, scheme and host included, of an RSL document; it may be on any host, and it is for the whole file.",
	Bad:   "License: /license.xml\n\nUser-agent: *\nDisallow: /search\n",
	Good:  "License: https://example.com/license.xml\n\nUser-agent: *\nDisallow: /search\n",
}}

// inspectLicense looks at a License line, which names an RSL document. Whether
// there is one at that address only who fetches it can tell.
func (x *extensions) inspectLicense(l *line) {
	if isAbsolute(l.value()) {
		return
	}
	if len(l.value()) == 0 {
		f := x.findKey(rxLicenseNotAbsolute, l, "the license has no address: RSL 1.0 asks for an absolute URL")
		f.For = []string{"RSL 1.0"}
		return
	}
	f := x.findValue(rxLicenseNotAbsolute, l, "%s is not an absolute URL, which RSL 1.0 asks for", quote(l.value()))
	f.For = []string{"RSL 1.0"}
	if absolute, ok := resolve(x.config.URL, string(l.value())); ok {
		f.Fix = &Fix{Title: "write the absolute URL", Edits: l.replaceValue(absolute), Meaning: true}
	}
}

// coreKeys are the keys of the protocol, and how many typos are forgiven in
// each: in short keys two typos make another word.
var coreKeys = [...]struct {
	name  string
	typos int
}{
	{"Disallow", 2},
	{"User-agent", 2},
	{"Sitemap", 2},
	{"Allow", 1},
}

// proposals are keys that someone has proposed, and what is known of it.
var proposals = map[string]string{
	"llm-policy":         "it is one of several proposals for AI crawlers, and no crawler documents that it reads it",
	"agentmap":           "it is one of several proposals for AI agents, and no crawler documents that it reads it",
	"user-agent-purpose": "draft-illyes-rep-purpose-00 proposed it and expired in April 2025",
}

var rxUnknownDirective = &check{Entry{
	Code: "RX516", Name: "unknown-directive", Severity: Info,
	Title: "A line whose key no crawler is known to read.",
	Why:   "The protocol lets anyone add lines (RFC 9309 2.2.4), and crawlers pass over what they do not know, so it does no harm. It is said once for each key.",
	Bad:   "User-agent: *\nDisallow: /search\nCrawl-speed: slow\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

// inspectUnknown looks at a line with a key that is none of those known.
func (x *extensions) inspectUnknown(l *line, key string) {
	if len(l.key()) == 0 {
		return
	}
	if meant, core := nearestCore(key); core {
		x.misspelt(l, meant)
		return
	}
	if x.unknown[key] {
		return
	}
	if x.unknown == nil {
		x.unknown = map[string]bool{}
	}
	x.unknown[key] = true
	why, proposed := proposals[key]
	switch {
	case proposed:
		x.findKey(rxUnknownDirective, l, "%s is read by no one: %s", quote(l.key()), str(why))
	case (key == "http" || key == "https") && bytes.HasPrefix(l.value(), []byte("//")):
		x.findLine(rxUnknownDirective, l, "an address alone is passed over: a sitemap is Sitemap: and its address")
	default:
		if meant := nearestExtension(key); meant != "" {
			f := x.findKey(rxUnknownDirective, l, "no crawler reads %s: %s is meant perhaps", quote(l.key()), str(meant))
			f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceKey(meant), Meaning: true}
			return
		}
		x.findKey(rxUnknownDirective, l, "no crawler is known to read %s", quote(l.key()))
	}
}

var rxUnreadMisspelling = &check{Entry{
	Code: "RX517", Name: "unread-misspelling", Severity: Warning,
	Title: "A key looks like one of the protocol's, but is not read.",
	Why:   "Google's parser forgives a fixed list of misspellings (G21) and longer keys that begin with the right one (G19). Any other slip makes a line that nobody reads: what it should disallow stays allowed. It is no error, because any other line may be there.",
	Bad:   "User-agent: *\nDisalllow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// misspelt reports a key that was meant as one of the protocol's. To have an
// unknown line is never an error, but this one is hardly meant to be one. The fix
// changes verdicts: the line begins to count.
func (x *extensions) misspelt(l *line, meant string) {
	f := x.findKey(rxUnreadMisspelling, l, "%s looks like %s but is not read as one", quote(l.key()), str(meant))
	f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceKey(meant), Meaning: true}
}

// nearestCore returns the key of the protocol that a key most likely means. What
// stands in front of a key, a bullet for instance, is no part of it.
func nearestCore(key string) (name string, ok bool) {
	key = strings.TrimLeftFunc(key, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, core := range coreKeys {
		if _, near := typo.Distance(key, core.name, core.typos); near {
			return core.name, true
		}
	}
	return "", false
}

// nearestExtension returns the key that is most likely meant by one that nobody
// reads, empty if there is none.
func nearestExtension(key string) string {
	for _, name := range [...]string{"Crawl-delay", "Request-rate", "Visit-time", "Clean-param", "Content-Signal", "Content-Usage", "License"} {
		if _, near := typo.Distance(key, name, 2); near {
			return name
		}
	}
	return ""
}
