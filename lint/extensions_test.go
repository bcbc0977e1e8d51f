package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// beyond are the findings about lines beyond the protocol, and about how a file
// is served.
func beyond(body string, config lint.Config) []lint.Finding {
	return slices.DeleteFunc(lint.Check([]byte(body), config), func(f lint.Finding) bool {
		return f.Code < "RX500"
	})
}

// placesBeyond are those findings as "line:column-end code severity", the end
// being the column after the last byte.
func placesBeyond(body string, config lint.Config) string {
	var places []string
	for _, f := range beyond(body, config) {
		places = append(places, fmt.Sprintf("%d:%d-%d %s %s", f.Line, f.Column, f.Column+f.End-f.Start, f.Code, f.Severity))
	}
	return strings.Join(places, ", ")
}

// fixedBeyond makes the fixes of those findings one by one, those that are meant to
// change verdicts included.
func fixedBeyond(t *testing.T, body string, config lint.Config) string {
	t.Helper()
	for range 10 {
		i := slices.IndexFunc(beyond(body, config), func(f lint.Finding) bool { return f.Fix != nil })
		if i < 0 {
			return body
		}
		fixed, err := lint.Apply([]byte(body), beyond(body, config)[i].Fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		body = string(fixed)
	}
	t.Fatalf("the fixes do not end: %q", body)
	return ""
}

// inGroup is a file with these lines in the group for all crawlers.
func inGroup(lines ...string) string {
	return "User-agent: *\nAllow: /\n" + strings.Join(lines, "\n") + "\n"
}

var (
	atExample = lint.Config{Pedantic: true, URL: "https://example.com/robots.txt"}
	nowhere   = lint.Config{Pedantic: true}
)

func TestExtensionFindings(t *testing.T) {
	for _, c := range []struct {
		name, body string
		config     lint.Config
		want       string
	}{
		{"noindex", inGroup("Noindex: /a", "nofollow: /a"), nowhere, "3:1-8 RX501 warning, 4:1-9 RX501 info"},
		{"host", "Host: example.com\n", nowhere, "1:1-5 RX501 info"},
		{"acap", inGroup("ACAP-disallow-crawl: /"), nowhere, "3:1-20 RX501 info"},

		{"relative sitemaps", "Sitemap: /s.xml\nsitemap: s.xml\nSitemap: //example.com/s.xml\nSitemap:\n", nowhere, "1:10-16 RX502 warning, 2:10-15 RX502 warning, 3:10-29 RX502 warning, 4:1-8 RX502 warning"},
		{"absolute sitemaps", "Sitemap: https://shop.example/s.xml\nSitemap: http://[2001:db8::1]:8080/s\n", nowhere, ""},
		{"sitemaps with other schemes", "Sitemap: ftp://h/s.xml\nSitemap: htp://h/s.xml\nSitemap: HTTPS://h.e/s.xml\n", nowhere, "1:10-23 RX502 warning, 2:10-23 RX502 warning"},
		{"a host with a star", "Sitemap: https:/*www.x.com/a.xml\nSitemap: https://*.x.com/a.xml\n", nowhere, "1:10-33 RX502 warning, 2:10-31 RX502 warning"},
		{"two addresses", "Sitemap: https://h/a.xml https://h/b.xml\n", nowhere, "1:10-41 RX502 warning"},
		{"sitemap without its colon", "Sitemap https://h/a.xml\n", nowhere, ""}, // RX416
		{"the same sitemap", "Sitemap: https://h.e/a\nSitemap: https://h.e/A\nSitemap: https://h.e/a\n", nowhere, "3:10-23 RX503 info"},

		{"sitemap disallowed", "User-agent: *\nDisallow: /\nSitemap: https://EXAMPLE.com:443/s.xml\n", atExample, "3:10-39 RX504 warning"},
		{"sitemap on other hosts", "User-agent: *\nDisallow: /\nSitemap: https://www.example.com/s.xml\nSitemap: http://example.com/s.xml\nSitemap: https://example.com:8443/s.xml\n", atExample, ""},
		{"sitemap of an unknown file", "User-agent: *\nDisallow: /\nSitemap: https://example.com/s.xml\n", nowhere, "3:10-35 RX523 info"},

		{"delays", inGroup("Crawl-delay: 1", "User-agent: a", "Crawl-delay: 2.5", "Disallow:", "User-agent: b", "Crawl-delay: .5", "Disallow:", "User-agent: c", "Crawl-delay: 60", "Crawl-delay: 60"), nowhere, ""},
		{"delays of lists", "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 2\nUser-agent: *\nDisallow: /x\nCrawl-delay: 3\nCrawl-delay: 4\n", nowhere, ""},
		{"two delays", inGroup("Crawl-delay: 1", "Crawl-delay: 2", "Crawl-delay: 3"), nowhere, ""},
		{"a delay that is none, and equal ones", inGroup("Crawl-delay: abc", "Crawl-delay: 5", "Crawl-delay: 5.0", "Crawl-delay: 6"), nowhere, "3:14-17 RX505 warning"},
		{"no delays", inGroup("Crawl-delay: 1 s", "Crawl-delay:", "Crawl-delay: 1e3", "Crawl-delay: Inf"), nowhere, "3:14-17 RX505 warning, 4:1-12 RX505 warning, 5:14-17 RX505 warning, 6:14-17 RX505 warning"},
		{"odd delays", inGroup("Crawl-delay: 61", "Crawl-delay: 0", "Crawl-delay: -1", "Crawl-delay: "+strings.Repeat("9", 400)), nowhere, "3:14-16 RX506 info, 4:14-15 RX506 info, 5:14-16 RX506 warning, 6:14-414 RX506 info"},

		{"clean parameters", "Clean-param: sid&sort /shop/*.php\nClean-param: a.b\n", nowhere, ""},
		{"parameters with a blank", "Clean-param: sid sort /shop/\n", nowhere, "1:18-29 RX508 warning"},
		{"parameters that are none", "Clean-param: a&b=c\nClean-param: a&&b\nClean-param: a&\nClean-param:\n", nowhere, "1:16-19 RX508 warning, 2:16-17 RX508 warning, 3:15-16 RX508 warning, 4:1-12 RX508 warning"},
		{"paths of parameters", "Clean-param: a /b?c\nClean-param: a /b /c\n", nowhere, "1:16-20 RX508 warning, 2:16-21 RX508 warning"},
		{"many parameters", "Clean-param: " + strings.Repeat("a", 500) + "\nClean-param: " + strings.Repeat("a", 501) + "\n", nowhere, "2:14-515 RX508 warning"},

		{"rates", inGroup("Request-rate: 1/10s 1800-1900", "Request-rate: 100/15m", "Request-rate: 1/5"), nowhere, ""},
		{"no rates", inGroup("Request-rate: 10", "Request-rate: 1/0", "Request-rate: 1/2d", "Request-rate: 1/2s 18-19", "Request-rate:"), nowhere, "3:15-17 RX509 warning, 4:15-18 RX509 warning, 5:15-19 RX509 warning, 6:20-25 RX509 warning, 7:1-13 RX509 warning"},
		{"times", inGroup("Visit-time: 0600-0845", "Visit-time: 2200-2400"), nowhere, ""},
		{"no times", inGroup("Visit-time: 0600 - 0845", "Visit-time: 0660-0845", "Visit-time: 2401-2500", "Visit-time:"), nowhere, "3:13-24 RX509 info, 4:13-22 RX509 info, 5:13-22 RX509 info, 6:1-11 RX509 info"},

		{"licenses", "License: https://example.com/l.xml\nLicense: /l.xml\nLicense: MIT\nLicense:\n", nowhere, "2:10-16 RX515 warning, 3:10-13 RX515 warning, 4:1-8 RX515 warning"},

		{"unknown keys", inGroup("Crawl-speed: slow", "crawl-speed: fast", "LLM-Policy: https://h/p", "https://h/s.xml"), nowhere, "3:1-12 RX516 info, 5:1-11 RX516 info, 6:1-16 RX516 info"},
		{"the URL of a home page", inGroup("https://h", "http://h/", "https://h/s.xml"), nowhere, "5:1-16 RX516 info"},
		{"misspelt keys", inGroup("Disalllow: /a", "Alow: /b", "- Disallow: /c", "User_agent: x", "Sitmap: https://h/s.xml"), nowhere, "3:1-10 RX517 warning, 4:1-5 RX517 warning, 5:1-11 RX517 warning, 6:1-11 RX517 warning, 7:1-7 RX517 warning"},
		{"keys that are read", inGroup("Disalow: /a", "Disallowed: /b", "Sitemaps: https://h.e/s"), nowhere, ""},
		{"words alone", inGroup("Follow: /a", "Hello"), nowhere, "3:1-7 RX516 info"},
		{"a page", "<html>\n<p>Note: color: red</p>\nhost: x\n", nowhere, ""}, // RX401

		{"outside of a group", "Crawl-delay: 5\nContent-Signal: search=yes\nLicense: https://h/l\nUser-agent: *\nDisallow: /a\n", nowhere, "1:1-12 RX518 warning, 2:1-15 RX518 info"},
		{"behind an empty line", "User-agent: *\nDisallow: /a\n\nCrawl-delay: 5\n", lint.Config{Profile: lint.Koster1996}, "4:1-12 RX518 warning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := placesBeyond(c.body, c.config); got != c.want {
				t.Errorf("%q:\ngot  %s\nwant %s", c.body, got, c.want)
			}
		})
	}
}

