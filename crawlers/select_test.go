package crawlers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestSelect checks selections whose crawlers are known.
func TestSelect(t *testing.T) {
	type purposes = []crawlers.Purpose
	for _, test := range []struct {
		selection  crawlers.Selection
		with, lack string // some tokens of the selection, and some that it lacks
	}{
		{crawlers.Selection{}, "Googlebot GPTBot wget", "msnbot anthropic-ai"},
		{crawlers.Selection{Retired: true}, "Googlebot msnbot", ""},
		{crawlers.Selection{Purposes: purposes{"ai-training"}}, "CCBot ClaudeBot Google-Extended GPTBot", "anthropic-ai Googlebot ia_archiver"},
		{crawlers.Selection{Purposes: purposes{"ai-training"}, Retired: true}, "anthropic-ai", "Googlebot"},
		{crawlers.Selection{Purposes: purposes{"archive"}}, "CCBot archive.org_bot", "GPTBot"}, // its main purpose
		{crawlers.Selection{Purposes: purposes{"archive", "search"}}, "CCBot Googlebot", "GPTBot"},
		{crawlers.Selection{Operators: []string{"openAI"}}, "ChatGPT-User GPTBot", "CCBot"},
		{crawlers.Selection{Operators: []string{"OpenAI", "Common Crawl"}}, "GPTBot CCBot", "ClaudeBot"},
		{crawlers.Selection{Purposes: purposes{"ai-training"}, Operators: []string{"OpenAI"}}, "GPTBot", "ChatGPT-User CCBot"},
		{crawlers.Selection{Purposes: purposes{"feed"}, Operators: []string{"OpenAI"}}, "", "GPTBot FeedFetcher-Google"},
	} {
		var tokens []string
		for _, c := range crawlers.Select(test.selection) {
			tokens = append(tokens, c.Token)
		}
		for _, token := range strings.Fields(test.with) {
			if !slices.Contains(tokens, token) {
				t.Errorf("%+v lacks %s", test.selection, token)
			}
		}
		for _, token := range strings.Fields(test.lack) {
			if slices.Contains(tokens, token) {
				t.Errorf("%+v has %s", test.selection, token)
			}
		}
	}
	var first []string
	for _, c := range crawlers.Select(crawlers.Selection{Purposes: purposes{"ai-training"}})[:4] {
		first = append(first, c.Token)
	}
	if got := strings.Join(first, " "); got != "GPTBot CCBot Google-Extended ClaudeBot" {
		t.Errorf("the first crawlers are %s: want the ones that most files name", got)
	}
	if all := slices.Collect(crawlers.All()); len(crawlers.Select(crawlers.Selection{Retired: true})) != len(all) {
		t.Errorf("the selection of all crawlers is not all %d", len(all))
	}
}
