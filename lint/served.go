package lint

import (
	"cmp"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
	"github.com/kosterhq/robotstxt/origin"
)

// The body and the type of the examples.
const (
	servedBody = "User-agent: *\nDisallow: /search\n"
	servedType = "text/plain; charset=utf-8"
)

// Served describes how a robots.txt was served. The program that has fetched the
// file fills it in. Fields without a value are not checked, except for Status.
type Served struct {
	// URL is the URL of the last response, after redirects. Default: Config.URL.
	URL string
	// Status is the HTTP status of the last response, or the FTP status if URL is an
	// FTP URL. It is 0 if there was no response; Fault then gives the reason in a few
	// words.
	Status int
	Fault  string
	// NotFoundPage is true if the client reads a server error with a "page not found" page as 404,
	// see fetch.Config.NotFoundPage.
	NotFoundPage bool
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

	NotFoundPage bool // like Served.NotFoundPage
}

// servedCheck returns the check of an entry about how a file is served: the examples have the
// same body.
func servedCheck(e Entry) check {
	e.Bad, e.Good = servedBody, servedBody
	if e.GoodExample == nil {
		e.GoodExample = &Config{Served: &Served{Status: 200, ContentType: servedType}}
	}
	return check{Entry: &e}
}

var rxServedNotAtAll = servedCheck(Entry{
	Code: "RX605", Name: "served-not-at-all", Severity: Error,
	Title:   "The site does not answer the request for the file.",
	Why:     "Without an answer, for example because of DNS, TLS or a timeout, crawlers treat the whole site as blocked for some time (RFC 9309 2.3.1.4, Page: other errors). Not reported for a response with any status, which is RX601.",
	Example: Config{Served: &Served{Fault: "connection refused"}},
})

var rxServedCut = servedCheck(Entry{
	Code: "RX606", Name: "served-cut", Severity: Warning,
	Title:   "The file is longer than the part that was read.",
	Why:     "Crawlers read only the beginning of a long file: Google reads 500 KiB (Page: file format), the least that RFC 9309 2.5 requires. The rest has no effect there, and was not checked. Not reported if the whole file was read.",
	Example: Config{Served: &Served{Status: 200, ContentType: servedType, Truncated: true}},
})

var rxServedStatus = servedCheck(Entry{
	Code: "RX601", Name: "served-status", Severity: Error,
	Title:   "The file is not served with status 200.",
	Why:     "With a 5xx or a 429, crawlers treat the whole site as blocked for some time (RFC 9309 2.3.1.4, Page: handling of errors and HTTP status codes), also with an incomplete answer such as 206. With another 4xx, they behave as if there were no file; with a 204 the file is empty. Those are warnings.",
	Example: Config{Served: &Served{Status: 503, ContentType: servedType}},
})

// inspectServed inspects how the file is served. The type of an error page does not matter. A status because of
// which crawlers ignore the body is an error if it blocks the site, otherwise a warning.
func inspectServed(d *document) {
	s := d.config.Served
	if s == nil {
		return
	}
	inspectRedirects(d, s)
	address := cmp.Or(s.URL, d.config.URL)
	result := s.effect(address)
	status := strconv.Itoa(s.Status)
	if s.NotFoundPage {
		status += ` and a "not found" page, which counts as 404`
	}
	switch {
	case s.Status == 0:
		fault := cmp.Or(s.Fault, "no answer")
		d.findFile(rxServedNotAtAll, "The file cannot be fetched (%s), so crawlers treat the whole site as blocked.", fault)
	case result == obeyed:
		if !isFTP(address) { // which has no types
			inspectType(d, s)
		}
		if s.Truncated {
			d.findFile(rxServedCut, "Only the first %d bytes of the file were read; the rest was not checked.", d.size)
		}
	default:
		c := rxServedStatus.at(choose(result == disallows, Error, Warning))
		d.findFile(c, "The file is served with status %s, so crawlers %s.", status, string(result))
	}
	if s.Status != 0 {
		inspectVariants(d, s.Variants, result)
	}
}

// isUnserved reports whether there is no file to inspect.
func (d *document) isUnserved() bool {
	s := d.config.Served
	return s != nil && len(d.body) == 0 && s.effect(cmp.Or(s.URL, d.config.URL)) != obeyed
}

func isFTP(address string) bool { return ascii.HasPrefixFold(address, "ftp:") }

type effect string

const (
	obeyed    effect = "follow the file"
	empty     effect = "treat the file as empty and may fetch everything"
	allowed   effect = "behave as if there were no file and may fetch everything"
	disallows effect = "treat the whole site as blocked for some time"
)

func (s *Served) effect(address string) effect {
	if s.NotFoundPage {
		return allowed
	}
	return effectOf(s.Status, address)
}

