package crawlers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/typo"
)

// TestTokens checks the tokens of crawlers with fallbacks against the
// operators' documentation.
func TestTokens(t *testing.T) {
	for token, want := range map[string]string{
		"Googlebot":                 "Googlebot",
		"googlebot-image":           "Googlebot-Image Googlebot",
		"GOOGLEBOT-NEWS":            "Googlebot-News Googlebot",
		"Googlebot-Video":           "Googlebot-Video Googlebot",
		"Storebot-Google":           "Storebot-Google", // Page, table of fields: "*" is next
		"AdsBot-Google-Mobile-Apps": "AdsBot-Google-Mobile-Apps AdsBot-Google",
		"Applebot":                  "Applebot Googlebot",
		"ImagesiftBot":              "ImagesiftBot Googlebot",
		"YandexBot":                 "YandexBot Yandex",
		"MJ12bot":                   "MJ12bot", // the operator's spelling; Google's parser reads MJ [G26]
	} {
		c, ok := crawlers.Find(token)
		if got := strings.Join(c.Tokens(), " "); !ok || got != want {
			t.Errorf("Find(%q).Tokens() = %q, %v; want %q", token, got, ok, want)
		}
	}
	for _, token := range []string{"", "*", "Googlebot/2.1", "Googlebot ", "Google", "FooBot", "bingb\u00f6t", "\u212aagi-fetcher"} {
		if c, ok := crawlers.Find(token); ok || c.Token != "" {
			t.Errorf("Find(%q) = %q, %v", token, c.Token, ok)
		}
	}
}

// TestAliases checks that all lookups find a crawler by its aliases.
func TestAliases(t *testing.T) {
	for alias, want := range map[string]string{
		"Brightbot 1.0":      "Brightbot",
		"terra cotta":        "TerraCotta",
		"MistralAI-User/1.0": "MistralAI-User",
	} {
		c, ok := crawlers.Find(alias)
		near, isNear := crawlers.Nearest(alias)
		sent, isSent := crawlers.FromUserAgent("Mozilla/5.0 (compatible; " + alias + ")")
		if !ok || !isNear || !isSent || c.Token != want || near.Token != want || sent.Token != want || len(crawlers.Claims(alias)) == 0 {
			t.Errorf("%s: Find %q, Nearest %q, FromUserAgent %q; want %q", alias, c.Token, near.Token, sent.Token, want)
		}
	}
	for c := range crawlers.All() {
		for _, alias := range c.Aliases {
			if found, ok := crawlers.Find(alias); !ok || found.Token != c.Token {
				t.Errorf("Find(%q) = %q, want %q", alias, found.Token, c.Token)
			}
		}
	}
}

func TestObeys(t *testing.T) {
	for token, want := range map[string]crawlers.Obeys{
		"Googlebot":            crawlers.ObeysAll,
		"AdsBot-Google":        crawlers.ObeysNamed,
		"AdsBot-Google-Mobile": crawlers.ObeysNamed,
		"Mediapartners-Google": crawlers.ObeysNamed,
		"APIs-Google":          crawlers.ObeysNamed,
		"FeedFetcher-Google":   crawlers.ObeysNone,
		"Google-Safety":        crawlers.ObeysNone,
		"Perplexity-User":      crawlers.ObeysNone,
		"Bytespider":           crawlers.ObeysNone, // as a public list says
		"360Spider":            crawlers.Unknown,
	} {
		if c, _ := crawlers.Find(token); c.Obeys != want {
			t.Errorf("%s obeys %q, want %q", token, c.Obeys, want)
		}
	}
	for _, token := range []string{"Google-Extended", "Applebot-Extended"} {
		if c, _ := crawlers.Find(token); !c.Control {
			t.Errorf("%s is not a control token", token)
		}
	}
}

func TestRetired(t *testing.T) {
	for token, want := range map[string][]string{
		"anthropic-ai": {"ClaudeBot"},
		"Claude-Web":   {"ClaudeBot", "Claude-User"},
		"msnbot":       {"bingbot"},
	} {
		if c, _ := crawlers.Find(token); c.Status != crawlers.Retired || !slices.Equal(c.Replacements, want) {
			t.Errorf("%s: %s, replaced by %q, want %q", token, c.Status, c.Replacements, want)
		}
	}
}

// TestExtension checks that a missing answer is Unknown, not No.
func TestExtension(t *testing.T) {
	for _, test := range []struct {
		token, key string
		want       crawlers.Answer
	}{
		{"bingbot", "Crawl-delay", crawlers.Yes},
		{"bingbot", "crawl-DELAY", crawlers.Yes},
		{"Googlebot", "Crawl-delay", crawlers.No},
		{"GPTBot", "Crawl-delay", crawlers.Unknown},
		{"Yandex", "Clean-param", crawlers.Yes},
		{"Googlebot", "Content-Signal", crawlers.Unknown},
		{"Googlebot", "", crawlers.Unknown},
	} {
		if c, _ := crawlers.Find(test.token); c.Extension(test.key) != test.want {
			t.Errorf("%s and %s: %q, want %q", test.token, test.key, c.Extension(test.key), test.want)
		}
	}
}

