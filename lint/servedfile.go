package lint

import (
	"net/url"
	"strings"

	"github.com/kosterhq/robotstxt/internal/typo"
)

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
