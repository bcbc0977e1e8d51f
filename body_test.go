package robotstxt_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

func TestBodyOf(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /\n"
	head := robotstxt.BodyHead
	for body, want := range map[string]robotstxt.Body{
		"":                      robotstxt.BodyEmpty,
		" ":                     robotstxt.BodyText,
		rules:                   robotstxt.BodyText,
		"Sorry, not found":      robotstxt.BodyText,
		"{\"error\": 404}":      robotstxt.BodyText,
		"\ufeff \n<html>":       robotstxt.BodyHTML,
		"<?xml version='1.0'?>": robotstxt.BodyHTML,
		"<p>User-agent: *":      robotstxt.BodyHTML, // no line for crawlers
		"<p>\nUser-agent: *":    robotstxt.BodyHTML, // no rule
		"<p>\nDisallow: /a":     robotstxt.BodyHTML, // no group
		"<p>\nUser-agent: *\nSitemap: https://shop.example/s.xml\n": robotstxt.BodyHTML,

		// Crawlers read the rules after a comment, the notice of a program and a link.
		"<!-- shop -->\n" + rules: robotstxt.BodyText,
		"<br />\n<b>Notice</b>: undefined x in <b>y.php</b> on line <b>3</b><br />\n" + rules: robotstxt.BodyText,
		"<https://shop.example/>\n" + rules:                                                   robotstxt.BodyText,
		"<html><pre>\n" + rules + "</pre>":                                                    robotstxt.BodyText,
		"<p>\nUser-agent: *\nDisallow:\n":                                                     robotstxt.BodyText, // says that all is allowed
		"<p>\nUser-agent: *\nUser-agent: FooBot\nCrawl-delay: 1\nAllow: /\n":                  robotstxt.BodyText,

		"\xFF\xFEU\x00s\x00e\x00r\x00": robotstxt.BodyBinary, // UTF-16
		"\xFE\xFF\x4E\x2D":             robotstxt.BodyBinary, // without a NUL byte
		"U\x00s\x00e\x00r\x00":         robotstxt.BodyBinary, // without a mark
		"\x1F\x8B\x08\x00\x00":         robotstxt.BodyBinary, // gzip
		"Not found\x00\x00":            robotstxt.BodyBinary,
		"<\x00":                        robotstxt.BodyBinary,
		"\x00\n" + rules:               robotstxt.BodyText,
		"\x1b[0m\f":                    robotstxt.BodyText, // a colour, a form feed

		strings.Repeat(" ", head) + "<html>":               robotstxt.BodyHTML,
		strings.Repeat(" ", head-2) + "<html>":             robotstxt.BodyHTML,
		strings.Repeat("a", head) + "\x00":                 robotstxt.BodyText,
		"<p>\n" + strings.Repeat("a", head) + "\n" + rules: robotstxt.BodyText,
	} {
		if got := robotstxt.BodyOf([]byte(body)); got != want {
			t.Errorf("BodyOf(%.60q) = %s, want %s", body, got, want)
		}
	}
}

// TestBodyOfLaw: a body with a rule in a group is text, whatever comes first, in every dialect. Without
// one it is what its first bytes are.
func TestBodyOfLaw(t *testing.T) {
	heads := map[string]robotstxt.Body{
		"": robotstxt.BodyText, "# a comment\n": robotstxt.BodyText, "Not found\n": robotstxt.BodyText, "\ufeff": robotstxt.BodyText, "{}\n": robotstxt.BodyText,
		"<!-- a comment -->\n": robotstxt.BodyHTML, "<!DOCTYPE html>\n<title>x</title>\n": robotstxt.BodyHTML, "<br />\n": robotstxt.BodyHTML,
		" \n\t<html>\n": robotstxt.BodyHTML, "\ufeff<?xml version='1.0'?>\n": robotstxt.BodyHTML, "<https://shop.example/>\n": robotstxt.BodyHTML,
		"\x1F\x8B\x08\x00\n": robotstxt.BodyBinary, "\xFF\xFE\n\x00": robotstxt.BodyBinary, "x\x00y\n": robotstxt.BodyBinary,
	}
	contents := []string{"", "\n", "User-agent: *\n", "Disallow: /\n", "Sitemap: https://shop.example/s.xml\n", "User-agent: *\nCrawl-delay: 3\n",
		"User-agent: *\nDisallow: /\n", "User-agent: *\nDisallow:\n", "user-agent: FooBot\rallow: /a\r", "User agent: a\n\nDisalow: /x", "User-agent *\nDisallow /x\n",
		"User-agent: *\nDisallow: /\n<p>", "Disallow: /\nUser-agent: *\n", "#User-agent: *\n#Disallow: /\n", "Foo: User-agent: *\nDisallow: /\n"}
	for head, kind := range heads {
		for _, content := range contents {
			for _, tail := range []string{"", "</html>\n", "\x00\x00", strings.Repeat("z", 2*robotstxt.BodyHead)} {
				body := []byte(head + content + tail)
				ruled := false
				for _, d := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
					for group := range d.Parse(body).Groups() {
						for range group.Rules() {
							ruled = true
						}
					}
				}
				want := kind
				switch {
				case len(body) == 0:
					want = robotstxt.BodyEmpty
				case ruled:
					want = robotstxt.BodyText
				case tail == "\x00\x00":
					want = robotstxt.BodyBinary
				}
				if got := robotstxt.BodyOf(body); got != want {
					t.Errorf("BodyOf(%.80q) = %s, want %s", body, got, want)
				}
			}
		}
	}
}
