package crawlers_test

import (
	"fmt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// A crawler obeys the groups with its own token, or else those with its fallbacks. One
// that ignores "*" uses NamedRules.
func Example() {
	robots := robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /private/\n"))
	for _, token := range []string{"Googlebot-Image", "AdsBot-Google", "GPTBot"} {
		c, _ := crawlers.Find(token)
		rules := robots.Rules(c.Tokens()...)
		if c.Obeys == crawlers.ObeysNamed {
			rules = robots.NamedRules(c.Tokens()...)
		}
		fmt.Println(token, rules.Allowed("/teapot.png"))
	}
	// Output:
	// Googlebot-Image true
	// AdsBot-Google true
	// GPTBot false
}

func ExampleNearest() {
	c, ok := crawlers.Nearest("Googelbot")
	fmt.Println(c.Token, ok)
	_, ok = crawlers.Nearest("FooBot")
	fmt.Println(ok)
	// Output:
	// Googlebot true
	// false
}

func ExampleFromUserAgent() {
	c, _ := crawlers.FromUserAgent("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)")
	fmt.Println(c.Token, c.Operator, c.Purposes)
	// Output: bingbot Microsoft [search]
}

func ExampleSelect() {
	for _, c := range crawlers.Select(crawlers.Selection{
		Purposes:  []crawlers.Purpose{"ai-training"},
		Operators: []string{"Google", "OpenAI"},
	}) {
		fmt.Println(c.Token)
	}
	// Output:
	// Google-Extended
	// GPTBot
}

func ExampleProductToken() {
	for _, header := range []string{
		"FooBot/1.0 (+https://foobot.example)",
		"Mozilla/5.0 (compatible; +https://foobot.example; FooBot/1.0)",
	} {
		token, ok := crawlers.ProductToken(header)
		fmt.Println(token, ok)
	}
	// Output:
	// FooBot true
	// FooBot true
}

func ExampleCrawler_Extension() {
	for _, token := range []string{"ClaudeBot", "Googlebot", "GPTBot"} {
		c, _ := crawlers.Find(token)
		switch c.Extension("Crawl-delay") {
		case crawlers.Yes:
			fmt.Println(token, "obeys Crawl-delay")
		case crawlers.No:
			fmt.Println(token, "ignores Crawl-delay")
		default:
			fmt.Println(token, "does not say")
		}
	}
	// Output:
	// ClaudeBot obeys Crawl-delay
	// Googlebot ignores Crawl-delay
	// GPTBot does not say
}
