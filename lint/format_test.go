package lint_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

func TestFormat(t *testing.T) {
	long := strings.Repeat("x", 17_000)
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", ""},
		{"empty lines", "\uFEFF\r\n \t\n\n", ""},
		{"done already", "User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"},
		{"keys and blanks", " USER-AGENT :a\n\tdisallow:/a  \ncrawl-delay:5\nfoo-Bar:  x  y", "User-agent: a\nDisallow: /a\nCrawl-delay: 5\nfoo-Bar: x  y\n"},
		{"line ends", "User-agent: *\r\nDisallow: /a\rAllow: /b", "User-agent: *\nDisallow: /a\nAllow: /b\n"},
		{"empty values", "User-agent:*\nDisallow :\nAllow: # none\n", "User-agent: *\nDisallow:\nAllow: # none\n"},
		{"slips that only some crawlers read", "useragent: *\nDisalow:/a\nDisallow /b\nuser agent: b\nsite-map: https://h/\n", "useragent: *\nDisalow: /a\nDisallow /b\nuser agent: b\n\nsite-map: https://h/\n"},
		{"keys that count for their beginning", "User-agents: *\nDISALLOWED:/a\nSitemap https://h/\n", "User-agents: *\nDISALLOWED: /a\n\nSitemap https://h/\n"},
		{"no directives", "User-agent: *\n  some words\nhttps://h/s.xml\n<b>a: b</b>\n", "User-agent: *\n  some words\nhttps://h/s.xml\n<b>a: b</b>\n"},

		{"a page", "<html>\n\n<p>a:b\n\n", "<html>\n\n<p>a:b\n\n"},

		{"groups", "User-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /\n\n\n\nUser-agent: c\nDisallow: /\n", "User-agent: a\nDisallow: /\n\nUser-agent: b\nDisallow: /\n\nUser-agent: c\nDisallow: /\n"},
		{"within a group", "User-agent: a\n\nDisallow: /a\n\n# b\n\nDisallow: /b\n", "User-agent: a\nDisallow: /a\n# b\nDisallow: /b\n"},
		{"between agents", "User-agent: a\n\nUser-agent: b\nUser-agent: c\nDisallow: /\n", "User-agent: a\n\nUser-agent: b\nUser-agent: c\nDisallow: /\n"},
		{"sitemaps", "Sitemap: https://h/1\nUser-agent: a\nDisallow: /a\nSitemap: https://h/2\n\nSitemap: https://h/3\nDisallow: /b\n", "Sitemap: https://h/1\n\nUser-agent: a\nDisallow: /a\n\nSitemap: https://h/2\nSitemap: https://h/3\n\nDisallow: /b\n"},
		{"license", "License: https://h/l\nSitemap: https://h/1\nUser-agent: a\nDisallow: /a\n", "License: https://h/l\nSitemap: https://h/1\n\nUser-agent: a\nDisallow: /a\n"},

		{"comments of groups", "# top\nUser-agent: a\nDisallow: /\n# b\nUser-agent: b\nDisallow: /\n# end\n", "# top\nUser-agent: a\nDisallow: /\n\n# b\nUser-agent: b\nDisallow: /\n# end\n"},
		{"comments apart", "\n# top\n\n\n# more\n\nUser-agent: a\nDisallow: /\n# of a\n\nUser-agent: b\nDisallow: /\n\n# end\n\n", "# top\n\n# more\n\nUser-agent: a\nDisallow: /\n# of a\n\nUser-agent: b\nDisallow: /\n\n# end\n"},
		{"trailing comments", "User-agent: a#b \nDisallow: /    # c#d\n  # e  \n", "User-agent: a #b\nDisallow: / # c#d\n# e\n"},

		{"long line", "user-agent:*\ndisallow:/" + long + "\n", "User-agent: *\ndisallow:/" + long + "\n"},
		{"NUL", "user-agent:*\ndisallow:/a\x00b\n\x00\n", "User-agent: *\ndisallow:/a\x00b\n\x00\n"},
		{"mark", "\uFEFFuser-agent:*\n", "User-agent: *\n"},
		{"two marks", "\uFEFF\uFEFFuser-agent:*\n", "\uFEFF\uFEFFuser-agent:*\n"},
		{"mark in the second line", "\n\uFEFFuser-agent:*\nallow:\n", "\uFEFF\uFEFFuser-agent:*\nAllow:\n"},
		{"part of a mark", "\n\xEFuser-agent:*\nallow:\n", "\uFEFF\xEFuser-agent:*\nAllow:\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(c.body)
			if got := lint.Format(body, lint.Google, lint.LF); string(got) != c.want {
				t.Errorf("%q becomes\n     %q\nwant %q", c.body, got, c.want)
			}
			if string(body) != c.body {
				t.Error("the body was changed")
			}
			checkFormat(t, body, 10, 50)
		})
	}
}

// TestFormatKeepsEmptyLines where they end groups.
func TestFormatKeepsEmptyLines(t *testing.T) {
	const body = "User-agent: a\n\n\nDisallow: /a\nSitemap: https://h/\nUser-agent: b\nUser-agent: c\nDisallow: /b\n"
	const want = "User-agent: a\n\nDisallow: /a\nSitemap: https://h/\n\nUser-agent: b\nUser-agent: c\nDisallow: /b\n"
	for _, profile := range []lint.Profile{lint.Koster1996, lint.Yandex} {
		if got := lint.Format([]byte(body), profile, lint.LF); string(got) != want {
			t.Errorf("%s: %q\nwant %q", profile, got, want)
		}
	}
}

