package lint_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// room is a test of all findings whose codes begin alike.
type room struct {
	name    string // default: the body
	profile lint.Profile
	body    string
	want    string // "line:column code" of each, separated by ", "
	says    string // in the message of the first one
	fixed   string // the body with the fix of the first one; "" if it has none
	meaning bool   // of that fix
}

// about returns the findings whose codes begin with a prefix.
func about(body string, config lint.Config, prefix string) []lint.Finding {
	return slices.DeleteFunc(lint.Check([]byte(body), config), func(f lint.Finding) bool {
		return !strings.HasPrefix(string(f.Code), prefix)
	})
}

// placesOf writes where findings are, and their codes.
func placesOf(findings []lint.Finding) string {
	var places []string
	for _, f := range findings {
		places = append(places, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Code))
	}
	return strings.Join(places, ", ")
}

// check compares the findings with a prefix, and the first fix, with what is wanted.
func (c room) check(t *testing.T, prefix string) {
	t.Helper()
	found := about(c.body, lint.Config{Profile: c.profile, Pedantic: true}, prefix)
	if got := placesOf(found); got != c.want {
		t.Errorf("found %s\n want %s\nin:\n%s", got, c.want, c.body)
	}
	if len(found) == 0 {
		return
	}
	first := found[0]
	if !strings.Contains(first.Message, c.says) {
		t.Errorf("message %q: want %q in it", first.Message, c.says)
	}
	fixed, meaning := "", false
	if first.Fix != nil {
		b, err := lint.Apply([]byte(c.body), first.Fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		fixed, meaning = string(b), first.Fix.Meaning
	}
	if fixed != c.fixed || meaning != c.meaning {
		t.Errorf("the fix, with meaning %v: %q\nwant, with meaning %v: %q", meaning, fixed, c.meaning, c.fixed)
	}
}

func checkRooms(t *testing.T, prefix string, cases []room) {
	for _, c := range cases {
		t.Run(cmp.Or(c.name, c.body), func(t *testing.T) { c.check(t, prefix) })
	}
}

// around returns cases whose bodies, also those with the fix, are between two texts.
func around(before, after string, cases []room) []room {
	for i := range cases {
		c := &cases[i]
		c.name, c.body = cmp.Or(c.name, c.body), before+c.body+after
		if c.fixed != "" {
			c.fixed = before + c.fixed + after
		}
	}
	return cases
}

// TestAgentValues: user-agent lines with other text than a token.
func TestAgentValues(t *testing.T) {
	checkRooms(t, "RX1", around("User-agent: ", "\nDisallow: /x\n", []room{
		{name: "a token", body: "Googlebot"},
		{name: "all", body: "*"},
		{name: "host name", body: "crawl.example.com", want: "1:13 RX101", says: `Google reads only "crawl" here`},
		{name: "known token and more", body: "Baiduspider+(+http://x.example)", want: "1:13 RX107", fixed: "Baiduspider", meaning: true},
		{name: "known token with a sign", body: "Baiduspider+", want: "1:13 RX101", fixed: "Baiduspider", meaning: true},
		{name: "known token with a comma", body: "Bytespider,", want: "1:13 RX101", fixed: "Bytespider", meaning: true},
		{name: "known token with a dot", body: "Yandex.Gazeta Bot", want: "1:13 RX101"},
		{name: "known token with an apostrophe", body: "Xenu's", want: "1:13 RX101"},
		{name: "known token and more, all compared", body: "Baiduspider+(x)", profile: lint.RFC9309, want: "1:13 RX101"},
		{name: "two words", body: "Speedy Spider", want: "1:13 RX101", says: `Google reads only "Speedy"`},
		{name: "star and word", body: "* all", want: "1:13 RX101", says: "as *, all crawlers", fixed: "*", meaning: true},
		{name: "version", body: "FooBot/2.1", want: "1:13 RX101", fixed: "FooBot", meaning: true},
		{name: "version, RFC 9309", body: "FooBot/2.1", profile: lint.RFC9309, want: "1:13 RX101", fixed: "FooBot", meaning: true},
		{name: "version with blank", body: "FooBot /2.1", want: "1:13 RX101", fixed: "FooBot", meaning: true},
		{name: "quoted", body: `"Googlebot"`, want: "1:13 RX104", fixed: "Googlebot", meaning: true},
		{name: "not ASCII", body: "\u00A0FooBot", want: "1:13 RX104", says: `No crawler name begins with "\u00a0"`},
		{name: "star first", body: "*bot", want: "1:13 RX104"},
		{name: "stars around a known one", body: "*bingbot*", want: "1:13 RX104", fixed: "bingbot", meaning: true},
		{name: "two stars", body: "**", want: "1:13 RX104", fixed: "*", meaning: true},
		{name: "star and comma", body: "*,", want: "1:13 RX104", fixed: "*", meaning: true},
		{name: "star and slash, RFC 9309", body: "*/1.0", profile: lint.RFC9309, want: "1:13 RX104", fixed: "*", meaning: true},
		{name: "digits", body: "FooBot2000", want: "1:13 RX106", says: `Google reads "FooBot"`},
		{name: "digits and version", body: "A6-FooBot/1.0", want: "1:13 RX106", says: `Google reads "A"`},
		{name: "known with digits", body: "MJ12bot", want: "1:13 RX106", says: `Google reads "MJ"`},
		{name: "digits first", body: "360Spider", want: "1:13 RX106", says: `Google reads no name here`},
		{name: "known with a dot", body: "archive.org_bot", want: "1:13 RX106", says: `Google reads "archive"`},
		{name: "header", body: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", want: "1:13 RX107", fixed: "bingbot", meaning: true},
		{name: "header of a browser", body: "Mozilla/5.0 (X11; Linux x86_64)", want: "1:13 RX101, 1:13 RX107", says: `Google reads only "Mozilla"`},
		{name: "header of the crawler's own", body: "facebookexternalhit/1.1 (+http://x.example)", want: "1:13 RX107", fixed: "facebookexternalhit", meaning: true},
		{name: "none", body: "", want: "1:1 RX104"},
		{name: "second directive", body: "FooBot Disallow: /x", want: "1:13 RX113", says: `"Disallow: /x"`, fixed: "FooBot\nDisallow: /x", meaning: true},
		{name: "second directive below another agent", body: "*\n# AI\nUser-agent: GPTBot Disallow: /\nDisallow: /x", want: "3:13 RX113", says: "it would apply to \"*\" too"},
		{name: "second directives", body: "FooBot Disallow: /\nUser-agent: BarBot Disallow: /", want: "1:13 RX113, 2:13 RX113", fixed: "FooBot\nDisallow: /\nUser-agent: BarBot Disallow: /", meaning: true},
		{name: "second directive for all", body: "* \t Allow: /", want: "1:13 RX113", fixed: "*\nAllow: /", meaning: true},
		{name: "word of a directive", body: "FooBot allow", want: "1:13 RX101"},
		{name: "star behind", body: "Foo_Bot*", want: "1:13 RX101", fixed: "Foo_Bot", meaning: true},
		{name: "star behind, RFC 9309", body: "Foo_Bot*", profile: lint.RFC9309, want: "1:13 RX101", fixed: "Foo_Bot", meaning: true},
		{name: "star behind, 1996", body: "Foo_Bot*", profile: lint.Koster1996, want: "1:13 RX101", fixed: "Foo_Bot", meaning: true},
		{name: "list", body: "FooBot, BarBot;Baz", want: "1:13 RX115", fixed: "FooBot\nUser-agent: BarBot\nUser-agent: Baz", meaning: true},
		{name: "list of others", body: "FooBot, Bar Bot", want: "1:13 RX101"},
	}))
}

// TestKnownCrawlers: what the list of crawlers says about tokens.
func TestKnownCrawlers(t *testing.T) {
	cases := around("User-agent: ", "\nDisallow: /x\n", []room{
		{name: "unknown", body: "Quuxbot\nUser-agent: Googlebot", want: "1:13 RX108", says: `"Quuxbot" is not in our list`},
		{name: "several unknown, told once", body: "Quuxbot\nUser-agent: Xyzzycrawl", want: "1:13 RX108", says: `The same is true of 1 User-agent line below.`},
		{name: "misspelt", body: "Gogglebot", want: "1:13 RX109", says: "Did you mean Googlebot?", fixed: "Googlebot", meaning: true},
		{name: "letters swapped", body: "Googelbot", want: "1:13 RX109", fixed: "Googlebot", meaning: true},
		{name: "too far for a slip", body: "Gaggelbot", want: "1:13 RX108"},
		{name: "retired", body: "anthropic-ai", want: "1:13 RX110", says: "ClaudeBot"},
		{name: "retired, beside its successor", body: "anthropic-ai\nUser-agent: claudebot", want: "1:13 RX110", says: "Anthropic uses ClaudeBot."},
		{name: "a crawler named nearly like another", body: "YodaoBot"},
		{name: "need not obey", body: "Google-Read-Aloud", want: "1:13 RX112"},
		{name: "need not obey what allows", body: "Google-Read-Aloud\nDisallow:\n\nUser-agent: *"},
	})
	checkRooms(t, "RX1", append(cases, room{
		name: "retired for several",
		body: "User-agent: Claude-Web\r\nDisallow: /x\r\n",
		want: "1:13 RX110", says: "ClaudeBot and Claude-User, and \"/x\" is open to ClaudeBot and Claude-User.",
	}))
}
