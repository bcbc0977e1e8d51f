package auditreport_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
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
	if of := "Of the 3 hosts with a file that is text or empty"; !strings.Contains(page, of) {
		t.Errorf("the page does not say %q", of)
	}
	if one := reported(t, "GPTBot", lines); strings.Contains(one, ">closed by fallback<") || strings.Contains(one, ">by fallback<") {
		t.Error("a report without fallbacks has a column for them")
	}
}

// TestWordsAreDefined: a page defines each word of its columns and of its descriptions of changes.
func TestWordsAreDefined(t *testing.T) {
	page := reported(t, "GPTBot,CCBot,Applebot", crawl(0, 0), crawl(1, 14))
	for _, word := range []string{"“With rules”:", "“AI training crawlers”: the 2 crawlers of the audit that", "“Not known”:", "A file names a crawler if", "“By name”:", "“By fallback”:", "“By *”:", "“Closed”:", "“Open”:", "“A part”", "“Mostly open”:",
		"“Home closed”:", "“Read as”:", "“By status”, or “closed by status”:", "The strictest treatment is"} {
		if !strings.Contains(page, word) {
			t.Errorf("the page does not define %q", word)
		}
	}
}

// answers are hosts with the answers that policies read in different ways, the first ones most often.
const answers = `{"host": "a.example", "body": "User-agent: *\nDisallow: /\n"}
{"host": "b.example", "status": 404}
{"host": "b2.example", "status": 404}
{"host": "b3.example", "status": 404}
{"host": "c.example", "status": 403}
{"host": "c2.example", "status": 403}
{"host": "d.example", "status": 503}
{"host": "e.example", "status": 200, "body": "<!DOCTYPE html><html><body>Hello"}
{"host": "f.example", "status": 500}
{"host": "g.example", "status": 502}
{"host": "h.example", "status": 504}
{"host": "i.example", "status": 429}
`

// TestWordsFollowPolicy: screen and report name the policy wherever it decides, and no status that it does not treat
// so. A list of statuses says how many others there are.
func TestWordsFollowPolicy(t *testing.T) {
	for _, c := range []struct {
		policy                       fetch.Policy
		opens, missing, hosts, fault string
	}{
		{fetch.GooglePolicy, "such as 404 (here 404, 403).", "opens the site: 404, 403|5 ", "5 hosts", "429, 500, 502, 503, 504"},
		{fetch.KosterPolicy, "such as 404.", "opens the site: 404|3 ", "7 hosts", "403, 429, 500, 502, 503 and 1 other"},
		{fetch.CarefulPolicy, "such as 404.", "opens the site: 404|3 ", "8 hosts", "403, 200 with a web page or other data, 429, 500, 502 and 2 others"},
	} {
		page, screen := reportedBy(t, c.policy, audit.ByHost, "GPTBot", answers)
		policy := "the policy (" + c.policy.String() + ")"
		for _, sentence := range []string{
			"it served none, and " + policy + " opens the whole site for the answer, " + c.opens,
			"the host served no file, and " + policy + " closes the whole site for the answer, such as 503 (here " + c.fault + ").",
			"he policy (" + c.policy.String() + ") closes " + c.hosts + " by status: " + c.fault + " (",
		} {
			for where, text := range map[string]string{"report": page, "screen": screen} {
				if !strings.Contains(text, sentence) {
					t.Errorf("%v: the %s does not say %q:\n%s", c.policy, where, sentence, screen)
				}
			}
		}
		for _, want := range []string{"read|no file was served, and " + policy + " " + c.missing,
			"read|no file was served, and " + policy + " closes the site: " + c.fault + "|"} {
			if !strings.Contains(rows(t, page), want) {
				t.Errorf("%v: there is no row %q in\n%s", c.policy, want, rows(t, page))
			}
		}
		if tile := "are closed by status, by " + policy + "; they"; !strings.Contains(page, tile) {
			t.Errorf("%v: no tile says %q", c.policy, tile)
		}
	}
	page, screen := reportedBy(t, fetch.KosterPolicy, audit.ByHost, "GPTBot", answers)
	if strings.Contains(page+screen, " fault") {
		t.Error("a refusal, such as 403, is called a fault")
	}
	page, screen = reportedBy(t, fetch.GooglePolicy, audit.ByHost, "GPTBot", `{"host": "a.example", "body": ""}`+"\n")
	for where, text := range map[string]string{"report": page, "screen": screen} {
		if want := "and the policy (google) opens the whole site for the answer, such as 404."; !strings.Contains(text, want) {
			t.Errorf("the %s without a fault does not say %q", where, want)
		}
	}
}

