package permission

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/uselines"
	"github.com/kosterhq/robotstxt/origin"
)

const (
	keyLicense  = uselines.License
	versionRSL  = "RSL 1.0"
	typeRSL     = "application/rsl+xml"
	maxLicenses = 16 // RSL documents of a question
	licensesCut = "licenses"
)

// licenseSource is an RSL document of a question, or the reference to one.
type licenseSource struct {
	base     string // of the page, that url is relative to; empty without one
	given    string // the URL as the reference has it
	url      string // as origin reads it; empty for a document in the page
	place    Place  // of the reference
	agent    string // of the group with the reference
	page     bool   // the response or the page refers to it, not robots.txt
	document *License
}

// Licenses returns the URLs of the RSL documents that a question needs, in the order of the
// sources that refer to them: the License lines of the crawler's group, or else those outside of
// all groups [RSL 4.4.2]; Link fields of the response; link elements of the page. There are at
// most 16.
func Licenses(q Question, s *Sources) (urls []string) {
	e := evaluation{q: q, s: cmp.Or(s, &Sources{})}
	if e.readFetch(); e.fetch == Disallowed {
		e.hideResponse()
	}
	e.findLicenses()
	for _, l := range e.licenses {
		if l.url != "" && !slices.Contains(urls, l.url) {
			urls = append(urls, l.url)
		}
	}
	return urls
}

func (e *evaluation) findLicenses() {
	// If no line can name a crawler, its group is unknown, and so is whether the group has
	// licenses that replace the others.
	var lines []robotstxt.Extension
	if !e.q.Crawler.Unread || !e.groupsHave(keyLicense) {
		lines = e.linesOfCrawler(keyLicense)
	}
	for _, x := range lines {
		full, ok := fullURL(x.Value)
		if !ok {
			e.report(Finding{sourceLicense, e.placeOfLine(x), full, "a License line needs a full URL, with https://"}, search, aiSearch, aiTraining)
			continue
		}
		agent := e.rules.Agent()
		if uselines.IsOutside(x) {
			agent = ""
		}
		e.addLicense(licenseSource{given: x.Value, url: full, place: e.placeOfLine(x), agent: agent})
	}
	for i, line := range e.header("Link") {
		for _, target := range licenseLinks(line) {
			e.addLicense(licenseSource{given: target, url: target, place: Place{Header: "Link", Index: i}, page: true})
		}
	}
	if e.s.Page == nil {
		return
	}
	for _, l := range e.s.Page.Links {
		place := Place{URL: e.q.URL, Offset: l.Offset, Line: l.Line}
		if l.Inline != nil {
			e.licenses = append(e.licenses, licenseSource{place: place, page: true, document: l.Inline})
		} else {
			e.addLicense(licenseSource{given: l.Href, url: l.Href, base: e.s.Page.Base, place: place, page: true})
		}
	}
}

func (e *evaluation) addLicense(l licenseSource) {
	if l.page {
		base := origin.Text(e.q.URL)
		if of := base.Resolve(l.base); hasOrigin(of) {
			base = of // another base has no effect
		}
		u := base.Resolve(l.url)
		l.url = u.String()
		if !hasOrigin(u) {
			l.url = u.Given()
			if parsed, err := url.Parse(l.url); err != nil || parsed.Scheme == "" {
				e.report(Finding{sourceLicense, l.place, l.url, "the URL cannot be read"}, search, aiSearch, aiTraining)
				return
			}
		}
	}
	if len(l.url) > longestURL {
		e.report(Finding{sourceLicense, l.place, l.url, "the URL is too long"}, search, aiSearch, aiTraining)
		return
	}
	if len(e.licenses) >= maxLicenses {
		if !slices.Contains(e.lines, licensesCut) {
			e.lines = append(e.lines, licensesCut)
		}
		return
	}
	l.document = cmp.Or(e.s.Documents[l.url], e.s.Documents[l.given])
	e.licenses = append(e.licenses, l)
}

func hasOrigin(u origin.URL) bool {
	_, err := u.Origin()
	return err == nil
}

// fullURL returns an absolute URL without user name and password; ok is false if the text is none, or
// lacks the two slashes.
func fullURL(text string) (full string, ok bool) {
	u := origin.Text(text)
	if hasOrigin(u) {
		return u.String(), strings.Contains(text, "://")
	}
	parsed, err := url.Parse(u.Given())
	return u.Given(), err == nil && parsed.Scheme != "" && parsed.Host != ""
}

