package robotstxt_test

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// shop is the file that the examples use.
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

// Parse a file once, then query verdicts and their reasons. README.md shows this
// example.
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

// To query one URL of a file, there is no need to call Parse: Allowed reads the body
// once and keeps nothing in memory.
func ExampleAllowed() {
	fmt.Println(robotstxt.Allowed(shop, "https://shop.example/cart/42", "FooBot"))
	fmt.Println(robotstxt.Allowed(shop, "https://shop.example/cart/42", "Googlebot"))
	// Output:
	// false
	// true
}

// To query many URLs of a file, call Parse and Rules once. Any number of goroutines
// can use the result.
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

// Explain returns the reasons for a verdict: the line that decides, and every other
// rule that matches.
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

// A crawler with several product tokens passes them in order, the most specific
// first. The first token that an agent line contains selects the groups; the other
// tokens and "*" are ignored.
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
// ignore "*".
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

// A Crawl-delay applies to all agents of its group. It is not part of the protocol,
// and Google's crawlers do not use it.
func ExampleRules_CrawlDelay() {
	robots := robotstxt.Parse(shop)

	fmt.Println(robots.Rules("Googlebot-News").CrawlDelay())
	fmt.Println(robots.Rules("FooBot").CrawlDelay())
	// Output:
	// 2.5s true
	// 0s false
}

// Sitemap lines do not belong to a group, even between the lines of one.
func ExampleRobots_Sitemaps() {
	for sitemap := range robotstxt.Parse(shop).Sitemaps() {
		fmt.Println(sitemap.Line, sitemap.URL)
	}
	// Output:
	// 11 https://shop.example/sitemap.xml
	// 12 https://shop.example/news.xml
}

// Extension lines such as Content-Signal are returned as written.
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

// Lines yields every line of a file, with its kind and its mistakes, and loses no
// byte.
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

// The same query in three dialects. Google compares octets as they are, RFC 9309
// compares a canonical encoding, and the draft of 1996 has no wildcards.
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

// ReadBody reads a body from the network up to a limit. It drops the line that the
// limit cuts, so that no rule becomes wider than its author intended.
func ExampleReadBody() {
	stream := strings.NewReader("User-agent: *\nDisallow: /private\n")

	body, truncated, err := robotstxt.ReadBody(stream, 25) // ends within "Disallow: /private"
	fmt.Printf("%q %v %v\n", body, truncated, err)
	// Output:
	// "User-agent: *\n" true <nil>
}

// Rules are compared in their encoded form. Call EncodeURL if a URL may not be encoded
// yet, or may have hex digits in lower case.
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

// A site without a robots.txt allows everything; a site whose robots.txt is
// unreachable allows nothing. Rules represent both cases.
func ExampleDisallowAll() {
	missing := robotstxt.AllowAll("404 Not Found")
	failing := robotstxt.DisallowAll("503 Service Unavailable")

	fmt.Println(missing.Explain("/"))
	fmt.Println(failing.Explain("/"))
	// Output:
	// allowed without a robots.txt: "404 Not Found"
	// disallowed without a robots.txt: "503 Service Unavailable"
}

// A product token contains only letters, hyphens and underscores. A User-Agent
// header is not a product token.
func ExampleValidAgent() {
	for _, token := range []string{"FooBot", "FooBot/2.1", "Mozilla/5.0 (compatible; FooBot/2.1)"} {
		fmt.Println(robotstxt.ValidAgent(token), token)
	}
	// Output:
	// true FooBot
	// false FooBot/2.1
	// false Mozilla/5.0 (compatible; FooBot/2.1)
}
