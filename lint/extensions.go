package lint

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
	"github.com/kosterhq/robotstxt/origin"
)

func inspectExtensions(d *document) {
	if !slices.ContainsFunc(d.lines, func(l line) bool { return l.kind >= robotstxt.KindSitemap }) {
		return
	}
	x := extensions{
		document: d, budget: d.config.Steps,
		sitemaps: map[string]int{}, unknown: map[string]bool{}, retired: map[retired]int{},
	}
	x.origin = originOf(cmp.Or(d.config.URL, d.oneSitemap()))
	for i := range d.groups {
		x.cost += 3 * (len(d.groups[i].rules) + len(d.groups[i].agents)) // two crawlers, and an explanation
	}
	for i := range d.lines {
		switch l := &d.lines[i]; {
		case l.kind == robotstxt.KindSitemap:
			x.inspectSitemap(l)
		case l.kind >= robotstxt.KindUnused && !l.missingColon:
			x.inspectNamed(l)
		case l.missingColon && !isUnread(*l):
			x.inspectRetired(l, ascii.ToLower(string(withoutSeparator(l.key()))))
		}
	}
	x.inspectDelays()
	x.inspectPreferences()
	x.inspectLastUse()
}

// oneSitemap returns the first sitemap if all of them have its origin, else "". The lines are read once.
func (d *document) oneSitemap() string {
	if d.sitemap == nil {
		sitemap := findOneSitemap(d)
		d.sitemap = &sitemap
	}
	return *d.sitemap
}

func (d *document) isSitemap(address string) bool {
	for s := range d.robots.Sitemaps() {
		if s.URL == address {
			return true
		}
	}
	return false
}

func findOneSitemap(d *document) (first string) {
	host := ""
	for s := range d.robots.Sitemaps() {
		switch _, rest, _ := strings.Cut(s.URL, "://"); {
		case first == "":
			first = s.URL
			host, _, _ = strings.Cut(rest, "/")
			host = first[:len(first)-len(rest)] + host + "/"
		case strings.HasPrefix(s.URL, host): // mostly, and reading URLs takes time
		case originOf(s.URL) != originOf(first):
			return ""
		}
	}
	return first
}

type extensions struct {
	*document
	sitemaps     map[string]int  // the first line with a URL
	origin       origin.Origin   // of the file, or else of all sitemaps; zero if unknown
	budget, cost int             // how many rules can still be compared with paths, and how many each sitemap takes
	unknown      map[string]bool // the keys that are reported
	retired      map[retired]int // the first line that has no effect for a reason
	preferences  []*preference

	delayOfClosed bool // RX522 is reported
	aiKey         bool // RX516 about a key for AI is reported
}

