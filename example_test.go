package robotstxt_test

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// shop is the file that the examples ask about.
var shop = []byte(`User-agent: *
Disallow: /cart
Disallow: /*?sort=
Allow: /cart/help

User-agent: Googlebot
User-agent: Googlebot-News
Crawl-delay: 2.5
Disallow: /internal/

Sitemap: https://shop.example/sitemap.xml
Sitemap: https://shop.example/news.xml
`)

// This is the snippet of the README: parse once, ask, and ask why.
func Example() {
	body := []byte(`User-agent: *
Disallow: /cart
Allow: /cart/help
`)
	robots := robotstxt.Parse(body)
	rules := robots.Rules("FooBot")

	fmt.Println(rules.Allowed("https://shop.example/cart/42"))
	fmt.Println(rules.Allowed("https://shop.example/cart/help?topic=returns"))
	fmt.Println(rules.Explain("https://shop.example/cart/42"))
	// Output:
	// false
	// true
	// disallowed by line 2: Disallow "/cart", length 5, group "*" of line 1; path "/cart/42"
}

// One question about one file needs no parsing of its own: this call reads the
// body once and keeps nothing.
func ExampleAllowed() {
	fmt.Println(robotstxt.Allowed(shop, "https://shop.example/cart/42", "FooBot"))
	fmt.Println(robotstxt.Allowed(shop, "https://shop.example/cart/42", "Googlebot"))
	// Output:
	// false
	// true
}

// Many questions about one file: parse it once, take the rules of the crawler
// once, and ask as often as you like, from any number of goroutines.
func ExampleParse() {
	rules := robotstxt.Parse(shop).Rules("FooBot")

	for _, url := range []string{
		"https://shop.example/shoes",
		"https://shop.example/shoes?sort=price",
		"https://shop.example/cart",
		"https://shop.example/cart/help",
	} {
		fmt.Println(rules.Allowed(url), url)
	}
	// Output:
	// true https://shop.example/shoes
	// false https://shop.example/shoes?sort=price
	// false https://shop.example/cart
	// true https://shop.example/cart/help
}

// Explain gives the grounds of an answer: the line that decides, and every
// other rule that matches.
func ExampleRules_Explain() {
	rules := robotstxt.Parse(shop).Rules("FooBot")

	d := rules.Explain("https://shop.example/cart/help?sort=date")
	fmt.Println("allowed:", d.Allowed)
	fmt.Println("line:   ", d.Line)
	fmt.Println("pattern:", d.Rule.Pattern)
	fmt.Println("group:  ", d.Agent, d.AgentLines)
	for _, rule := range d.Others {
		fmt.Printf("beaten:  line %d, %s (%d octets)\n", rule.Line, rule.Pattern, rule.Length)
	}
	// Output:
	// allowed: true
	// line:    4
	// pattern: /cart/help
	// group:   * [1]
	// beaten:  line 2, /cart (5 octets)
	// beaten:  line 3, /*?sort= (8 octets)
}

// A crawler with several product tokens asks for the most specific one first.
// The first token that any agent line names decides; the others, and "*", do
// not count then.
func ExampleRobots_Rules() {
	robots := robotstxt.Parse([]byte(`User-agent: Googlebot
Disallow: /drafts

User-agent: *
Disallow: /
`))
	news := robots.Rules("Googlebot-News", "Googlebot")
	other := robots.Rules("OtherBot")

	fmt.Println("Googlebot-News:", news.Allowed("/articles"), news.Allowed("/drafts/1"))
	fmt.Println("OtherBot:      ", other.Allowed("/articles"), other.Allowed("/drafts/1"))
	// Output:
	// Googlebot-News: true false
	// OtherBot:       false false
}

// Some crawlers, such as AdsBot-Google, obey only the groups that name them and
// pass over "*".
func ExampleRobots_NamedRules() {
	robots := robotstxt.Parse([]byte(`User-agent: *
Disallow: /
`))
	fmt.Println("Rules:     ", robots.Rules("AdsBot-Google").Allowed("/landing"))
	fmt.Println("NamedRules:", robots.NamedRules("AdsBot-Google").Allowed("/landing"))
	// Output:
	// Rules:      false
	// NamedRules: true
}

// A Crawl-delay counts for all agents of the group it stands in. It is not part
// of the protocol, and Google's crawlers do not use it.
func ExampleRules_CrawlDelay() {
	robots := robotstxt.Parse(shop)

	fmt.Println(robots.Rules("Googlebot-News").CrawlDelay())
	fmt.Println(robots.Rules("FooBot").CrawlDelay())
	// Output:
	// 2.5s true
	// 0s false
}

