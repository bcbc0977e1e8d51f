package sitereport_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/cmd/internal/show/sitereport"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/lint"
)

// siteOf returns a site that answers with a file.
func siteOf(t *testing.T, text, before string) *sitereport.Site {
	t.Helper()
	file := answer.NewFile([]byte(text))
	file.Name = "robots.txt"
	s := &sitereport.Site{Name: "robots.txt", Ruling: answer.RuleFile(file, nil, nil), Before: answer.NewFile([]byte(before))}
	s.Before.Name = "old.txt"
	s.Problems = &report.File{Body: file.Text, Report: lint.Inspect(file.Text, lint.Config{})}
	var errs [3]error
	s.AI, errs[0] = aiview.New(t.Context(), "", s.Ruling, aiview.Config{Purposes: aiview.Purposes})
	s.Closed, errs[1] = compare.Run(t.Context(), compare.Question{New: file.Text, Steps: 1 << 16})
	question := compare.Question{Old: s.Before.Text, New: file.Text, Steps: 1 << 16}
	s.Changes, errs[2] = compare.Run(t.Context(), question)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return s
}

var now = time.Date(2026, 11, 30, 9, 30, 0, 0, time.UTC)

func TestMarkdown(t *testing.T) {
	s := siteOf(t, "User-agent: *\nDisallow: /tmp\nDisalow: /x\n\nUser-agent: GPTBot\nDisallow: /\n", "User-agent: *\nDisallow: /cart\n")
	english, german := s.Markdown(language.English, now), s.Markdown(language.German, now)
	for _, c := range []struct{ in, want string }{
		{english, "Closed for GPTBot: the whole site. Closed for any crawler that follows the group for \\*: /tmp and /x. Found: 1 warning"},
		{english, "| closes | the whole site | GPTBot | no rule | line 6: Disallow: / |"},
		{english, "| opens | /cart | any crawler that follows the group for \\* | line 2: Disallow: /cart | no rule |"},
		{german, "Bericht vom 30. November 2026, 09:30 UTC."},
		{german, "Gesperrt für GPTBot: die ganze Website. Gesperrt für alle Crawler mit der Gruppe für \\*: /tmp und /x. Gefunden: 1 Warnung"},
		{german, "| Warnung | Eine Anweisung ist falsch geschrieben. (RX411) | 3 | 1 |"},
		{german, "| sperrt | die ganze Website | GPTBot | keine Regel | Zeile 6: Disallow: / |"},
		{german, "| KI-Modelle trainieren | gesperrt | GPTBot |"},
	} {
		if !strings.Contains(c.in, c.want) {
			t.Errorf("no %q in\n%s", c.want, c.in)
		}
	}
}

// TestCut: of files that were not read to their end, nothing is called proved. A cell of rules begins with a rule.
func TestCut(t *testing.T) {
	const rule = "User-agent: *\nDisallow: /a\n"
	s := siteOf(t, rule, rule)
	if text := s.Markdown(language.English, now); !strings.Contains(text, "That is proved for all URLs.") || strings.Contains(text, "other changes") {
		t.Error(text)
	}
	s.Before.Truncated = true
	if text := s.Markdown(language.English, now); strings.Contains(text, "proved") || !strings.Contains(text, "there might be other changes") {
		t.Error(text)
	}
	s = siteOf(t, "User-agent: *\nAllow: /a\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /\n", "User-agent: *\nAllow: /a\nAllow: /b\nDisallow: /c\nAllow: /c/d\n")
	if text := s.Markdown(language.English, now); strings.Contains(text, "no rule and") || !strings.Contains(text, "; otherwise no rule") {
		t.Error(text)
	}
}

// TestGroups: a crawler of any group that shuts it out is closed out in the lead too, and crawlers that a file
// closes one after the other are one row. The dagger is explained.
func TestGroups(t *testing.T) {
	one := siteOf(t, "User-agent: GPTBot\nDisallow: /a\n", "").Markdown(language.English, now)
	var text strings.Builder
	for _, token := range []string{"GPTBot", "CCBot", "ClaudeBot", "Bytespider", "Diffbot", "YouBot"} {
		fmt.Fprintf(&text, "User-agent: %s\nContent-Signal: ai-train=no\nDisallow: /\n\n", token)
	}
	cut := siteOf(t, "User-agent: *\nDisallow: /a\n", "")
	cut.Ruling.File.Truncated = true
	many := siteOf(t, text.String()+"User-agent: *\nDisallow: /admin\n", "").Markdown(language.English, now)
	for _, c := range []struct{ in, want string }{
		{cut.Markdown(language.English, now), "| size | more than 27 bytes, 2 lines; this is about that beginning of the file |"},
		{one, "\nPaths are closed for GPTBot."},
		{many, "\nClosed for GPTBot, CCBot, ClaudeBot and 3 more: the whole site. Closed for any crawler that follows the group for \\*: /admin."},
		{many, "| GPTBot, CCBot, ClaudeBot and 3 more | the whole site | line 3: Disallow: / and 5 more |\n| any crawler"},
		{many, "| closes | the whole site | GPTBot, CCBot, ClaudeBot and 3 more | no rule | line 3: Disallow: / and 5 more |"},
		{many, "crawlers (†) do not obey"},
	} {
		if !strings.Contains(c.in, c.want) {
			t.Errorf("no %q in\n%s", c.want, c.in)
		}
	}
}

