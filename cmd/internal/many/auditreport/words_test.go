package auditreport_test

import (
	"strings"
	"testing"
)

// TestNamedIsOwnToken: a report says that files name a crawler, and close a site to it by name, only if they have the
// crawler's own token, and of files only, not of sites that answered 404. Applebot falls back to Googlebot.
func TestNamedIsOwnToken(t *testing.T) {
	const lines = `{"host": "a.example", "body": "User-agent: Googlebot\nDisallow: /\n"}
{"host": "b.example", "body": "User-agent: Applebot\nDisallow: /\n"}
{"host": "c.example", "body": "User-agent: *\nDisallow: /\n"}
{"host": "d.example", "status": 404}
`
	page := reported(t, "Applebot,Googlebot", lines)
	for _, row := range []string{
		"most-named|Applebot Apple|1 (33.3%)|1 (33.3%)|0 (0.0%)|0 (0.0%)|0 (0.0%)",
		"named|Applebot|1 (33.3%)|1 (100.0%)|1 (33.3%)|1 (100.0%)|1 (33.3%)|1 (100.0%)|0 (0.0%)|0 (0.0%)",
		"named|Googlebot|1 (33.3%)|1 (100.0%)|0 (0.0%)|0|1 (33.3%)|1 (100.0%)|1 (33.3%)|0 (0.0%)",
		"crawlers|Applebot search, read as google or rfc9309|1 (25.0%)|1 (25.0%)|1 (25.0%)|",
	} {
		if !strings.Contains(rows(t, page), row) {
			t.Errorf("there is no row %s in\n%s", row, rows(t, page))
		}
	}
	if of := "Of the 3 hosts with a file that was read"; !strings.Contains(page, of) {
		t.Errorf("the page does not say %q", of)
	}
	if one := reported(t, "GPTBot", lines); strings.Contains(one, ">closed by fallback<") || strings.Contains(one, ">by fallback<") {
		t.Error("a report without fallbacks has a column for them")
	}
}

// TestWordsAreDefined: a page defines each word of its columns and of its descriptions of changes.
func TestWordsAreDefined(t *testing.T) {
	page := reported(t, "GPTBot,CCBot,Applebot", crawl(0, 0), crawl(1, 14))
	for _, word := range []string{"Sites with rules have", "A file names a crawler if", "“By name”:", "“By fallback”:", "“By *”:", "“Closed”:", "“Open”:", "“A part”", "“Mostly open”:",
		"“Home closed”:", "“Read as”:", "“By status”:", "The strictest treatment is"} {
		if !strings.Contains(page, word) {
			t.Errorf("the page does not define %q", word)
		}
	}
}
