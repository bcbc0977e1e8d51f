package lint

import (
	"bytes"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
	"github.com/kosterhq/robotstxt/origin"
)

var rxSitemapTwice = check{Entry: &Entry{
	Code: "RX503", Name: "sitemap-twice", Severity: Info, Pedantic: true,
	Title:   "The same sitemap is listed twice.",
	Why:     "A Sitemap line applies to the whole file, wherever it is (Page: sitemap, G63), so one line is enough. Not reported for URLs that differ in case.",
	Bad:     "Sitemap: https://example.com/sitemap.xml\n\nUser-agent: *\nDisallow: /search\n\nSitemap: https://example.com/sitemap.xml\n",
	Good:    "Sitemap: https://example.com/sitemap.xml\n\nUser-agent: *\nDisallow: /search\n",
	Example: Config{Pedantic: true},
}}

// inspectSitemap inspects a sitemap line. It belongs to no group (G63). Values are compared
// byte by byte, because paths are case-sensitive.
func (x *extensions) inspectSitemap(l *line) {
	if !isAbsolute(l.value()) {
		x.findRelativeSitemap(l)
		return
	}
	written, rest, _ := strings.Cut(ascii.View(l.value()), "://")
	if scheme := ascii.ToLower(written); scheme != "http" && scheme != "https" {
		f := x.findValue(rxSitemapNotAbsolute, l, "Crawlers fetch sitemaps over http or https, not over %s.", quote(written))
		if _, near := typo.Distance(scheme, "https", 2); near && scheme[0] == 'h' {
			f.Fix = x.mend("write https", l.replaceValue("https://"+rest))
		}
		return
	}
	host := hostOf(string(l.value()))
	if x.findOddSitemap(l, host) {
		return
	}
	if first, known := x.sitemaps[string(l.value())]; known {
		f := x.findValue(rxSitemapTwice, l, "This sitemap is already on line %d.", first)
		f.Related = []Related{{first, "the first time"}}
		f.Fix = x.removalFix(l.number)
		return
	}
	x.sitemaps[string(l.value())] = l.number
	if x.inspectPlaceOf(l, host) {
		x.inspectAccess(l)
	}
}

const oddURL = "This URL has characters that no URL of a sitemap has. They come from a template, or from text that belongs on its own line."

// findOddSitemap reports a full URL that cannot be a sitemap, and returns whether it found one. Signs within a
// query stay.
func (x *extensions) findOddSitemap(l *line, host string) bool {
	value := l.value()
	_, rest, _ := bytes.Cut(value, []byte("://"))
	end := bytes.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	written, path := rest[:end], rest[end:]
	last := value[len(value)-1]
	switch {
	case bytes.ContainsAny(value, "<>{}\"\\") || isTemplate(written):
		x.findValue(rxSitemapNotAbsolute, l, oddURL)
	case last == ',' || last == ';':
		x.find(rxSitemapNotAbsolute, l, l.valueAt()+len(value)-1, l.valueAt()+len(value), "The %s is a part of the URL, so crawlers request another file. Remove it.", string(last))
	case x.unreachableHost(host):
		x.findValue(rxSitemapUnreachable, l, "Crawlers cannot fetch this sitemap, because %s is not a host on the internet.", quote(written))
	case len(path) == 0 || string(path) == "/":
		x.findValue(rxSitemapNotAbsolute, l, "This is the URL of the home page. Write the URL of the sitemap.")
	default:
		return false
	}
	return true
}

// isTemplate reports whether a host is a name in brackets or percent signs, which a program should have
// replaced. The address of IPv6 is in brackets too.
func isTemplate(host []byte) bool {
	return bytes.IndexByte(host, '%') >= 0 || host[0] == '[' && bytes.IndexByte(host, ':') < 0
}

// unreachableHost reports whether a host is one label, or the name of a file. The file's own host might be in a
// network where that is enough.
func (x *extensions) unreachableHost(host string) bool {
	isOther := host != "" && host != hostOf(x.config.URL) && !strings.Contains(host, ":") && !isLocalHost(host)
	return isOther && slices.Contains([]string{"", ".xml", ".txt", ".gz"}, path.Ext(host))
}

