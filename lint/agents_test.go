package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// room is a test of all findings whose codes begin alike.
type room struct {
	name    string
	profile lint.Profile
	body    string
	want    string // "line:column code" of each, parted by a comma and a blank
	says    string // in the message of the first one
	mended  string // the body with the fix of the first one; "" if it has none
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

// check holds the findings with a prefix to what is wanted.
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
	mended, meaning := "", false
	if first.Fix != nil {
		b, err := lint.Apply([]byte(c.body), first.Fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		mended, meaning = string(b), first.Fix.Meaning
	}
	if mended != c.mended || meaning != c.meaning {
		t.Errorf("mended, with meaning %v: %q\nwant, with meaning %v: %q", meaning, mended, c.meaning, c.mended)
	}
}

func checkRooms(t *testing.T, prefix string, cases []room) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t, prefix) })
	}
}

// TestAgentValues: user-agent lines with other text than a token.
func TestAgentValues(t *testing.T) {
	var cases []room
	for _, c := range []struct {
		name, value, want, says, mended string
		meaning                         bool
		profile                         lint.Profile
	}{
		{name: "a token", value: "Googlebot"},
		{name: "all", value: "*"},
		{name: "host name", value: "crawl.example.com", want: "1:13 RX101", says: `Google reads only "crawl" here`},
		{name: "known token and more", value: "Baiduspider+(+http://x.example)", want: "1:13 RX101"},
		{name: "known token with a sign", value: "Baiduspider+", want: "1:13 RX101"},
		{name: "known token with a dot", value: "Yandex.Gazeta Bot", want: "1:13 RX101"},
		{name: "known token with an apostrophe", value: "Xenu's", want: "1:13 RX101"},
		{name: "known token and more, all compared", value: "Baiduspider+(x)", profile: lint.RFC9309, want: "1:13 RX101"},
		{name: "two words", value: "Speedy Spider", want: "1:13 RX101", says: `Google reads only "Speedy"`},
		{name: "star and word", value: "* all", want: "1:13 RX101", says: "as *, all crawlers", mended: "*", meaning: true},
		{name: "version", value: "FooBot/2.1", want: "1:13 RX101", mended: "FooBot", meaning: true},
		{name: "version, RFC 9309", value: "FooBot/2.1", profile: lint.RFC9309, want: "1:13 RX101", mended: "FooBot", meaning: true},
		{name: "version with blank", value: "FooBot /2.1", want: "1:13 RX101"},
		{name: "quoted", value: `"Googlebot"`, want: "1:13 RX104", mended: "Googlebot", meaning: true},
		{name: "not ASCII", value: "\u00A0FooBot", want: "1:13 RX104", says: `No crawler name begins with "\u00a0"`},
		{name: "star first", value: "*bot", want: "1:13 RX104"},
		{name: "stars around a known one", value: "*bingbot*", want: "1:13 RX104", mended: "bingbot", meaning: true},
		{name: "two stars", value: "**", want: "1:13 RX104", mended: "*", meaning: true},
		{name: "star and comma", value: "*,", want: "1:13 RX104", mended: "*", meaning: true},
		{name: "star and slash, RFC 9309", value: "*/1.0", profile: lint.RFC9309, want: "1:13 RX104", mended: "*", meaning: true},
		{name: "digits", value: "FooBot2000", want: "1:13 RX106", says: `Google reads "FooBot"`},
		{name: "digits and version", value: "A6-FooBot/1.0", want: "1:13 RX106", says: `Google reads "A"`},
		{name: "known with digits", value: "MJ12bot", want: "1:13 RX106", says: `Google reads "MJ"`},
		{name: "digits first", value: "360Spider", want: "1:13 RX106", says: `Google reads no name here`},
		{name: "known with a dot", value: "archive.org_bot", want: "1:13 RX106", says: `Google reads "archive"`},
		{name: "header", value: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", want: "1:13 RX107", mended: "bingbot", meaning: true},
		{name: "header of a browser", value: "Mozilla/5.0 (X11; Linux x86_64)", want: "1:13 RX107", says: "not its full User-Agent header"},
		{name: "header of the crawler's own", value: "facebookexternalhit/1.1 (+http://x.example)", want: "1:13 RX101", mended: "facebookexternalhit", meaning: true},
		{name: "none", value: "", want: "1:1 RX104"},
		{name: "second directive", value: "FooBot Disallow: /x", want: "1:13 RX113", says: `"Disallow: /x"`, mended: "FooBot\nDisallow: /x", meaning: true},
		{name: "second directive for all", value: "* \t Allow: /", want: "1:13 RX113", mended: "*\nAllow: /", meaning: true},
		{name: "word of a directive", value: "FooBot allow", want: "1:13 RX101"},
		{name: "star behind", value: "Foo_Bot*", want: "1:13 RX101", mended: "Foo_Bot", meaning: true},
		{name: "star behind, RFC 9309", value: "Foo_Bot*", profile: lint.RFC9309, want: "1:13 RX101", mended: "Foo_Bot", meaning: true},
		{name: "star behind, 1996", value: "Foo_Bot*", profile: lint.Koster1996, want: "1:13 RX101", mended: "Foo_Bot", meaning: true},
		{name: "list", value: "FooBot, BarBot;Baz", want: "1:13 RX115", mended: "FooBot\nUser-agent: BarBot\nUser-agent: Baz", meaning: true},
		{name: "list of others", value: "FooBot, Bar Bot", want: "1:13 RX101"},
	} {
		mended := ""
		const rest = "\nDisallow: /x\n"
		if c.mended != "" {
			mended = "User-agent: " + c.mended + rest
		}
		cases = append(cases, room{c.name, c.profile, "User-agent: " + c.value + rest, c.want, c.says, mended, c.meaning})
	}
	checkRooms(t, "RX1", cases)
}

// TestKnownCrawlers: what the list of crawlers says about tokens.
func TestKnownCrawlers(t *testing.T) {
	checkRooms(t, "RX1", []room{
		{
			name: "unknown",
			body: "User-agent: Quuxbot\nUser-agent: Googlebot\nDisallow: /x\n",
			want: "1:13 RX108", says: `"Quuxbot" is not in our list`,
		},
		{
			name: "several unknown, told once",
			body: "User-agent: Quuxbot\nUser-agent: Xyzzycrawl\nDisallow: /x\n",
			want: "1:13 RX108", says: `2 names here are not in our list`,
		},
		{
			name: "misspelt",
			body: "User-agent: Gogglebot\nDisallow: /x\n",
			want: "1:13 RX109", says: "Did you mean Googlebot?",
			mended: "User-agent: Googlebot\nDisallow: /x\n", meaning: true,
		},
		{
			name: "letters swapped",
			body: "User-agent: Googelbot\nDisallow: /x\n",
			want: "1:13 RX109", mended: "User-agent: Googlebot\nDisallow: /x\n", meaning: true,
		},
		{
			name: "too far for a slip",
			body: "User-agent: Gaggelbot\nDisallow: /x\n",
			want: "1:13 RX108",
		},
		{
			name: "retired",
			body: "User-agent: anthropic-ai\nDisallow: /x\n",
			want: "1:13 RX110", says: "ClaudeBot",
			mended: "User-agent: ClaudeBot\nDisallow: /x\n", meaning: true,
		},
		{
			name: "retired for several",
			body: "User-agent: Claude-Web\r\nDisallow: /x\r\n",
			want: "1:13 RX110", says: "ClaudeBot, Claude-User",
			mended: "User-agent: ClaudeBot\r\nUser-agent: Claude-User\r\nDisallow: /x\r\n", meaning: true,
		},
		{
			name: "retired, beside its successor",
			body: "User-agent: anthropic-ai\nUser-agent: claudebot\nDisallow: /x\n",
			want: "1:13 RX110", says: "Anthropic uses ClaudeBot.",
		},
		{
			name: "a crawler named nearly like another",
			body: "User-agent: YodaoBot\nDisallow: /x\n",
		},
		{
			name: "need not obey",
			body: "User-agent: Google-Read-Aloud\nDisallow: /x\n",
			want: "1:13 RX112",
		},
		{
			name: "need not obey what allows",
			body: "User-agent: Google-Read-Aloud\nDisallow:\n",
		},
	})
}
