package editor

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// key is a key of lines, with its documentation in Markdown.
type key struct {
	name string // in its usual spelling, as lint.Format writes it
	doc  string
}

// keys are the keys that completion offers, the usual ones first.
var keys = []key{
	{"User-agent", "Begins a group. Its value is the product token of a crawler, such as `Googlebot`, or `*` for all crawlers that no other group names. " +
		"Several User-agent lines in a row begin one group for all of these crawlers."},
	{"Disallow", "Crawlers of the group must not fetch URLs whose path matches this pattern. `*` matches any text, and `$` at the end matches the end of the URL. " +
		"Of all rules that match, the longest one decides. An empty value disallows nothing."},
	{"Allow", "Crawlers of the group may fetch URLs whose path matches this pattern, even if a shorter Disallow matches too."},
	{"Sitemap", "The absolute URL of a sitemap. It is for all crawlers, in whichever group it is."},
	{"Crawl-delay", "The seconds between two requests of a crawler. Google ignores it; Bing and others obey it. It is not part of the standard."},
	{"Clean-param", "Parameters of URLs that do not change the page. Only Yandex uses it."},
	{"Host", "The main name of the site. It was for Yandex, which ignores it today."},
	{"Request-rate", "How many requests a crawler may send in a time, such as `1/5` for one in five seconds. Few crawlers know it."},
	{"Visit-time", "The hours of the day, in UTC, in which a crawler may visit the site, such as `0600-0845`. Few crawlers know it."},
	{"Content-Signal", "Which uses of the content the site allows: `search`, `ai-input` and `ai-train`, each `yes` or `no`. It is a proposal; crawlers need not obey it."},
	{"Content-Usage", "Which uses of the content the site allows, as drafts of the IETF define them. It is not a standard yet."},
	{"License", "The URL of a licence for the content, in the format of Really Simple Licensing."},
}

// keyOf returns the key of a line, nil if it is not one of keys.
func keyOf(line *robotstxt.Line) *key {
	for i := range keys {
		if ascii.EqualFold(line.Key, keys[i].name) || kindOf(keys[i].name) == line.Kind {
			return &keys[i]
		}
	}
	return nil
}

// kindOf returns the kind of lines of the protocol with a key; for other keys 0, which no line
// with a key has.
func kindOf(name string) robotstxt.Kind {
	switch name {
	case "User-agent":
		return robotstxt.KindUserAgent
	case "Allow":
		return robotstxt.KindAllow
	case "Disallow":
		return robotstxt.KindDisallow
	case "Sitemap":
		return robotstxt.KindSitemap
	}
	return robotstxt.KindNoDirective
}