var rxSitemapUnreachable = check{Entry: &Entry{
	Code: "RX523", Name: "sitemap-unreachable", Severity: Warning,
	Title: "A sitemap is where crawlers cannot fetch it, or is a web page.",
	Why:   "An address such as localhost, a name without a dot or a placeholder such as yourdomain.com is left over from development, and no crawler reaches it. A URL that ends in .html is a page for people; a sitemap for crawlers is XML or text (Page: sitemap). It is info for a host that looks like one for tests.",
	Bad:   "User-agent: *\nDisallow: /search\n\nSitemap: http://localhost/sitemap.xml\n",
	Good:  "User-agent: *\nDisallow: /search\n\nSitemap: https://shop.example/sitemap.xml\n",
}}

// placeholders are domains that instructions tell people to replace: with your, in any country; others could
// be real there.
var placeholders = []string{"yourdomain", "your-domain", "yoursite", "your-site", "yourwebsite", "your-website", "mydomain", "domain", "website", "site"}

// inspectPlaceOf reports a sitemap that no crawler reaches or that is a page. It returns false
// if no crawler reaches it.
func (x *extensions) inspectPlaceOf(l *line, host string) (reachable bool) {
	address := ascii.ToLower(ascii.View(l.value()))
	ours := hostOf(x.config.URL)
	page, _, _ := strings.Cut(address, "?")
	ending := path.Ext(page)
	switch {
	case host != ours && (isLocalHost(host) || isPlaceholder(host, ours)):
		x.findValue(rxSitemapUnreachable, l, "Crawlers cannot fetch this sitemap, because %s is not your host on the internet.", quote(host))
		return false
	case slices.Contains([]string{"llms.txt", "llms-full.txt", "ai.txt"}, path.Base(page)):
		x.findValue(rxSitemapUnreachable.at(Info), l, "%s is a file for AI tools and not a sitemap. Search engines list no pages from it.", path.Base(page))
	case ours == "" && isExample(host):
		x.findValue(rxSitemapUnreachable.at(Info), l, "%s is the host of examples. Write the sitemap of this site.", quote(host))
	case (ending == ".html" || ending == ".htm") && !namesFeed(address):
		x.findValue(rxSitemapUnreachable, l, "This looks like a page for people. A sitemap for crawlers is XML or text.")
	case host != ours && isTestHost(host):
		x.findValue(rxSitemapUnreachable.at(Info), l, "This sitemap is on %s, which looks like a host for tests.", quote(host))
	}
	return true
}

// namesFeed reports whether the path or the query of a URL in lower case shows that it returns no page for people.
func namesFeed(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	return containsAny(pathAfterHost(rest), "xml", "rss", "feed", "sitemap_index", "sitemap-index")
}

// isPlaceholder reports whether a host is one of instructions. example.com is one only for a
// file whose own host is known: examples of files have it.
func isPlaceholder(host, ours string) bool {
	host, ours = strings.TrimPrefix(host, "www."), strings.TrimPrefix(ours, "www.")
	name, ending, _ := strings.Cut(host, ".")
	known := slices.Contains(placeholders, name) && !strings.Contains(ending, ".") &&
		(strings.HasPrefix(name, "your") || slices.Contains([]string{"com", "net", "org"}, ending))
	return host != ours && (known || ours != "" && isExample(host))
}

func isExample(host string) bool {
	return slices.Contains([]string{"example.com", "example.org", "example.net"}, strings.TrimPrefix(host, "www."))
}

// isTestHost reports whether a host looks like one for tests, with the domain of a site below
// it. Below some domains the label is the name of a project.
func isTestHost(host string) bool {
	label, domain, _ := strings.Cut(host, ".")
	return strings.Contains(domain, ".") &&
		!slices.Contains([]string{"readthedocs.io", "readthedocs.org", "github.io", "gitlab.io"}, domain) &&
		slices.Contains([]string{"staging", "stage", "dev", "development", "test", "testing", "preview", "uat"}, label)
}