// effectOf returns the effect of a status according to Google's documentation, which
// docs/policies.md quotes.
func effectOf(status int, address string) effect {
	if isFTP(address) {
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

var rxServedType = servedCheck(Entry{
	Code: "RX602", Name: "served-type", Severity: Warning,
	Title:   "The file is not served as plain text in UTF-8.",
	Why:     "RFC 9309 2.3 requires text/plain in UTF-8. Google reads any type; Yandex ignores a file that is not text, and may fetch everything. Not reported for files that are fetched over FTP, which has no types.",
	Example: Config{Served: &Served{Status: 200, ContentType: "text/html"}},
})

func inspectType(d *document, s *Served) {

	kind, parameters, err := mime.ParseMediaType(s.ContentType)
	charset := strings.ToLower(parameters["charset"])
	switch {
	case s.ContentType == "":
		d.findFile(rxServedType, "The file is served without a Content-Type. It should be %s.", servedType)
	case kind == "" && err != nil:
		d.findFile(rxServedType, "The Content-Type %s is malformed. It should be %s.", quote(s.ContentType), servedType)
	case kind != "text/plain":
		d.findFile(rxServedType, "The file is served as %s. It should be %s.", quote(kind), servedType)
	case charset != "" && charset != "utf-8" && charset != "utf8" && charset != "us-ascii":
		d.findFile(rxServedType, "The file is served with the charset %s, but crawlers read UTF-8.", quote(charset))
	}
}

var rxServedByRedirect = servedCheck(Entry{
	Code: "RX603", Name: "served-by-redirect", Severity: Error,
	Title: "More than five redirects lead to the file, or it is on another host.",
	Why:   "Crawlers follow five redirects. After that they behave as if there were no file and may fetch everything (RFC 9309 2.3.1.2, Page: 3xx). A redirect to another host is info: the rules apply to the host of the first URL, but someone else might write them. Not reported for up to five redirects on the same host.",
	Example: Config{
		URL:    "https://example.com/robots.txt",
		Served: &Served{URL: "https://example.net/robots.txt", Status: 200, ContentType: servedType, Redirects: []Redirect{{"https://example.com/robots.txt", 301}}},
	},
	GoodExample: &Config{
		URL:    "https://example.com/robots.txt",
		Served: &Served{Status: 200, ContentType: servedType},
	},
})

// inspectRedirects reports redirects that crawlers do not follow, or that lead to another
// host. Redirects to https or to another path are harmless.
func inspectRedirects(d *document, s *Served) {
	switch n := len(s.Redirects); {
	case n > robotstxt.DefaultRedirects:
		d.findFile(rxServedByRedirect, "%d redirects lead to the file, but crawlers follow only %d and may then fetch everything.", n, robotstxt.DefaultRedirects)
	case n > 0:
		if first, final := hostOf(s.Redirects[0].URL), hostOf(s.URL); first != "" && final != "" && first != final {
			d.findFile(rxServedByRedirect.at(Info), "The file comes from another host, %s.", quote(final))
		}
	}
}

// originOf returns the origin of a URL, the zero one if it has none.
func originOf(address string) origin.Origin {
	if address == "" {
		return origin.Origin{}
	}
	o, _ := origin.Of(address) // a URL without a host has no origin
	return o
}

var rxServedDifferently = servedCheck(Entry{
	Code: "RX604", Name: "served-differently", Severity: Warning,
	Title: "Another name of the site serves different rules.",
	Why:   "Each scheme and host has its own robots.txt (RFC 9309 2.3), so crawlers might follow different rules over http or without www. Differences in comments and sitemaps are not reported.",
	Example: Config{Served: &Served{
		Status: 200, ContentType: servedType,
		Variants: []Variant{{URL: "http://example.com/robots.txt", Status: 200, Body: []byte("User-agent: *\nDisallow: /\n")}},
	}},
	GoodExample: &Config{Served: &Served{
		Status: 200, ContentType: servedType,
		Variants: []Variant{{URL: "http://example.com/robots.txt", Status: 200, Body: []byte("# over http\n" + servedBody)}},
	}},
})

func inspectVariants(d *document, variants []Variant, result effect) {
	for _, v := range variants {
		other := (&Served{Status: v.Status, NotFoundPage: v.NotFoundPage}).effect(v.URL)
		switch {
		case v.Status == 0:
		case other != result:
			d.findFile(rxServedDifferently, "%s has status %d, so crawlers that use this name %s.", v.URL, v.Status, string(other))
		case other == obeyed && !sameRules(d.robots, d.audience.dialect.Parse(v.Body)):
			d.findFile(rxServedDifferently, "%s has other rules.", v.URL)
		}
	}
}

// sameRules reports whether two files have the same groups in the same order. Line numbers do
// not matter.
func sameRules(a, b *robotstxt.Robots) bool {
	sameAgent := func(a, b robotstxt.Agent) bool { return ascii.EqualFold(a.Token, b.Token) }
	return slices.EqualFunc(slices.Collect(a.Groups()), slices.Collect(b.Groups()), func(a, b robotstxt.Group) bool {
		return slices.EqualFunc(slices.Collect(a.Agents()), slices.Collect(b.Agents()), sameAgent) &&
			slices.EqualFunc(slices.Collect(a.Rules()), slices.Collect(b.Rules()), sameRule)
	})
}

var rxNotRobotsTxt = servedCheck(Entry{
	Code: "RX607", Name: "not-robots-txt", Severity: Warning,
	Title:       "Crawlers do not find the file under this name.",
	Why:         "Crawlers request /robots.txt, in lower case, at the top of each host, and nothing else (RFC 9309 2.3). A robots.txt in a folder, or with a similar name such as robot.txt, has no effect. Not reported for the name of a local file that has digits or is nothing like robots.txt.",
	Example:     Config{URL: "https://example.com/shop/robots.txt"},
	GoodExample: &Config{URL: "https://example.com/robots.txt"},
})

// inspectFileName reports a file that is not where crawlers look for it. It reports only file
// names that look like a mistake, because many files are checked before they get their final
// name.
func inspectFileName(d *document) {
	const name = "robots.txt"
	if u, err := url.Parse(d.config.URL); err == nil && u.Host != "" {
		if u.Path != "" && u.Path != "/" && u.Path != "/"+name {
			d.findFile(rxNotRobotsTxt, "Crawlers request only /robots.txt, not %s.", quote(u.Path))
		}
		return
	}
	file := d.config.File
	if file == name || strings.ContainsAny(file, "0123456789") {
		return
	}
	folded := strings.ToLower(file)
	if _, near := typo.Distance(folded, name, 1); near || folded == name+".txt" {
		d.findFile(rxNotRobotsTxt, "Crawlers request only robots.txt, not %s.", quote(file))
	}
}
