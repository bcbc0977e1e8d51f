package editor

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// key is a key of lines, with its documentation in Markdown.
type key struct {
	name string         // in its usual spelling, as lint.Format writes it
	kind robotstxt.Kind // of the lines of the protocol; for others 0, which no line with a key has
	doc  string
}

// keys are the keys that completion offers, the usual ones first.
var keys = []key{
	{"User-agent", robotstxt.KindUserAgent, "Begins a group. Its value is the product token of a crawler, such as `Googlebot`, or `*` for crawlers that no other group is for. " +
		"Several User-agent lines in a row begin one group for all of these crawlers."},
	{"Disallow", robotstxt.KindDisallow, "Crawlers of the group must not fetch URLs whose path matches this pattern. `*` matches any text, and `$` at the end matches the end of the URL. " +
		"Of all rules that match, the longest one decides. An empty value disallows nothing."},
	{"Allow", robotstxt.KindAllow, "Crawlers of the group may fetch URLs whose path matches this pattern, even if a shorter Disallow matches too."},
	{"Sitemap", robotstxt.KindSitemap, "The absolute URL of a sitemap. It is for all crawlers, in whichever group it is."},
	{"Crawl-delay", 0, "The seconds between two requests of a crawler. Google ignores it; Bing and others obey it. It is not part of the standard."},
	{"Clean-param", 0, "Parameters of URLs that do not change the page. Only Yandex uses it."},
	{"Host", 0, "The main name of the site. It was for Yandex, which ignores it today."},
	{"Request-rate", 0, "How many requests a crawler may send in a time, such as `1/5` for one in five seconds. Few crawlers know it."},
	{"Visit-time", 0, "The hours of the day, in UTC, in which a crawler may visit the site, such as `0600-0845`. Few crawlers know it."},
	{"Content-Signal", 0, "Which uses of the content the site allows: `search`, `ai-input` and `ai-train`, each `yes` or `no`. It is a proposal; crawlers need not obey it."},
	{"Content-Usage", 0, "Which uses of the content the site allows, as drafts of the IETF define them. It is not a standard yet."},
	{"License", 0, "The URL of a licence for the content, in the format of Really Simple Licensing."},
}

// keyOf returns the key of a line, nil if it is not one of keys.
func keyOf(line *robotstxt.Line) *key {
	for i := range keys {
		if ascii.EqualFold(line.Key, keys[i].name) || keys[i].kind == line.Kind {
			return &keys[i]
		}
	}
	return nil
}
