package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestEncoding: bodies that are no text, and byte order marks.
func TestEncoding(t *testing.T) {
	const all = "User-agent: *\nDisallow: /p\n"
	const mark, twice = "\uFEFF", "\u00EF\u00BB\u00BF"
	checkRooms(t, "RX4", []room{
		{name: "UTF-8", body: "User-agent: *\nDisallow: /caf\u00E9 # caf\u00E9\n"},
		{name: "nothing", body: ""},
		{name: "a page", body: " \n<!DOCTYPE html>\n<html>text</html>", want: "2:1 RX401", says: `a web page, not a robots.txt. Crawlers find no rules`},
		{name: "XML", body: "<?xml version=\"1.0\"?><Error/>", want: "1:1 RX401"},
		{name: "a page behind a mark", body: mark + "<html>", want: "1:4 RX401"},
		{name: "a page around rules", body: "<pre>\n" + all + "</pre>\n<p>x: y</p>\n", want: "1:1 RX401", says: "This line is markup, which crawlers ignore: they read the rules after it"},
		{name: "less than", body: "< 5\n" + all, want: "1:1 RX413", fixed: "# < 5\n" + all},
		{
			name: "a mark", body: mark + all,
			want: "1:1 RX402", says: "begins with a byte order mark", fixed: all,
		},
		{name: "a part of a mark", body: "\xEF\xBB" + all, want: "1:1 RX402", says: "the beginning of a byte order mark", fixed: all},
		{
			name: "a part of a mark before a mark", body: "\xEF" + mark + all,
			want: "1:1 RX402, 1:2 RX405",
		},
		{name: "two marks", body: mark + mark + all, want: "1:1 RX402, 1:4 RX405"},
		{
			name: "a mark encoded twice", body: twice + all,
			want: "1:1 RX405", says: `ignore this line, "User-agent: *"`, fixed: all, meaning: true,
		},
		{
			name: "a mark within", body: all + mark + "Disallow: /q\n",
			want: "3:1 RX405", fixed: all + "Disallow: /q\n", meaning: true,
		},
		{name: "a mark before a comment", body: all + mark + "# text\n"},
		{
			name: "a mark before a short comment above all groups", body: mark + "# x\nDisallow: /p\n" + all,
			want: "1:1 RX402", fixed: "# x\nDisallow: /p\n" + all,
		},
		{name: "a mark in a value", body: "User-agent: *\nDisallow: /" + mark + "\n"},
		{
			name: "UTF-16, little end first", body: "\xFF\xFEA\x00:\x00\n\x00\xE9\x00",
			want: "1:1 RX403", says: "UTF-16", fixed: "A:\n\u00E9", meaning: true,
		},
		{
			name: "UTF-16, big end first", body: "\xFE\xFF\x00A\x00:\xD8\x3D\xDE\x00",
			want: "1:1 RX403", fixed: "A:\U0001F600", meaning: true,
		},
		{name: "UTF-16 without a mark", body: "A\x00:\x00", want: "1:1 RX403", fixed: "A:", meaning: true},
		{name: "UTF-16 without a mark, big end first", body: "\x00A\x00:", want: "1:1 RX403", fixed: "A:", meaning: true},
		{name: "UTF-32", body: "\xFF\xFE\x00\x00A\x00\x00\x00", want: "1:1 RX403", says: "UTF-32", fixed: "A", meaning: true},
		{name: "UTF-32 without a mark", body: "\x00\x00\x00A\x00\x00\x26\x03", want: "1:1 RX403", says: "UTF-32", fixed: "A\u2603", meaning: true},

		// A fix loses nothing.
		{name: "UTF-32 with a number that is no character", body: "\x00\x00\x00A\x00\xFF\xFF\xFF", want: "1:1 RX403"},
		{name: "UTF-16 with half of a character", body: "A\x00:\x00\x3D\xD8/\x00", want: "1:1 RX403"},
		{name: "UTF-16 with half a unit", body: "A\x00:\x00/", want: "1:1 RX403"},
		{name: "Latin-1", body: "User-agent: *\n# \xE9\nDisallow: /caf\xE9\n", want: "3:15 RX403", says: "byte 0xE9 is not UTF-8"},
		{name: "Latin-1 in comments", body: all + "# \xE9\n", want: "3:3 RX403", says: "byte 0xE9 in a comment"},
		{name: "a message", body: "404 page not found", want: "1:1 RX418", says: `begins with "404 page not found"`},
		{name: "a message with a colon", body: "Not Found - Request ID: 01HYRKM2\n", want: "1:1 RX418"},
		{name: "a status", body: "Status Code: 404; Not Found\n", want: "1:1 RX418", says: `begins with "Status Code: 404; Not Found"`},
		{name: "an error", body: "Error: the page was not found.\n", want: "1:1 RX418"},
		{name: "unknown keys are no message", body: "Crawl speed: slow\n"},
		{name: "JSON", body: "{\n  \"status\": 404\n}\n", want: "1:1 RX401", says: "This file is JSON"},
		{name: "unknown directives", body: "Foo: bar\n"},
		{name: "a lost directive", body: "Disallow=/\n", want: "1:1 RX417", fixed: "Disallow: /\n", meaning: true},
	})
}

