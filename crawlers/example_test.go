package crawlers_test

import (
	"fmt"

	"github.com/kosterhq/robotstxt/crawlers"
)

// A crawler obeys the groups with its own token, or else those with its fallbacks. Some
// ignore groups for "*". Google's parser cannot name MJ12bot, so its files are read as RFC
// 9309 defines.
func Example() {
	body := []byte("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: MJ12bot\nDisallow: /private/\n")
	for _, token := range []string{"Googlebot-Image", "AdsBot-Google", "GPTBot", "MJ12bot"} {
		r, _ := crawlers.ReadingOf(token)
		fmt.Println(token, r.Dialect, r.Rules(r.Dialect.Parse(body)).Allowed("/teapot.png"))
	}
	// Output:
	// Googlebot-Image google true
	// AdsBot-Google google true
	// GPTBot google false
	// MJ12bot rfc9309 true
}

func ExampleSelect() {
	for _, c := range crawlers.Select(crawlers.Selection{
		Purposes:  []crawlers.Purpose{"ai-training"},
		Operators: []string{"Google", "OpenAI"},
	}) {
		fmt.Println(c.Token)
	}
	// Output:
	// GPTBot
	// Google-Extended
}

func ExampleSender() {
	for _, header := range []string{
		"FooBot/1.0 (+https://foobot.example)",
		"Mozilla/5.0 (compatible; FooBot/0.1; like googlebot)",
		"Mozilla/5.0 (X11; Linux x86_64; googlebot/2.1) AppleWebKit/537.36 (KHTML, like Gecko)",
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	} {
		token, ok := crawlers.Sender(header)
		fmt.Println(token, ok)
	}
	// Output:
	// FooBot true
	// FooBot true
	// Googlebot true
	//  false
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
