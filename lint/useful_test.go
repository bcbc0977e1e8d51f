package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// manyRules returns rules of which none covers another.
func manyRules(n int) string {
	var rules strings.Builder
	for i := range n {
		fmt.Fprintf(&rules, "Disallow: /r%d/\n", 100+i)
	}
	return rules.String()
}

// TestUseful has the cases of checks that look at several lines, in a default run: the
// findings as "line code severity", and a part of the first message.
func TestUseful(t *testing.T) {
	const all = "User-agent: *\nDisallow: /cart\nDisallow: /search\n"
	production, bing := lint.Config{Profile: lint.Production}, lint.Config{Profile: lint.Bing}
	const sitemap = "Sitemap: https://shop.example/s.xml\n"
	for _, c := range []struct {
		name, body string
		config     lint.Config
		want, says string
	}{
		{name: "CSS", body: "User-agent: *\nDisallow: /assets/css/\n", want: "2 RX223 info", says: "Googlebot may not load CSS from"},
		{name: "programs for other sites", body: "User-agent: *\nDisallow: /sdk/js\nDisallow: /v1/Tracking/*.js$\nDisallow: /maps/api/place/js/\n"},
		{name: "a short path for a main crawler after many names", body: agents("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "Googlebot") + "Disallow: /qu\nDisallow: /quiz/\n\n" + all, want: "22 RX311 info, 23 RX211 info"},
		{name: "a cut name, and the name with the same rules", body: all + "\nUser-agent: bingbot/7.1,\nDisallow: /a/\nDisallow: /b/\n\nUser-agent: bingbot\nDisallow: /b/\nDisallow: /a/\n", want: "5 RX311 info"},
		{name: "a copied list", body: all + "\nUser-agent: Twitterbot\nUser-agent: facebookexternalhit\nUser-agent: Mediapartners-Google\nUser-agent: MJ12bot\nDisallow: /\n", want: "9 RX315 info", says: "closed to Twitterbot, facebookexternalhit, Mediapartners-Google, so it loses previews of its links, Google's advertisements."},
		{name: "half a list of AI crawlers", body: all + "\n# no AI\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n", want: "7 RX313 info", says: "blocks 2 large AI training crawlers"},
		{name: "two AI crawlers without a word", body: all + "\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"},
		{name: "a template", body: "User-agent: *\nDisallow: /a/\nDisallow: {{ path }}\nSitemap: https://${host}/s.xml\n", want: "3 RX421 info", says: "This is a template. Check the file that is built from it. The same is true of 1 line below."},
		{name: "an old and a new name", body: all + "\nUser-agent: anthropic-ai\nDisallow: /\n\nUser-agent: ClaudeBot\nDisallow:\n", want: "5 RX110 info", says: "opens the site to ClaudeBot by name"},
		{name: "old names", body: all + "\nUser-agent: anthropic-ai\nUser-agent: Claude-Web\nDisallow: /\n", want: "5 RX110 info", says: "The same is true of Claude-Web."},
		{name: "names that need not obey", body: all + "\nUser-agent: ChatGPT-User\nUser-agent: Perplexity-User\nDisallow: /\n", want: "5 RX112 info", says: "ChatGPT-User, Perplexity-User may ignore robots.txt"},
		{name: "a company whose crawlers obey nothing", body: all + "\nUser-agent: DeepSeek\nDisallow: /\n", want: "5 RX109 warning", says: "block them at the server"},
		{name: "a delay of zero", body: "User-agent: Googlebot\nCrawl-delay: 0\nDisallow: /a/\n\nUser-agent: *\nDisallow: /a/\n"},
		{name: "a key for AI", body: all + "LLM-Rules: no\nAI-Train: no\n", want: "4 RX516 info", says: "no crawler documents it"},
		{name: "llms.txt as a sitemap", body: all + "Sitemap: https://shop.example/llms.txt\n", want: "4 RX523 info", says: "not a sitemap"},
		{name: "a key that is far from a sitemap", body: all + "Site-name: Shop\nSitename: Shop\n"},
		{name: "parameters only as the first", body: "User-agent: *\nDisallow: /*?sort=\nDisallow: /*?order=\nDisallow: /*?filter=\n", want: "2 RX224 info", says: "This line and 2 lines below"},
		{name: "an allow-list", body: "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /news/\n", want: "2 RX223 info"},
		{name: "a folder on the disk", body: "User-agent: *\nDisallow: /var/www/html/x/\n", want: "2 RX203 warning", says: "\"/var/www\" is a folder on the server's disk"},
		{name: "a name of .htaccess", body: all + "\nUser-agent: Download\\ Demon\nDisallow: /\n", want: "5 RX101 warning", says: "as .htaccess has it"},
		{name: "groups for no one", body: all + "\nUser-agent: www.foo.example\nUser-agent: 12345\nUser-agent: foobot barcrawler\nUser-agent: Mozilla/5.0 (compatible; FooBot/1.0)\nUser-agent: foo*bot\nDisallow: /\n", want: "5 RX101 warning", says: "This is an address. No crawler has this name, so the line closes nothing to anyone. The same is true of 4 User-agent lines below."},
		{name: "a product", body: all + "\nUser-agent: Copilot\nDisallow: /\n", want: "5 RX109 warning", says: "Write bingbot."},
		{name: "a product whose operator names no crawler", body: all + "\nUser-agent: Grok\nDisallow: /\n", want: "5 RX109 warning", says: "No source of the operator names a crawler"},
		{name: "a letter too much", body: all + "\nUser-agent: GPTBots\nDisallow: /\n", want: "5 RX109 info", says: "Did you mean GPTBot?"},
		{name: "a second group that opens everything", body: "User-agent: *\nDisallow: /d/\n\nUser-agent: *\nAllow: /\n"},
		{name: "an empty second group before a blank line", body: "User-agent: *\nDisallow: /d/\n\nUser-agent: *\n\nSitemap: https://shop.example/s.xml\n"},
		{name: "a list of AI crawlers without GPTBot", body: agents("ClaudeBot", "CCBot", "Google-Extended", "Applebot-Extended", "Bytespider", "meta-externalagent", "Amazonbot") + "Disallow: /\n", want: "5 RX112 info"},
		{name: "a time of visits", body: "User-agent: *\nDisallow: /d/\nVisit-time: 01:45-08:30\n", want: "3 RX509 info"},
		{name: "programs of Drupal in a folder", body: "User-agent: *\nDisallow: /bay/profiles/\nDisallow: /bay/scripts/\n"},
		{name: "the end of the number of a page", body: "User-agent: *\nDisallow: /*age=\n", want: "2 RX211 info", says: "such as page="},
		{name: "a list of beginnings", body: "User-agent: *\nDisallow: /cy\nDisallow: /cycounter\n"},
		{name: "a short path above a folder", body: "User-agent: *\nDisallow: /cy\nDisallow: /cycounter/\n", want: "2 RX211 info"},
		{name: "an empty name next to another", body: all + "\nUser-agent:\nUser-agent: Nutch\nDisallow: /\n", want: "5 RX104 info", says: "other lines of the group do. Remove it."},
		{name: "an empty name above a closed site", body: all + "\nUser-agent:\nDisallow: /\n", want: "5 RX104 error", says: "to which the site should be closed"},
		{name: "rules for all below those of AdSense", body: "User-agent: Mediapartners-Google\nDisallow:\nDisallow: /kgb/\nDisallow: /abc/\n", want: "3 RX314 warning"},
		{name: "an empty rule after others", body: "User-agent: *\nDisallow: /kgb/\nDisallow:\nAllow:\n"},
		{name: "a word of Allow", body: "User-agent: *\nDisallow: /*?*\nAllow: /recipes/hash-browns/\n", want: "2 RX223 info"},
		{name: "a percent sign twice", body: "User-agent: *\nDisallow: /100%%/\n", want: "2 RX212 info"},
		{name: "a list that is there twice", body: "User-agent: *\n" + manyRules(30) + manyRules(30), want: "32 RX208 info"},
		{name: "text in a group that is no path", body: all + "google-site-verification=AbC\nwww.example.com/sitemap.xml\n12/05/2020\n", want: "4 RX413 info", says: "begin them with #"},
		{name: "a second group that opens a closed site, where the first counts", config: lint.Config{Profile: lint.Koster1996}, body: "User-agent: *\nDisallow: /\n\nUser-agent: *\nAllow: /\n", want: "2 RX307 info, 4 RX302 info"},
		{name: "rules for one crawler, where none is a main one", config: lint.Config{Profile: lint.RFC9309}, body: "User-agent: FooBot\nDisallow: /abc/\n", want: "1 RX306 info"},
		{name: "a name that begins with not", body: all + "\nUser-agent: Not Your Business!\nDisallow: /\n"},
		{name: "a negation of an unknown name", body: all + "\nUser-agent: not FooBot\nDisallow: /\n", want: "5 RX104 error"},
		{name: "a group of exceptions", body: "User-agent: *\nDisallow: /print/\n\nUser-agent: FooBot\nAllow: /print/\n"},
		{name: "static files that are partly open", body: "User-agent: *\nAllow: /static/css/\nAllow: /static/compiled/\nDisallow: /static/\n"},
		{name: "an odd space at the end", body: "User-agent: *\nDisallow: /members\u2002\n", want: "2 RX204 error", says: "Write \"/members\"."},
		{name: "a name in a folder of names with _", body: "User-agent: *\nDisallow: /authors/\nAllow: /authors/Jane_Austen\nAllow: /authors/Rudyard Kipling\n", want: "4 RX204 error", says: "Wikis write _"},
		{name: "a title of a wiki at the end", body: "User-agent: *\nDisallow: /wiki/Overleg_Wikipedia:Verzoek voor moderatoren\n", want: "2 RX204 error", says: "Wikis write _"},
		{name: "a beginning with a list of exceptions", body: "User-agent: *\nDisallow: /p\nAllow: /pa\nAllow: /pb\nAllow: /pc\n"},
		{name: "the end of parameters of campaigns", body: "User-agent: *\nDisallow: /*clid=\nDisallow: /*n=\nDisallow: /*utm_campaign=\n"},
		{name: "a list in a closed group", body: "User-agent: *\nDisallow: /\nDisallow: /a?r=b\nDisallow: /a?r=b/1\nDisallow: /a?r=b/2\nDisallow: /a?r=b/3\nDisallow: /a?r=b/4\nDisallow: /a?r=b/5\n", want: "2 RX307 warning"},
		{name: "an empty rule above an Allow of everything", body: "User-agent: *\nDisallow:\nAllow: /\nDisallow: /x/\nDisallow: /y/\n"},
		{name: "parameters that a group closes with all others", body: "User-agent: *\nDisallow: /*sort=\nDisallow: /*order=\n\nUser-agent: Googlebot\nDisallow: /*?*\n", want: "6 RX223 info"},
		{name: "a sitemap on a host for sitemaps", body: "User-agent: *\nDisallow: /maps/\n\nSitemap: https://sitemaps.shop.example/maps/a.xml\n"},
		{name: "a folder of scripts in a closed section", body: "User-agent: *\nDisallow: /planet/\nDisallow: /planet/js/\n"},
		{name: "a folder of scripts in an open section", body: "User-agent: *\nDisallow: /planet/\nAllow: /planet/x/\nDisallow: /planet/x/js/\n", want: "4 RX223 info"},
		{name: "a folder of scripts in one of files", body: "User-agent: *\nDisallow: /css/\nDisallow: /css/js/\n", want: "2 RX223 info"},
		{name: "a section about style", body: "User-agent: *\nDisallow: /news/*/*/style/\n"},
		{name: "an empty rule of AdsBot", body: all + "\nUser-agent: AdsBot-Google\nDisallow:\nDisallow: /x/\n"},
		{name: "a path with another end", body: "User-agent: *\nDisallow: /e-print\nDisallow: /list.php\n\nUser-agent: Googlebot\nDisallow: /e-print/\nDisallow: /list.php?\n"},
		{name: "a file with a space next to one with _", body: "User-agent: *\nDisallow: /downloads/annual_report.pdf\nDisallow: /downloads/my file.pdf\n", want: "3 RX204 error", says: "Write %20."},
		{name: "an ideographic space", body: "User-agent: *\nDisallow: /資料\u3000一覧/a.html\n", want: "2 RX206 info"},
		{name: "two odd spaces", body: "User-agent: *\nDisallow: /a\u00a0b\u2002c.html\n", want: "2 RX204 error", says: "Write \"/a%20b%20c.html\"."},
		{name: "two empty names", body: all + "\nUser-agent:\nUser-agent:\nDisallow: /\n", want: "5 RX104 error, 6 RX104 error"},
		{name: "an operator who is excluded", body: all + "\nUser-agent: not Baidu\nDisallow: /\n", want: "5 RX104 error"},
		{name: "a parameter of a path", body: "User-agent: *\nDisallow: /*;jsessionid=\n\nUser-agent: Googlebot\nDisallow: /*?\nDisallow: /x2/\n", want: "4 RX311 info, 5 RX223 info"},
		{name: "a lost file with a query", body: all + "index.php?id=2\n", want: "4 RX413 info", says: "no directive is before it"},
		{name: "a lost path after a guess", body: all + "category?x=1\n/private\n", want: "5 RX413 info", says: "Crawlers ignore this path"},
		{name: "the header of a crawler with a longer name", body: all + "\nUser-agent: Mozilla/5.0 (compatible; Yahoo! Slurp China; http://misc.yahoo.com.cn/help.html)\nDisallow: /y/\n", want: "5 RX107 error", says: "Write the name that the operator documents."},
		{name: "static files that are partly open, production", config: production, body: "User-agent: *\nDisallow: /static/\nAllow: /static/css/\n" + sitemap, want: "2 RX223 info"},
		{name: "an empty rule between others", body: "User-agent: *\nDisallow: /a1/\nDisallow:\nDisallow: /b1/\n", want: "3 RX210 info"},
		{name: "a parameter next to an Allow of a word", body: "User-agent: *\nDisallow: /*age=\nAllow: /pages/\n", want: "2 RX211 info"},
		{name: "a version with a value", body: "User-agent: *\nDisallow: /*?*\nAllow: /*?ver=5*\n"},
		{name: "the version that the site has", body: "User-agent: *\nDisallow: /*?*\nAllow: /*?build=*\n"},
		{name: "a literal dollar sign", body: "User-agent: *\nDisallow: /shop/Optus-$30-SIM\nDisallow: /rates/$%7Bdomain%7D/\nDisallow: *$(this).fadeOut()\n"},
		{name: "a dollar sign before the end", body: "User-agent: *\nDisallow: /*.pdf$*\nDisallow: /*.doc$%20\nDisallow: /$FILE/*.xls$*\n", want: "2 RX205 warning, 3 RX205 warning, 4 RX205 warning"},
		{name: "a percent sign of a macro", body: "User-agent: *\nDisallow: /a/%%PATTERN:url%%\nDisallow: /*%(link\n"},
		{name: "a dead directive without a colon", body: "User-agent: *\nDisallow: /cart\nNoindex /x\n", want: "3 RX501 warning"},
		{name: "an exception that is too short", body: "User-agent: *\nAllow: /board/\nDisallow: /board/*\n", want: "2 RX208 warning"},
		{name: "a comment of HTML", body: "<!-- Id: robots.txt -->\n<!-- of\n2018 -->\n" + all, want: "1 RX401 info", says: "Lines 1 to 3 are a comment of HTML"},
		{name: "a comment of HTML and other markup", body: "<!-- a --><p>b</p><!-- c -->\n" + all, want: "1 RX401 warning"},
		{name: "the rest of a rule", body: all + "Dis?action=logout\nplugins/\n", want: "4 RX413 info", says: "no directive is before it"},
		{name: "rules only for another crawler", body: "User-agent: Baiduspider\nDisallow: /x/\n"},
		{name: "a part shared by two crawlers", body: "User-agent: BarBot\nCrawl-delay: 5\n\nUser-agent: FooBot\nDisallow: /cart\nDisallow: /search\n\n" + all, want: "4 RX301 info"},
		{name: "redundant rules of many kinds", body: "User-agent: *\nDisallow: /ca\nDisallow: /ca/b\nDisallow: /da\nDisallow: /da/b\nDisallow: /ea\nDisallow: /ea/b\nDisallow: /fa\nDisallow: /fa/b\n" + manyRules(9)},
		{name: "CSS, production", body: "User-agent: *\nDisallow: /css\n" + sitemap, config: production, want: "2 RX223 warning"},
		{name: "all JavaScript", body: "User-agent: *\nDisallow: /*.js$\n", want: "2 RX223 info", says: "JavaScript"},
		{name: "with a query", body: "User-agent: *\nDisallow: /*.css?\n", want: "2 RX223 info", says: "CSS"},
		{name: "fonts, production", body: "User-agent: *\nDisallow: /fonts/\nDisallow: *.woff2\n" + sitemap, config: production, want: "2 RX223 warning", says: "fonts"},
		{name: "fonts", body: "User-agent: *\nDisallow: /fonts/\nDisallow: *.woff2\n"},
		{name: "JavaScript of a folder whose CSS is open", body: "User-agent: *\nDisallow: /_next\nAllow: /_next/static/css\n", want: "2 RX223 info", says: "may not load JavaScript from"},
		{name: "folders for files in a folder below", body: "User-agent: *\nDisallow: /administrator/\nDisallow: /templates/\nAllow: /templates/shop/css/\nAllow: /templates/shop/js/\n"},
		{name: "few redundant rules of many", body: "User-agent: *\nDisallow: /cart\nDisallow: /cart/b\nDisallow: /cart/c\n" + manyRules(21)},
		{name: "more redundant rules of many", body: "User-agent: *\nDisallow: /search\nDisallow: /search/y\nDisallow: /cart\nDisallow: /cart/b\nDisallow: /cart/c\nDisallow: /cart/d\nDisallow: /cart/e\nDisallow: /cart/f\n" + manyRules(24), want: "5 RX208 info"},
		{name: "lines that another one makes needless", body: "User-agent: *\nDisallow: cart/\nDisallow: /cart\nDisallow: https://example.com/cart/a\nDisallow: /cart/a b.html\nDisallow: //cart/\nDisallow: /cart/.*\n"},
		{name: "a line that another one might not make needless", body: "User-agent: *\nDisallow: cart/\nDisallow: /cart\nAllow: /cart/a\n", want: "2 RX202 error"},
		{name: "titles of a wiki", body: "User-agent: *\nDisallow: /wiki/Talk pages/\n", want: "2 RX204 error", says: "Wikis write _"},
		{name: "titles of a wiki, in both forms", body: "User-agent: *\nDisallow: /wiki/Talk pages/\nDisallow: /wiki/Talk_pages/\n"},
		{name: "a space before everything", body: "User-agent: *\nDisallow: / *\n", want: "2 RX204 error", says: "it would match the whole site"},
		{name: "a host as a path", body: "User-agent: *\nDisallow: static.example\nDisallow: index.php\n", want: "2 RX202 error, 3 RX202 error"},
		{name: "a URL with a sign at its end", body: "User-agent: *\nDisallow: https://example.com/;\n", want: "2 RX203 error"},
		{name: "a long delay of one crawler", body: "User-agent: Slurp\nCrawl-delay: 80\nDisallow: /a/\n\nUser-agent: *\nDisallow: /a/\n"},
		{name: "a long delay of a crawler of Google", body: "User-agent: Googlebot\nCrawl-delay: 80\nDisallow: /a/\n\nUser-agent: *\nDisallow: /a/\n", want: "2 RX507 info", says: "Googlebot ignores Crawl-delay."},
		{name: "a delay of two crawlers", body: "User-agent: Googlebot\nUser-agent: bingbot\nCrawl-delay: 8\nDisallow: /a/\n\nUser-agent: *\nDisallow: /a/\n"},
		{name: "a delay of two crawlers that ignore it", body: "User-agent: Googlebot\nUser-agent: Yandex\nCrawl-delay: 8\nDisallow: /a/\n\nUser-agent: *\nDisallow: /a/\n", want: "3 RX507 info", says: "These crawlers ignore Crawl-delay: Googlebot, Yandex."},
		{name: "a long delay above all", body: "User-agent: FooBot\nCrawl-delay: 3600\n\nUser-agent: *\nDisallow: /a/\n", want: "4 RX301 info"},
		{name: "hosts as folders", body: "User-agent: *\nDisallow: /login.shop.example/user/\nDisallow: /shop.example.html\nDisallow: /other.example/\n\nSitemap: https://www.shop.example/s.xml\n", want: "2 RX203 warning", says: "each host has its own file"},
		{name: "needless, although an Allow opens everything", body: "User-agent: *\nAllow: /\nDisallow: ?a=*\nDisallow: /*?*\nDisallow: /*\"*\nDisallow: /*%*\n", want: "4 RX223 info"},
		{name: "a sitemap that the file blocks", body: "User-agent: *\nDisallow: /maps/\n\nSitemap: https://shop.example/maps/a.xml\nSitemap: https://shop.example/b.xml\n", want: "4 RX504 info", says: "blocks its own sitemap for * and Googlebot"},
		{name: "a sitemap that the file blocks for others", body: "User-agent: *\nDisallow: /maps/\n\nUser-agent: Googlebot\nDisallow: /a/\nDisallow:\n\nSitemap: https://shop.example/maps/a.xml\n"},
		{name: "sitemaps of two hosts", body: "User-agent: *\nDisallow: /maps/\n\nSitemap: https://shop.example/maps/a.xml\nSitemap: https://cdn.shop.example/b.xml\n"},
		{name: "the end of a parameter", body: "User-agent: *\nDisallow: /*n=\nDisallow: /*?id=\nDisallow: *source=\nDisallow: /a*id=\n", want: "2 RX211 info", says: `"/*n=" matches every parameter that ends in "n=", such as utm_campaign=.`},
		{name: "the end of a parameter, where all queries are closed", body: "User-agent: *\nDisallow: /*n=\nDisallow: /*=\n"},
		{name: "an Allow without a group", body: "Allow: /\n\nUser-agent: FooBot\nDisallow: /\n", want: "1 RX304 info"},
		{name: "a directive in an agent is the lost rule", body: "User-agent: BarBot\nDisallow: /\n\nUser-agent: FooBot Allow: /\n", want: "4 RX113 info"},
		{name: "a name with code after it", body: "User-agent: *javascript:;\nDisallow: /a/\n", want: "1 RX104 error", says: "Only a * alone is for all crawlers"},
		{name: "a company in a group as for all", body: all + "\nUser-agent: Yandex Bot\nDisallow: /cart\nDisallow: /search\n"},
		{name: "a company in a closed site", body: "User-agent: *\nDisallow: /\nAllow: /a/\n\nUser-agent: Mojeek\nDisallow: /\nAllow: /a/\n"},
		{name: "a URL of another host than the sitemap's", body: "User-agent: *\nDisallow: https://cdn.shop.example/a/\n\nSitemap: https://www.shop.example/s.xml\n", want: "2 RX203 error", says: "and the sitemaps of this file are on www.shop.example"},
		{name: "a URL of the sitemap's host", body: "User-agent: *\nDisallow: https://shop.example/a/\n\nSitemap: https://www.shop.example/s.xml\n", want: "2 RX203 error", says: "if the URL is on this host"},
		{name: "a bare URL that is a sitemap too", body: all + "https://shop.example/s.xml\nSitemap: https://shop.example/s.xml\n"},
		{name: "mistakes in a closed group", body: "User-agent: FooBot\nDisallow: /\nDisallow: cart/\nDisallow: https://example.com/a/\n\n" + all},
		{name: "the library of a crawler", body: "User-agent: WebCrawler/3.0 Robot libwww/5.0a\nDisallow: /\n\n" + all},
		{name: "rules of names that Google cuts", body: "User-agent: Sogou web spider\nDisallow: /a/\nDisallow: /b/\n\nUser-agent: Sogou inst spider\nDisallow: /a/\nDisallow: /b/\n\n" + all},
		{name: "a retired crawler's misspelt name", body: all + "\nUser-agent: MSNBot-x\nDisallow: /y/\n"},
		{name: "a retired crawler's folder", body: "User-agent: *\nDisallow: /media/\n\nUser-agent: msnbot\nDisallow: /media\n"},
		{name: "a sign before a name", body: "User-agent: ^NetShelter\nDisallow: /\n\n" + all, want: "1 RX104 error", says: "Did you mean NetShelter?"},
		{name: "a sign before a name that another line has", body: "User-agent: ^NetShelter\nDisallow: /\n\nUser-agent: NetShelter\nDisallow: /\n\n" + all},
		{name: "themes", body: "User-agent: *\nDisallow: /themes/\n", want: "2 RX223 info"},
		{name: "a misspelt name with fewer rules than for all", body: all + "\nUser-agent: Gogglebot\nDisallow: /search\n", want: "5 RX109 warning"},
		{name: "a misspelt name, and a right one with other rules", body: all + "\nUser-agent: Gogglebot\nDisallow: /cart\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /cart\nDisallow: /search\nDisallow: /b/\n", want: "5 RX109 warning"},
		{name: "a mistake below a lost User-agent", body: "User-agent: FooBot\nDisallow: /shop\n\nUser-agnet: *\nDisallow: shop/private/\n", want: "4 RX517 warning, 5 RX202 error"},
		{name: "a mistake next to a lost Allow", body: "User-agent: *\nDisallow: /shop\nAlow: /shop/pub/\nDisallow: shop/pub/b/\n", want: "3 RX517 warning, 4 RX202 error"},
		{name: "a mistake in one of two groups", body: "User-agent: FooBot\nDisallow: /shop\nDisallow: shop/b/\n\nUser-agent: FooBot\nAllow: /shop/b\n\n" + all, want: "3 RX202 error, 5 RX302 info"},
		{name: "a mistake twice", body: "User-agent: *\nDisallow: //admin/\nDisallow: //admin/\nDisallow: /a.html;\nDisallow: /a.html;\n", want: "2 RX222 warning, 3 RX222 warning, 4 RX220 warning, 5 RX220 warning"},
		{name: "the end of a parameter twice", body: "User-agent: *\nDisallow: /*id=\nDisallow: *id=\n", want: "2 RX211 info"},
		{name: "the end of a parameter with a value", body: "User-agent: *\nDisallow: /*id=123\n"},
		{name: "a template in a hidden line", body: "User-agent: *\nDisallow: /{lang}/x # robots-lint: ignore RX220\nDisallow: /{lang}/private\n", want: "3 RX220 warning"},
		{name: "files of uploads are open", body: "User-agent: *\nDisallow: /wp-content/\nAllow: /wp-content/uploads/css/\nAllow: /wp-content/uploads/js/\n", want: "2 RX223 info"},
		{name: "a severity that is asked for", body: "User-agent: *\nDisallow: /\nAllow: /blog/\n", config: lint.Config{Severities: map[lint.Code]lint.Severity{"RX307": lint.Error}}, want: "2 RX307 error"},
		{name: "links in paths", body: "User-agent: *\nDisallow: /*shop.example\nDisallow: /*.shop.example/\n\nSitemap: https://shop.example/s.xml\n"},
		{name: "a long delay of a main crawler after many names", config: bing, body: agents("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "bingbot") + "Crawl-delay: 600\nDisallow: /a/\n\n" + all, want: "22 RX311 info, 23 RX506 warning"},
		{name: "a Disallow without a colon that closes the site", body: "User-agent: *\nDisallow: /cart\nDisallow /\n", want: "3 RX307 warning, 3 RX410 warning", says: "closes the site to"},
		{name: "WordPress whose files are open", body: "User-agent: *\nDisallow: /wp-content/*\nAllow: /wp-content/themes/*\nAllow: /wp-content/plugins/*\n"},
		{name: "Magento", body: "User-agent: *\nDisallow: /*?\nDisallow: /catalogsearch/\n"},
		{name: "an Allow of a folder's name", body: "User-agent: *\nDisallow: /maps/api/js/\nAllow: /maps/api/js?\n"},
		{name: "an entity and the sign", body: "User-agent: *\nDisallow: *&amp;ref=*\nDisallow: *&ref=*\n"},
		{name: "the placeholder of a value", body: "User-agent: *\nDisallow: *zip=[zipcode]*\n"},
		{name: "a second group of a closed crawler", body: all + "\nUser-agent: FooBot\nDisallow: /\n\nUser-agent: FooBot\nCrawl-delay: 5\n"},
		{name: "expressions for kinds of crawlers", body: "User-agent: ^crawl.\nDisallow: /\n\nUser-agent: .^spider.\nDisallow: /\n\n" + all, want: "1 RX104 error, 4 RX104 error", says: "Write the name that the operator documents."},
		{name: "rules parked in a closed site", body: "User-agent: *\nDisallow: /\nDisallow: /cart\nDisallow: /search\nDisallow: /login\nDisallow: /help\n", want: "2 RX307 warning"},
		{name: "a long delay in a closed site", config: bing, body: "User-agent: *\nDisallow: /\nCrawl-delay: 600\n", want: "2 RX307 info"},
		{name: "a host after the parameters", config: lint.Config{Profile: lint.Yandex}, body: all + "Clean-param: a&b shop.example\n", want: "4 RX508 warning"},
		{name: "a folder with one slash and with two", body: "User-agent: *\nDisallow: /photo/*sort=1\nDisallow: //photo/*\n"},
		{name: "a space in both forms", body: "User-agent: *\nDisallow: * http:*\nDisallow: *%20http:*\n"},
		{name: "a space before an equals sign", body: "User-agent: *\nDisallow: */?*utm_content =*\n", want: "2 RX204 error", says: "Delete the space"},
		{name: "a company that is closed, and its crawler", body: all + "\nUser-agent: bingbot\nDisallow: /cart\nDisallow: /search\nDisallow: /b/\n\nUser-agent: Microsoft\nDisallow: /\n"},
		{name: "a second group that allows everything else", body: all + "\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\nDisallow:\n"},
		{name: "pages of Cloudflare", body: "User-agent: *\nDisallow: /cdn-cgi/styles/\n"},
		{name: "signs alone", body: all + "}\n1\n"},
		{name: "a name that its operator writes with a version", body: "User-agent: Brightbot 1.0\nDisallow: /\n\n" + all},
		{name: "a directive in an agent that its group has", body: "User-agent: FooBot Disallow: /\nDisallow: /\n\n" + all, want: "1 RX113 info"},
		{name: "a name in quotes that another line has", body: "User-agent: TinEye\nDisallow: /\n\nUser-agent: \"TinEye\"\nDisallow: /\n\n" + all},
		{name: "a short path for another crawler", body: "User-agent: grapeshot\nDisallow: /qu\nDisallow: /quiz/\n\n" + all},
		{name: "a project's documentation", body: all + "\nSitemap: https://dev.readthedocs.io/sitemap.xml\n"},
		{name: "names that no file has", body: "User-agent: *\nDisallow: /.woff2$\nDisallow: /.css\nDisallow: /.js$\nDisallow: /*/.css\n"},
		{name: "images, production", body: "User-agent: *\nDisallow: /images/\n" + sitemap, config: production, want: "2 RX223 info", says: "images"},
		{name: "images", body: "User-agent: *\nDisallow: /images/\nDisallow: /*.png$\n"},
		{name: "images and CSS", body: "User-agent: *\nDisallow: /images/\nDisallow: /css/\n", want: "3 RX223 info", says: "CSS"},
		{name: "one redundant rule", body: "User-agent: *\nDisallow: /cart\nDisallow: /cart/42\n"},
		{name: "one redundant rule, pedantic", body: "User-agent: *\nDisallow: /cart\nDisallow: /cart/42\n", config: lint.Config{Pedantic: true}, want: "3 RX208 info"},
		{name: "paths with and without an end", body: "User-agent: *\nDisallow: /cart\nDisallow: /cart/\nDisallow: /search*\nDisallow: /search\nDisallow: /a?\nDisallow: /a?*\n"},
		{name: "paths with and without an end, pedantic", body: "User-agent: *\nDisallow: /cart\nDisallow: /cart/\n", config: lint.Config{Pedantic: true}, want: "3 RX208 info"},
		{name: "redundant rules of two groups", body: "User-agent: *\nDisallow: /cart\nDisallow: /cart/42\n\nUser-agent: Foo\nDisallow: /press\nDisallow: /press\n", want: "3 RX208 info"},
		{name: "WordPress with Allow below", body: "User-agent: *\nDisallow: /wp-includes/\nAllow: /wp-includes/*/*.css$\nAllow: /wp-includes/*/*.css?*\nAllow: /wp-includes/*/*.js$\nAllow: /wp-includes/*/*.js?*\n"},
		{name: "WordPress with an Allow of CSS", body: "User-agent: *\nDisallow: /wp-includes/\nAllow: /wp-includes/*/*.css$\n", want: "2 RX223 info"},
		{name: "an Allow of files with a version", body: "User-agent: *\nDisallow: /js/\nAllow: /js/*.js?ver=\n"},
		{name: "an Allow of one file", body: "User-agent: *\nDisallow: /js/\nAllow: /js/main.js\nAllow: /js/a/b.js\n", want: "2 RX223 info"},
		{name: "assets", body: "User-agent: *\nDisallow: /assets/\nDisallow: /guides/pdfs/assets/\n", want: "2 RX223 info"},
		{name: "assets of documents", body: "User-agent: *\nDisallow: /guides/*/pdfs/assets/\nDisallow: /guides/static\n"},
		{name: "JavaScript of a folder", body: "User-agent: *\nDisallow: /includes/*.js\n", want: "2 RX223 info"},
		{name: "one script", body: "User-agent: *\nDisallow: /js/tracker.js\nDisallow: /cdn/wpm/*.js\n"},
		{name: "a page about CSS", body: "User-agent: *\nDisallow: /css-course\n"},
		{name: "CSS that an Allow opens", body: "User-agent: *\nDisallow: /css/\nAllow: /css/*.css\n"},
		{name: "Drupal without Allow", body: "User-agent: *\nDisallow: /core/\nDisallow: /profiles/\n", want: "2 RX223 info", says: "CSS and JavaScript"},
		{name: "Drupal 10", body: "User-agent: *\nAllow: /core/*.css$\nAllow: /core/*.js$\nDisallow: /core/\nDisallow: /profiles/\n"},
		{name: "Drupal's merged files", body: "User-agent: *\nDisallow: /sites/default/files/\n", want: "2 RX223 info", says: "CSS and JavaScript"},
		{name: "a folder named core", body: "User-agent: *\nDisallow: /core/\n"},
		{name: "CSS for another crawler", body: "User-agent: Foo\nDisallow: /css/\n\nUser-agent: *\nDisallow: /x/\n"},
		{name: "CSS for Bing", config: bing, body: "User-agent: bingbot\nDisallow: /css/\n\nUser-agent: *\nDisallow: /css/\n", want: "2 RX223 info", says: "bingbot"},
		{name: "CSS of a closed site", body: "User-agent: *\nDisallow: /\nDisallow: /css/\n", want: "2 RX307 warning"},
		{name: "WordPress", body: "User-agent: *\nDisallow: /wp-admin/\nDisallow: /wp-includes/\n", want: "3 RX223 info"},
		{name: "Drupal", body: "User-agent: *\nDisallow: /misc/\nDisallow: /profiles/\nDisallow: /scripts/\n", want: "2 RX223 info"},
		{name: "Drupal with Allow", body: "User-agent: *\nAllow: /misc/*.css$\nAllow: /misc/*.js$\nDisallow: /misc/\nDisallow: /profiles/\nDisallow: /scripts/\n"},

		{name: "lost lines", body: all + "\nUser-agent: Googlebot\nDisallow: /search\n", want: "5 RX311 warning", says: `ignores a Disallow line for *: "/cart".`},
		{name: "lost lines, bingbot", body: all + "\nUser-agent: bingbot\nDisallow: /search\n", want: "5 RX311 warning"},
		{name: "lost lines, another search engine", body: all + "\nUser-agent: Applebot\nDisallow: /search\n", want: "5 RX311 warning"},
		{name: "lost lines, AI training", body: all + "\nUser-agent: CCBot\nUser-agent: GPTBot\nDisallow: /lecture/\n", want: "5 RX311 info", says: `These 2 crawlers follow only the groups that name them, so they ignore 2 Disallow lines for *: "/cart", "/search".`},
		{name: "lost lines about files that pages need", body: "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /images/\nDisallow: /*.css$\n\nUser-agent: Googlebot\nDisallow: /cgi-bin/\n"},
		{name: "lost lines about files and pages", body: all + "Disallow: /images/\n\nUser-agent: Googlebot\nDisallow: /search\n", want: "6 RX311 warning", says: `ignores a Disallow line for *: "/cart".`},
		{name: "no search engine", body: all + "\nUser-agent: SemrushBot\nDisallow: /search\n"},
		{name: "another group", body: all + "\nUser-agent: Googlebot\nDisallow: /archive\n", want: "5 RX311 info", says: `"/cart", "/search"`},
		{name: "another group, after one of another crawler", body: all + "\nUser-agent: Applebot\nDisallow: /press/\n\nUser-agent: Googlebot\nDisallow: /archive\n", want: "8 RX311 info", says: "These 2 crawlers follow only"},
		{name: "another group, with another crawler", body: all + "\nUser-agent: Applebot\nUser-agent: Googlebot\nDisallow: /archive/\n", want: "6 RX311 info", says: "These 2 crawlers follow only"},
		{name: "Allow: / for a main crawler, after a group of another crawler", body: all + "\nUser-agent: AhrefsBot\nCrawl-delay: 5\n\nUser-agent: Googlebot\nAllow: /\n", want: "8 RX303 warning", says: "which close nothing"},
		{name: "an Allow of the same path", body: all + "\nUser-agent: Googlebot\nAllow: /cart\nDisallow: /search\n"},
		{name: "an Allow of more", body: "User-agent: *\nDisallow: /a/b/c/\nDisallow: /search\n\nUser-agent: Googlebot\nAllow: /a/\nDisallow: /search\n", want: "5 RX311 warning"},
		{name: "an Allow of everything", body: all + "\nUser-agent: Googlebot\nAllow: /\nDisallow: /search\n", want: "5 RX311 warning"},
		{name: "nothing lost", body: all + "\nUser-agent: Googlebot\nDisallow: /cart\nDisallow: /search\n"},
		{name: "a wider rule", body: all + "\nUser-agent: Googlebot\nDisallow: /c\nDisallow: /search\n", want: "6 RX211 info"},
		{name: "closed to the crawler", body: all + "\nUser-agent: Applebot\nDisallow: /\n", want: "6 RX315 info", says: "so it loses Siri and Spotlight"},
		{name: "everything else is said to be allowed", body: all + "\nUser-agent: Googlebot\nDisallow: /x/\nDisallow:\n"},
		{name: "an exception from a closed site", body: "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nDisallow: /x/\n"},
		{name: "two groups of the crawler", body: all + "\nUser-agent: bingbot\nDisallow: /search\n\nUser-agent: bingbot\nDisallow: /cart\n", want: "8 RX302 info"},
		{name: "two groups of a crawler of Google", body: all + "\nUser-agent: Googlebot\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /cart\n"},
		{name: "assets with open folders", body: "User-agent: *\nDisallow: /assets/\nAllow: /assets/css/\nAllow: /assets/js/\n"},
		{name: "a sign as in HTML in a query", body: "User-agent: *\nDisallow: /*&gt;\n", want: "2 RX220 info", says: "they rarely contain"},
		{name: "previews", body: all + "\nUser-agent: Twitterbot\nAllow: /a\n"},
		{name: "Crawl-delay alone", body: all + "\nUser-agent: bingbot\nCrawl-delay: 5\n", want: "5 RX303 warning"},
		{name: "Crawl-delay alone, another crawler", body: all + "\nUser-agent: AhrefsBot\nCrawl-delay: 5\n", want: "5 RX303 warning", says: "AhrefsBot follows only its own group, which closes nothing"},
		{name: "Crawl-delay alone, nothing to lose", body: "User-agent: AhrefsBot\nCrawl-delay: 5\n"},
		{name: "Crawl-delay alone, a company", body: all + "\nUser-agent: Google\nCrawl-delay: 5\n", want: "5 RX109 warning"},
		{name: "Crawl-delay alone, a company and a crawler", body: all + "\nUser-agent: Google\nUser-agent: AhrefsBot\nCrawl-delay: 5\n", want: "5 RX109 warning, 6 RX303 warning", says: "is not the name of a crawler"},
		{name: "an Allow alone, a company", body: all + "\nUser-agent: Google\nAllow: /a.css\n", want: "5 RX109 warning"},
		{name: "Crawl-delay alone, a name that Google cuts", body: all + "\nUser-agent: Yahoo!-AdCrawler\nCrawl-delay: 5\n"},
		{name: "a crawler whose name Google cuts", body: all + "\nUser-agent: MJ12bot\nCrawl-delay: 5\n", want: "5 RX303 info", says: "MJ12bot follows"},

		{name: "closed", body: "User-agent: *\nDisallow: /\n", want: "2 RX307 info", says: "closes the site to all crawlers"},
		{name: "closed beside other rules", body: "User-agent: *\nDisallow: /cart\nDisallow: /\n", want: "3 RX307 warning"},
		{name: "closed twice", body: "User-agent: *\nDisallow: /\nDisallow: /*\n", want: "2 RX307 info"},
		{name: "an Allow for everything that loses", body: "User-agent: *\nAllow: /\nDisallow: /*\n", want: "2 RX208 warning, 3 RX307 warning", says: "matches the same URLs"},
		{name: "the Allow of a closed site that wins", body: "User-agent: *\nDisallow: /\nAllow: /about\n", config: lint.Config{Pedantic: true}, want: "2 RX307 info", says: `all crawlers, except "/about".`},
		{name: "a second group without rules", body: all + "\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\n# the sitemap\n" + sitemap},
		{name: "a second group with a delay", body: all + "\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\nCrawl-delay: 5\n", want: "8 RX302 info"},
		{name: "the group of a retired crawler", body: all + "\nUser-agent: Googlebot-Mobile\nAllow: /b\n"},
		{name: "a directive in an agent that the group has", body: "User-agent: FooBot\nUser-agent: BarBot Disallow: /b/\nDisallow: /b/\n\n" + all},
		{name: "a directive in an agent that the group lacks", body: "User-agent: FooBot\nUser-agent: BarBot Disallow: /c/\nDisallow: /b/\n\n" + all, want: "2 RX113 error"},
		{name: "a no-break space of Latin-1", body: "User-agent: *\xA0\nDisallow: /cart\n", want: "1 RX104 error"},
		{name: "empty rules of two groups", body: "User-agent: FooBot\nDisallow:\nDisallow: /b/\n\nUser-agent: *\nDisallow: /cart\nDisallow:\n", want: "2 RX210 info"},
		{name: "closed thrice, with an Allow for everything", body: "User-agent: *\nDisallow: /\nAllow: /\nDisallow: /*\n", want: "3 RX208 warning, 4 RX307 warning"},
		{name: "closed twice beside other rules", body: "User-agent: *\nDisallow: /cart\nDisallow: *\nDisallow: /*\n", want: "3 RX307 warning"},
		{name: "closed but for three folders", body: "User-agent: *\nAllow: /blog/\nAllow: /shop\nAllow: /jobs/\nDisallow: /jobs/old/\nDisallow: /\n"},
		{name: "closed but for two folders", body: "User-agent: *\nAllow: /blog/\nAllow: /shop\nDisallow: /jobs/old/\nDisallow: /\n", want: "5 RX307 warning"},
		{name: "closed but for what pages need", body: "User-agent: *\nDisallow: /cart\nDisallow: /\nAllow: /*.css\nAllow: /images/\nAllow: /wp-includes/\nAllow: /wp-admin/admin-ajax.php\n", want: "3 RX307 warning"},
		{name: "closed but for a folder", body: "User-agent: *\nDisallow: /\nAllow: /blog/\n"},
		{name: "closed but for a folder, production", body: "User-agent: *\nDisallow: /\nAllow: /blog/\n" + sitemap, config: production, want: "2 RX307 error"},
		{name: "closed but for a file", body: "User-agent: *\nDisallow: /\nAllow: /ads.txt\n", want: "2 RX307 info"},
		{name: "closed to two crawlers", body: "User-agent: Googlebot\nDisallow: /\n\nUser-agent: bingbot\nDisallow: /\n", want: "2 RX307 info"},
		{name: "only a retired crawler is allowed", body: "User-agent: msnbot\nDisallow:\n\nUser-agent: Googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /\n", want: "1 RX110 warning", says: "the site is closed to bingbot."},
		{name: "only a retired crawler is closed out", body: "User-agent: msnbot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", want: "1 RX110 info", says: "the site is open to bingbot."},
		{name: "a retired crawler and its successor differ", body: "User-agent: msnbot\nDisallow:\n\nUser-agent: bingbot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", want: "1 RX110 warning, 5 RX307 info", says: "the site is closed to bingbot."},
		{name: "a retired crawler has fewer rules", body: all + "\nUser-agent: msnbot\nDisallow: /search\nCrawl-delay: 5\n"},
		{name: "a retired crawler has other rules", body: all + "\nUser-agent: msnbot\nDisallow: /search\nDisallow: /b/\n", want: "5 RX110 info", says: `Microsoft uses bingbot, and "/b/" is open to bingbot.`},
		{name: "a retired crawler has other rules, and its successor is named", body: all + "\nUser-agent: msnbot\nDisallow: /search\nDisallow: /b/\n\nUser-agent: bingbot\nDisallow: /cart\nDisallow: /search\n"},
		{name: "a successor is let in", body: "User-agent: anthropic-ai\nDisallow: /\n\nUser-agent: *\nDisallow:\n", want: "1 RX110 info", says: "the site is open to ClaudeBot."},
		{name: "home page", body: "User-agent: *\nDisallow: /$\n", want: "2 RX312 warning"},

		{name: "all but one", body: agents("GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Bytespider", "meta-externalagent", "Amazonbot") + "Disallow: /\n", want: "5 RX112 info, 7 RX313 info", says: "Bytespider ignores robots.txt, according to a public list."},
		{name: "all but one, which is allowed", body: agents("GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Bytespider", "meta-externalagent", "Amazonbot") + "Disallow: /\n\nUser-agent: Applebot-Extended\nDisallow:\n", want: "5 RX112 info"},
		{name: "a few", body: agents("GPTBot", "CCBot") + "Disallow: /\n"},

		{name: "a company", body: "User-agent: Google\nDisallow: /x/\n\nUser-agent: *\nDisallow: /y/\n", want: "1 RX109 warning", says: "Write Googlebot."},
		{name: "a company and its crawler", body: "User-agent: Baidu\nUser-agent: Baiduspider\nDisallow: /\n"},
		{name: "no group for all, but a rule without a group", body: "Disallow: /cart\n\nUser-agent: bingbot\nDisallow: /x/\n", want: "1 RX304 error"},
		{name: "crawlers that ignore the file", body: agents("Bytespider", "ChatGPT-User") + "Disallow: /\n\n" + all, want: "1 RX112 info"},
		{name: "all", body: "User-agent: all\nDisallow: /x/\n", want: "1 RX116 error"},
		{name: "a version", body: "User-agent: bingbot/2.0\nDisallow: /x/\n", want: "1 RX306 info, 1 RX101 info"},
		{name: "a version beside all", body: "User-agent: *\nUser-agent: bingbot/2.0\nDisallow: /x/\n"},
		{name: "a version beside all, and the name elsewhere", body: "User-agent: *\nUser-agent: bingbot/2.0\nDisallow: /x/\n\nUser-agent: bingbot\nDisallow: /y/\n", want: "2 RX101 info"},
		{name: "a version beside all, and a second group for all", body: "User-agent: *\nUser-agent: bingbot/2.0\nDisallow: /x/\n\nUser-agent: *\nDisallow: /y/\n", want: "2 RX311 warning, 2 RX101 info, 5 RX302 info"},
		{name: "a version of Google's", body: "User-agent: Googlebot/2.1\nDisallow: /x/\n\nUser-agent: *\nDisallow:\n"},
		{name: "a list of copiers", body: "User-agent: Teleport Pro\nUser-agent: Xenu's\nUser-agent: Foo/1.0\nUser-agent: Mozilla/4.0 (compatible; MSIE 6.0)\nDisallow: /\n", want: "4 RX101 warning"},
		{name: "a name with more words", body: "User-agent: Yandex.Gazeta Bot\nDisallow: /\n", want: "1 RX101 warning", says: `Google reads only "Yandex"`},

		{name: "a regular expression", body: "User-agent: *\nDisallow: /(a|b)/.*\n", want: "2 RX219 warning"},
		{name: "dots and stars", body: "User-agent: *\nDisallow: /index.*\nDisallow: /*.pdf.*\nDisallow: /a(b)\n"},
		{name: "an entity", body: "User-agent: *\nDisallow: /*?a=1&amp;b=\n", want: "2 RX220 warning"},
		{name: "a quote", body: "User-agent: *\nDisallow: /\"a\"/\n", want: "2 RX220 warning", says: "%22"},
		{name: "braces", body: "User-agent: *\nDisallow: /{lang}/\nDisallow: /*?q={\n", want: "2 RX220 warning", says: "variable"},
		{name: "braces beside their other form", body: "User-agent: *\nDisallow: /*{lang}\nDisallow: /*%7Blang%7d\n"},
		{name: "signs that stay in a query", body: "User-agent: *\nDisallow: /pages/*{\nDisallow: /a/*/{{\nDisallow: /b*|}\nDisallow: /c*`\nDisallow: /d*\\\nDisallow: /e*^\nDisallow: /e^*\n", want: "8 RX219 warning"},
		{name: "a quote after a star", body: "User-agent: *\nDisallow: *.html\"$\n", want: "2 RX220 warning", says: "Crawlers write \"\\\"\" in URLs as %22"},
		{name: "a brace before a star", body: "User-agent: *\nDisallow: /pages/{*\n", want: "2 RX220 warning", says: "Crawlers write \"{\" in URLs as %7B"},
		{name: "a file of variables", body: "User-agent: *\nDisallow: /{a}/\nDisallow: /x/{b_c}\nAllow: /{a}/\n", want: "2 RX220 warning", says: `"{a}" seems to be a variable of a template that was never filled in`},
		{name: "variables, counted", body: "User-agent: *\nDisallow: /{a}/\nDisallow: /x/{b_c}\n", want: "2 RX220 warning", says: "The same is true of 1 line below."},
		{name: "variables without a slash", body: "User-agent: *\nDisallow: {path}\nDisallow: {path}\n", want: "2 RX202 error", says: "The same is true of 1 line below."},
		{name: "a placeholder alone", body: "User-agent: *\nDisallow: /[path]/\n", want: "2 RX220 warning", says: "Write the name, or remove this line."},
		{name: "a placeholder in a folder", body: "User-agent: *\nDisallow: /posts/[path]/\n", want: "2 RX220 warning", says: "Write the name, or * if you mean any."},
		{name: "the rest of a broken link", body: "User-agent: *\nDisallow: /*token=a%3D\\*\nDisallow: /*?q=\\*\nDisallow: /*\\*\nDisallow: /x/\\*\n", want: "5 RX219 warning"},
		{name: "a fragment of a URL", body: "User-agent: *\nDisallow: /https://shop.example/a.html#b\nDisallow: https://shop.example/a.html#b\n", want: "3 RX203 error"},
		{name: "a fragment of everything", body: "User-agent: *\nDisallow: *#q=*\n", want: "2 RX307 info, 2 RX207 error", says: "closes the site"},
		{name: "a space as in HTML", body: "User-agent: *\nDisallow: /a/&nbsp;\n", want: "2 RX220 warning", says: "URLs contain %20 and not"},
		{name: "an equals sign as in HTML", body: "User-agent: *\nDisallow: /*?a&equals;1\n", want: "2 RX220 warning", says: "URLs contain = and not"},
		{name: "an equals sign as a number", body: "User-agent: *\nDisallow: /*?a&#61;1\n", want: "2 RX220 warning", says: "text after # is a comment. Write =."},
		{name: "a space beside its other form", body: "User-agent: *\nDisallow: */files/a b/\nDisallow: */files/a%20b/\n"},
		{name: "a space and a quote", body: "User-agent: *\nDisallow: /a/b c.pdf\"\n", want: "2 RX204 error", says: "Write %20, and remove the \" at the end."},
		{name: "two stars", body: "User-agent: *\nDisallow: /**/print\n", want: ""},
		{name: "dot segments", body: "User-agent: *\nDisallow: /a/../b\nDisallow: /x/./y\nDisallow: /.git\nDisallow: /..a\n", want: "2 RX222 warning, 3 RX222 warning"},
		{name: "a dollar", body: "User-agent: *\nDisallow: /*.pdf$*\nDisallow: /a/$FILE/\n", want: "2 RX205 warning"},
		{name: "a percent sign", body: "User-agent: *\nDisallow: /100%/\nDisallow: /jobs*%\nDisallow: /a%*b\n", want: "2 RX212 info"},
		{name: "a code that is cut", body: "User-agent: *\nDisallow: /*%3*\nDisallow: /*%e\nDisallow: /a%2$\nDisallow: /a%2g\n", want: "5 RX212 info"},
		{name: "a backslash in a query", body: "User-agent: *\nDisallow: /*/?s=*\\\nDisallow: /?q=`\nDisallow: /?q=\"\n", want: "4 RX220 warning"},
		{name: "OpenCart", body: "User-agent: *\nDisallow: /system\nDisallow: /catalog\n", want: "3 RX223 info"},
		{name: "OpenCart with Allow", body: "User-agent: *\nAllow: /catalog/view/\nDisallow: /system\nDisallow: /catalog\n"},
		{name: "PrestaShop", body: "User-agent: *\nDisallow: /classes/\nDisallow: /modules/\n", want: "3 RX223 info"},
		{name: "a space after an equals sign", body: "User-agent: *\nDisallow: /*id= 1*\n", want: "2 RX204 error", says: "Delete the space, or"},
		{name: "a space after the first slash", body: "User-agent: *\nDisallow: / *reviews\n", want: "2 RX204 error", says: "Delete the space, or"},
		{name: "a lost character", body: "User-agent: *\nDisallow: /d\uFFFDsseldorf/\n", want: "2 RX206 info", says: "A character was lost here"},
		{name: "a list with blank lines", body: "User-agent: A\n\nUser-agent: B\n\nUser-agent: C\nDisallow: /x/\n\nUser-agent: *\nDisallow:\n", want: "3 RX301 info", says: "The same is true of 1 User-agent line below."},
		{name: "a delay before all", body: "User-agent: SlowBot\nCrawl-delay: 1\nUser-agent: *\nDisallow: /x/\n", want: "3 RX301 info", says: `Some crawlers apply that line to both, and older ones give "SlowBot" no rules.`},
		{name: "a delay after all", body: "User-agent: *\nCrawl-delay: 1\nUser-agent: Foo\nDisallow: /x/\n", want: "3 RX301 error", says: `These rules are for all crawlers without a group of their own, not only for "Foo", because no Allow or Disallow is between the User-agent lines, only "Crawl-delay".`},
		{name: "a delay after all, and the site is closed", body: "User-agent: *\nCrawl-delay: 1\nUser-agent: Foo\nDisallow: /\n", want: "3 RX301 error, 4 RX307 warning"},
		{name: "a delay after a retired crawler", body: "User-agent: Googlebot-Mobile\nCrawl-delay: 1\nUser-agent: FooBot\nDisallow: /\n\n" + all, want: "3 RX301 info"},
		{name: "a second group that repeats rules of the first", body: all + "\nUser-agent: *\nDisallow: /search\n"},
		{name: "a second group that closes the site", body: "User-agent: FooBot\nDisallow: /a/\n\nUser-agent: *\nDisallow: /b/\n\nUser-agent: FooBot\nDisallow: /\n", want: "7 RX302 warning", says: "so line 8 closes the site to it."},
		{name: "images open", body: all + "\nUser-agent: Googlebot-Image\nAllow: /images/\n"},
		{name: "news", body: all + "\nUser-agent: Googlebot-News\nDisallow: /tags/\n"},
		{name: "a sitemap before all", body: "User-agent: SlowBot\nSitemap: https://shop.example/s.xml\nUser-agent: *\nDisallow: /x/\n", want: "3 RX301 info", says: `only "Sitemap".`},
		{name: "two crawlers twice", body: "User-agent: A\nUser-agent: B\nDisallow: /x/\n\nUser-agent: A\nUser-agent: B\nDisallow: /y/\n\nUser-agent: *\nDisallow:\n", want: "5 RX302 info"},
		{name: "names in brackets", body: "User-agent: *\nDisallow: /posts/[slug]\nDisallow: /p/[...path]/\nDisallow: /p/[postId]\nDisallow: /a/[Sophocles]\nDisallow: /a/[m&n]\n", want: "2 RX220 warning, 3 RX220 warning, 4 RX220 warning", says: "placeholder"},
		{name: "a line after a slash", body: "User-agent: *\nDisallow: /User-agent: Foo\n", want: "2 RX204 error", says: "Two directives are on one line"},
		{name: "a host without a scheme", body: "User-agent: *\nDisallow: test.shop.example/*\nDisallow: main.min.js\n", want: "2 RX203 error, 3 RX202 error", says: "each host has its own file"},
		{name: "a path of a host without a scheme", body: "User-agent: *\nDisallow: www.shop.example/cart/\n", want: "2 RX203 error", says: `write "/cart/"`},
		{name: "a URL without a path", body: "User-agent: *\nDisallow: https://old.example.com\n", want: "2 RX203 error", says: "matches nothing"},

		{name: "a URL after a slash", body: "User-agent: *\nDisallow: /https://old.example.com/\n"},

		{name: "an invisible character", body: all + "Sitemap: \u00A0https://example.com/s.xml\n", want: "4 RX502 warning", says: "invisible"},
		{name: "no sitemap", body: all},
		{name: "no sitemap, production", body: all, config: production, want: "1 RX520 info"},
		{name: "sitemap, production", body: all + sitemap, config: production},
		{name: "misspelt sitemap, production", body: all + "Sitmap: https://example.com/s.xml\n", config: production, want: "4 RX517 warning"},
		{name: "several groups for all, Yandex", body: all + "User-agent: a\nDisallow: /\nUser-agent: *\nDisallow: /x/\n", config: lint.Config{Profile: lint.Yandex}, want: "6 RX302 warning"},

		{name: "in a folder", body: all, config: lint.Config{URL: "https://example.com/a/robots.txt"}, want: "1 RX607 warning"},
		{name: "a wrong name", body: all, config: lint.Config{File: "robot.txt"}, want: "1 RX607 warning", says: `not "robot.txt"`},
		{name: "upper case", body: all, config: lint.Config{File: "Robots.txt"}, want: "1 RX607 warning"},
		{name: "a copy", body: all, config: lint.Config{File: "robots2.txt"}},
		{name: "another name", body: all, config: lint.Config{File: "shop.txt"}},

		{name: "use and search", body: "User-agent: *\nContent-Signal: search=yes, use=immediate\nDisallow: /x/\n", want: "2 RX514 warning", says: `use=immediate on the same line limits "search=yes"`},
		{name: "use and training", body: "User-agent: *\nContent-Signal: ai-train=yes, use=reference\nDisallow: /x/\n", want: "2 RX514 warning"},
		{name: "Cloudflare's own line", body: "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\nAllow: /\n"},
		{name: "training and closed groups", body: "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n\n" + agents("GPTBot", "ClaudeBot", "CCBot") + "Disallow: /\n", want: "2 RX514 info, 7 RX313 info", says: "closed to GPTBot, ClaudeBot, CCBot"},

		{name: "a page", body: "<!DOCTYPE html>\n<body>User-agent: *\nDisallow: search\n", want: "1 RX401 error"},
		{name: "a page after a garbled mark", body: "\u00EF\u00BB\u00BF\n<html>\nUser-agent: *\nDisallow: search\n", want: "2 RX401 warning, 4 RX202 error"},
		{name: "a page after a replaced mark", body: "\uFFFD<html><p>404</p>\n", want: "1 RX401 error"},
		{name: "a stray tag", body: "<br>\nUser-agent: *\nDisallow: search\n", want: "1 RX401 warning, 3 RX202 error"},
		{name: "a host of another line", body: "User-agent: *\nDisallow: /terms#x\n", want: "2 RX207 info", says: `all of "/terms"`},
		{name: "an Allow that only Google does not need", body: "User-agent: *\nAllow: /$\nAllow: /index.html\nDisallow: /\n"},
		{name: "a retired crawler beside all", body: "User-agent: msnbot\nUser-agent: *\nDisallow: /x/\n"},
		{name: "many lines without effect", body: all + "Noindex: /a\nHost: a.example\nNoindex: /b\nNoindex: /c\n", want: "4 RX501 warning, 5 RX501 info", says: `"Noindex" has no effect: Google`},
		{name: "a comment that is not UTF-8", body: all + "# \xE9\n", config: lint.Config{Pedantic: true}, want: "4 RX403 info"},
		{name: "a short path in two groups", body: "User-agent: *\nDisallow: /a\n\nUser-agent: Foo\nDisallow: /a\n", want: "2 RX211 info"},
		{name: "spellings of a name", body: "User-agent: Baiduspider\nDisallow: /\n\nUser-agent: Baiduspider+\nDisallow: /\n"},
		{name: "spellings of a name with other rules", body: "User-agent: Baiduspider\nDisallow: /\n\nUser-agent: Baiduspider+\nDisallow: /x/\n", want: "4 RX101 warning"},
		{name: "a file that Shopify wrote", body: "# we use Shopify as our ecommerce platform\n\n" + all + "Disallow: /cart/x\nDisallow: /a\nDisallow: /static/\n", want: "7 RX211 info"},
		{name: "a path in two spellings", body: "User-agent: *\nDisallow: /*%2B\nDisallow: /*%2b\nDisallow: /é\nDisallow: /x/\nDisallow: /%c3%A9\n"},
		{name: "a path in two spellings of two groups", body: "User-agent: *\nDisallow: /é\n\nUser-agent: Foo\nDisallow: /%C3%A9\n", want: "2 RX206 info"},
		{name: "a path in two spellings, pedantic", body: "User-agent: *\nDisallow: /*%2B\nDisallow: /*%2b\n", config: lint.Config{Pedantic: true}, want: "3 RX208 info"},
		{name: "a Disallow that never wins", body: "User-agent: *\nDisallow: /a/\nAllow: /a/\n", want: "2 RX208 warning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var places []string
			message := ""
			for _, f := range lint.Check([]byte(c.body), c.config) {
				places = append(places, fmt.Sprintf("%d %s %s", f.Line, f.Code, f.Severity))
				if message == "" {
					message = f.Message
				}
			}
			if got := strings.Join(places, ", "); got != c.want {
				t.Errorf("found %q, want %q in:\n%s", got, c.want, c.body)
			}
			if !strings.Contains(message, c.says) {
				t.Errorf("message %q, want %q in it", message, c.says)
			}
		})
	}
}

// agents returns user-agent lines.
func agents(names ...string) string {
	return "User-agent: " + strings.Join(names, "\nUser-agent: ") + "\n"
}

// TestSevereKept checks that the infos of a code do not take the places of its warnings.
func TestSevereKept(t *testing.T) {
	body := "User-agent: *\nDisallow: /cart\n" + strings.Repeat("Host: example.com\n", 150) + "Noindex: /old/\n"
	count := map[lint.Severity]int{}
	for _, f := range lint.Check([]byte(body), lint.Config{MaxPerCode: 100}) {
		if f.Code == "RX501" {
			count[f.Severity]++
		}
	}
	if count[lint.Warning] != 1 || count[lint.Info] != 100 {
		t.Errorf("%v, want 1 warning and 100 infos", count)
	}
}

// TestReasonOnce checks that only the first of several lines without effect has the long
// message.
func TestReasonOnce(t *testing.T) {
	var messages []string
	for _, f := range lint.Check([]byte("User-agent: *\nDisallow: /cart\nNoindex: /a\nnoindex: /b\nHost: shop.example\n"), lint.Config{MaxPerCode: -1}) {
		messages = append(messages, f.Message)
	}
	const noindex = `"Noindex" has no effect: Google stopped reading it`
	if len(messages) != 3 || !strings.HasPrefix(messages[0], noindex) ||
		messages[1] != `"noindex" has no effect, as on line 3.` || !strings.Contains(messages[2], "Yandex") {
		t.Errorf("messages %q", messages)
	}
}
