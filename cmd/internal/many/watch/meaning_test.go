package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

const shopURL = "https://shop.example/robots.txt"

// file is what a site serves with a file.
func file(body string) watch.Served {
	return watch.Served{Outcome: wire.OutcomeRules, Status: 200, FinalURL: shopURL, File: true, Body: []byte(body)}
}

// none is what a site without a file serves.
func none(status int) watch.Served {
	return watch.Served{Outcome: wire.OutcomeAllowAll, Status: status, FinalURL: shopURL}
}

// changesOf returns the changes as lines: gravity, kind, crawlers, text.
func changesOf(t *testing.T, before, after watch.Served, crawlers ...string) string {
	t.Helper()
	reader := watch.Reader{}
	for _, name := range crawlers {
		reader.Crawlers = append(reader.Crawlers, answer.NewCrawler(name))
	}
	list, err := reader.Changes(t.Context(), shopURL, &before, &after)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range list {
		lines = append(lines, fmt.Sprintf("%s %s %s", c.Gravity, c.Kind, c.Text))
	}
	return strings.Join(lines, "\n")
}

const shop = `# shop
User-agent: *
Disallow: /cart
Disallow: /search

User-agent: GPTBot
Disallow: /
Sitemap: https://shop.example/a.xml
Sitemap: https://shop.example/b.xml
`

const manyNames = `User-agent: GPTBot
User-agent: CCBot
User-agent: Bytespider
User-agent: ClaudeBot
User-agent: Amazonbot
User-agent: PerplexityBot
User-agent: Diffbot
User-agent: cohere-ai
User-agent: Googlebot
User-agent: bingbot
`

func numberedLines(before string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d\n", before, i)
	}
	return b.String()
}

const signals = `User-agent: *
Content-Signal: search=yes, ai-train=no
Disallow: /cart
`