func TestPreferences(t *testing.T) {
	for _, c := range []struct {
		name, body, want string
	}{
		{"signals", inGroup("Content-Signal: search=yes, ai-train=no", "content-signal: ai-input=no,use=reference"), ""},
		{"values of signals", inGroup("Content-Signal: search=y, ai-train=conditional, ai-input"), "3:24-25 RX511 warning, 3:36-47 RX511 warning, 3:49-57 RX511 warning"},
		{"no signals", inGroup("Content-Signal:", "Content-Signal: search=yes,"), "3:1-15 RX511 warning, 4:28-28 RX511 warning"},
		{"signals with other separators", inGroup("Content-Signal: search=yes ai-train=no", "Content-Signal: search=yes; ai-train=no"), "3:17-39 RX511 warning, 4:17-40 RX511 warning"},
		{"signals in capitals", inGroup("Content-Signal: Search=yes, ai-train=No"), "3:17-23 RX511 warning, 3:38-40 RX511 warning"},
		{"alias", inGroup("Content-Signals: search=yes"), "3:1-16 RX511 warning"},
		{"signal with a path", inGroup("Content-Signal: /a search=yes"), "3:17-19 RX511 info"},
		{"labels of signals", inGroup("Content-Signal: search-ai=yes, train-ai=no, ai-print=no"), "3:17-26 RX513 warning, 3:32-40 RX513 warning, 3:45-53 RX513 info"},

		{"usage", inGroup("Content-Usage: train-ai=n", "Content-Usage: /a/ train-ai=y, ai-use=n;x=1;y, search=y"), "4:48-56 RX525 info"},
		{"values of usage", inGroup("Content-Usage: train-ai=no, search", `Content-Usage: search="y"`), `3:25-27 RX511 warning, 3:29-35 RX511 warning, 4:23-26 RX511 warning`},
		{"usage behind a semicolon", inGroup("Content-Usage: train-ai=n; search=y"), "3:28-34 RX511 warning"},
		{"usage twice", inGroup("Content-Usage: search=y, search=n"), "3:16-22 RX511 warning"},
		{"no usage", inGroup("Content-Usage:", "Content-Usage: /a"), "3:1-14 RX511 warning, 4:1-14 RX511 warning"},
		{"usage in capitals", inGroup("Content-Usage: /a Train-AI=n"), "3:19-20 RX511 warning"},
		{"no dictionaries", inGroup("Content-Usage: search=y train-ai=n", "Content-Usage: search=y,", "Content-Usage: search=é", "Content-Usage: /a\u00a0search=y"), "3:25-26 RX511 warning, 4:25-25 RX511 warning, 5:23-24 RX511 warning, 6:1-14 RX511 warning"},
		{"labels of usage", inGroup("Content-Usage: bots=y, ai-train=n, x=y"), "3:16-20 RX513 warning, 3:24-32 RX513 warning, 3:36-37 RX513 info"},

		{"two drafts", inGroup("Content-Signal: ai-train=no, search=yes", "Content-Usage: train-ai=y, search=y"), "4:16-26 RX514 warning"},
		{"one path", inGroup("Content-Usage: /a train-ai=y", "Content-Usage: /b train-ai=n", "Content-Usage: /a train-ai=n", "Content-Usage: search=y", "Content-Usage: / search=n"), "5:19-29 RX514 warning, 7:18-26 RX514 warning"},
		{"two groups", "User-agent: a\nAllow: /\nContent-Usage: search=y\nUser-agent: b\nAllow: /\nContent-Usage: search=n\n", ""},
		{"closed", "User-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /a-b\nContent-Usage: /a/c search=y\nContent-Usage: /a search=n\nContent-Usage: /b search=y\n", "5:1-29 RX514 warning, 6:1-27 RX514 info"},
		{"all closed", "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /\n", "2:1-40 RX514 warning"},
		{"closed and opened", "User-agent: *\nContent-Signal: search=yes\nDisallow: /\nAllow: /a\n", ""},
		{"closed beside lines without a name", "User-agent: a\nUser-agent: 1\nContent-Signal: search=yes\nDisallow: /\n\nUser-agent: 2\nAllow: /a\n", "3:1-27 RX514 warning"},
		{"opened by another group", "User-agent: *\nContent-Signal: search=yes\nDisallow: /\n\nUser-agent: *\nAllow: /a\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := placesBeyond(c.body, nowhere); got != c.want {
				t.Errorf("%q:\ngot  %s\nwant %s", c.body, got, c.want)
			}
			for _, f := range beyond(c.body, nowhere) {
				if !strings.Contains(f.Message, "draft-") {
					t.Errorf("%s: %q names no draft", f.Code, f.Message)
				}
			}
		})
	}
}

