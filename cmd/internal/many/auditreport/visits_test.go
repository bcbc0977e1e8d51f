package auditreport_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
)

// writeVisits writes a page about a month of visits.
func writeVisits(t *testing.T) string {
	t.Helper()
	v := &wire.Visits{Sites: []string{"https://www.shop.example"}, Judged: "history", Lines: 1_234_567, Lists: []wire.VisitList{{URL: "https://openai.com/gptbot.json"}}}
	for i, token := range []string{"GPTBot", "Google-CloudVertexBot", "facebookexternalhit", hostile} {
		v.Crawlers = append(v.Crawlers, wire.VisitCrawler{
			Crawler: token, Operator: "An Operator, Inc.", Purposes: []string{"ai-training", "search", "ai-fetch", "preview"}[i : i+1], Visits: 123_456,
			Identity: map[string]int64{"verified": 100_000, "claimed": 20_000, "contradicted": 3_456}, Results: map[string]int64{"old-copy": 1_200, "disobeyed": 1_034},
			Days: []wire.VisitGroup{
				{Name: "2026-11-02", Visits: 8, Disallowed: 4, Disobeyed: 2}, {Name: "2026-11-30", Visits: 1, Disobeyed: 1, Disallowed: 1}, {Name: "2026-12-30", Visits: 99},
			}[:3*(1-i/3)],
			Rules: []wire.VisitRule{{Line: 4, Rule: "Disallow: /private", Visits: 2_234, Example: "/private/report"}},
		})
	}
	for i := range 30 {
		v.Days = append(v.Days, wire.VisitDay{
			Day: fmt.Sprintf("2026-11-%02d", i+1), Visits: map[string]int64{"ai-training": int64(300 * i), "search": 12_000, "seo": 800},
			Disallowed: map[string]int64{"ai-training": int64(40 * i), "search": 150}, Changed: i == 12,
		})
	}
	var page bytes.Buffer
	if err := auditreport.WriteVisits(&page, v, time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// TestVisits: numbers are in columns of numbers, purposes in words, and the page has no target.
func TestVisits(t *testing.T) {
	page := writeVisits(t)
	for _, part := range []string{
		`<td class="w" data-head="purpose"><bdi>train AI models</bdi></td><td class="n" data-head="visits"><bdi>123,456</bdi></td>`,
		`For a person</h2>`, `<title>2026-11-13: 3,600 visits, 480 disallowed, AI training</title>`,
		`<title>2026-11-13: 12,800 visits, 150 disallowed, others: list in web search 12,000, SEO tools 800</title>`,
		`<bdi>2026-11-13</bdi><small>robots.txt changed</small>`, `<td class="n" data-head="visits"><bdi>16,400</bdi></td><td class="n" data-head="disallowed"><bdi>630</bdi></td>`,
		// The second of 30 days: 400 / 30 wide, and half of the visits disallowed.
		`<svg class="tall" viewBox="0 0 400 18" preserveAspectRatio="none" aria-hidden="true"><rect class="seg name" x="13.33" y="13.5" width="13.33" height="4.5"><title>2026-11-02: 8 visits, 4 disallowed, 2 disobeyed</title></rect>` +
			`<rect class="seg partly" x="13.33" y="9" width="13.33" height="4.5"><title>2026-11-02: 8 visits, 4 disallowed, 2 disobeyed</title></rect>` +
			`<rect class="seg star" x="13.33" y="0" width="13.33" height="9">`,
		`<rect class="seg name" x="386.67" y="15.75" width="13.33" height="2.25"><title>2026-11-30: 1 visit, 1 disallowed, 1 disobeyed</title></rect></svg>`,
		`<td class="n" data-head="most visits a day"><bdi>8</bdi></td><td class="w" data-head="on"><bdi>2026-11-02</bdi></td>`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if n := strings.Count(page, `<svg class="tall"`); n != 3 {
		t.Errorf("%d crawlers have a chart, want 3: one came on no day", n)
	}
	if strings.Contains(page, "/private/report") || strings.Contains(page, hostile) {
		t.Error("the page has a target, or a name that is not escaped")
	}
}
