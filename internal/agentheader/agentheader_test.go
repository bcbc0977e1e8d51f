package agentheader_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/agentheader"
)

// products are headers with their product tokens, "" where there is none.
var products = []struct{ token, header string }{
	// Readers of the fetcher and of the tool once disagreed on these.
	{"FooBot", "Mozilla/5.0 (compatible; +https://x; FooBot/1.0)"},
	{"FooBot", "Mozilla/5.0 (compatible; +https://foo.example/a,b+c; FooBot/1.0)"},
	{"FooBot", "Mozilla/5.0 (COMPATIBLE; FooBot/1.0; +https://foo.example)"},
	{"FooBot", "Mozilla/5.0 (compatible ; FooBot/1.0)"},
	{"FooBot", "FooBot/1.0 (not incompatible; BarBot/2.0)"},
	{"FooBot", "FooBot,BarBot"},
	{"Mozilla", "Mozilla/5.0 (compatible; +https://foo.example)"},
	{"OAI-SearchBot", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot"},

	// Crawlers' own texts.
	{"Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
	{"Googlebot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/W.X.Y.Z Safari/537.36"},
	{"Googlebot", "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/W.X.Y.Z Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
	{"Googlebot", "Mozilla/5.0+(compatible;+Googlebot/2.1;++http://www.google.com/bot.html)"}, // as some logs write it
	{"Googlebot-Mobile", "SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 UP.Browser/6.2.3.3.c.1.101 (GUI) MMP/2.0 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)"},
	{"AdsBot-Google", "AdsBot-Google (+http://www.google.com/adsbot.html)"},
	{"FeedFetcher-Google", "FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)"},
	{"bingbot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/W.X.Y.Z Safari/537.36"},
	{"GPTBot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"},
	{"GPTBot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot"},
	{"ClaudeBot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"},
	{"Applebot", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)"},
	{"AhrefsBot", "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"},
	{"MJ12bot", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)"},
	{"archive.org_bot", "Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)"},
	{"Bytespider", "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)"},
	{"PetalBot", "Mozilla/5.0 (Linux; Android 7.0;) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)"},
	{"facebookexternalhit", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"},
	{"CCBot", "CCBot/2.0 (https://commoncrawl.org/faq/)"},
	{"Baiduspider", "Baiduspider+(+http://www.baidu.com/search/spider.htm)"},
	{"curl", "curl/8.1"},
	{"python-requests", "python-requests/2.31.0"},
	{"Go-http-client", "Go-http-client/2.0"},
	{"Mozilla", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"},

	// Edges of the grammar.
	{"FooBot", "FooBot"},
	{"FooBot", " \tFooBot/1.0"},
	{"Foo", "Foo Bar"},
	{"FooBot", "FooBot(+https://foo.example)"},
	{"FooBot", "(FooBot/1.0; +https://foo.example)"},
	{"FooBot", "Mozilla/5.0 (compatible; FooBot/1.0"},                             // not closed
	{"FooBot", "Mozilla/5.0 (compatible; (beta (2)) FooBot/1.0)"},                 // nested
	{"FooBot", "Mozilla/5.0 (X11 (compatible; FooBot/1.0; a) b)"},                 // nested
	{"FooBot", ") FooBot/1.0"},                                                    // closed twice
	{"FooBot", "Mozilla/5.0 (see www.foo.example) (bot@foo.example; FooBot/1.0)"}, // the address first
	{"Mozilla", "Mozilla/5.0 (X11; +https://foo.example) (Linux; Build/MMB29P)"},  // not in one comment
	{"Mozilla", "Mozilla/5.0 (compatible;) FooBot/1.0"},                           // the comment is closed
	{"Foo", "Foo\x00Bot/1.0"},                                                     // no header may contain it
	{"FooBot", "\r\nFooBot/1.0\x7F"},                                              // likewise
	{"Föö", "Föö/1.0"},                                                            // of bytes
	{"FooBot", "+foo.example/bot FooBot"},                                         // a host after a plus sign
	{"", ""}, {"", " \t"}, {"", "/1.0"}, {"", "(;,+)"},                            // no word
	{"", "+https://foo.example (bot@foo.example; www.foo.example/bot)"}, {"", "http://foo.example"}, // only addresses
}

func TestProduct(t *testing.T) {
	for _, p := range products {
		if token, ok := agentheader.Product(p.header); token != p.token || ok != (p.token != "") {
			t.Errorf("Product(%q) = %q, %v; want %q", p.header, token, ok, p.token)
		}
	}
}

func TestIsHeader(t *testing.T) {
	for value, want := range map[string]bool{
		"": false, "FooBot": false, "FooBot/1.0": false, " FooBot/1.0\t": false, "Foo Bot": false, "FooBot,BarBot/2.0": false,
		"FooBot/1.0 BarBot": true, "FooBot/1.0\tBarBot/2.0": true, "FooBot (x)": true, "FooBot(": true,
		"FooBot/1.0, BarBot/2.0": false, "FooBot/1.0; BarBot/2.0": false, "FooBot/1.0, BarBot (x)": true,
	} {
		if got := agentheader.IsHeader(value); got != want {
			t.Errorf("IsHeader(%q) = %v", value, got)
		}
	}
}

// TestWords: what begins and ends words, in a header in which they all occur.
func TestWords(t *testing.T) {
	const header = "a/b (c; d,e+f) g.h@i"
	for i := range len(header) + 1 {
		begins, ends := i == 0, i == len(header)
		if i > 0 {
			begins = strings.Contains(" (;,+)", header[i-1:i])
		}
		if i < len(header) {
			ends = strings.Contains(" (;,+)/", header[i:i+1])
		}
		if agentheader.BeginsWord(header, i) != begins || agentheader.EndsWord(header, i) != ends {
			t.Errorf("at %d of %q: begins %v, ends %v", i, header, agentheader.BeginsWord(header, i), agentheader.EndsWord(header, i))
		}
	}
}

// FuzzProduct: a product token is a word of the header, without a separator and
// without a version. Of a header that is one token, it is that token.
func FuzzProduct(f *testing.F) {
	for _, p := range products {
		f.Add(p.header)
	}
	for _, part := range []string{"(", ")", "compatible; ", "(compatible;", "://", "+,", "(+www.a;a/"} {
		f.Add("Mozilla/5.0 " + strings.Repeat(part, 2000))
	}
	f.Fuzz(func(t *testing.T, header string) {
		agentheader.IsHeader(header)
		token, ok := agentheader.Product(header)
		if ok != (token != "") {
			t.Fatalf("Product(%q) = %q, %v", header, token, ok)
		}
		if !ok {
			return
		}
		at := -1
		for i := range header {
			if strings.HasPrefix(header[i:], token) && agentheader.BeginsWord(header, i) && agentheader.EndsWord(header, i+len(token)) {
				at = i
				break
			}
		}
		if at < 0 {
			t.Errorf("Product(%q) = %q, which is no word of it", header, token)
		}
		if strings.ContainsAny(token, " \t();,+/\x00\r\n\x7F") {
			t.Errorf("Product(%q) = %q, which contains a separator", header, token)
		}
		if again, _ := agentheader.Product(token); again != token {
			t.Errorf("Product(%q) = %q, but Product of that is %q", header, token, again)
		}
	})
}
