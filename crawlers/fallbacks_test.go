package crawlers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

func TestReadingOf(t *testing.T) {
	for _, test := range []struct {
		tokens, want []string
		dialect      robotstxt.Dialect
		stated       bool
		named        bool
	}{
		{nil, nil, robotstxt.Google, false, false},
		{[]string{"*"}, []string{"*"}, robotstxt.Google, false, false},
		{[]string{"FooBot"}, []string{"FooBot"}, robotstxt.Google, false, false},
		{[]string{"Foo2Bot"}, []string{"Foo2Bot"}, robotstxt.RFC9309, false, false},
		{[]string{"MJ12bot"}, []string{"MJ12bot"}, robotstxt.RFC9309, false, false},
		{[]string{"ai2bot"}, []string{"ai2bot"}, robotstxt.RFC9309, false, false},
		{[]string{"img2dataset"}, []string{"img2dataset"}, robotstxt.RFC9309, false, false},
		{[]string{"amazonbot"}, []string{"amazonbot"}, robotstxt.RFC9309, true, false},
		{[]string{"Googlebot-Image"}, []string{"Googlebot-Image", "Googlebot"}, robotstxt.Google, true, false},
		{[]string{"AdsBot-Google"}, []string{"AdsBot-Google"}, robotstxt.Google, true, true},
		// Several tokens are taken as they are.
		{[]string{"AdsBot-Google", "Googlebot"}, []string{"AdsBot-Google", "Googlebot"}, robotstxt.Google, true, true},
		{[]string{"MJ12bot", "Googlebot"}, []string{"MJ12bot", "Googlebot"}, robotstxt.RFC9309, false, false},
		{[]string{"Sogou web spider", "MJ12bot"}, []string{"Sogou web spider", "MJ12bot"}, robotstxt.RFC9309, false, false},
		{[]string{"Sogou web spider", "*"}, []string{"Sogou web spider", "*"}, robotstxt.Google, false, false},
	} {
		r, ok := crawlers.ReadingOf(test.tokens...)
		if !ok || r.Dialect != test.dialect || r.Stated != test.stated || r.NamedOnly != test.named ||
			!slices.Equal(r.Tokens, test.want) {
			t.Errorf("ReadingOf(%q) = %+v, %v, want %+v", test.tokens, r, ok, test)
		}
	}
	for _, token := range []string{"Sogou web spider", "Foo/1.0", "a#b", "**"} {
		r, ok := crawlers.ReadingOf(token)
		if ok {
			t.Errorf("ReadingOf(%q) = %+v, want none", token, r)
		}
		koster := robotstxt.Koster1996
		r = r.In(&koster)
		if r.Dialect != koster || !slices.Equal(r.Tokens, []string{token}) {
			t.Errorf("ReadingOf(%q) in koster1996 = %+v", token, r)
		}
	}
}

// TestReadingKeepsTokens checks that the tokens of the caller and of the data are not
// changed by an append.
func TestReadingKeepsTokens(t *testing.T) {
	tokens := append(make([]string, 0, 4), "Googlebot-Image")
	a, _ := crawlers.ReadingOf(tokens...)
	b, _ := crawlers.ReadingOf(append(tokens, "FooBot")...)
	if a.Tokens[1] != "Googlebot" || b.Tokens[1] != "FooBot" {
		t.Errorf("tokens %q and %q", a.Tokens, b.Tokens)
	}
}

func TestReadingRules(t *testing.T) {
	const file = "User-agent: MJ12bot\nUser-agent: Googlebot\nDisallow: /named\n\nUser-agent: *\nDisallow: /star"
	for _, test := range []struct {
		token, url string
		want       bool
	}{
		{"MJ12bot", "/named", false},
		{"MJ12bot", "/star", true},
		{"Googlebot-Image", "/named", false},
		{"AdsBot-Google", "/star", true},
		{"FooBot", "/star", false},
	} {
		r, _ := crawlers.ReadingOf(test.token)
		if got := r.Rules(r.Dialect.Parse([]byte(file))).Allowed(test.url); got != test.want {
			t.Errorf("%s may fetch %s: %v, want %v", test.token, test.url, got, test.want)
		}
	}
}

// TestReadingsOfKnown checks that each known crawler without a reading is one whose
// tokens contain a blank, and that a reading can name its crawler.
func TestReadingsOfKnown(t *testing.T) {
	for c := range crawlers.All() {
		r, ok := crawlers.ReadingOf(c.Token)
		if !ok != (strings.Contains(c.Token, " ") && len(c.Fallbacks) == 0) {
			t.Errorf("%s: %+v, %v", c.Token, r, ok)
		}
		if ok && !slices.ContainsFunc(r.Tokens, r.Dialect.ValidAgent) {
			t.Errorf("%s: no group names it in %s", c.Token, r.Dialect)
		}
		if !slices.Equal(r.Tokens, c.Tokens()) {
			t.Errorf("%s: tokens %q, want %q", c.Token, r.Tokens, c.Tokens())
		}
	}
}
