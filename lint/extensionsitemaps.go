package lint

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxSitemapTwice = &check{Entry{
	Code: "RX503", Name: "sitemap-twice", Severity: Info,
	Title: "The same sitemap is named more than once.",
	Why:   "Sitemap lines are for the whole file, wherever they stand (Page: sitemap, G63); once for each group is not needed.",
	Bad:   "Sitemap: https://example.com/sitemap.xml\n\nUser-agent: *\nDisallow: /search\n\nSitemap: https://example.com/sitemap.xml\n",
	Good:  "Sitemap: https://example.com/sitemap.xml\n\nUser-agent: *\nDisallow: /search\n",
}}

// inspectSitemap looks at a sitemap line wherever it stands: it belongs to no
// group (G63). A value is compared byte by byte, as a path has case.
func (x *extensions) inspectSitemap(l *line) {
	if !isAbsolute(l.value()) {
		x.relativeSitemap(l)
		return
	}
	address := string(l.value())
	if first, ok := x.sitemaps[address]; ok {
		f := x.findValue(rxSitemapTwice, l, "%s is named on line %d already", quote(l.value()), num(first))
		f.Related = []Related{{first, "the first time"}}
		if edits := x.removal(l); edits != nil {
			f.Fix = &Fix{Title: "take the line out", Edits: edits}
		}
		return
	}
	if x.sitemaps == nil {
		x.sitemaps = map[string]int{}
	}
	x.sitemaps[address] = l.number
	x.inspectAccess(l, address)
}

var rxSitemapNotAbsolute = &check{Entry{
	Code: "RX502", Name: "sitemap-not-absolute", Severity: Warning,
	Title:   "The value of a Sitemap line is not an absolute URL.",
	Why:     "The sitemap protocol and Google's page ask for a complete URL, scheme and host included. A crawler need not make one of anything else.",
	Bad:     "User-agent: *\nDisallow:\n\nSitemap: /sitemap.xml\n",
	Good:    "User-agent: *\nDisallow:\n\nSitemap: https://example.com/sitemap.xml\n",
	Example: Config{URL: "https://example.com/robots.txt"},
}}

// relativeSitemap finds a value that is no absolute URL, and says what kind of
// slip it is.
func (x *extensions) relativeSitemap(l *line) {
	switch {
	case endsInScheme(l.key()):
		// The colon of the URL was taken for that of the line, which is RX416.
	case len(l.value()) == 0:
		x.findKey(rxSitemapNotAbsolute, l, "the sitemap has no address: write its absolute URL")
	case bytes.ContainsAny(l.value(), " \t"):
		x.findValue(rxSitemapNotAbsolute, l, "%s holds a blank, which no URL has: write one address a line, a blank in it as %%20", quote(l.value()))
	default:
		f := x.findValue(rxSitemapNotAbsolute, l, "%s is not an absolute URL, so that crawlers may pass over it", quote(l.value()))
		if absolute, ok := resolve(x.config.URL, string(l.value())); ok {
			f.Fix = &Fix{Title: "write the absolute URL", Edits: l.replaceValue(absolute), Meaning: true}
		}
	}
}

// endsInScheme reports whether a key ends in a word such as http.
func endsInScheme(key []byte) bool {
	i := bytes.LastIndexAny(key, " \t")
	return i >= 0 && ascii.HasPrefixFold(key[i+1:], "http")
}

var rxSitemapDisallowed = &check{Entry{
	Code: "RX504", Name: "sitemap-disallowed", Severity: Warning,
	Title:   "A sitemap on the file's own host is disallowed by the file.",
	Why:     "Google's page says that sitemaps are followed as long as they are not disallowed. It is looked at only if the address of the file is known, for the sitemaps of its scheme, host and port, and in very large files for the first ones alone.",
	Bad:     "User-agent: *\nDisallow: /*.xml$\n\nSitemap: https://example.com/sitemap.xml\n",
	Good:    "User-agent: *\nDisallow: /*.xml$\nAllow: /sitemap.xml\n\nSitemap: https://example.com/sitemap.xml\n",
	Example: Config{URL: "https://example.com/robots.txt"},
}}

// inspectAccess asks the file about a sitemap on its own host.
func (x *extensions) inspectAccess(l *line, address string) {
	if x.origin.IsZero() || originOf(address) != x.origin {
		return
	}
	// Each question goes through all rules: many sitemaps and many rules would
	// multiply.
	if x.budget -= x.cost; x.budget < 0 {
		return
	}
	asked := robotstxt.EncodeURL(address)
	var closed []string
	line := 0
	ask := func(tokens ...string) {
		if rules := x.robots.Rules(tokens...); !rules.Allowed(asked) {
			closed = append(closed, tokens[0])
			line = rules.Explain(asked).Line
		}
	}
	ask("*")
	if tokens := x.audience.tokens; tokens != nil {
		ask(tokens...)
	}
	if closed == nil {
		return
	}
	f := x.findValue(rxSitemapDisallowed, l, "the file disallows this sitemap to %s, who then does not read it", str(strings.Join(closed, " and ")))
	f.For = closed
	if line > 0 {
		f.Related = []Related{{line, "the rule that disallows it"}}
	}
}

// isAbsolute reports whether value has a scheme and a host and no blanks.
func isAbsolute(value []byte) bool {
	scheme, rest, ok := bytes.Cut(value, []byte("://"))
	if !ok || len(scheme) == 0 || len(rest) == 0 || bytes.IndexByte([]byte("/?#:@"), rest[0]) >= 0 {
		return false
	}
	for _, c := range scheme {
		if !isWord(c) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return ascii.IsLetter(scheme[0]) && !bytes.ContainsAny(value, " \t")
}

// resolve makes an absolute URL of a value, for a file of that address. A value
// that begins with the file's own host only lacks the scheme, and one that has a
// scheme only lacks a slash.
func resolve(file, value string) (string, bool) {
	for _, scheme := range [...]string{"http:/", "https:/"} {
		if rest, ok := strings.CutPrefix(value, scheme); ok && isAbsolute([]byte(scheme+"/"+rest)) {
			return scheme + "/" + rest, true
		}
	}
	base, err := url.Parse(file)
	if err != nil || base.Host == "" {
		return "", false
	}
	// www.example.com/x.xml is, as a relative URL, a folder of that name: nobody
	// means that of his own host, and of another host it cannot be told.
	host, _, _ := strings.Cut(value, "/")
	if strings.EqualFold(host, base.Host) {
		value = "//" + value
	} else if strings.Contains(host, ".") && host != value {
		return "", false // a host of someone else, or a folder with a dot
	}
	absolute, err := base.Parse(value)
	if err != nil || absolute.Host == "" {
		return "", false
	}
	return absolute.String(), true
}
