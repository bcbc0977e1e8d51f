package lint

import (
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

// What the examples share.
const (
	servedBody = "User-agent: *\nDisallow: /search\n"
	servedType = "text/plain; charset=utf-8"
)

// Served describes how a robots.txt was served. The program that has fetched the
// file fills it in. Fields without a value are not checked, except for Status.
type Served struct {
	// URL is the URL of the last response, after redirects. Default: Config.URL.
	URL string
	// Status is the status of the last response: of HTTP, or of FTP if URL is an
	// FTP URL. It is 0 if there was none; Fault then gives the reason in a few
	// words.
	Status int
	Fault  string
	// ContentType is the Content-Type header, empty if there was none.
	ContentType string
	// Redirects are the responses before the last one, in order.
	Redirects []Redirect
	// Truncated is true if the file is longer than the body that is checked.
	Truncated bool
	// Variants are the responses under the other names of the site: http and
	// https, with and without www.
	Variants []Variant
}

// Redirect is a response that redirects to another URL.
type Redirect struct {
	URL    string // that was requested
	Status int
}

// Variant is the last response under another name of the site.
type Variant struct {
	URL    string // that was requested
	Status int    // like Served.Status; 0 is not reported, because few sites have all names
	Body   []byte
}

// mostRedirects is how many of them crawlers follow (RFC 9309 2.3.1.2).
const mostRedirects = 5

var rxServedNotAtAll = &check{Entry{
	Code: "RX605", Name: "served-not-at-all", Severity: Error,
	Title:       "There is no answer to the request for the file.",
	Why:         "Without an answer, because of DNS, TLS or a timeout for instance, crawlers take the whole site for disallowed, for the time being (RFC 9309 2.3.1.4, Page: other errors).",
	Bad:         servedBody,
	Good:        servedBody,
	Example:     Config{Served: &Served{Fault: "connection refused"}},
	GoodExample: &Config{Served: &Served{Status: 200, ContentType: servedType}},
}}

var rxServedCut = &check{Entry{
	Code: "RX606", Name: "served-cut", Severity: Warning,
	Title:       "The file is longer than what was read of it.",
	Why:         "Crawlers stop somewhere, Google after 500 KiB (Page: file format), and RFC 9309 2.5 lets them. What follows decides nothing there, and was not checked here.",
	Bad:         servedBody,
	Good:        servedBody,
	Example:     Config{Served: &Served{Status: 200, ContentType: servedType, Truncated: true}},
	GoodExample: &Config{Served: &Served{Status: 200, ContentType: servedType}},
}}

var servedFamily = family{inspect: inspectServed, checks: []*check{rxServedStatus, rxServedType, rxServedByRedirect, rxServedDifferently, rxServedNotAtAll, rxServedCut}, marks: true}

// inspectServed looks at how the file came. The type of what is no file, an error
// page for instance, does not matter.
func inspectServed(d *document) {
	s := d.config.Served
	if s == nil {
		return
	}
	inspectRedirects(d, s)
	switch {
	case s.Status == 0:
		fault := s.Fault
		if fault == "" {
			fault = "no answer"
		}
		d.findFile(rxServedNotAtAll, "the file cannot be fetched (%s); crawlers that cannot fetch it take the whole site for disallowed", str(fault))
	case effectOf(s.Status, s.address(d)) == obeyed:
		inspectType(d, s)
		if s.Truncated {
			d.findFile(rxServedCut, "the file goes on behind its first %d bytes, which are all that was read", num(int(d.size)))
		}
	default:
		inspectStatus(d, s)
	}
	inspectVariants(d, s)
	if len(d.body) == 0 && effectOf(s.Status, s.address(d)) != obeyed {
		d.foreign = true // there is no file that anything could be missing in
	}
}

// address returns where the file came from.
func (s *Served) address(d *document) string {
	if s.URL != "" {
		return s.URL
	}
	return d.config.URL
}

// effect is what an answer comes to for the crawlers.
type effect string

const (
	obeyed    effect = "obey the file"
	empty     effect = "take the file for empty and everything for allowed"
	allowed   effect = "take everything for allowed, as if there was no file"
	disallows effect = "take the whole site for disallowed for the time being"
)

// effectOf says what a status means by Google's page, as docs/policies.md has it.
func effectOf(status int, address string) effect {
	if strings.HasPrefix(strings.ToLower(address), "ftp:") {
		switch status {
		case 226:
			return obeyed
		case 332, 530, 550:
			return allowed
		}
		return disallows
	}
	switch {
	case status == 204 || status == 205:
		return empty
	case status == 206 || status == 304 || status == 429:
		return disallows
	case status >= 200 && status < 300:
		return obeyed
	case status >= 300 && status < 500:
		return allowed
	}
	return disallows
}

var rxServedStatus = &check{Entry{
	Code: "RX601", Name: "served-status", Severity: Error,
	Title:       "The file is served with another status than 200.",
	Why:         "A 5xx closes the whole site for the time being (RFC 9309 2.3.1.4), by Google's page a 429 as well (Page: handling of errors and HTTP status codes). An answer to another question, such as 206, is taken for an error too. Any other 4xx, and a redirect to nowhere, is as if there was no file: everything may be fetched, whatever the body says; a 204 or 205 has no body. Those are warnings.",
	Bad:         servedBody,
	Good:        servedBody,
	Example:     Config{Served: &Served{Status: 503, ContentType: servedType}},
	GoodExample: &Config{Served: &Served{Status: 200, ContentType: servedType}},
}}

// inspectStatus reports a status that makes crawlers pass over the body. A site
// that is closed by it is worse than one whose rules do not count.
func inspectStatus(d *document, s *Served) {
	effect := effectOf(s.Status, s.address(d))
	f := d.findFile(rxServedStatus, "the file is served with status %d, so that crawlers %s", num(s.Status), str(string(effect)))
	if effect != disallows {
		d.soften(f, Warning)
	}
}

var rxServedType = &check{Entry{
	Code: "RX602", Name: "served-type", Severity: Warning,
	Title:       "The file is not served as plain text in UTF-8.",
	Why:         "RFC 9309 2.3 asks for text/plain in UTF-8. Google reads any type; Yandex takes a file that is no text for one that allows everything.",
	Bad:         servedBody,
	Good:        servedBody,
	Example:     Config{Served: &Served{Status: 200, ContentType: "text/html"}},
	GoodExample: &Config{Served: &Served{Status: 200, ContentType: servedType}},
}}

// inspectType reports a Content-Type other than plain text in UTF-8. US-ASCII is a
// part of that.
func inspectType(d *document, s *Served) {
	if strings.HasPrefix(strings.ToLower(s.address(d)), "ftp:") {
		return // which knows no types
	}
	kind, parameters, err := mime.ParseMediaType(s.ContentType)
	charset := strings.ToLower(parameters["charset"])
	switch {
	case s.ContentType == "":
		d.findFile(rxServedType, "the file is served without a Content-Type: it should be %s", str(servedType))
	case kind == "" && err != nil:
		d.findFile(rxServedType, "the Content-Type %s cannot be read: it should be %s", quoteText(s.ContentType), str(servedType))
	case kind != "text/plain":
		d.findFile(rxServedType, "the file is served as %s: it should be %s", quoteText(kind), str(servedType))
	case charset != "" && charset != "utf-8" && charset != "utf8" && charset != "us-ascii":
		d.findFile(rxServedType, "the file is said to be in %s, but crawlers read UTF-8", quoteText(charset))
	}
}

var rxServedByRedirect = &check{Entry{
	Code: "RX603", Name: "served-by-redirect", Severity: Error,
	Title: "More than five redirects lead to the file, or it is on another host.",
	Why:   "Crawlers follow five redirects; beyond that they take the file for unavailable, so that everything may be fetched (RFC 9309 2.3.1.2, Page: 3xx). To be sent to another host is information: the rules hold for the host that was asked, but someone else writes them.",
	Bad:   servedBody,
	Good:  servedBody,
	Example: Config{
		URL:    "https://example.com/robots.txt",
		Served: &Served{URL: "https://example.net/robots.txt", Status: 200, ContentType: servedType, Redirects: []Redirect{{"https://example.com/robots.txt", 301}}},
	},
	GoodExample: &Config{
		URL:    "https://example.com/robots.txt",
		Served: &Served{Status: 200, ContentType: servedType},
	},
}}

// inspectRedirects reports redirects that crawlers do not follow, else those that
// lead to another host. From http to https, or to another path, is no matter.
func inspectRedirects(d *document, s *Served) {
	if n := len(s.Redirects); n > mostRedirects {
		d.findFile(rxServedByRedirect, "the file is behind %d redirects, and crawlers follow %d: beyond them everything is allowed", num(n), num(mostRedirects))
		return
	}
	if len(s.Redirects) == 0 {
		return
	}
	asked, final := hostOf(s.Redirects[0].URL), hostOf(s.URL)
	if asked != "" && final != "" && asked != final {
		f := d.findFile(rxServedByRedirect, "the file is fetched from another host, %s: its rules hold for the host that was asked", quoteText(final))
		d.soften(f, Info)
	}
}

// originOf returns the origin of a URL, the zero one if it has none.
func originOf(address string) origin.Origin {
	o, _ := origin.Of(address) // what is no address of a site is on no site
	return o
}

// hostOf returns the host of a URL, empty if it has none.
func hostOf(address string) string { return originOf(address).Host() }

var rxServedDifferently = &check{Entry{
	Code: "RX604", Name: "served-differently", Severity: Warning,
	Title: "Another address of the same site says something else.",
	Why:   "Each scheme and host has a robots.txt of its own (RFC 9309 2.3), so a crawler that comes over http or without www may obey other rules. Files that differ in comments or sitemaps only are equal here.",
	Bad:   servedBody,
	Good:  servedBody,
	Example: Config{Served: &Served{
		Status: 200, ContentType: servedType,
		Variants: []Variant{{URL: "http://example.com/robots.txt", Status: 200, Body: []byte("User-agent: *\nDisallow: /\n")}},
	}},
	GoodExample: &Config{Served: &Served{
		Status: 200, ContentType: servedType,
		Variants: []Variant{{URL: "http://example.com/robots.txt", Status: 200, Body: []byte("# over http\n" + servedBody)}},
	}},
}}

// inspectVariants compares what other addresses say with what the file does.
func inspectVariants(d *document, s *Served) {
	effect := effectOf(s.Status, s.address(d))
	if s.Status == 0 {
		return
	}
	for _, v := range s.Variants {
		other := effectOf(v.Status, v.URL)
		switch {
		case v.Status == 0:
		case other != effect:
			d.findFile(rxServedDifferently, "%s is answered with status %s, so that crawlers who ask there %s", str(v.URL), str(strconv.Itoa(v.Status)), str(string(other)))
		case other == obeyed && !sameRules(d.robots, d.audience.dialect.Parse(v.Body)):
			d.findFile(rxServedDifferently, "%s has other rules", str(v.URL))
		}
	}
}

// sameRules reports whether two files have the same groups in the same order,
// wherever the lines stand.
func sameRules(a, b *robotstxt.Robots) bool {
	groupsA, groupsB := slices.Collect(a.Groups()), slices.Collect(b.Groups())
	return slices.EqualFunc(groupsA, groupsB, func(a, b robotstxt.Group) bool {
		return slices.EqualFunc(slices.Collect(a.Agents()), slices.Collect(b.Agents()), func(a, b robotstxt.Agent) bool {
			return ascii.EqualFold(a.Token, b.Token)
		}) && slices.EqualFunc(slices.Collect(a.Rules()), slices.Collect(b.Rules()), func(a, b robotstxt.Rule) bool {
			return a.Allow == b.Allow && a.Pattern == b.Pattern
		})
	})
}
