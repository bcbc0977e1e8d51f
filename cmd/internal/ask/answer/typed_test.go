package answer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// TestTyped: what texts mean, or the error and its hint.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "*": "*", "FooBot": "FooBot", "M": "M", "test": "test", "360": "360",
		"googlebot": "googlebot", "Lumar": "Lumar", // as written
		"Sogou web spider": "Sogou web spider", "Yahoo! Slurp": "Slurp", "Brightbot 1.0": "Brightbot", // which no line can name
		"FooBot/1.0": "FooBot", "googlebot/2.1": "Googlebot", "FooBot Spider/2": "FooBot",
		"Mozilla/5.0 (compatible; FigTree/0.1; like Googlebot)": "FigTree",
		"facebookexternalhit/1.1;line-poker/1.0":                "facebookexternalhit",
		"OpenAI":                                                `"OpenAI": it is the name of a company or product, not of a crawler|write GPTBot,OAI-SearchBot,ChatGPT-User for its crawlers`,
		"claude":                                                `"claude": it is the name of a company or product, not of a crawler|write ClaudeBot,Claude-SearchBot,Claude-User for its crawlers`,
		"Google":                                                `"Google": it is the name of a company or product, not of a crawler|write Googlebot for its crawlers`,
		"Perplexity‑User":                                       `"Perplexity‑User": it only looks like Perplexity-User, because it contains U+2011|write Perplexity-User`,
		"Perplexity‑User/1.0 (+https://x.example)": `"Perplexity‑User": it only looks like Perplexity-User, because it contains U+2011|write Perplexity-User`,
		"GРTBot":          `"GРTBot": it only looks like GPTBot, because it contains U+0420|write GPTBot`,
		"Google bot":      `"Google bot": it is not the name of a crawler|write Googlebot`,
		"Mozilla":         `"Mozilla": it names no crawler|write a product token`,
		"bot@foo.example": `"***@foo.example": it names no crawler|write a product token`, // or a part of a URL with a password
		"\u00a0\u200b":    `"\u00a0\u200b": nothing of it can be seen|write a product token`,
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": `"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": it names no crawler|write a product token`,
	} {
		token, err := answer.Typed(text)
		message, hint, fails := strings.Cut(want, "|")
		switch {
		case !fails && (err != nil || token != want):
			t.Errorf("Typed(%q) = %q, %v; want %q", text, token, err, want)
		case fails && (err == nil || token != "" || err.Error() != message || !strings.HasPrefix(term.HintOf(err), hint)):
			t.Errorf("Typed(%q) = %q, %v (%s); want %s (%s)", text, token, err, term.HintOf(err), message, hint)
		}
	}
}

// TestTypedKnown: each token of the data means itself, except where it is a company's name, and
// each crawler is found by each of its names.
func TestTypedKnown(t *testing.T) {
	for c := range crawlers.All() {
		if c.Token == "OpenAI" {
			continue
		}
		if token, err := answer.Typed(c.Token); err != nil || token != c.Token {
			t.Errorf("Typed(%q) = %q, %v", c.Token, token, err)
		}
		for _, name := range append(c.Aliases, c.Token, `"`+c.Token+`"`, c.Token+"/1.0 (+https://x.example)") {
			if known, err := answer.Known(name); err != nil || known.Token != c.Token {
				t.Errorf("Known(%q) = %q, %v; want %q", name, known.Token, err, c.Token)
			}
		}
	}
	for name, hint := range map[string]string{
		"FooBot": "lists the known ones", "Gogglebot": "did you mean Googlebot?", "Gogglebot/2.1": "did you mean Googlebot?", "OpenAI": "write GPTBot",
	} {
		if known, err := answer.Known(name); err == nil || !strings.Contains(term.HintOf(err), hint) {
			t.Errorf("Known(%q) = %q, %v (%s), want a hint with %q", name, known.Token, err, term.HintOf(err), hint)
		}
	}
}

// TestTypedLists: each token of a list is read, unless it is in double quotes.
func TestTypedLists(t *testing.T) {
	for list, want := range map[string][]string{
		"GPTBot/1.2,Foo:bingbot/2.0": {"GPTBot", "Foo:bingbot"}, `"OpenAI", "GPTBot/1.2":"Mozilla"`: {"OpenAI", "GPTBot/1.2:Mozilla"},
		"A/1; B/2": nil, "GPTBot,OpenAI": nil, "Googlebot-News:Google": nil, "CCBot,Mozilla": nil,
	} {
		parsed, err := answer.ParseCrawlers(list)
		var names []string
		for _, c := range parsed {
			names = append(names, c.Name)
		}
		if !slices.Equal(names, want) || (err == nil) != (want != nil) || err != nil && term.HintOf(err) == "" {
			t.Errorf("ParseCrawlers(%q) = %q, %v; want %q", list, names, err, want)
		}
	}
}
