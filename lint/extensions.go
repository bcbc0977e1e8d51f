package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// extensionEntries are those about lines beyond the protocol, by code.
var extensionEntries = slices.Concat(
	retiredEntries,
	sitemapEntries,
	crawlDelayEntries,
	cleanParamEntries,
	rateEntries,
	contentSignalEntries,
	contentUsageEntries,
	preferenceEntries,
	licenseEntries,
	unknownEntries,
	placeEntries,
	suppressionEntries,
)

var placeEntries = []Entry{
	{
		Code: "RX518", Name: "extension-outside-group", Severity: Warning,
		Title:   "A line for the crawlers of a group is not in any group.",
		Why:     "Who reads Crawl-delay, Request-rate, Visit-time or Content-Usage takes it from the group that names him; before the first User-agent line it is for no one. Content-Signal is shown inside groups only, but some readers take it for the whole file: there it is information.",
		Bad:     "Crawl-delay: 10\n\nUser-agent: *\nDisallow: /search\n",
		Good:    "User-agent: *\nCrawl-delay: 10\nDisallow: /search\n",
		Example: Config{Profile: Bing},
	},
}

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

// inspectPlace finds lines of no group that belong into one. Clean-param and
// License are for the whole file. Of the alias of Content-Signal the parser does
// not tell the group.
func (x *extensions) inspectPlace(l *line, key string) {
	if l.group >= 0 {
		return
	}
	switch key {
	case "crawl-delay", "request-rate", "visit-time", "content-usage":
		x.findKey("RX518", l, "%s stands in no group, so that it is for no crawler: put it under a User-agent line", quote(l.key()))
	case "content-signal":
		f := x.findKey("RX518", l, "%s stands in no group, and not every reader takes it for the whole file: put it under a User-agent line (%s)", quote(l.key()), draftSignals)
		x.soften(f, Info)
	}
}

// soften makes a finding less bad than its code is, unless the configuration
// says how bad the code is.
func (d *document) soften(f *Finding, to Severity) {
	if _, set := d.config.Severities[f.Code]; !set {
		f.Severity = min(f.Severity, to)
	}
}