// Sitemap lines belong to no group, wherever they stand.
func ExampleRobots_Sitemaps() {
	for sitemap := range robotstxt.Parse(shop).Sitemaps() {
		fmt.Println(sitemap.Line, sitemap.URL)
	}
	// Output:
	// 11 https://shop.example/sitemap.xml
	// 12 https://shop.example/news.xml
}

// Extension lines such as Content-Signal are handed over as they are spelt.
func ExampleRules_Extensions() {
	robots := robotstxt.Parse([]byte(`User-agent: *
Content-Signal: search=yes, ai-train=no
Allow: /
`))
	for e := range robots.Rules("FooBot").Extensions() {
		fmt.Printf("line %d: %s = %q\n", e.Line, e.Name, e.Value)
	}
	// Output:
	// line 2: Content-Signal = "search=yes, ai-train=no"
}

// Lines shows a file as the parser sees it, mistakes included, and loses no
// byte of it.
func ExampleLines() {
	body := []byte("Useragent: *\nDissallow /a # no colon\nNoindex: /b\nhello\n")

	for line := range robotstxt.Lines(body) {
		fmt.Printf("%d %-12s key=%q value=%q", line.Number, line.Kind, line.Key, line.Value)
		if line.Typo {
			fmt.Print(" misspelt")
		}
		if line.MissingColon {
			fmt.Print(" without colon")
		}
		fmt.Println()
	}
	// Output:
	// 1 user-agent   key="Useragent" value="*" misspelt
	// 2 disallow     key="Dissallow" value="/a" misspelt without colon
	// 3 unused       key="Noindex" value="/b"
	// 4 no directive key="" value=""
	// 5 empty        key="" value=""
}

// One file, one question, three readings. Google compares octets as they are,
// RFC 9309 in one canonical encoding, and in 1996 a star was a star.
func ExampleDialect() {
	body := []byte(`User-agent: *
Disallow: /%7Euser
Disallow: /*.pdf
`)
	for _, dialect := range robotstxt.Dialects() {
		rules := dialect.Parse(body).Rules("FooBot")
		fmt.Printf("%-10s /~user: %-5v /a.pdf: %v\n", dialect, rules.Allowed("/~user"), rules.Allowed("/a.pdf"))
	}
	// Output:
	// google     /~user: true  /a.pdf: false
	// rfc9309    /~user: false /a.pdf: false
	// koster1996 /~user: false /a.pdf: true
}

// A body from the network is read up to a limit. The line that the limit cuts
// is dropped whole, so that no rule becomes wider than its author meant.
func ExampleReadBody() {
	stream := strings.NewReader("User-agent: *\nDisallow: /private\n")

	body, truncated, err := robotstxt.ReadBody(stream, 25) // ends within "Disallow: /private"
	fmt.Printf("%q %v %v\n", body, truncated, err)
	// Output:
	// "User-agent: *\n" true <nil>
}

// Rules are compared in their encoded form. A URL that is not encoded yet, or
// whose hex digits are in lower case, goes through EncodeURL first.
func ExampleEncodeURL() {
	rules := robotstxt.Parse([]byte("User-agent: *\nDisallow: /café\n")).Rules("FooBot")

	for _, url := range []string{"https://shop.example/café", "https://shop.example/caf%c3%a9"} {
		encoded := robotstxt.EncodeURL(url)
		fmt.Println(rules.Allowed(url), rules.Allowed(encoded), encoded)
	}
	// Output:
	// true false https://shop.example/caf%C3%A9
	// true false https://shop.example/caf%C3%A9
}

// A site without a robots.txt allows everything; one whose robots.txt cannot be
// had at present allows nothing. Both are Rules like any other.
func ExampleDisallowAll() {
	missing := robotstxt.AllowAll("404 Not Found")
	failing := robotstxt.DisallowAll("503 Service Unavailable")

	fmt.Println(missing.Explain("/"))
	fmt.Println(failing.Explain("/"))
	// Output:
	// allowed without a robots.txt: "404 Not Found"
	// disallowed without a robots.txt: "503 Service Unavailable"
}

// A product token holds letters, hyphens and underscores only. A whole
// User-Agent header names no one.
func ExampleValidAgent() {
	for _, token := range []string{"FooBot", "FooBot/2.1", "Mozilla/5.0 (compatible; FooBot/2.1)"} {
		fmt.Println(robotstxt.ValidAgent(token), token)
	}
	// Output:
	// true FooBot
	// false FooBot/2.1
	// false Mozilla/5.0 (compatible; FooBot/2.1)
}