func TestExtensionFixes(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"User-agent: *\nNoindex: /a\nDisallow: /b\n", "User-agent: *\nDisallow: /b\n"},
		{"Host: h # main\nUser-agent: *\nDisallow: /b\n", "# main\nUser-agent: *\nDisallow: /b\n"},
		{"Host: h\nUser-agent: *\n", "User-agent: *\n"},
		// Without the first line, the mark would be ignored.
		{"Host: h\n\uFEFFx: y\n", "Host: h\n\uFEFFx: y\n"},
		// The CR and the second LF would become one line end.
		{"User-agent: *\rHost: h\n\nDisallow: /\n", "User-agent: *\rHost: h\n\nDisallow: /\n"},
		{"Sitemap: https://h.e/a\nSitemap: https://h.e/a\n", "Sitemap: https://h.e/a\n"},
		{"Sitemap: /a.xml", "Sitemap: https://example.com/a.xml"},
		{"Sitemap: a.xml", "Sitemap: https://example.com/a.xml"},
		{"Sitemap: example.com/a.xml", "Sitemap: https://example.com/a.xml"},
		{"Sitemap: //example.net/a.xml", "Sitemap: https://example.net/a.xml"},
		{"Sitemap: https:/example.net/a.xml", "Sitemap: https://example.net/a.xml"},
		{"Sitemap: www.example.net/a.xml", "Sitemap: www.example.net/a.xml"},
		{inGroup("Crawl-delay: 10 sec."), inGroup("Crawl-delay: 10")},
		{inGroup("Crawl-delay: 0,5"), inGroup("Crawl-delay: 0.5")},
		{inGroup("Crawl-delay: 10 minutes"), inGroup("Crawl-delay: 10 minutes")},
		{"Clean-param: a b &c /d\n", "Clean-param: a&b&c /d\n"},
		{inGroup("Visit-time: 0100 - 0800"), inGroup("Visit-time: 0100-0800")},
		{inGroup("Content-Signals: Search=y; ai-train=No"), inGroup("Content-Signal: search=yes, ai-train=no")},
		{inGroup("Content-Usage: Train-AI=No search=yes"), inGroup("Content-Usage: Train-AI=No search=yes")},
		{inGroup("Content-Usage: /a Train-AI=No, search=yes"), inGroup("Content-Usage: /a train-ai=n, search=y")},
		{inGroup("Content-Usage: train-ai=no; search=y"), inGroup("Content-Usage: train-ai=n, search=y")},
		{inGroup("Disalllow: /a", "crawldelay: 5"), inGroup("Disallow: /a", "Crawl-delay: 5")},
	} {
		if got := fixedBeyond(t, c.body, atExample); got != c.want {
			t.Errorf("%q becomes\n     %q\nwant %q", c.body, got, c.want)
		}
	}
}

