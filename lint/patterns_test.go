package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// rulePlaces lists the findings about rules as "line:column code".
func rulePlaces(body string, config lint.Config) string {
	config.Pedantic = true
	return placesOf(about(body, config, "RX2"))
}

// rulesFixed makes the fixes of the findings about rules.
func rulesFixed(t *testing.T, body string, config lint.Config, meaning bool) string {
	t.Helper()
	config.Pedantic = true
	out, _ := mend(t, []byte(body), about(body, config, "RX2"), meaning)
	return string(out)
}

func TestPatternFindings(t *testing.T) {
	for _, c := range []struct {
		name, rules string // the lines after "User-agent: *"
		config      lint.Config
		want        string
		fixed       string // by all fixes; empty if there is none
	}{
		{name: "usual", rules: "Disallow: /a/\nDisallow: /*.pdf$\nAllow: /a/b.html\nDisallow: *?q="},
		{name: "no slash", rules: "Disallow: private/", want: "2:11 RX202", fixed: "Disallow: /private/"},
		{name: "everything among paths, without wildcards", rules: "Disallow: /a/ *\nAllow: '/*'", config: lint.Config{Profile: lint.Koster1996}, want: "2:11 RX204, 3:8 RX202"},
		{name: "a URL that lacks a slash", rules: "Disallow: http:/a/", want: "2:11 RX202"},
		{name: "a query", rules: "Disallow: ?q=", want: "2:11 RX202", fixed: "Disallow: /*?q="},
		{name: "an extension", rules: "Disallow: .pdf$", want: "2:11 RX202", fixed: "Disallow: /*.pdf$"},
		{name: "a parameter", rules: "Disallow: sort=\nDisallow: search_type=tag\nDisallow: f[a]=", want: "2:11 RX202, 3:11 RX202, 4:11 RX202", fixed: "Disallow: /*sort=\nDisallow: /*search_type=tag\nDisallow: /*f[a]="},
		{name: "pictures", rules: "Disallow: .jpg$", want: "2:11 RX202", fixed: "Disallow: /*.jpg$"},
		{name: "a page and its query", rules: "Disallow: search?q=\nDisallow: login?", want: "2:11 RX202, 3:11 RX202"},
		{name: "files that pages need", rules: "Disallow: .css$\nDisallow: .js\nDisallow: .css?", want: "2:11 RX202, 3:11 RX202, 4:11 RX202"},
		{name: "pages", rules: "Disallow: .html$\nDisallow: .html?", want: "2:11 RX202, 3:11 RX202", fixed: "Disallow: .html$\nDisallow: /*.html?"},
		{name: "an Allow of files that pages need", rules: "Allow: .css$", want: "2:8 RX202", fixed: "Allow: /*.css$"},
		{name: "a lost line break", rules: "Disallow: User-agent: spider", want: "2:11 RX204"},
		{name: "unmatchable is enough", rules: "Disallow: a b$c %zz", want: "2:11 RX202"},
		{name: "a dollar alone", rules: "Disallow: $", want: "2:11 RX202", fixed: "Disallow: /$"},
		{name: "a star in front, without wildcards", rules: "Disallow: *a", config: lint.Config{Profile: lint.Koster1996},
			want: "2:11 RX202", fixed: "Disallow: /*a"},
		{name: "a URL", rules: "Disallow: HTTPS://example.com/private/", want: "2:11 RX203"},
		{name: "a URL with a query", rules: "Disallow: http://example.com?q", config: lint.Config{URL: "http://example.com/robots.txt"}, want: "2:11 RX203", fixed: "Disallow: /?q"},
		{name: "a host", rules: "Disallow: https://example.com/", want: "2:11 RX203"}, // "/" would block all
		{name: "the same host", rules: "Disallow: https://example.com/a", config: lint.Config{URL: "https://Example.com/robots.txt"},
			want: "2:11 RX203", fixed: "Disallow: /a"},
		{name: "the same host with its port", rules: "Disallow: https://example.com:443/a", config: lint.Config{URL: "https://example.com/robots.txt"},
			want: "2:11 RX203", fixed: "Disallow: /a"},
		{name: "another host", rules: "Disallow: https://example.org/a", config: lint.Config{URL: "https://example.com/robots.txt"},
			want: "2:11 RX203"},
		{name: "a blank", rules: "Disallow: /a b/\nDisallow: /c\td.html\nDisallow: /e f", want: "2:11 RX204, 3:11 RX204, 4:11 RX204", fixed: "Disallow: /a%20b/\nDisallow: /c%20d.html\nDisallow: /e f"},
		{name: "a dollar inside", rules: "Disallow: /a$b", want: "2:13 RX205"},
		{name: "two dollars", rules: "Disallow: /a$$", want: "2:13 RX205"},
		{name: "a dollar before a star", rules: "Disallow: /a$*", want: "2:13 RX205"}, // without the star it would anchor
		{name: "a dollar among blanks", rules: "Disallow: /a$ b", want: "2:11 RX204"},
		{name: "a dollar, without wildcards", rules: "Disallow: /a$b", config: lint.Config{Profile: lint.Koster1996}},
		{name: "not ASCII", rules: "Disallow: /caf\u00e9/\u00fc", want: "2:15 RX206", fixed: "Disallow: /caf%C3%A9/%C3%BC"},
		{name: "not UTF-8", rules: "Disallow: /caf\xe9", want: "2:15 RX206", fixed: "Disallow: /caf%E9"},
		{name: "a line that would be cut", rules: "Disallow: /" + strings.Repeat("\u00e9", 4000), want: "2:12 RX206"},
		{name: "a hash", rules: "Disallow: /a/#b", want: "2:14 RX207"},
		{name: "a comment", rules: "Disallow: /a/ #b"},
		{name: "bad codes", rules: "Disallow: /100%/%zz/%4", want: "2:15 RX212"},
		{name: "a code behind a percent", rules: "Disallow: /%%41", want: "2:12 RX212"},
		{name: "short", rules: "Disallow: /in\nDisallow: /x\nAllow: /info", want: "2:11 RX211, 3:11 RX211"},
		{name: "short, a digit", rules: "Disallow: /1\nDisallow: /2\nAllow: /", want: "2:11 RX211, 3:11 RX211"},
		{name: "short, without a path that it blocks", rules: "Disallow: /in\nDisallow: /fb\nAllow: /in/a\nAllow: /fbx"},
		{name: "short, but clear", rules: "Disallow: /a/\nDisallow: /b$\nDisallow: /c?\nDisallow: /d=\nDisallow: /~"},
		{name: "not so short", rules: "Disallow: /tmp\nDisallow: /shop/x"},
		{name: "the sitemap", rules: "Disallow: /site\nSitemap: https://example.com/sitemap.xml", want: "2:11 RX211"},
		{name: "a sitemap elsewhere", rules: "Disallow: /site\nSitemap: https://example.net/sitemap.xml",
			config: lint.Config{URL: "https://example.com/robots.txt"}},
		{name: "several paths", rules: "Disallow: /a/  /b/\t/c", want: "2:11 RX204", fixed: "Disallow: /a/\nDisallow: /b/\nDisallow: /c"},
		{name: "the sitemap by name", rules: "Disallow: /sitemap\nSitemap: https://example.com/sitemap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const head = "User-agent: *\n"
			body := head + c.rules + "\n"
			if got := rulePlaces(body, c.config); got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
			want := c.fixed
			if want == "" {
				want = c.rules
			}
			if got := rulesFixed(t, body, c.config, true); got != head+want+"\n" {
				t.Errorf("the fixes make %q, want %q", got, head+want+"\n")
			}
		})
	}
}

