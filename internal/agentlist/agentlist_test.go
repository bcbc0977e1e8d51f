package agentlist_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/agentlist"
)

// lists are lists with their crawlers and their canonical form, "" where that is
// the list itself.
var lists = []struct {
	list     string
	crawlers [][]string
	printed  string
}{
	{"FooBot", [][]string{{"FooBot"}}, ""},
	{"*", [][]string{{"*"}}, ""},
	{"Googlebot,Bingbot,GPTBot", [][]string{{"Googlebot"}, {"Bingbot"}, {"GPTBot"}}, "Googlebot, Bingbot, GPTBot"},
	{"Googlebot-News:Googlebot", [][]string{{"Googlebot-News", "Googlebot"}}, ""},
	{"A:B:C, D, E:F", [][]string{{"A", "B", "C"}, {"D"}, {"E", "F"}}, ""},
	{" \tA : B\r,\fC\n", [][]string{{"A", "B"}, {"C"}}, "A:B, C"},
	{"Screaming Frog SEO Spider, GPTBot", [][]string{{"Screaming Frog SEO Spider"}, {"GPTBot"}}, ""},
	{"GPTBot/1.2, FooBot/2", [][]string{{"GPTBot/1.2"}, {"FooBot/2"}}, ""},
	{"GPTBot/1.2:FooBot/2", [][]string{{"GPTBot/1.2", "FooBot/2"}}, ""},
	{`"FooBot" , "BarBot":"Baz"`, [][]string{{"FooBot"}, {"BarBot", "Baz"}}, "FooBot, BarBot:Baz"},
	{`"Tea,Bot", "Tea:Bot":"Tea;Bot", "#", ""`, [][]string{{"Tea,Bot"}, {"Tea:Bot", "Tea;Bot"}, {"#"}, {""}}, ""},
	{`"\"\\\x00\xff\u20ac\ufffd"`, [][]string{{"\"\\\x00\xff\u20ac\ufffd"}}, "\"\\\"\\\\\\x00\\xff\u20ac\ufffd\""},
	{`" FooBot "`, [][]string{{" FooBot "}}, ""},
	{"F\xffo\\x", [][]string{{"F\xffo\\x"}}, `"F\xffo\\x"`},
	{"b(x", [][]string{{"b(x"}}, ""},
	{`"b(x", FooBot`, [][]string{{"b(x"}, {"FooBot"}}, ""},
	{`b(x), ""`, [][]string{{"b(x)"}, {""}}, `"b(x)", ""`},

	// Whole headers.
	{" Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/a,b) ",
		[][]string{{"Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/a,b)"}}, "Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/a,b)"},
	{"FooBot/1.0 +https://foo.example", [][]string{{"FooBot/1.0 +https://foo.example"}}, ""},
	{"FooBot/1.0 (+https://me.example), Googlebot", [][]string{{"FooBot/1.0 (+https://me.example)"}, {"Googlebot"}}, `"FooBot/1.0 (+https://me.example)", Googlebot`},
	{"A:B/2, FooBot/1.0 +https://foo.example,\tMozilla/5.0 (a, b) FooBot (c), D", [][]string{{"A", "B/2"}, {"FooBot/1.0 +https://foo.example"}, {"Mozilla/5.0 (a, b) FooBot (c)"}, {"D"}},
		`A:B/2, "FooBot/1.0 +https://foo.example", "Mozilla/5.0 (a, b) FooBot (c)", D`},
	{"Mozilla/5.0 (X11) Safari/537.36,gzip(gfe)", [][]string{{"Mozilla/5.0 (X11) Safari/537.36,gzip(gfe)"}}, ""},
	{"Mozilla/5.0 (X11) Safari/537.36, like Gecko", [][]string{{"Mozilla/5.0 (X11) Safari/537.36, like Gecko"}}, ""},
	{"FooBot/1.0 (a, BarBot", [][]string{{"FooBot/1.0 (a, BarBot"}}, ""},
	{"FooBot/1.0 +https://foo.example/a,b", [][]string{{"FooBot/1.0 +https://foo.example/a,b"}}, ""},
	{`"FooBot/1.0 (a), BarBot"`, [][]string{{"FooBot/1.0 (a), BarBot"}}, ""},
	{`"FooBot/1.0 (a, b)":FooBot, BarBot`, [][]string{{"FooBot/1.0 (a, b)", "FooBot"}, {"BarBot"}}, ""},
	{"Foo Bot/1.0, BarBot", [][]string{{"Foo Bot/1.0"}, {"BarBot"}}, `"Foo Bot/1.0", BarBot`},
}