// TestExtensionMessages checks the facts in messages, and the crawlers that they are about.
func TestExtensionMessages(t *testing.T) {
	for _, c := range []struct {
		body     string
		contains string
		concerns []string
		related  int
	}{
		{inGroup("Noindex: /a"), "September 2019", nil, 0},
		{"Host: h\n", "2018", nil, 0},
		{"Sitemap: https://h.e/a\nSitemap: https://h.e/a\n", "line 1", nil, 1},
		{"User-agent: Googlebot\nDisallow: /*.xml\nSitemap: https://example.com/a.xml\n", "Googlebot", []string{"Googlebot"}, 2},
		{"User-agent: *\nDisallow: /*.xml\nSitemap: https://example.com/a.xml\n", "* and Googlebot", []string{"*", "Googlebot"}, 2},
		{inGroup("Crawl-delay: 100"), "at most 864 pages a day", nil, 0},
		{inGroup("Crawl-delay: 100000"), "fewer than one page a day", nil, 0},
		{"Clean-param: a b\n", `reads "b" as a path`, []string{"Yandex"}, 0},
		{inGroup("Content-Usage: bots=y"), "draft-ietf-aipref-vocab-08", nil, 0},
		{inGroup("Content-Usage: search=y", "Content-Usage: search=n"), "n wins (draft-ietf-aipref-attach-05).", nil, 3},
		{inGroup("Content-Usage: search=y train-ai=n"), "a comma", nil, 0},
		{"License: /l\n", "RSL 1.0", []string{"RSL 1.0"}, 0},
		{inGroup("Crawl-dela: 5"), "Did you mean Crawl-delay?", nil, 0},
		{inGroup("Dis\x01allow: /"), `"Dis\x01allow"`, nil, 0},
	} {
		findings := beyond(c.body, atExample)
		if len(findings) != 1 {
			t.Errorf("%q: %d findings, want 1: %v", c.body, len(findings), findings)
			continue
		}
		f := findings[0]
		if !strings.Contains(f.Message, c.contains) || !slices.Equal(f.For, c.concerns) {
			t.Errorf("%q: for %v: %s\nwant for %v, with %q", c.body, f.For, f.Message, c.concerns, c.contains)
		}
		if c.related > 0 && (len(f.Related) != 1 || f.Related[0].Line != c.related) {
			t.Errorf("%q: related %v, want line %d", c.body, f.Related, c.related)
		}
	}
}

// TestSoftSeverities: what is less bad than its code can still be set.
func TestSoftSeverities(t *testing.T) {
	for _, severity := range []lint.Severity{lint.Off, lint.Info, lint.Error} {
		findings := beyond("Host: h\n", lint.Config{Severities: map[lint.Code]lint.Severity{"RX501": severity}})
		if severity == lint.Off && len(findings) > 0 ||
			severity > lint.Off && (len(findings) != 1 || findings[0].Severity != severity) {
			t.Errorf("RX501 set to %s: %v", severity, findings)
		}
	}
}
