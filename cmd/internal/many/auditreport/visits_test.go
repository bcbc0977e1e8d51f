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
		`For a person</h2>`, `<title>2026-11-13: 3,120 visits, AI training</title>`, `<title>2026-11-13: 480 visits, AI training, disallowed</title>`,
		`<title>2026-11-13: 12,650 visits, others: list in web search 12,000, SEO tools 800</title>`,
		`<bdi>2026-11-13</bdi><small>robots.txt changed</small>`, `<td class="n" data-head="visits"><bdi>16,400</bdi></td><td class="n" data-head="disallowed"><bdi>630</bdi></td>`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if strings.Contains(page, "/private/report") || strings.Contains(page, hostile) {
		t.Error("the page has a target, or a name that is not escaped")
	}
}