// TestForeignBodies: what is no text has one finding and no others.
func TestForeignBodies(t *testing.T) {
	for name, body := range map[string]string{
		"page":   "<html>\n<p>a: b</p>\nDisallow: /x\n" + strings.Repeat("text \xFF\x00\n", 20),
		"UTF-16": "\xFF\xFE" + strings.Repeat("a\x00:\x00\n\x00", 20),
		"text":   strings.Repeat("some \x00 text\n", 20),
	} {
		if f := lint.Check([]byte(body), lint.Config{}); len(f) != 1 || f[0].Severity != lint.Error {
			t.Errorf("%s: found %v, want one error", name, f)
		}
	}
}

// TestLineBytes: bytes that hide others, and ends of lines.
func TestLineBytes(t *testing.T) {
	const all = "User-agent: *\nDisallow: /p\n"
	long := strings.Repeat("x", 20_000)
	checkRooms(t, "RX4", []room{
		{name: "long pattern", body: "User-agent: *\nDisallow: /" + long, want: "2:11 RX407, 2:16664 RX408"},
		{name: "long comment", body: all + "# " + long + "\nDisallow: /q # " + long},
		{name: "long text", body: all + long, want: "3:1 RX413", fixed: all + "# " + long},
		{
			name: "NUL", body: "User-agent: *\nDisallow: /a\x00/b\x00\n",
			want: "2:13 RX409", says: `ignore the rest of this line, "/b"`, fixed: "User-agent: *\nDisallow: /a/b\n", meaning: true,
		},
		{name: "a garbled mark alone", body: all + "\u00EF\u00BB\u00BF\n" + all, want: "3:1 RX413", says: "only a byte order mark", fixed: all + all},
		{name: "NUL first", body: all + "\x00Disallow: /q\n", want: "3:1 RX409", fixed: all + "Disallow: /q\n", meaning: true},
		{name: "NUL in a comment", body: all + "# \x00x\n"},
		{name: "padding", body: all + "\x00\x00", want: "3:1 RX409", says: "2 NUL bytes", fixed: all, meaning: true},
		{name: "padding that parts CR and LF", body: all + "Disallow: /q\r\x00\n", want: "3:13 RX414, 4:1 RX409", fixed: all + "Disallow: /q\n\x00\n"},
		{
			name: "CR", body: "User-agent: *\rDisallow: /p\r",
			want: "1:14 RX414", says: "2 lines end in CR", fixed: "User-agent: *\nDisallow: /p\n",
		},
		{name: "CRLF", body: "User-agent: *\r\nDisallow: /p\r\n"},
		{name: "CR before CRLF", body: "User-agent: *\r\r\nDisallow: /p\r\n", want: "1:14 RX414", says: "A line ends in CR", fixed: "User-agent: *\n\r\nDisallow: /p\r\n"},
	})
}