// TestResultsAreCopies checks that callers can change the returned values without
// changing the data.
func TestResultsAreCopies(t *testing.T) {
	spoil := func(c crawlers.Crawler) {
		for i := range c.Purposes {
			c.Purposes[i] = "spoilt"
		}
		for _, list := range [][]string{c.Aliases, c.Fallbacks, c.Replacements, c.ReverseDNS, c.IPRanges, c.Tokens()} {
			for i := range list {
				list[i] = "spoilt"
			}
		}
		for key := range c.Extensions {
			c.Extensions[key] = "spoilt"
		}
		for _, claim := range crawlers.Claims(c.Token) {
			claim.Fields[0], claim.URL = "spoilt", "spoilt"
		}
	}
	for c := range crawlers.All() {
		spoil(c)
		found, _ := crawlers.Find(c.Token)
		spoil(found)
		near, _ := crawlers.Nearest(c.Token)
		spoil(near)
		sent, _ := crawlers.FromUserAgent(c.Token)
		spoil(sent)
	}
	crawlers.Purposes()[0] = "spoilt"
	TestEntries(t)
	TestTokens(t)
	TestExtension(t)
}

func TestNearest(t *testing.T) {
	for misspelt, want := range map[string]string{
		"Googelbot":                       "Googlebot", // swapped
		"Google-bot":                      "Googlebot",
		"googlbot":                        "Googlebot",
		"Googlebot-Imgae":                 "Googlebot-Image",
		"GPT-Bot":                         "GPTBot",
		"Claudebots":                      "ClaudeBot",
		"Binbgot":                         "bingbot",
		"MJ12-bot":                        "MJ12bot",
		"AdsBot_Google":                   "AdsBot-Google",
		"GPTBot":                          "GPTBot", // no typo
		"FooBot":                          "",
		"ChatGPT":                         "",
		"cur":                             "", // too short
		"":                                "",
		"*":                               "",
		strings.Repeat("Googlebot", 1000): "",
	} {
		c, ok := crawlers.Nearest(misspelt)
		if c.Token != want || ok != (want != "") {
			t.Errorf("Nearest(%.40q) = %q, %v; want %q", misspelt, c.Token, ok, want)
		}
	}
}

// TestNearestIsNearest checks, for tokens with one typo, that no crawler is
// closer than the result.
func TestNearestIsNearest(t *testing.T) {
	all := slices.Collect(crawlers.All())
	for n := 0; n < len(all); n += 40 {
		for i := range all[n].Token {
			token := all[n].Token
			swapped := []byte(token)
			swapped[i], swapped[max(i-1, 0)] = swapped[max(i-1, 0)], swapped[i]
			for _, misspelt := range []string{token[:i] + token[i+1:], token[:i] + "~" + token[i:], token[:i] + "~" + token[i+1:], string(swapped)} {
				least := 99
				for _, c := range all {
					least = min(least, distance(misspelt, c.Token))
				}
				near, ok := crawlers.Nearest(misspelt)
				if most := min(len(misspelt)/4, 2); ok != (least <= most) || ok && distance(misspelt, near.Token) != least {
					t.Errorf("Nearest(%q) = %q, %v, %d typos away; the nearest is %d", misspelt, near.Token, ok, distance(misspelt, near.Token), least)
				}
			}
		}
	}
}

// distance is typo.Distance without a limit.
func distance(a, b string) int {
	n, _ := typo.Distance(a, b, max(len(a), len(b)))
	return n
}

func TestFromUserAgent(t *testing.T) {
	for _, test := range [][2]string{
		{"Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
		{"Googlebot-Image", "Googlebot-Image/1.0"}, // the longest
		{"GPTBot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot"},
		{"Applebot", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)"},
		{"MJ12bot", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)"},
		{"Slurp", "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)"},
		{"Sogou web spider", "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)"},
		{"FeedFetcher-Google", "FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)"},
		{"Storebot-Google", "Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.88 Safari/537.36"},
		{"Baiduspider", "Baiduspider+(+http://www.baidu.com/search/spider.htm)"},
		{"facebookexternalhit", "facebookexternalhit/1.1 Facebot Twitterbot/1.0"},
		{"", "FooBot/1.0 (+https://foo.example/googlebot)"}, // in a URL
		{"", "FooBot/1.0 (googlebot@foo.example)"},          // in an address
		{"", "NotGooglebot/1.0"},
		{"", "Googlebot-Foo/1.0"},
		{"", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0)"},
		{"", ""},
	} {
		want, header := test[0], test[1]
		c, ok := crawlers.FromUserAgent(header)
		if c.Token != want || ok != (want != "") {
			t.Errorf("FromUserAgent(%q) = %q, %v; want %q", header, c.Token, ok, want)
		}
	}
}

// FuzzLookups checks that Find, Nearest and FromUserAgent agree.
func FuzzLookups(f *testing.F) {
	for _, seed := range []string{"", "*", "Googlebot", "googlebot/2.1", "Goolgebot", "\xff\x00", "(GPTBot;", "terra cotta", "Brightbot 1.0", strings.Repeat("a(", 500)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		found, ok := crawlers.Find(s)
		near, isNear := crawlers.Nearest(s)
		if ok && (!isNear || near.Token != found.Token) {
			t.Errorf("Find returns %q, Nearest %q", found.Token, near.Token)
		}
		if isNear && !slices.ContainsFunc(append(near.Aliases, near.Token), func(name string) bool {
			return len(name)-len(s) <= 2 && len(s)-len(name) <= 2
		}) {
			t.Errorf("%q is not close to %q", near.Token, s)
		}
		sent, isSent := crawlers.FromUserAgent(s)
		if isSent && !slices.ContainsFunc(append(sent.Aliases, sent.Token), func(name string) bool {
			return strings.Contains(strings.ToLower(s), strings.ToLower(name))
		}) {
			t.Errorf("%q contains no name of %q", s, sent.Token)
		}
		if ok && (!isSent || sent.Token != found.Token) {
			t.Errorf("Find returns %q, FromUserAgent %q", found.Token, sent.Token)
		}
	})
}
