package crawlers_test

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

func TestOperatorNamed(t *testing.T) {
	for name, want := range map[string]string{
		"OpenAI": "OpenAI", "openai": "OpenAI", " Open AI ": "OpenAI",
		"Mistral": "Mistral AI", "mistral-ai": "Mistral AI", "TikTok": "ByteDance", "Bing": "Microsoft",
		"Facebook": "Meta", "CommonCrawl": "Common Crawl", "ChatGPT": "OpenAI", "Gemini": "Google",
		"unknown": crawlers.Unknown,
		"":        "", "-": "", "Acme": "", "Opneai": "", "Open": "", "GPTBot": "",
	} {
		if got, ok := crawlers.OperatorNamed(name); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", name, got, ok, want)
		}
	}
	all := crawlers.Operators()
	for c := range crawlers.All() {
		if got, _ := crawlers.OperatorNamed(c.Operator); got != c.Operator || !slices.Contains(all, got) {
			t.Errorf("%q is called %q", c.Operator, got)
		}
	}
}