func TestParseAndFormat(t *testing.T) {
	for _, test := range lists {
		got, err := agentlist.Parse(test.list)
		if err != nil || !reflect.DeepEqual(got, test.crawlers) {
			t.Errorf("Parse(%q) = %q, %v; want %q", test.list, got, err, test.crawlers)
			continue
		}
		want := test.printed
		if want == "" {
			want = test.list
		}
		if printed := agentlist.Format(got...); printed != want {
			t.Errorf("Format(%q) = %q, want %q", got, printed, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for list, want := range map[string]string{
		"":                        "empty token",
		" \t":                     "empty token",
		",":                       "empty token",
		"FooBot,":                 "empty token",
		"FooBot,,BarBot":          "empty token",
		"FooBot: ":                "empty token",
		":FooBot":                 "empty token",
		"A::B":                    "empty token",
		"A; B":                    `semicolon at "A; B"`,
		"A, B ;C":                 `semicolon at "B ;C"`,
		`"A" ; B`:                 `semicolon at`,
		";":                       "semicolon",
		"FooBot/1.0; BarBot/2.0":  "a comma separates crawlers, a colon makes a fallback chain (Googlebot-News:Googlebot)",
		"FooBot # ours":           "a comment needs a separate line",
		"A, # ours":               "a comment",
		`A, "B`:                   `bad quoted token at "\"B"`,
		`"\q"`:                    "bad quoted token",
		`"\'"`:                    "bad quoted token",
		"\"\xff\"":                "bad quoted token",
		"\"a\nb\"":                "bad quoted token",
		`"A" B`:                   `no separator after "A"`,
		`"A""B"`:                  "no separator",
		`Foo"Bot"`:                "quote within a token",
		`FooBot/1.0 (a "b"; c)`:   "quote within a token",
		`Foo, BarBot/1.0 (x); ""`: "semicolon",
	} {
		got, err := agentlist.Parse(list)
		var syntax *agentlist.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) || got != nil {
			t.Errorf("Parse(%q) = %q, %v; want an error with %q", list, got, err, want)
		}
		if err != nil && (syntax.Hint == "" || strings.Contains(err.Error(), "\n") || !utf8.ValidString(err.Error())) {
			t.Errorf("Parse(%q): %q has no hint, or is not one line of text", list, err)
		}
	}
}

// FuzzParse: every list that Parse reads is the same after Format, whose form is
// final.
func FuzzParse(f *testing.F) {
	for _, test := range lists {
		f.Add(test.list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		crawlers, err := agentlist.Parse(list)
		if err != nil {
			return
		}
		same(t, crawlers)
	})
}

// FuzzFormat: every crawler can be written, whatever bytes its tokens have, alone
// and in a list.
func FuzzFormat(f *testing.F) {
	f.Add("FooBot", "Bar Bot/1.0", "")
	f.Add("a,b:c;d#\"\\", " x ", "b(x)")
	f.Add("\xff\x00\n", "\ufffd\u2028", "FooBot/1 x")
	f.Add("0000000 0", "0000000/0", "")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		same(t, [][]string{{a}})
		same(t, [][]string{{a, b}})
		same(t, [][]string{{a}, {b, c}, {c}})
	})
}

func same(t *testing.T, crawlers [][]string) {
	t.Helper()
	printed := agentlist.Format(crawlers...)
	again, err := agentlist.Parse(printed)
	if err != nil || !reflect.DeepEqual(again, crawlers) {
		t.Errorf("%q is written as %s and read as %q, %v", crawlers, printed, again, err)
	}
	if final := agentlist.Format(again...); err == nil && final != printed {
		t.Errorf("%q is written as %s and then as %s", crawlers, printed, final)
	}
}