// TestFormatLineEnds: the line ends of most lines are kept, unless others are requested.
func TestFormatLineEnds(t *testing.T) {
	for _, tt := range []struct{ body, keep, lf, crlf string }{
		{"user-agent:*\r\ndisallow:\r\n", "User-agent: *\r\nDisallow:\r\n", "User-agent: *\nDisallow:\n", "User-agent: *\r\nDisallow:\r\n"},
		{"user-agent:*\ndisallow:\n", "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow:\n", "User-agent: *\r\nDisallow:\r\n"},
		{"user-agent:*\r\ndisallow:\n", "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow:\n", "User-agent: *\r\nDisallow:\r\n"},
		{"user-agent:*\rdisallow:\r", "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow:\n", "User-agent: *\r\nDisallow:\r\n"},
		{"user-agent:*\r\ndisallow:", "User-agent: *\r\nDisallow:\r\n", "User-agent: *\nDisallow:\n", "User-agent: *\r\nDisallow:\r\n"},
		{"<html>\r\n", "<html>\r\n", "<html>\r\n", "<html>\r\n"}, // not a robots.txt
		{"", "", "", ""},
	} {
		for ends, want := range map[lint.LineEnds]string{lint.KeepEnds: tt.keep, lint.LF: tt.lf, lint.CRLF: tt.crlf} {
			if got := string(lint.Format([]byte(tt.body), lint.Google, ends)); got != want {
				t.Errorf("line ends %d: %q becomes %q, want %q", ends, tt.body, got, want)
			}
		}
	}
}

// layoutDialects are the dialects in which Format changes no verdict. In koster1996, an empty line ends a group.
func layoutDialects(profile lint.Profile) []robotstxt.Dialect {
	return append([]robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309}, profile.Dialect())
}

// checkFormat checks the laws of Format for a body, in all profiles.
func checkFormat(t *testing.T, body []byte, agents, paths int) {
	t.Helper()
	for i, profile := range lint.Profiles() {
		ends := lint.LineEnds(i % 3) // each of them, in one profile or another
		formatted := lint.Format(body, profile, ends)
		if again := lint.Format(formatted, profile, ends); !bytes.Equal(again, formatted) {
			t.Fatalf("%s: twice is not once:\nbody  %q\nonce  %q\ntwice %q", profile, body, formatted, again)
		}
		if was, is := said(body), said(formatted); !slices.Equal(was, is) {
			t.Fatalf("%s: %q\nbecomes %q\nsaid %q\nsays %q", profile, body, formatted, was, is)
		}
		for _, dialect := range layoutDialects(profile) {
			if c, _ := changes(dialect, body, formatted, agents, paths); c != nil {
				t.Fatalf("profile %v: formatting changes a verdict in %v: %+v\nbefore %q\nafter  %q", profile, dialect, *c, body, formatted)
			}
		}
		before, after := profile.Dialect().Parse(body), profile.Dialect().Parse(formatted)
		if was, is := others(before), others(after); !slices.Equal(was, is) {
			t.Fatalf("%s: %q\nbecomes %q\nhad %q\nhas %q", profile, body, formatted, was, is)
		}
	}
}

// said are the kinds and values of all lines but the empty ones, and their
// comments.
func said(body []byte) (lines []string) {
	for l := range robotstxt.Lines(body) {
		if l.Kind != robotstxt.KindEmpty {
			lines = append(lines, fmt.Sprintf("%s %q %q", l.Kind, l.Value, bytes.TrimRight(l.Comment, " \t\n\v\f\r")))
		}
	}
	return lines
}

// others are the sitemaps and extension lines of a file, with the number of the
// group that they are in and with their agents.
func others(r *robotstxt.Robots) (lines []string) {
	for s := range r.Sitemaps() {
		lines = append(lines, s.URL)
	}
	for e := range r.Extensions() {
		lines = append(lines, e.Name+" "+e.Value)
	}
	n := 0
	for g := range r.Groups() {
		n++
		for e := range g.Extensions() {
			lines = append(lines, fmt.Sprint(n, e.Name, e.Value))
			for a := range e.Agents() {
				lines = append(lines, a.Token)
			}
		}
	}
	return lines
}

// FuzzFormat: of any body, formatting twice is formatting once, and what it says
// stays what it is.
func FuzzFormat(f *testing.F) {
	for _, e := range lint.Catalogue() {
		f.Add([]byte(e.Bad))
	}
	f.Add([]byte("a:b\rUser-agent :*#c\n\n\r\n\uFEFFDisallow /x\x00\n\n#\nSitemap:y\n#\n\nuseragent:b\nallow:"))
	f.Fuzz(func(t *testing.T, body []byte) { checkFormat(t, body, 5, 40) })
}

// TestCorpusFormat checks the laws for real files.
func TestCorpusFormat(t *testing.T) {
	t.Parallel()
	agents, paths, step := 3, 30, 8
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		agents, paths, step = 50, 400, 1
	}
	changed := 0
	bodies, _ := witness.Corpus(t)
	for i := 0; i < len(bodies); i += step {
		if !bytes.Equal(bodies[i], lint.Format(bodies[i], lint.Google, lint.LF)) {
			changed++
		}
		checkFormat(t, bodies[i], agents, paths)
	}
	t.Logf("%d of %d files are laid out in another way", changed, len(bodies)/step)
}
