package auditreport_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
)

// TestHistory: the page has a band for each span, escapes what sites say, and is bounded.
func TestHistory(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	version := &wire.HistoryVersion{Status: 200, SHA256: strings.Repeat("ab", 32), Size: 30}
	page := func(spans []wire.HistorySpan) string {
		var b strings.Builder
		if err := auditreport.WriteHistory(&b, &wire.History{Site: "https://<shop>.example", Spans: spans}, begin); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	hostile := "/<script>\x1b[31m\u202e"
	text := page([]wire.HistorySpan{
		{To: begin, Certainty: "unknown"},
		{From: begin, To: begin.Add(time.Hour), Certainty: "presumed", Observations: 2, Version: version},
		{From: begin.Add(time.Hour), To: begin.Add(3 * time.Hour), Certainty: "unknown"},
		{
			From: begin.Add(3 * time.Hour), To: begin.Add(4 * time.Hour), Certainty: "presumed", Observations: 2, Changed: true,
			Version: &wire.HistoryVersion{Status: 503, Fault: "status"},
			Changes: []wire.WatchChange{{Gravity: "high", Text: "closes " + hostile, Paths: make([]wire.PathChange, 9), Pairs: 12},
				{Gravity: "low", Paths: []wire.PathChange{{Witness: hostile, NewLine: 7}}, Pairs: 1}},
		},
	})
	for _, want := range []string{
		"https://&lt;shop&gt;.example", "/&lt;script&gt;\\x1b[31m\\u202e: no line decided, now line 7", "and 7 more", "status 503",
		`<rect class="seg name" x="0.00" y="1" width="99.50"`, `<rect class="seg unknown" x="99.50" y="1" width="199.00"`, `<rect class="seg star" x="298.50"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "<script") || strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("the page has what the site said unescaped")
	}
	var many []wire.HistorySpan
	for i := range 2000 {
		at := begin.Add(time.Duration(i) * 48 * time.Hour)
		many = append(many, wire.HistorySpan{From: at, To: at.Add(time.Hour), Certainty: "presumed", Observations: 2,
			Version: version})
	}
	if text := page(many); !strings.Contains(text, "1600 intervals before") && !strings.Contains(text, "1,600 intervals before") || len(text) > 1<<20 {
		t.Errorf("a page of %d bytes about 2,000 versions", len(text))
	}
	if text := page(nil); !strings.Contains(text, "</html>") {
		t.Error("no page about nothing")
	}
}