// TestNotKnownIsShown: what the parser decides makes the headline the least of a range, and has a tile.
func TestNotKnownIsShown(t *testing.T) {
	const lines = `{"host": "a.example", "body": "User-agent: GPTBot\nDisallow: /\n"}
{"host": "b.example", "body": "User-agent: GPTBot2\nDisallow: /\n"}
{"host": "c.example", "body": "User-agent: GPTBot2\nDisallow: /a\n"}
{"host": "d.example", "body": ""}
`
	page, screen := reportedBy(t, fetch.GooglePolicy, audit.ByHost, "GPTBot", lines)
	const least = "At least 25.0% of the hosts with rules close the whole site, by their file, to GPTBot (1 of 4; for 1 more, it is not known)."
	const tile = "<b>50.0%</b><span>are not known: it depends on the parser, or is undecided</span>"
	for text, want := range map[string]string{page: least, screen: least, page + " ": tile} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	page, screen = reportedBy(t, fetch.GooglePolicy, audit.ByHost, "Googlebot", lines)
	if strings.Contains(page+screen, "At least") || strings.Contains(page, "or is undecided<") {
		t.Error("a crawler that reads in one dialect has a range")
	}
}

// TestDenominators: a report says how many sites have rules, and of how many of them the shares with an arrow are.
func TestDenominators(t *testing.T) {
	page, screen := reportedBy(t, fetch.GooglePolicy, audit.ByHost, "GPTBot,CCBot", crawl(0, 14), crawl(1, 0))
	const note = "are of the 34 hosts with rules in both crawls (of 40 in c0 and 52 in c1)"
	for where, text := range map[string]string{"report": page, "screen": screen} {
		if !strings.Contains(text, note) {
			t.Errorf("the %s does not say %q:\n%s", where, note, screen)
		}
	}
	if want := "These are 52 hosts, of which 34 have rules in crawl c0 too."; !strings.Contains(page, want) {
		t.Errorf("the report does not say %q", want)
	}
}

// TestRedirectOfCapture: a count of captures follows no redirect, so it does not say that the target is in no crawl.
func TestRedirectOfCapture(t *testing.T) {
	const lines = `{"url": "https://a.example/robots.txt", "status": 301, "location": "https://b.example/robots.txt"}
{"url": "https://b.example/robots.txt", "status": 200, "body": ""}
{"url": "https://c.example/robots.txt", "status": 301, "location": "https://d.example/robots.txt"}
`
	for by, want := range map[audit.By][2]string{
		audit.ByCapture: {"read|redirected, which --each does not follow|2 ", "2 redirected, not followed"},
		audit.ByHost:    {"read|redirected to a URL that is not known, or not in the crawl|1 ", "1 redirected out of the crawl"},
	} {
		page, screen := reportedBy(t, fetch.GooglePolicy, by, "GPTBot", lines)
		if !strings.Contains(rows(t, page), want[0]) || !strings.Contains(screen, want[1]) {
			t.Errorf("%s: %s\n%s", by, rows(t, page), screen)
		}
	}
}

// TestScreenWords: a screen with nothing counted has no table, says once what a word means, and says of no file that it
// names *.
func TestScreenWords(t *testing.T) {
	page, screen := reportedBy(t, fetch.GooglePolicy, audit.ByHost, "GPTBot,*", "\n")
	if strings.Contains(screen, "GPTBot") || strings.Contains(page, `id="crawls"`) {
		t.Errorf("nothing was counted, but there is a table:\n%s", screen)
	}
	const before = `{"host": "a.example", "body": "User-agent: *\nDisallow: /a\n"}
{"host": "b.example", "body": "User-agent: *\nDisallow: /\n"}
`
	const after = `{"host": "a.example", "body": "User-agent: *\nDisallow: /\n"}
{"host": "b.example", "body": "User-agent: *\nDisallow: /a\n"}
{"host": "c.example", "body": ""}
`
	page, screen = reportedBy(t, fetch.GooglePolicy, audit.ByHost, "GPTBot,*", before, after)
	if n := strings.Count(screen, "“Mostly open”: "); n != 1 {
		t.Errorf("the screen says %d times what “mostly open” means:\n%s", n, screen)
	}
	if want := "2 hosts in both crawls, 0 only in c0, 1 only in c1\n"; !strings.Contains(screen, want) {
		t.Errorf("the screen does not say %q:\n%s", want, screen)
	}
	if want := "1 of 2 hosts with rules in both crawls, in crawl c1"; !strings.Contains(page, want) {
		t.Errorf("no tile says %q", want)
	}
	// * has no share of files that name it, and GPTBot one of 0.
	for _, line := range strings.Split(screen, "\n") {
		if strings.HasPrefix(line, "*  ") && strings.Count(line, "→") == 6 {
			return
		}
	}
	t.Errorf("files name *:\n%s", screen)
}