// TestKeys: keys that count by leniency, and lines that count for nothing.
func TestKeys(t *testing.T) {
	checkRooms(t, "RX4", around("User-agent: *\n", "\nDisallow: /p\n", []room{
		{body: "Disallow: /q"},
		{body: "dISALLOW : /q"},
		{body: "Foo: bar"},
		{body: "Disallow /q", want: "2:1 RX410", says: `Google reads "Disallow" without its colon`, fixed: "Disallow: /q", meaning: true},
		{body: "Crawl-delay\t5", want: "2:1 RX410", fixed: "Crawl-delay: 5", meaning: true},
		{body: "Disallow= /q", want: "2:1 RX410", says: `Google reads "Disallow" without its colon`, fixed: "Disallow: /q", meaning: true},
		{body: "Disallow;  /q", want: "2:1 RX410", fixed: "Disallow: /q", meaning: true},
		{body: "Disallow\uFF1A /q", want: "2:1 RX417", fixed: "Disallow: /q", meaning: true},
		{body: "Disalow; /q", want: "2:1 RX410, 2:1 RX411", fixed: "Disallow: /q", meaning: true},
		{body: "Sitemap = https://x.example/", want: "2:1 RX416", fixed: "Sitemap: https://x.example/", meaning: true},
		{body: "disalow: /q", want: "2:1 RX411", says: `Google reads "disalow" as Disallow`, fixed: "Disallow: /q", meaning: true},
		{body: "Dissallowed: /q", want: "2:1 RX411", fixed: "Disallow: /q", meaning: true},
		{body: "User agent: b", want: "2:1 RX411", fixed: "User-agent: b", meaning: true},
		{body: "Site-map: https://x.example/", want: "2:1 RX411", fixed: "Sitemap: https://x.example/", meaning: true},
		{body: "Allow-all: /q", want: "2:1 RX412", fixed: "Allow: /q", meaning: true},
		{body: "Disallow all: /q", want: "2:1 RX412", fixed: "Disallow: /q", meaning: true},
		{body: "Sitemap-news: https://x.example/", want: "2:1 RX412", fixed: "Sitemap: https://x.example/", meaning: true},
		{body: "Sitemap-count: 5", want: "2:1 RX412"},
		{body: "Disallow /tag:/q", want: "2:1 RX416", says: `Write a colon after "Disallow". Crawlers read only "/q"`, fixed: "Disallow: /tag:/q", meaning: true},
		{body: "Sitemap https://x.example/", want: "2:1 RX416", says: `Crawlers read only "//x.example/"`, fixed: "Sitemap: https://x.example/", meaning: true},
		{body: "User-agent b c: d", want: "2:1 RX416", fixed: "User-agent: b c: d", meaning: true},
		{body: "some words here", want: "2:1 RX413", says: `Crawlers ignore this text`, fixed: "# some words here"},
		{body: "two words # and more", want: "2:1 RX413", fixed: "# two words # and more"},
		{body: "one\n\n\ttwo words\nDisallow: /x\nthree words here", want: "2:1 RX413, 6:1 RX413", says: "these 2 lines of text", fixed: "# one\n\n\t# two words\nDisallow: /x\nthree words here"},
		{body: "Disalllow /q", want: "2:1 RX417", fixed: "Disallow: /q", meaning: true},
		{body: "- Disallow /q", want: "2:1 RX417", fixed: "Disallow: /q", meaning: true},
		{body: "2) Disallow = q/ # and more", want: "2:1 RX417", fixed: "Disallow: /q/ # and more", meaning: true},
		{body: "Disallow = /my files/", want: "2:1 RX417", fixed: "Disallow: /my%20files/", meaning: true},
		{body: "Usr-agent -> all", want: "2:1 RX417", fixed: "User-agent: *", meaning: true},
		{body: "User agent => GPTBot/1.0", want: "2:1 RX417", fixed: "User-agent: GPTBot", meaning: true},
		{body: "Usr-agent GPTBot", want: "2:1 RX417", fixed: "User-agent: GPTBot", meaning: true},
		{body: "User-agent", want: "2:1 RX417"},
		{body: "User-agent lines are for crawlers", want: "2:1 RX417"},
		{body: "Disallow /a b", want: "2:1 RX417"},
		{body: "Disallow /a /b", want: "2:1 RX417", fixed: "Disallow: /a\nDisallow: /b", meaning: true},
		{body: "Disallow", want: "2:1 RX417", fixed: "Disallow:", meaning: true},
		{body: "Disallow = /q", want: "2:1 RX417", fixed: "Disallow: /q", meaning: true},
		{body: "Disallow\uFF1A/q", want: "2:1 RX417", says: `is the full-width colon U+FF1A and not a colon, so crawlers do not read this line as it is meant. Write ":".`, fixed: "Disallow: /q", meaning: true},
		{body: "Sitemap\uFF1Ahttps://x.example/s.xml", want: "2:1 RX417", fixed: "Sitemap: https://x.example/s.xml", meaning: true},
		{body: "user-agent \uFE55 b # c", want: "2:1 RX417", says: "the small colon U+FE55", fixed: "User-agent: b # c", meaning: true},
		{body: "Disallow\u2236/tag:/q\nAllow\uA789 /r", want: "2:1 RX417", says: "The same is true of 1 line below.", fixed: "Disallow: /tag:/q\nAllow: /r", meaning: true},
		{body: "Disallow\uFF1A/a b", want: "2:1 RX417"},
		{body: "<<<<<<< HEAD\nDisallow: /a\n=======\nDisallow: /b\n>>>>>>> feature", want: "2:1 RX419", says: "Unresolved merge conflict: crawlers read both versions, up to line 6."},
		{body: "# END BLOCKDisallow: /q", want: "2:12 RX420", says: `A line break is missing before "Disallow: /q"`},
		{body: "Disallow: /a # tmpAllow: /q", want: "2:19 RX420"},
		{body: "# see User-agent: b, and /Sitemap: x, disallow: y, DisAllow: /z, DISALLOW: /z"},
		{body: "=======", want: "2:1 RX413", fixed: "# ======="},
		{body: "User-agent Foo Bar", want: "2:1 RX417"},
		{body: "Sitemap by some tool", want: "2:1 RX413", fixed: "# Sitemap by some tool"},
		{body: "Allowed robots only", want: "2:1 RX413", fixed: "# Allowed robots only"},
	}))
}

