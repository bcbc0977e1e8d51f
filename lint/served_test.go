package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

func TestServed(t *testing.T) {
	const body, plain = "User-agent: *\nDisallow: /a\n", "text/plain"
	fine := func(change func(*lint.Served)) lint.Served {
		s := lint.Served{URL: "https://example.com/robots.txt", Status: 200, ContentType: plain}
		change(&s)
		return s
	}
	variant := func(status int, body string) func(*lint.Served) {
		return func(s *lint.Served) {
			s.Variants = []lint.Variant{{URL: "http://www.example.com/robots.txt", Status: status, Body: []byte(body)}}
		}
	}
	status := func(status int) func(*lint.Served) { return func(s *lint.Served) { s.Status = status } }
	kind := func(kind string) func(*lint.Served) { return func(s *lint.Served) { s.ContentType = kind } }
	redirects := func(urls ...string) func(*lint.Served) {
		return func(s *lint.Served) {
			for _, u := range urls {
				s.Redirects = append(s.Redirects, lint.Redirect{URL: u, Status: 301})
			}
		}
	}
	six := strings.Split(strings.Repeat("https://example.com/robots.txt ", 6), " ")[:6]
	for _, c := range []struct {
		name           string
		served         lint.Served
		want, contains string
	}{
		{"fine", fine(func(*lint.Served) {}), "", ""},
		{"success of another number", fine(status(203)), "", ""},
		{"server error", fine(status(503)), "RX601 error", "the whole site as blocked"},
		{"too many requests", fine(status(429)), "RX601 error", "the whole site as blocked"},
		{"part", fine(status(206)), "RX601 error", "the whole site as blocked"},
		{"not found", fine(status(404)), "RX601 warning", "may fetch everything"},
		{"forbidden", fine(status(403)), "RX601 warning", "may fetch everything"},
		{"redirect to nowhere", fine(status(302)), "RX601 warning", "may fetch everything"},
		{"no content", fine(status(204)), "RX601 warning", "empty"},
		{"FTP", lint.Served{URL: "ftp://example.com/robots.txt", Status: 226}, "", ""},
		{"no file over FTP", lint.Served{URL: "ftp://example.com/robots.txt", Status: 550}, "RX601 warning", "may fetch everything"},
		{"FTP in trouble", lint.Served{URL: "ftp://example.com/robots.txt", Status: 421}, "RX601 error", "blocked"},

		{"page", fine(kind("text/html; charset=utf-8")), "RX602 warning", `"text/html"`},
		{"no type", fine(kind("")), "RX602 warning", "without a Content-Type"},
		{"broken type", fine(kind("a b")), "RX602 warning", "malformed"},
		{"other charset", fine(kind("text/plain; charset=windows-1251")), "RX602 warning", "windows-1251"},
		{"UTF-8", fine(kind("TEXT/Plain; charset=\"UTF-8\"")), "", ""},
		{"no type of an error", fine(func(s *lint.Served) { s.Status, s.ContentType = 404, "" }), "RX601 warning", ""},

		{"redirects", fine(redirects("http://example.com/robots.txt")), "", ""},
		{"redirect to another host", fine(redirects("https://www.example.com/robots.txt")), "RX603 info", `"example.com"`},
		{"many redirects", fine(redirects(six...)), "RX603 error", "6 redirects"},

		{"variant with the same rules", fine(variant(200, "# hello\nUser-Agent: *\nDisallow: /a\nSitemap: http://h/s\n")), "", ""},
		{"variant with other rules", fine(variant(200, "User-agent: *\nDisallow: /b\n")), "RX604 warning", "other rules"},
		{"variant with more groups", fine(variant(200, body+"User-agent: b\nDisallow: /a\n")), "RX604 warning", "other rules"},
		{"variant that is missing", fine(variant(404, "")), "RX604 warning", "may fetch everything"},
		{"variant in trouble", fine(variant(500, "")), "RX604 warning", "the whole site as blocked"},
		{"variant without an answer", fine(variant(0, "")), "", ""},

		{"no answer", lint.Served{Fault: "no such host"}, "RX605 error", "no such host"},
		{"nothing known", lint.Served{}, "RX605 error", "no answer"},
		{"cut", fine(func(s *lint.Served) { s.Truncated = true }), "RX606 warning", "27 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			findings := beyond(body, lint.Config{Served: &c.served})
			if c.want == "" && len(findings) == 0 {
				return
			}
			if len(findings) != 1 {
				t.Fatalf("%d findings, want %q: %v", len(findings), c.want, findings)
			}
			f := findings[0]
			if got := string(f.Code) + " " + f.Severity.String(); got != c.want ||
				!strings.Contains(f.Message, c.contains) || f.Line != 1 || f.Column != 1 {
				t.Errorf("%d:%d %s: %s\nwant 1:1 %s with %q", f.Line, f.Column, got, f.Message, c.want, c.contains)
			}
		})
	}
}

// TestServedWithoutBody: of a file that is not there nothing else is said.
func TestServedWithoutBody(t *testing.T) {
	for _, c := range []struct {
		served lint.Served
		want   lint.Code
	}{
		{lint.Served{Fault: "timeout"}, "RX605"},
		{lint.Served{Status: 404}, "RX601"},
		{lint.Served{Status: 503}, "RX601"},
	} {
		findings := lint.Check(nil, lint.Config{Served: &c.served})
		if len(findings) != 1 || findings[0].Code != c.want {
			t.Errorf("%+v: %v, want %s alone", c.served, findings, c.want)
		}
	}
}
