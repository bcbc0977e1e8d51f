package crawlers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
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
		sent, isSent := crawlers.Sender("Mozilla/5.0 (compatible; " + alias + ")")
		if !ok || !isSent || c.Token != want || sent != want || len(crawlers.Claims(alias)) == 0 {
			t.Errorf("%s: Find %q, Sender %q; want %q", alias, c.Token, sent, want)
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
	}
	crawlers.Purposes()[0] = "spoilt"
	TestEntries(t)
	TestTokens(t)
	TestExtension(t)
}

// FuzzLookups checks that Find, Meant and Sender agree.
func FuzzLookups(f *testing.F) {
	for _, seed := range []string{"", "*", "Googlebot", "googlebot/2.1", "Goolgebot", "\xff\x00", "(GPTBot;", "terra cotta", "Brightbot 1.0", strings.Repeat("a(", 500)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		found, ok := crawlers.Find(s)
		if !ok {
			return
		}
		if sent, _ := crawlers.Sender(s); sent != found.Token {
			t.Errorf("Find returns %q, Sender %q", found.Token, sent)
		}
		if meaning, isMeant := crawlers.Meant(s); isMeant && meaning.Why != crawlers.Company {
			t.Errorf("Find returns %q, Meant %+v", found.Token, meaning)
		}
	})
}