// ruleMessage returns the message of the only finding about rules.
func ruleMessage(t *testing.T, body string, config lint.Config) string {
	t.Helper()
	config.Pedantic = true
	found := about(body, config, "RX2")
	if len(found) != 1 {
		t.Fatalf("%q: found %+v, want one", body, found)
	}
	return found[0].Message
}

// TestPatternMessages checks the messages that contain facts.
func TestPatternMessages(t *testing.T) {
	served := lint.Config{URL: "https://example.com/robots.txt"}
	for _, c := range []struct {
		rules  string
		config lint.Config
		want   string
	}{
		{"Disallow: https://example.org/a", served, `Rules contain paths, not URLs: this file applies to example.com only, not to example.org.`},
		{"Disallow: *#q=*", served, `Text after # is a comment. This line means "Disallow: *", which closes the whole site, except what an Allow opens; fragments cannot be blocked.`},
		{"Disallow: sort=", served, `"sort=" matches no URL, because paths begin with a slash. A name before = is a parameter of a query: write "/*sort=".`},
		{"Disallow: search?q=", served, `"search?q=" matches no URL, because paths begin with a slash. Write "/search?q=", or "/*search?q=" for any folder.`},
		{"Disallow: .css$", served, `".css$" matches no URL, because paths begin with a slash. "/*.css$" would close all such files, which pages need. Remove this line, unless you mean that.`},
		{"Disallow: .html$", served, `".html$" matches no URL, because paths begin with a slash. "/*.html$" would close all such pages. Remove this line, unless you mean that.`},
		{"Disallow: Sitemap: /x", served, `Two directives are on one line; crawlers read them as one path. Write a line for each.`},
		{"Disallow: /a/ /b/", served, `A rule takes one path. Write a line for each of these 2; now the rule matches nothing.`},
		{"Disallow: /caf\xe9", served, `Write "\xe9" as "%E9", as Google recommends; some crawlers do not encode paths. It is not UTF-8, the encoding of URLs.`},
	} {
		if got := ruleMessage(t, "User-agent: *\n"+c.rules+"\n", c.config); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.rules, got, c.want)
		}
	}
}
