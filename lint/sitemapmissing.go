package lint

import (
	"slices"

	"github.com/kosterhq/robotstxt"
)

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