// TestLimits: files and rules that are too large.
func TestLimits(t *testing.T) {
	const head = "User-agent: *\nDisallow: /p\n" // 27 bytes
	filler := strings.Repeat("# a comment line of forty-eight bytes in all ...\n", 11_000)
	for _, c := range []struct {
		name, body string
		config     lint.Config
		want       []string
	}{
		{"within", head, lint.Config{Bytes: 27}, nil},
		{"the last terminator is beyond", head, lint.Config{Bytes: 26}, nil},
		{"a rule is cut", head, lint.Config{Bytes: 25}, []string{"2:12 RX406 error"}},
		{"a rule is beyond", head + "Allow: /\n", lint.Config{Bytes: 27}, []string{"3:1 RX406 error"}},
		{"a comment is cut", head + "# text\n", lint.Config{Bytes: 29}, []string{"3:3 RX406 warning"}},
		{"Google", head + filler + head, lint.Config{}, []string{"10451:22 RX406 error"}},
		{"Google, with comments beyond", head + filler, lint.Config{}, []string{"10451:22 RX406 warning"}},
		{"Yandex", head + filler, lint.Config{Profile: lint.Yandex}, []string{"1:1 RX406 error"}},
		{"Yandex, with comments only", filler, lint.Config{Profile: lint.Yandex}, []string{"1:1 RX406 warning"}},
		{"Bing, which documents none", head + filler, lint.Config{Profile: lint.Bing}, []string{"10451:22 RX406 warning"}},
		{"a file of which more is not known", head, lint.Config{Truncated: true}, []string{"3:1 RX406 error"}},
		{"a first line that is cut", head, lint.Config{Bytes: 5}, []string{"1:1 RX418 error"}},
		{"rules", "User-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050), lint.Config{Pedantic: true}, []string{"2050:1 RX407 info"}},
		{"rules of a file that does not name Yandex", "User-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050), lint.Config{}, nil},
		{"rules of a host in Russia", "User-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050), lint.Config{URL: "https://example.ru/robots.txt"}, []string{"2050:1 RX407 info"}},
		{"rules of a file that names a crawler of Yandex", "User-agent: YandexImages\nDisallow:\n\nUser-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050), lint.Config{}, []string{"2052:1 RX407 info"}},
		{"Yandex's rules before the limit", "User-agent: Yandex\nDisallow: /p\n\nUser-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050), lint.Config{Profile: lint.Yandex}, nil},
		{"Yandex's rules after the limit", "User-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050) + "\nUser-agent: Yandex\nDisallow: /p\n", lint.Config{}, []string{"2050:1 RX407 info"}},
		{"rules, Yandex", "User-agent: *\n" + strings.Repeat("Disallow: /p\n", 2050), lint.Config{Profile: lint.Yandex}, []string{"2050:1 RX407 warning"}},
		{"rules, no more than are read", "User-agent: *\n" + strings.Repeat("Disallow: /p\n", 2048), lint.Config{Pedantic: true}, nil},
		{"a long rule", head + "Disallow: /" + strings.Repeat("x", 1024), lint.Config{Pedantic: true}, []string{"3:11 RX407 info"}},
		{"a rule as long as is read", head + "Disallow: /" + strings.Repeat("x", 1023), lint.Config{Pedantic: true}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range about(c.body, c.config, "RX4") {
				got = append(got, placesOf([]lint.Finding{f})+" "+f.Severity.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

// TestBeyondLimit: what is not read has no findings, and fixes that move it are not
// plain.
func TestBeyondLimit(t *testing.T) {
	const head = "User-agent: *\nDisallow: /p*\n"
	body := head + strings.Repeat("Disallow: /section/*\n", 180_000) + "User-agent: *\nDisallow: /\n"
	for _, f := range lint.Check([]byte(body), lint.Config{}) {
		if f.Start > 512_000 || f.Code == "RX307" || f.Fix != nil && !f.Fix.Meaning {
			t.Fatalf("%+v", f)
		}
	}
	for _, f := range lint.Check([]byte(head+"Disallow: /\n"), lint.Config{Bytes: len(head)}) {
		if f.Code == "RX307" {
			t.Errorf("%+v", f)
		}
	}
}