// TestNoFile: a report on a site without a file says why, and that nothing is known if there was no response.
func TestNoFile(t *testing.T) {
	for _, c := range []struct {
		site    wire.Site
		want    string
		unknown int
	}{
		{wire.Site{Outcome: wire.OutcomeAllowAll, Provenance: wire.Provenance{Status: 401, Source: wire.SourceNetwork, FetchReason: "HTTP status 401"}},
			"Crawler dürfen alles abrufen: HTTP-Status 401.", 0},
		{wire.Site{Outcome: wire.OutcomeDisallowAll, Provenance: wire.Provenance{Status: 503, Source: wire.SourceAssumed, Fault: wire.FaultStatus}},
			"Crawler dürfen nichts abrufen: HTTP-Status 503.", 1},
		{wire.Site{Outcome: wire.OutcomeDisallowAll, Provenance: wire.Provenance{Source: wire.SourceAssumed, Fault: wire.FaultTimeout}},
			"Es ist nicht bekannt, was Crawler abrufen dürfen: Die Website hat nicht rechtzeitig geantwortet.", 3},
		{wire.Site{Outcome: wire.OutcomeDisallowAll, Provenance: wire.Provenance{Source: wire.SourceAssumed, Fault: "new"}},
			"Es ist nicht bekannt, was Crawler abrufen dürfen: Es gibt keine Antwort.", 3},
	} {
		s := &sitereport.Site{Ruling: answer.RuleSite(&c.site, nil, nil, nil, nil), Problems: &report.File{}}
		text := s.Markdown(language.German, now)
		if !strings.Contains(text, "\n"+c.want+"\n") {
			t.Errorf("no %q in\n%s", c.want, text)
		}
		// Of problems, rules and AI, a status of 503 leaves the last one unknown, and no response all.
		if unknown := strings.Count(text, "\nDas ist nicht bekannt.\n"); unknown != c.unknown {
			t.Errorf("%d parts are unknown, want %d:\n%s", unknown, c.unknown, text)
		}
	}
}

// hostile returns a file that has as much of everything as a site can write, with wide letters.
func hostile() string {
	var text strings.Builder
	wide := strings.Repeat("W", 90)
	for i, c := range crawlers.Select(crawlers.Selection{}) {
		if i == 300 {
			break
		}
		fmt.Fprintf(&text, "User-agent: %s\nUser-agent: %s%d\n", c.Token, wide, i)
		for j := range i % 5 {
			fmt.Fprintf(&text, "Disallow: /%s%d-%d</td><script>alert(1)</script>\u202e|`*\x1b[31m\n", wide, i, j)
		}
		fmt.Fprintf(&text, "Content-Usage: train-ai=n\nSitemap: /%s\nDisalow: x\nAllow /y\nDisallow: %d x\nCrawl-delay: a\nDisallow: https://a.example/\nDisallow: /%%zz\nDisallow: z\nx\x00\nHost: %d\n\n", wide, i, i)
	}
	return text.String() + "User-agent: *\nDisallow: /\nAllow: /" + wide + "\n"
}

// TestBounds: a report on any file has few rows, no long cell, and no tag of the file.
func TestBounds(t *testing.T) {
	text := siteOf(t, hostile(), "User-agent: *\nDisallow: /\nAllow: /open\n").Markdown(language.German, now)
	lines := strings.Split(text, "\n")
	if len(lines) > 90 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|")
		for _, cell := range cells {
			if width := term.Width(strings.ReplaceAll(cell, `\`, "")); width > 300 || len(cells) > 1 && width > 142 {
				t.Errorf("%d columns: %s", width, cell)
			}
		}
	}
}

// TestPages: in Chromium, a report on any file is at most two printed pages long.
func TestPages(t *testing.T) {
	browser := os.Getenv("ROBOTSTXT_BROWSER")
	if browser == "" {
		t.Skip("ROBOTSTXT_BROWSER is not set")
	}
	for _, l := range []language.Language{language.English, language.German} {
		folder := t.TempDir()
		name := filepath.Join(folder, "report.html")
		var text strings.Builder
		page := markup.NewDocument(&text, string(l))
		for range 2 {
			site := siteOf(t, hostile(), "User-agent: *\nDisallow: /\nAllow: /open\n")
			if err := page.Add(site.Markdown(l, now)); err != nil {
				t.Fatal(err)
			}
		}
		if err := page.End(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		printed := filepath.Join(folder, "report.pdf")
		command := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu",
			"--user-data-dir="+filepath.Join(folder, "profile"), "--no-pdf-header-footer", "--print-to-pdf="+printed, "file://"+name)
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		pdf, err := os.ReadFile(printed)
		if err != nil {
			t.Fatal(err)
		}
		if pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); pages < 2 || pages > 4 {
			t.Errorf("%s: two reports have %d pages", l, pages)
		}
	}
}