func (x *extensions) inspectNamed(l *line) {
	switch key := strings.ToLower(string(l.key())); key {
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
	x.inspectPlace(l)
}

var rxExtensionOutsideGroup = check{Entry: &Entry{
	Code: "RX518", Name: "extension-outside-group", Severity: Warning,
	Title:   "A line that belongs in a group is not in any group.",
	Why:     "Crawl-delay, Request-rate and Visit-time apply to the crawlers in the User-agent lines before them, Content-Usage to the crawlers of its group. Before the first User-agent line they apply to no crawler. For Content-Signal it is info, because some programs apply it to the whole file. Not reported if a User-agent line of the file is lost, which another finding reports.",
	Bad:     "Crawl-delay: 10\n\nUser-agent: *\nDisallow: /search\n",
	Good:    "User-agent: *\nCrawl-delay: 10\nDisallow: /search\n",
	Example: Config{Profile: Bing},
}}

// inspectPlace reports lines in no group that belong in one. Clean-param applies to the
// whole file, and License outside of groups too. The parser does not report the group of the alias Content-Signals.
func (x *extensions) inspectPlace(l *line) {
	if l.group >= 0 || x.hasLostAgent(len(x.lines)) { // which is another finding
		return
	}
	switch ascii.ToLower(string(l.key())) {
	case "crawl-delay", "request-rate", "visit-time", "content-usage":
		x.findKey(rxExtensionOutsideGroup, l, "%s is in no group, so it applies to no crawler. Put it below a User-agent line.", quote(l.key()))
	case "content-signal":
		x.findKey(rxExtensionOutsideGroup.at(Info), l, "%s is in no group, so only some programs read it. Put it below a User-agent line (%s).", quote(l.key()), draftSignals)
	}
}

// retired is why a key has no effect, and what to write instead.
type retired struct{ why, instead string }

var retiredKeys = map[string]retired{
	"noindex": {
		"Google stopped reading it in September 2019, and no other crawler documents it",
		"Put noindex in the robots meta tag or the X-Robots-Tag header of those pages, and do not block them here",
	},
	"nofollow": {
		"Google stopped reading it in September 2019, and no other crawler documents it",
		"Send X-Robots-Tag: nofollow with those pages, or mark links with rel=nofollow",
	},
	"noarchive": {
		"Google stopped reading it in September 2019, and no other crawler documents it",
		"Send X-Robots-Tag: noarchive with those pages",
	},
	"host": {
		"only Yandex read it, until 2018",
		"If it names your main host, redirect the others to it",
	},
	"revisit-after": {"no search engine reads it", "A sitemap shows what has changed, with lastmod"},
	"domain":        {"no crawler reads it", "A robots.txt applies to the host that serves it"},
	"robot-version": {"it was proposed in 1996, and no crawler reads it", "Remove it"},
	"comment":       {"it was proposed in 1996, and no crawler reads it", "Comments begin with #"},
	"cache-delay":   {"no crawler documents it", "Use Cache-Control headers"},
}

var rxRetiredDirective = check{Entry: &Entry{
	Code: "RX501", Name: "retired-directive", Severity: Warning,
	Once:  Warning, // further lines have no effect for the same reason
	Title: "A line no longer has an effect.",
	Why:   "Noindex does the most harm: Google read it without documenting it, and stopped on 1 September 2019, so the pages listed there can be in the index. Other such lines, for example Host and Nofollow, are info. Not reported for further lines that have no effect for the same reason, unless --all is set.",
	Bad:   "User-agent: *\nDisallow: /search\nNoindex: /drafts/\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

// inspectRetired reports a key that no crawler reads any more, and whether it is one. Only
// Noindex is a warning: pages are in the index because of it. The others do no harm.
func (x *extensions) inspectRetired(l *line, key string) bool {
	dead, ok := retiredKeys[key]
	if strings.HasPrefix(key, "acap-") {
		dead = retired{"ACAP was proposed in 2007, and no search engine has read it", "Remove it"}
		ok = true
	}
	if !ok {
		return false
	}
	c := rxRetiredDirective.infoIf(key != "noindex")
	var f *Finding
	if first := x.retired[dead]; first > 0 { // many files have hundreds of such lines
		f = x.findKey(c, l, "%s has no effect, as on line %d.", quote(l.key()), first)
	} else {
		x.retired[dead] = l.number
		f = x.findKey(c, l, "%s has no effect: %s. %s.", quote(l.key()), dead.why, dead.instead)
	}
	f.Fix = x.removalFix(l.number)
	return true
}

var rxLicenseNotAbsolute = check{Entry: &Entry{
	Code: "RX515", Name: "license-not-absolute", Severity: Warning,
	Title: "A License line does not contain a full URL.",
	Why:   "RSL 1.0 requires the full URL of an RSL document, with https:// and host. It can be on any host. A line in a group applies to the crawlers of the group; one before the first group applies to crawlers whose group has no License line (RSL 1.0, 4.4). Not reported for a full URL on another host.",
	Bad:   "License: /license.xml\n\nUser-agent: *\nDisallow: /search\n",
	Good:  "License: https://example.com/license.xml\n\nUser-agent: *\nDisallow: /search\n",
}}

// inspectLicense inspects a License line, which contains the URL of an RSL document. The
// document is not fetched.
func (x *extensions) inspectLicense(l *line) {
	var f *Finding
	switch {
	case isAbsolute(l.value()):
		return
	case len(l.value()) == 0:
		f = x.findKey(rxLicenseNotAbsolute, l, "This license has no URL. RSL 1.0 requires a full one, with https://.")
	default:
		f = x.findValue(rxLicenseNotAbsolute, l, "%s is not a full URL. RSL 1.0 requires one, with https://.", quote(l.value()))
		f.Fix = x.writeFullURL(l)
	}
	f.For = []string{"RSL 1.0"}
}

var proposals = map[string]string{
	"llm-policy":         "it is one of several proposals for AI crawlers, and no crawler documents it",
	"agentmap":           "it is one of several proposals for AI agents, and no crawler documents it",
	"user-agent-purpose": "draft-illyes-rep-purpose-00 proposed it, and expired in April 2025",
}

var rxUnknownDirective = check{Entry: &Entry{
	Code: "RX516", Name: "unknown-directive", Severity: Info,
	Title: "Crawlers do not know this line.",
	Why:   "Anyone can add lines to a robots.txt (RFC 9309 2.2.4), and crawlers ignore lines that they do not know, so this does no harm. It is reported once for each key: if you probably meant another key or a sitemap, or if the key is a proposal. Other keys are reported with --pedantic.",
	Bad:   "User-agent: *\nDisallow: /search\nCrawldelay: 5\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

func (x *extensions) inspectUnknown(l *line, key string) {
	if len(l.key()) == 0 {
		return
	}
	if kind := nearestCore(key); kind > 0 && (kind != robotstxt.KindSitemap || isAddressOfFile(l.value())) {
		x.findMisspelt(l, kind)
		return
	}
	address := (key == "http" || key == "https") && bytes.HasPrefix(l.value(), []byte("//"))
	if x.unknown[key] || address && len(pathAfterHost(string(l.value()[2:]))) <= 1 {
		return // the home page is not a sitemap
	}
	x.unknown[key] = true
	why, proposed := proposals[key]
	c := rxUnknownDirective
	if strings.HasPrefix(key, "llm") || strings.HasPrefix(key, "ai-") || key == "ai" {
		c = c.rareIf(x.aiKey)
		x.aiKey, proposed, why = true, true, cmp.Or(why, "no crawler documents it")
	}
	meant := nearestExtension(key)
	switch {
	case proposed:
		x.findKey(c, l, "Crawlers ignore %s: %s.", quote(l.key()), why)
	case address && !x.isSitemap(string(bytes.TrimSpace(l.content()))):
		x.findLine(rxUnknownDirective, l, "Crawlers ignore a bare URL. For a sitemap write Sitemap: and the URL.")
	case address:
	case meant != "":
		f := x.findKey(rxUnknownDirective, l, "Crawlers ignore %s. Did you mean %s?", quote(l.key()), meant)
		f.Fix = x.mend("write "+meant, l.replaceKey(meant))
	default:
		x.findKey(rxUnknownDirective.rareIf(true), l, "No known crawler reads %s.", quote(l.key()))
	}
}

var rxUnreadMisspelling = check{Entry: &Entry{
	Code: "RX517", Name: "unread-misspelling", Severity: Warning,
	Title: "A directive is misspelt or has another name, so crawlers ignore it.",
	Why:   "Google's parser accepts a fixed list of misspellings (G21), and longer words that begin with the right one (G19). Crawlers ignore a line with any other misspelling, so what it should block stays open. Not reported for a key that is far from each directive, which is RX516.",
	Bad:   "User-agent: *\nDisalllow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// isAddressOfFile reports whether a value can be meant as a sitemap: its path ends in .xml or .txt, before a .gz too.
func isAddressOfFile(value []byte) bool {
	path, _, _ := strings.Cut(ascii.ToLower(string(value)), "?")
	path = strings.TrimSuffix(path, ".gz")
	return strings.HasSuffix(path, ".xml") || strings.HasSuffix(path, ".txt")
}

// findMisspelt reports a key that was meant as one of the protocol's. An unknown line is never
// an error, so this is a warning. The fix changes verdicts, because crawlers then read the
// line.
func (x *extensions) findMisspelt(l *line, kind robotstxt.Kind) {
	f := x.findKey(rxUnreadMisspelling, l, "Crawlers ignore %s. Did you mean %s?", quote(l.key()), plainKeys[kind])
	f.Fix = x.mend("write "+plainKeys[kind], x.misspeltEdits(l)...)
}

var coreSynonyms = map[string]robotstxt.Kind{
	"deny": robotstxt.KindDisallow, "block": robotstxt.KindDisallow, "forbid": robotstxt.KindDisallow, "not-allow": robotstxt.KindDisallow,
	"no-allow": robotstxt.KindDisallow, "dont-allow": robotstxt.KindDisallow, "permit": robotstxt.KindAllow,
}

var hyphenated = strings.NewReplacer(" ", "-", "'", "", "\u2019", "")

// nearestCore returns the kind of the key of the protocol that a key most likely means, 0 if there is none. Tags
// and characters before the first letter, such as a bullet, are ignored.
func nearestCore(key string) robotstxt.Kind {
	key = key[strings.LastIndexAny(key, ">;")+1:]
	key = strings.TrimLeftFunc(key, func(r rune) bool { return r < 'a' || r > 'z' })
	if kind := coreSynonyms[hyphenated.Replace(key)]; kind > 0 {
		return kind
	}
	for _, kind := range [...]robotstxt.Kind{robotstxt.KindDisallow, robotstxt.KindUserAgent,
		robotstxt.KindSitemap, robotstxt.KindAllow} {
		typos := 2
		if kind == robotstxt.KindAllow {
			typos = 1 // in a short key two typos make another word
		}
		if _, near := typo.Distance(key, plainKeys[kind], typos); near {
			return kind
		}
	}
	return 0
}

var extensionKeys = [...]string{"Crawl-delay", "Request-rate", "Visit-time", "Clean-param", "Content-Signal", "Content-Usage", "License"}

// nearestExtension returns the known key that is most likely meant by an unknown one, empty
// if there is none.
func nearestExtension(key string) string {
	for _, name := range extensionKeys {
		if _, near := typo.Distance(key, name, 2); near {
			return name
		}
	}
	return ""
}