// TestSilent: nothing is said about comments, order, layout and equal meaning.
func TestSilent(t *testing.T) {
	for name, after := range map[string]string{
		"comment":          "# other\n" + shop,
		"no comment":       strings.TrimPrefix(shop, "# shop\n"),
		"order of rules":   strings.Replace(shop, "Disallow: /cart\nDisallow: /search\n", "Disallow: /search\nDisallow: /cart\n", 1),
		"order of groups":  "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\nDisallow: /search\nSitemap: https://shop.example/a.xml\nSitemap: https://shop.example/b.xml\n",
		"case of keys":     strings.ReplaceAll(shop, "Disallow", "DISALLOW"),
		"CRLF":             strings.ReplaceAll(shop, "\n", "\r\n"),
		"byte order mark":  "\ufeff" + shop,
		"needless rule":    strings.Replace(shop, "/cart\n", "/cart\nDisallow: /cart/checkout\n", 1),
		"needless star":    strings.Replace(shop, "/cart\n", "/cart*\n", 1),
		"group in two":     strings.Replace(shop, "Disallow: /search\n", "\nUser-agent: *\nDisallow: /search\n", 1),
		"order of sitemap": strings.Replace(shop, "Sitemap: https://shop.example/a.xml\nSitemap: https://shop.example/b.xml", "Sitemap: https://shop.example/b.xml\nSitemap: https://shop.example/a.xml", 1),
	} {
		if got := changesOf(t, file(shop), file(after)); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	other := strings.Replace(signals, "search=yes, ai-train=no", "ai-train = no,search=yes", 1)
	if got := changesOf(t, file(signals), file(other)); got != "" {
		t.Errorf("order of signals: %s", got)
	}
	if got := changesOf(t, none(404), none(410)); got != "" {
		t.Errorf("404 and 410: %s", got)
	}
	down := file(shop)
	down.Fault, down.FaultStatus, down.Closed = wire.FaultStatus, 503, wire.OutcomeDisallowAll
	timeout := watch.Served{Fault: "timeout", Closed: wire.OutcomeDisallowAll}
	if got := changesOf(t, down, timeout); got != "" {
		t.Errorf("another fault: %s", got)
	}
}

// TestLoud: each kind of change, the gravest first.
func TestLoud(t *testing.T) {
	html, elsewhere, cut, down := file("<!DOCTYPE html><title>Login</title>"), file(shop), file(shop), watch.Served{}
	elsewhere.FinalURL, cut.Truncated = "https://parking.example/robots.txt", true
	down.Fault, down.FaultStatus, down.Closed = wire.FaultStatus, 503, wire.OutcomeDisallowAll
	unreachable := watch.Served{Fault: "DNS", Closed: wire.OutcomeDisallowAll}
	wasDown := file(shop)
	wasDown.Fault, wasDown.FaultStatus = wire.FaultStatus, 503
	closed := watch.Served{Outcome: wire.OutcomeDisallowAll, Status: 403, FinalURL: shopURL}
	for _, c := range []struct {
		name          string
		before, after watch.Served
		want          string // the beginnings of the lines
	}{
		{"whole site", file(shop), file(strings.Replace(shop, "Disallow: /cart", "Disallow: /", 1)),
			"critical closes closes the whole site for any crawler that follows the group for *; it was open except /cart and /search"},
		{"closes but", file(shop), file(strings.Replace(shop, "Disallow: /cart", "Allow: /$\nAllow: /about\nAllow: /blog\nAllow: /contact\nDisallow: /", 1)),
			"critical closes closes all but /$, /about and 2 more for any crawler that follows the group for *; it was open except /cart and /search"},
		{"folders", file(shop), file(strings.Replace(shop, "Disallow: /cart", "Disallow: /cart\nDisallow: /*/", 1)),
			"high closes closes /*/ for any crawler that follows the group for *"},
		{"folders for one", file(shop), file(strings.Replace(shop, "Disallow: /\n", "Disallow: /*/\n", 1)),
			"high opens opens all but /*/ for GPTBot; it was closed"},
		{"opens", file(shop), file(strings.Replace(shop, "Disallow: /\n", "Disallow: /private\n", 1)),
			"high opens opens all but /private for GPTBot; it was closed"},
		{"path", file(shop), file(shop[:len("# shop\nUser-agent: *\n")] + "Disallow: /tmp\n" + shop[len("# shop\nUser-agent: *\n"):]),
			"medium closes closes /tmp for any crawler that follows the group for *"},
		{"a name with a digit", file("User-agent: Googlebot2\nDisallow: /a\n"), file("User-agent: Googlebot2\nDisallow: /\n"),
			"critical closes closes the whole site for Googlebot and Googlebot2; it was open except /a"},
		{"search engines first", file(manyNames + "Disallow: /a\n"), file(manyNames + "Disallow: /\n"),
			"critical closes closes the whole site for Googlebot, bingbot, GPTBot, CCBot, Bytespider, ClaudeBot, PerplexityBot, Diffbot and 2 more; it was open except /a"},
		{"more paths than are listed", file("User-agent: *\nDisallow: /a\n"), file("User-agent: *\nDisallow: /a\n" + numberedLines("Disallow: /p", 300)),
			"medium closes closes /p10, /p11 and at least 254 more that begin with /p for any crawler that follows the group for *"},
		{"the overlap of two rules", file("User-agent: *\nDisallow: /*?\nAllow: /blog\n"), file("User-agent: *\nDisallow: /*?\n"),
			"medium closes closes /blog*? for any crawler that follows the group for *"},
		{"in part", file("User-agent: *\nDisallow: /cart\n"), file("User-agent: *\nDisallow: /cart\nDisallow: /search\nAllow: /search/about\n"),
			"medium closes closes /search (except /search/about) for any crawler that follows the group for *"},
		{"paths far from the whole site", file("User-agent: *\nDisallow: /\n"), file("User-agent: *\nDisallow: /\nAllow: /*-\n"),
			"medium opens opens /*- for any crawler that follows the group for *"},
		{"folders of a closed site", file("User-agent: *\nDisallow: /\n"), file("User-agent: *\nDisallow: /\nAllow: /*/\n"),
			"high opens opens /*/ for any crawler that follows the group for *; it was closed"},
		{"words with a hyphen again", file("User-agent: *\nDisallow: /\nAllow: /*-\nAllow: /a\n"), file("User-agent: *\nDisallow: /\nAllow: /a\n"),
			"high closes closes /*- (except /a) for any crawler that follows the group for *"},
		{"gone", file(shop), none(404), "high gone the file is gone (status 404)\nhigh opens opens the whole site for GPTBot; it was closed\nmedium opens opens /cart and /search for any crawler that follows the group for *"},
		{"appeared", none(404), file("User-agent: *\nDisallow: /\n"), "critical closes closes the whole site for any crawler that follows the group for *; it was open\nlow appeared"},
		{"forbidden", file("User-agent: *\nDisallow:\n"), closed, "critical closes closes the whole site for any crawler that follows the group for *; it was open\nhigh gone the file is gone (status 403)"},
		{"html", file(shop), html, "high html the file is a web page now"},
		{"503", file(shop), down, "critical server-error status 503, which closes the whole site for search engines while it lasts"},
		{"unreachable", file(shop), unreachable, "critical unreachable no response (DNS)"},
		{"recovered", wasDown, file(shop), "low recovered answers again, after status 503"},
		{"recovered with another", wasDown, file(shop + "Disallow: /new\n"), "low recovered"},
		{"redirected", file(shop), elsewhere, "high redirected served by parking.example, previously by shop.example"},
		{"truncated", file(shop), cut, "high truncated"},
		{"sitemap", file(shop), file(strings.Replace(shop, "/b.xml", "/c.xml", 1)),
			"low sitemaps Sitemap: removed https://shop.example/b.xml, added https://shop.example/c.xml"},
		{"use", file(shop), file(strings.Replace(shop, "User-agent: *\n", "User-agent: *\nContent-Signal: ai-train=no\n", 1)),
			"low use Content-Signal for any crawler that follows the group for *: added ai-train=no"},
		{"one signal of a line", file(signals), file(strings.Replace(signals, "ai-train=no", "ai-train = yes, ai-input=no", 1)),
			"low use Content-Signal for any crawler that follows the group for *: removed ai-train=no, added ai-train=yes and ai-input=no"},
		{"a group hides a signal", file(signals), file(signals + "\nUser-agent: GPTBot\nUser-agent: AI2Bot\nDisallow: /cart\n"),
			"low use Content-Signal for GPTBot and AI2Bot: removed search=yes and ai-train=no"},
		{"the signal of a group that goes applies to all", file(signals + "\nUser-agent: GPTBot\nContent-Signal: ai-train=no,search=yes\nDisallow: /cart\n"), file(signals), ""},
		{"a value that is repeated", file("User-agent: *\nContent-Usage: train-ai=y, train-ai=n\nAllow: /\n"), file("User-agent: *\nContent-Usage: train-ai=n, train-ai=y\nAllow: /\n"),
			"low use Content-Usage for any crawler that follows the group for *: removed train-ai=n, added train-ai=y"},
		{"many values", file("User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n"), file("User-agent: *\nContent-Usage: train-ai=n, a=1, b=2, c=3, d=4\nAllow: /\n"),
			"low use Content-Usage for any crawler that follows the group for *: added a=1, b=2 and 2 more"},
		{"unknown signal", file(shop), file(strings.Replace(shop, "User-agent: *\n", "User-agent: *\nContent-Signal: use=reference\n", 1)),
			"low use Content-Signal for any crawler that follows the group for *: added use=reference"},
		{"unknown usage", file("User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n"), file("User-agent: *\nContent-Usage: train-ai=n, bots=y\nAllow: /\n"),
			"low use Content-Usage for any crawler that follows the group for *: added bots=y"},
		{"signal that breaks off", file(shop), file(strings.Replace(shop, "User-agent: *\n", "User-agent: *\nContent-Signal: /a\n", 1)),
			"low use Content-Signal for any crawler that follows the group for *: added /a"},
		{"license", file(shop), file("License: https://v.example/l.xml\n" + shop), "low use License for GPTBot and any crawler that follows the group for *: added https://v.example/l.xml"},
		{"license for one", file("License: https://v.example/l.xml\n" + shop), file("License: https://v.example/l.xml\n" + strings.Replace(shop, "Disallow: /\n", "Disallow: /\nLicense: https://v.example/m.xml\n", 1)),
			"low use License for GPTBot: removed https://v.example/l.xml, added https://v.example/m.xml"},
		{"signal outside", file(shop), file("Content-Signal: ai-train=no\n" + shop),
			"low use Content-Signal outside all groups, which applies to no crawler: added ai-train=no"},
		{"delay", file(shop), file(strings.Replace(shop, "User-agent: *\n", "User-agent: *\nCrawl-delay: 5\n", 1)),
			"low lines Crawl-delay for any crawler that follows the group for *: added 5"},
		{"lint", file(shop), file(strings.Replace(shop, "/search\n", "/search\nDisallow: tmp\n", 1)), "low lint the linter finds new errors: RX202 pattern-without-slash"},
	} {
		got := changesOf(t, c.before, c.after)
		if c.want == "" && got != "" {
			t.Errorf("%s: %s", c.name, got)
		}
		lines := strings.Split(got, "\n")
		for i, want := range strings.Split(c.want, "\n") {
			if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
				t.Errorf("%s: want %q in\n%s", c.name, want, got)
			}
		}
	}
}

// Only the chosen crawlers count.
func TestChosen(t *testing.T) {
	after := file(strings.Replace(shop, "Disallow: /\n", "Disallow: /private\n", 1))
	if got := changesOf(t, file(shop), after, "Googlebot"); got != "" {
		t.Errorf("Googlebot: %s", got)
	}
	if got := changesOf(t, file(shop), after, "GPTBot", "Googlebot"); !strings.HasPrefix(got, "high opens") {
		t.Errorf("GPTBot: %s", got)
	}
	after = file(strings.Replace(shop, "Disallow: /\n", "Disallow: /\nContent-Signal: ai-train=no\n", 1))
	if got := changesOf(t, file(shop), after, "Bingbot"); got != "" {
		t.Errorf("Bingbot: %s", got)
	}
	want := "low use Content-Signal for GPTBot: added ai-train=no"
	if got := changesOf(t, file(shop), after, "Bingbot", "GPTBot"); got != want {
		t.Errorf("GPTBot: %s", got)
	}
}
