package corpus

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
)

const generatedFiles = 1000

// Generate makes n bodies that are, taken together, like a few thousand files
// collected from the web:
//
//   - 9% are HTML pages instead of robots.txt files, 0.5% are empty;
//   - the number of rules is log-normal: median 5, mean some 25, a tenth of the
//     files beyond 50, at most 10,000; that gives a median of some 400 bytes and
//     a mean of 2 to 3 KB;
//   - three quarters have one group, for all crawlers; the others have 2 to 12,
//     and one in fifty has 50 and more, each with one or two agents;
//   - of the rules, 12% allow, 29% have a wildcard, 4% end in '$', 2% contain
//     a percent code, 0.2% a letter beyond ASCII; they are 20 bytes on average;
//   - one line in twenty-five is a comment, and there are sitemaps, empty lines
//     and, in a few files, Crawl-delay, unknown and misspelt lines;
//   - 22% of the files end their lines in CRLF, 0.6% begin with a BOM.
//
// The same seed gives the same bodies.
func Generate(seed uint64, n int) [][]byte {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	bodies := make([][]byte, n)
	for i := range bodies {
		bodies[i] = g.file()
	}
	return bodies
}

type generator struct {
	*rand.Rand
	out bytes.Buffer
	end string // of lines
}

func (g *generator) chance(percent float64) bool { return g.Float64()*100 < percent }

// logNormal returns a random number with the given median; a sixth of them exceed
// median·spread.
func (g *generator) logNormal(median, spread float64) int {
	return int(math.Round(median * math.Exp(g.NormFloat64()*math.Log(spread))))
}

func (g *generator) file() []byte {
	g.out.Reset()
	g.end = "\n"
	if g.chance(22) {
		g.end = "\r\n"
	}
	switch {
	case g.chance(0.5):
		return nil
	case g.chance(9):
		g.page()
	default:
		g.robots()
	}
	return bytes.Clone(g.out.Bytes())
}

// page writes an HTML page such as many servers send instead of a robots.txt.
func (g *generator) page() {
	g.line("<!DOCTYPE html>")
	g.line("<html lang=\"en\"><head><title>Page not found</title>")
	for range g.logNormal(60, 4) {
		g.line("  <div class=\"%s-%s\"><a href=\"https://example.com%s\">%s</a></div>", g.word(), g.word(), g.path(), g.word())
	}
	g.line("</body></html>")
}

func (g *generator) robots() {
	if g.chance(0.6) {
		g.out.WriteString("\xEF\xBB\xBF")
	}
	groups := 1
	switch {
	case g.chance(2):
		groups = 50 + g.IntN(100)
	case g.chance(23):
		groups = 2 + g.IntN(11)
	}
	rules := min(10_000, g.logNormal(5, 6))
	for i := range groups {
		g.group(i, rules/groups+1)
	}
	for range g.logNormal(1, 2) {
		g.line("Sitemap: https://www.example.com/%s-sitemap.xml", g.word())
	}
}

func (g *generator) group(i, rules int) {
	g.agents(i)
	if g.chance(6) {
		g.line("Crawl-delay: %d", 1+g.IntN(30))
	}
	for range rules {
		g.rule()
		if g.chance(4) {
			g.line("# %s %s %s", g.word(), g.word(), g.word())
		}
		if g.chance(1) {
			g.line("%s%s", g.pick("Noindex: /", "Clean-param: ", "Disalow: /", "Host: www."), g.word())
		}
	}
	g.line("")
}

func (g *generator) agents(i int) {
	if i == 0 {
		g.line("%s: *", g.pick("User-agent", "User-agent", "User-Agent", "user-agent"))
		return
	}
	for range 1 + g.IntN(2) {
		if g.chance(60) {
			g.line("User-agent: %s", g.pick(agents...))
		} else {
			g.line("User-agent: %s%sBot", g.word(), g.word())
		}
	}
}

func (g *generator) rule() {
	path := g.path()
	switch {
	case g.chance(15):
		path = "/*" + g.pick("?", ".", "/", "?*") + g.word()
	case g.chance(16):
		path += g.pick("*", "/*", "?*", "/*/"+g.word())
	}
	if g.chance(4) {
		path += "$"
	}
	if g.chance(2) {
		path += "/%C3%A9" + g.word()
	}
	if g.chance(0.2) {
		path += "/é"
	}
	g.line("%s: %s", g.pick("Disallow", "Disallow", "Disallow", "Disallow", "Disallow", "Disallow", "Disallow", "Allow"), path)
}

// path returns a path of one to four words, for rules and for queries.
func (g *generator) path() string {
	path := "/" + g.word()
	for range g.IntN(3) {
		path += g.pick("/", "/", "-", "_") + g.word()
	}
	return path + g.pick("", "/", "/", ".php", ".html")
}

func (g *generator) line(format string, values ...any) {
	fmt.Fprintf(&g.out, format, values...)
	g.out.WriteString(g.end)
}

func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *generator) word() string { return g.pick(words...) }

var agents = []string{
	"Googlebot", "Bingbot", "Slurp", "Baiduspider", "YandexBot", "AhrefsBot", "SemrushBot", "MJ12bot", "dotbot",
	"GPTBot", "ClaudeBot", "CCBot", "PetalBot", "ia_archiver", "Mediapartners-Google", "Googlebot-Image", "Twitterbot",
}

var words = []string{
	"admin", "account", "ajax", "api", "archive", "articles", "assets", "author", "basket", "blog", "brands", "cache",
	"calendar", "cart", "catalog", "category", "cgi-bin", "checkout", "comments", "compare", "config", "contact",
	"content", "customer", "dashboard", "data", "download", "draft", "embed", "export", "feed", "files", "filter",
	"forum", "gallery", "help", "home", "images", "includes", "install", "item", "jobs", "lang", "lib", "list", "login",
	"mail", "media", "members", "modules", "news", "order", "page", "partners", "plugins", "preview", "price", "print",
	"private", "product", "profile", "promo", "rating", "register", "report", "review", "sale", "scripts", "search",
	"seller", "session", "shop", "sort", "static", "store", "support", "system", "tag", "temp", "test", "themes",
	"tools", "tracking", "trackback", "update", "uploads", "user", "vendor", "video", "wiki", "wishlist", "wp-admin",
	"wp-content", "wp-includes", "xmlrpc", "year",
}
