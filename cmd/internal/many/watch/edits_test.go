package watch_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/golden"
)

//go:generate go test -run ^TestEdits$ -update

var update = flag.Bool("update", false, "write the files in testdata")

const news = `User-agent: *
Disallow: /cart
Disallow: /*?sort=
Allow: /blog

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: Googlebot
Disallow: /tmp
Allow: /tmp/logo.png

Sitemap: https://news.example/sitemap.xml
`

const all = "User-agent: *\n"

// edit is what somebody does to a file.
type edit struct{ name, before, after string }

// edited replaces a text in a file.
func edited(name, file, text, by string) edit {
	return edit{name, file, strings.Replace(file, text, by, 1)}
}

var edits = []edit{
	edited("close the whole site", news, "Disallow: /cart", "Disallow: /"),
	edited("close, but the home page and some sections", news, "Disallow: /cart", "Allow: /$\nAllow: /about\nAllow: /contact\nDisallow: /"),
	edited("close, but a part of a section", news, "Disallow: /cart", "Disallow: /\nDisallow: /blog/drafts/"),
	edited("close for Googlebot too", news, "Disallow: /tmp\nAllow: /tmp/logo.png", "Disallow: /"),
	edited("close for a search engine under a name with a digit", news, "User-agent: Googlebot\nDisallow: /tmp", "User-agent: Googlebot2\nDisallow: /"),
	edited("add a crawler to the closed ones", news, "User-agent: CCBot\n", "User-agent: CCBot\nUser-agent: AI2Bot\n"),
	edited("close one section", news, "Disallow: /cart", "Disallow: /cart\nDisallow: /search"),
	edited("close one section with an exception", news, "Disallow: /cart", "Disallow: /cart\nDisallow: /shop\nAllow: /shop/help"),
	edited("close all folders", news, "Disallow: /cart", "Disallow: /cart\nDisallow: /*/"),
	edited("close one kind of file", news, "Disallow: /cart", "Disallow: /cart\nDisallow: /*.pdf$"),
	edited("drop an exception", news, "Allow: /tmp/logo.png\n", ""),
	edited("drop the exception of a query", all+"Disallow: /*?\nAllow: /blog\n", "Allow: /blog\n", ""),
	edited("drop the only open page", all+"Allow: /index.html\nDisallow: /\n", "Allow: /index.html\n", ""),
	edited("allow an index page less", all+"Allow: /a\nAllow: /index.html\nDisallow: /\n", "Allow: /index.html\n", ""),
	edited("open for GPTBot", news, "User-agent: GPTBot\n", ""),
	edited("open the whole site", all+"Disallow: /\n", "Disallow: /", "Disallow:"),
	edited("open the site but the cart", all+"Disallow: /\n", "Disallow: /", "Disallow: /cart"),
	edited("open words with a hyphen", all+"Disallow: /\n", "Disallow: /", "Disallow: /\nAllow: /*-"),
	edited("open some sections", all+"Disallow: /\n", "Disallow: /", "Disallow: /\nAllow: /about\nAllow: /blog\nAllow: /contact\nAllow: /jobs"),
	edited("exchange two patterns", news, "Disallow: /cart", "Disallow: /basket"),
	{"close 300 paths", all + "Disallow: /a\n", all + "Disallow: /a\n" + numberedLines("Disallow: /p", 300)},
	edited("add a License for all", news, "User-agent: *", "License: https://news.example/license.xml\n\nUser-agent: *"),
	edited("move the License into a group", "License: https://news.example/license.xml\n\n"+news, "License: https://news.example/license.xml\n\nUser-agent: *\n", "User-agent: *\nLicense: https://news.example/license.xml\n"),
	edited("add a License after the last group", all+"Disallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n", "GPTBot\nDisallow: /\n", "GPTBot\nDisallow: /\n\nLicense: https://news.example/license.xml\n"),
	edited("forbid AI training", news, "User-agent: *\n", "User-agent: *\nContent-Signal: ai-train=no\n"),
	edited("state a signal outside all groups", news, "User-agent: *\n", "Content-Signal: ai-train=no\n\nUser-agent: *\n"),
	edited("state a use that is no known preference", news, "User-agent: *\n", "User-agent: *\nContent-Signal: use=reference\n"),
	edited("add a sitemap", news, "Sitemap:", "Sitemap: https://news.example/news.xml\nSitemap:"),
	edited("add a comment", news, "User-agent: *", "# Ask before you crawl.\nUser-agent: *"),
	edited("exchange two groups", "User-agent: A\nDisallow: /a\n\nUser-agent: B\nDisallow: /b\n", "User-agent: A\nDisallow: /a\n\nUser-agent: B\nDisallow: /b\n",
		"User-agent: B\nDisallow: /b\n\nUser-agent: A\nDisallow: /a\n"),
}

// TestEdits: the messages of a watch over 30 sites whose files are edited as people edit them. Read
// testdata/edits.txt: does each message say what happened to the site?
func TestEdits(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	const together = 15 // so few that each site has its own message
	for first := 0; first < len(edits); first += together {
		part := edits[first:min(len(edits), first+together)]
		w := newWorld(t)
		hosts := numbered(len(part))
		for i := range part {
			if part[i].before == part[i].after {
				t.Fatalf("%s: nothing is edited", part[i].name)
			}
			w.set(hosts[i], part[i].before)
		}
		p, out := newPasses(t, w, hosts...)
		p.want(out, 0)
		for i := range part {
			w.set(hosts[i], part[i].after)
		}
		p.want(out, 60)
		if _, err := p.run(60); err != nil {
			t.Fatal(err)
		}
		texts := out.take()
		for i := range part {
			fmt.Fprintf(&b, "%s\n", part[i].name)
			at := slices.IndexFunc(texts, func(text string) bool { return strings.HasPrefix(text, "http://"+hosts[i]) })
			text := "no message"
			if at >= 0 {
				text = "http://news.example" + strings.TrimPrefix(texts[at], "http://"+hosts[i])
			}
			fmt.Fprintf(&b, "  %s\n\n", strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	golden.Check(t, *update, filepath.Join("testdata", "edits.txt"), []byte(b.String()), "go generate ./internal/many/watch in cmd, and read each message")
}