// isLocalHost reports whether a host is reached from its own network only.
func isLocalHost(host string) bool {
	if strings.Trim(host, "0123456789.") == "" || strings.Contains(host, ":") {
		address, _ := netip.ParseAddr(host)
		return address.IsLoopback() || address.IsPrivate() || address.IsUnspecified() || address.IsLinkLocalUnicast()
	}
	return host == "localhost" || slices.Contains([]string{".localhost", ".local", ".test", ".internal", ".invalid", ".lan"}, path.Ext(host))
}

var rxSitemapNotAbsolute = check{Entry: &Entry{
	Code: "RX502", Name: "sitemap-not-absolute", Severity: Warning,
	Title:   "A Sitemap line does not contain the full URL of a sitemap.",
	Why:     "The sitemap protocol and Google require a full URL that begins with http:// or https://. Crawlers can ignore anything else. The home page is not a sitemap. A URL with < > { } or a backslash, or with a comma or semicolon at its end, usually comes from a template or a list.",
	Bad:     "User-agent: *\nDisallow:\n\nSitemap: /sitemap.xml\n",
	Good:    "User-agent: *\nDisallow:\n\nSitemap: https://example.com/sitemap.xml\n",
	Example: Config{URL: "https://example.com/robots.txt"},
}}

func (x *extensions) findRelativeSitemap(l *line) {
	switch {
	case len(l.value()) == 0:
		x.findKey(rxSitemapNotAbsolute, l, "This Sitemap line is empty. Write the full URL, with https://.")
	case directiveIn(l.value()) > 0 || losesLineBreaks(l.value()):
		x.findValue(rxSitemapNotAbsolute, l, "Two directives are on one line; crawlers read them as one URL. Write a line for each.")
	case bytes.ContainsAny(l.value(), "<>{}"):
		x.findValue(rxSitemapNotAbsolute, l, oddURL)
	case bytes.ContainsAny(l.value(), " \t"):
		x.findValue(rxSitemapNotAbsolute, l, "URLs contain no spaces. Write one URL on each line, and a space in it as %%20.")
	case isAbsolute([]byte(visible(l.value()))):
		f := x.findValue(rxSitemapNotAbsolute, l, "An invisible character next to this URL makes crawlers ignore it.")
		f.Fix = x.mend("remove the character", l.replaceValue(visible(l.value())))
	default:
		f := x.findValue(rxSitemapNotAbsolute, l, "Sitemap must be a full URL, with https:// and host; crawlers may ignore %s.", quote(l.value()))
		f.Fix = x.writeFullURL(l)
	}
}

var rxSitemapDisallowed = check{Entry: &Entry{
	Code: "RX504", Name: "sitemap-disallowed", Severity: Warning,
	Title:   "The file blocks its own sitemap.",
	Why:     "According to Google, it reads a sitemap only if it is not blocked. Reported for sitemaps on the host of the file. If the URL of the file is not known, it is info, and reported if all sitemaps are on one host, and the site is open but the sitemap closed to the profile's main crawler.",
	Bad:     "User-agent: *\nDisallow: /*.xml$\n\nSitemap: https://example.com/sitemap.xml\n",
	Good:    "User-agent: *\nDisallow: /*.xml$\nAllow: /sitemap.xml\n\nSitemap: https://example.com/sitemap.xml\n",
	Example: Config{URL: "https://example.com/robots.txt"},
}}

func (x *extensions) inspectAccess(l *line) {
	address := string(l.value())
	if x.origin.IsZero() || x.config.URL != "" && originOf(address) != x.origin {
		return
	}
	// Each sitemap is compared with all rules: the time is the product of both numbers.
	x.budget -= x.cost
	if x.budget < 0 {
		return
	}
	encoded := robotstxt.EncodeURL(address)
	ours := x.config.URL != ""
	var closed []string
	line := 0
	for _, tokens := range [...][]string{{"*"}, x.audience.tokens} {
		if len(tokens) == 0 {
			continue // the main crawler is any
		}
		rules := x.robots.Rules(tokens...)
		if open, _ := rules.Verdict("/"); !ours && !open {
			continue // the sitemap is the least that crawlers miss
		}
		if allowed, number := rules.Verdict(encoded); !allowed {
			closed = append(closed, tokens[0])
			line = number
		}
	}
	elsewhere := !ours && strings.HasPrefix(hostOf(address), "sitemap") // a host for sitemaps alone
	if closed == nil || elsewhere ||
		!ours && len(x.audience.tokens) > 0 && !slices.Contains(closed, x.audience.tokens[0]) {
		return
	}
	f := x.findValue(rxSitemapDisallowed.infoIf(!ours), l, "This file blocks its own sitemap for %s.", strings.Join(closed, " and "))
	if !ours {
		f.Message = strings.TrimSuffix(f.Message, ".") + ", if it is on this host."
	}
	f.For = closed
	if line > 0 {
		f.Related = []Related{{line, "the rule that blocks it"}}
	}
}