// licenseLinks returns the targets of the links to RSL documents in a Link field (RFC 8288).
func licenseLinks(line string) (targets []string) {
	for {
		_, rest, found := strings.Cut(line, "<")
		if !found {
			return targets
		}
		target, rest, found := strings.Cut(rest, ">")
		if !found {
			return targets
		}
		relation, kind := "", ""
		for found = true; found; {
			var name, value string
			name, value, rest, found = cutParameter(rest)
			if name == "rel" && relation == "" {
				relation = value
			} else if name == "type" && kind == "" {
				kind = value
			}
		}
		line = rest
		if isLicenseLink(relation, kind) {
			targets = append(targets, target)
		}
	}
}

func isLicenseLink(relation, kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	isLicense := func(word string) bool { return ascii.EqualFold(word, "license") }
	return ascii.EqualFold(strings.TrimSpace(kind), typeRSL) && slices.ContainsFunc(strings.Fields(relation), isLicense)
}

// cutParameter cuts a parameter off the text after a link's target. more is false at the end of
// the link; rest then begins with the next one.
func cutParameter(text string) (name, value, rest string, more bool) {
	text = strings.TrimLeft(text, " \t")
	if !strings.HasPrefix(text, ";") {
		return "", "", text, false
	}
	text = strings.TrimLeft(text[1:], " \t")
	end := strings.IndexAny(text, "=;,")
	if end < 0 {
		return "", "", "", false
	}
	name = ascii.ToLower(strings.TrimRight(text[:end], " \t"))
	if text[end] != '=' {
		return name, "", text[end:], true
	}
	text = strings.TrimLeft(text[end+1:], " \t")
	if !strings.HasPrefix(text, `"`) {
		end = strings.IndexAny(text, ";,")
		if end < 0 {
			end = len(text)
		}
		return name, strings.TrimRight(text[:end], " \t"), text[end:], true
	}
	var unquoted strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return name, unquoted.String(), text[i+1:], true
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		unquoted.WriteByte(text[i])
	}
	return name, "", "", true // no closing quote
}

type licensed struct {
	*licenseSource
	*licenseMatch
}

// nearestLicense returns whether the most specific license is in the page or the response, and the
// length of its path.
func nearestLicense(found []licensed) (page bool, length int) {
	length = -1
	for _, f := range found {
		if f.page && !page || f.page == page && f.length > length {
			page, length = f.page, f.length
		}
	}
	return page, length
}

// readLicenses reads the statements of the RSL documents. A document of the response or the
// page is more specific than a document of robots.txt (our reading). Next, a longer path is
// more specific. If several are left, the strictest wins [RSL 4.9]. If there are documents but
// none of them is valid, the page is not licensed [RSL 4.3].
func (e *evaluation) readLicenses() {
	e.findLicenses()
	var found []licensed
	invalid := 0
	for i := range e.licenses {
		l := &e.licenses[i]
		switch {
		case l.document == nil:
		case l.document.Problem != "":
			invalid++
			e.report(Finding{sourceLicense, l.place, l.url, "the document licenses nothing, because " + l.document.Problem}, search, aiSearch, aiTraining)
		default:
			matching := l.document.matching(e.q.URL, l.page)
			for i := range matching {
				found = append(found, licensed{l, &matching[i]})
			}
		}
	}
	if invalid > 0 && invalid == len(e.licenses) {
		l := &e.licenses[0]
		e.sayLicense(Reason{Place: l.place, Text: "License: " + l.url, Agent: l.agent, Terms: l.url, Reading: true},
			func(crawlers.Purpose) Says { return SaysReserved })
		return
	}
	page, length := nearestLicense(found)
	for _, f := range found {
		r := Reason{Place: f.place, Text: f.text, Agent: f.agent, Path: f.content.url, Terms: f.url}
		if f.url != "" {
			r.Place = Place{URL: f.url, Pointer: f.pointer}
		}
		r.Overridden = f.page != page || f.length != length
		r.Reading = f.page != page || len(f.content.terms) != 1 || f.content.terms[0].payment != "" ||
			f.content.terms[0].who
		e.sayLicense(r, func(p crawlers.Purpose) Says { return f.says[slices.Index(licensedPurposes[:], p)] })
	}
}

var licensedPurposes = [...]crawlers.Purpose{search, aiSearch, aiTraining}

func (e *evaluation) sayLicense(r Reason, says func(crawlers.Purpose) Says) {
	r.Source, r.Version, r.Strength, r.HonouredBy = sourceLicense, versionRSL, Vendor, []string{}
	for _, p := range licensedPurposes {
		r.Says = says(p)
		e.say(p, r)
	}
}