// isAbsolute reports whether value has a scheme and a host without a star, and no white space.
func isAbsolute(value []byte) bool {
	scheme, rest, ok := bytes.Cut(value, []byte("://"))
	if !ok || len(scheme) == 0 || len(rest) == 0 || bytes.IndexByte([]byte("/?#:@"), rest[0]) >= 0 {
		return false
	}
	if host, _, _ := bytes.Cut(rest, []byte("/")); bytes.IndexByte(host, '*') >= 0 {
		return false
	}
	inScheme := func(c byte) bool { return isWord(c) || c == '+' || c == '-' || c == '.' }
	return ascii.IsLetter(scheme[0]) && consistsOf(scheme, inScheme) && !bytes.ContainsAny(value, " \t")
}

// writeFullURL is the fix that makes a full URL of a value, nil if it is not clear which one. A value that begins
// with the file's own host only lacks the scheme, and one that has a scheme only lacks a slash.
func (d *document) writeFullURL(l *line) *Fix {
	const title = "write the full URL"
	value := string(l.value())
	scheme, rest, _ := strings.Cut(value, ":/")
	if full := scheme + "://" + rest; (scheme == "http" || scheme == "https") && isAbsolute([]byte(full)) {
		return d.mend(title, l.replaceValue(full))
	}
	base := origin.Text(d.config.URL)
	site, err := base.Origin()
	if err != nil {
		return nil
	}
	// As a relative URL, www.example.com/x.xml is in a folder of that name. With the host
	// of the file, that is not meant; with another host, it is unclear.
	host, _, _ := strings.Cut(value, "/")
	if strings.EqualFold(host, strings.TrimPrefix(site.String(), site.Scheme()+"://")) {
		value = "//" + value
	} else if strings.Contains(host, ".") && host != value {
		return nil // a host of someone else, or a folder with a dot
	}
	absolute := base.Resolve(value)
	if !isAbsolute([]byte(absolute.String())) {
		return nil
	}
	return d.mend(title, l.replaceValue(absolute.String()))
}

var rxNoSitemap = check{Entry: &Entry{
	Code: "RX520", Name: "no-sitemap", Severity: Off,
	Profiles: map[Profile]Severity{Production: Info},
	Title:    "There is no Sitemap line.",
	Why:      "A sitemap lists the pages of the site and when they changed, so that search engines find new pages sooner. A Sitemap line shows every search engine where it is. Only profile production reports this, because not every site needs a sitemap. Not reported if a line looks like a misspelt Sitemap.",
	Bad:      "User-agent: *\nDisallow: /search\n",
	Good:     "User-agent: *\nDisallow: /search\n\nSitemap: https://example.com/sitemap.xml\n",
	Example:  Config{Profile: Production},
}}

// inspectNoSitemap reports a file without a sitemap. One whose line is misspelt has that
// finding.
func inspectNoSitemap(d *document) {
	if !d.wants(rxNoSitemap) {
		return
	}
	for range d.robots.Sitemaps() {
		return
	}
	isMeant := func(l line) bool { return l.reason == read && nearestCore(string(l.key())) == robotstxt.KindSitemap }
	if slices.ContainsFunc(d.lines, isMeant) {
		return
	}
	d.findFile(rxNoSitemap, "There is no Sitemap line; search engines find new pages sooner with one.")
}
