package auditreport_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
	"github.com/kosterhq/robotstxt/semdiff"
)

const hostile = "a</bdi><script>alert(1)</script>\" onload=x '\u202egpj.\x1b[31m\x00\xff&amp;{{.}}"

// summary returns counts with hostile texts in all places where inputs have texts.
func summary(label string) *audit.Summary {
	return &audit.Summary{
		Label: label, By: audit.ByHost, Policy: "google", Captures: 1_300, Lost: map[string]int{"damaged": 7},
		Sites: 1_100, Known: 1_050, OpenByStatus: 40, ClosedByStatus: 20, Problems: map[string]int{"damaged": 39, hostile: 1},
		Missing: map[int]int{404: 39, 301: 1}, Faults: map[int]int{503: 20},
		Bodies:   map[robotstxt.Body]int{robotstxt.BodyText: 990, robotstxt.BodyHTML: 10},
		Statuses: map[int]int{200: 1_000, 404: 60},
		Read:     1_000, Sizes: [6]int{0, 100, 900}, Signals: map[string]int{"Sitemap": 3}, Linted: 1_000,
		Codes: map[string]int{"RX211": 20, hostile: 2},
		Crawlers: map[string]*audit.CrawlerCount{
			"GPTBot": {
				Reading: "google or rfc9309", HomeClosed: 480,
				Tally: audit.Tally{Treatments: audit.Treatments{300, 0, 90, 20, 100, 0, 400, 3, 5, 92, 40, 0},
					PartlyByName: 7, OpenByName: 2},
				Matched: map[robotstxt.MatchedBy]int{robotstxt.MatchedByName: 312, robotstxt.MatchedByStar: 598,
					robotstxt.MatchedByNone: 80},
			},
			hostile:      {Reading: hostile, Tally: audit.Tally{Treatments: audit.Treatments{audit.FullyOpen: 1_050}}, Matched: map[robotstxt.MatchedBy]int{robotstxt.MatchedByNone: 990}},
			"Nameless 1": {Tally: audit.Tally{Treatments: audit.Treatments{audit.Unnamed: 1_050}}},
		},
		Months: map[string]map[string]*audit.Treatments{
			"2025-11": {"ai-training": {100, 0, 20, 0, 0, 0, 200, 0, 0, 80, 0, 0}},
			"2026-11": {"ai-training": {200, 0, 70, 0, 0, 300, 0, 0, 8, 12, 0, 0}},
		},
		Closed: []audit.Ranked{{Site: hostile, Count: 9}}, Opened: []audit.Ranked{{Site: "b.example", Count: 1}},
		LongList: []audit.Ranked{{Site: hostile, Count: 70_000}},
		Purposes: map[string]*audit.PurposeCount{"ai-training": {Crawlers: 1,
			Sites: audit.Treatments{300, 0, 90, 20, 100, 0, 400, 3, 5, 92, 40, 0}, All: 410}},
		Strata: []audit.Stratum{{Name: hostile, Known: 100,
			Crawlers: map[string]*audit.Tally{"GPTBot": {
				Treatments: audit.Treatments{audit.ClosedByName: 50, audit.FullyOpen: 50}}}}},
	}
}

func write(t *testing.T, s *audit.Summary) string {
	t.Helper()
	var page bytes.Buffer
	before := summary(hostile)
	before.Crawlers["GPTBot"].Treatments = audit.Treatments{audit.ClosedByName: 79, audit.FullyOpen: 971}
	of800 := &audit.CrawlerCount{Tally: audit.Tally{Treatments: audit.Treatments{audit.FullyOpen: 800}}}
	err := auditreport.Write(&page, auditreport.Config{
		Inputs: []string{hostile, "b"}, Created: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
		Crawls: []*audit.Summary{before, s},
		Compared: []*audit.Comparison{{
			Before: hostile, After: "2026", Sites: 900, Appeared: 90, Vanished: 10, AppearedAs: []string{hostile},
			GoneAs: []string{"b.example"}, Both: [2]*audit.Summary{{}, {Crawlers: map[string]*audit.CrawlerCount{"GPTBot": of800}}},
			Crawlers: map[string]*audit.Change{"GPTBot": {Known: 800, Closed: audit.Moves{ByFile: 70},
				Opened: audit.Moves{ByFile: 130, ByStatus: 5}, Named: 70, Unnamed: 8}},
			Closed: audit.MovedSites{Count: 1100, Most: []audit.Moved{
				{Site: hostile, Moves: []audit.Move{{Crawler: hostile, Before: string(semdiff.ExtentOpen), After: "mostly closed"}}},
			}},
		}},
		Purposes: func(name string) []string {
			if name == "GPTBot" {
				return []string{"ai-training"}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// Texts from inputs cannot add markup, controls or marks of direction.
func TestHostileTexts(t *testing.T) {
	page := write(t, summary("2026"))
	for _, r := range page {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("the page contains %q", r)
		}
	}
	elements := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements[element.Name.Local]++
		for _, attribute := range element.Attr {
			if name := attribute.Name.Local; strings.HasPrefix(name, "on") || name == "src" || name == "href" {
				t.Errorf("<%s %s>", element.Name.Local, name)
			}
		}
	}
	if elements["script"] != 0 || elements["section"] == 0 || elements["rect"] == 0 {
		t.Errorf("elements: %v", elements)
	}
	if n := strings.Count(page, `\u202egpj.\x1b[31m\x00\xff`); n < 5 {
		t.Errorf("the hostile text appears %d times", n)
	}
}

// The cells are the counts of the summary, with their shares of the stated files.
func TestCounts(t *testing.T) {
	page := write(t, summary("2026"))
	for _, row := range []string{
		"blockers|GPTBot OpenAI|300 (29.1%)|90 (8.7%)|390 (37.9%)|20 (1.9%)",
		"before-after|GPTBot read as google or rfc9309|7.5% → 37.9%|7.5% → 29.1%|0.0% → 8.7%|45.7% → 44.7%|29.7% → 30.3%|0.0% → 48.5%|0.0% → 0.8%|92.5% → 12.8%|0.0% → 1.9%",
		"most-named|GPTBot OpenAI|312 (31.5%)|300 (30.3%)|7 (0.7%)|3 (0.3%)|2 (0.2%)",
		"crawls|2026|1,030|300 (29.1%)|90 (8.7%)|500 (48.5%)|8 (0.8%)|132 (12.8%)|20 (1.9%)",
		"read|text|990 (90.0%)", "read|no file was served, and the policy (google) opens the site: 404, 301|40 (3.6%)", "read|no file was served, and the policy (google) closes the site: 503|20 (1.8%)", "read|damaged record or line|39 (3.5%)",
		"purposes|AI training crawlers 1 crawler|300 (29.1%)|90 (8.7%)|500 (48.5%)|8 (0.8%)|132 (12.8%)|20 (1.9%)|410 (39.8%)",
		"crawlers|GPTBot ai-training, read as google or rfc9309|300 (29.1%)|90 (8.7%)|500 (48.5%)|3 (0.3%)|5 (0.5%)|132 (12.8%)|20 (1.9%)|460 (44.7%)",
		"crawlers|Nameless 1 no line can name it||||||||",
		"named|GPTBot|312 (31.5%)|300 (96.2%)|598 (60.4%)|90 (15.1%)|80 (8.1%)|0 (0.0%)",
		"months|2026-11|590|200 (33.9%)|70 (11.9%)|300 (50.8%)|8 (1.4%)|12 (2.0%)|0 (0.0%)",
		"statuses|404|60 (5.7%)", "lines|Sitemap|3 (0.3%)", "sizes|101 to 1,000 bytes|900 (90.0%)",
		"mistakes|A short path blocks everything that begins with it. RX211|20 (2.0%)",
		"welcoming|b.example|1",
		"changed-crawlers|GPTBot ai-training|800|70|130|0|5|70|8",
		"hosts|in both crawls|900 (90.0%)", "hosts|only in the earlier crawl such as b.example|10 (1.0%)",
	} {
		if !strings.Contains(rows(t, page), row+"\n") {
			t.Errorf("there is no row %s in\n%s", row, rows(t, page))
		}
	}
	if want := "less open now to the most crawlers. Not shown: 1,099 hosts."; !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
	if strings.Contains(rows(t, page), "blockers|Nameless") {
		t.Error("a crawler that cannot be named counts as one to which no site closes")
	}
	for _, of := range []string{"By status: of all 1,050 hosts with rules or closed by status", "Of all 1,100 hosts, in crawl 2026.", "7 records have no known site", "Of 1,060 hosts with a status, in crawl 2026.", "Of the hosts with rules, in crawl 2026.", "300 of 1,030 hosts with rules", "closes 20 hosts by status: 503 (1.9% of the 1,050 with rules or closed by status).", "hosts of each crawl with rules close the whole site, by their file, to GPTBot (390 of 1,030 → 390 of 1,030)", "1,100 hosts from 1,300 captures. The latest capture of each host is counted", "40.4% to 59.6%"} {
		if !strings.Contains(page, of) {
			t.Errorf("the page does not say %q", of)
		}
	}
}

// rows returns the rows of the tables as text: the figure and its cells.
func rows(t *testing.T, page string) string {
	t.Helper()
	var text strings.Builder
	for _, section := range strings.Split(page, `<section id="`)[1:] {
		id, _, _ := strings.Cut(section, `"`)
		_, body, _ := strings.Cut(section, "<tbody>")
		for _, row := range strings.Split(body, "<tr>")[1:] {
			text.WriteString(id)
			for _, cell := range strings.Split(row, "</t") {
				if strings.Contains(cell, "<svg") || !strings.Contains(cell, "<bdi>") {
					continue
				}
				text.WriteString("|" + content(cell))
			}
			text.WriteString("\n")
		}
	}
	return text.String()
}

// content returns the text of markup.
func content(markup string) string {
	var b strings.Builder
	for _, piece := range strings.Split(strings.ReplaceAll(markup, "<small>", "<small> "), "<") {
		_, text, _ := strings.Cut(piece, ">")
		b.WriteString(text)
	}
	return b.String()
}

// Bars are as long as their counts, and never longer than the picture.
func TestBars(t *testing.T) {
	page := write(t, summary("2026"))
	for _, section := range strings.Split(page, "<svg viewBox")[1:] {
		svg, _, _ := strings.Cut(section, "</svg>")
		end := 0.0
		for _, rect := range strings.Split(svg, "<rect ")[1:] {
			var x, width float64
			_, at, _ := strings.Cut(rect, `x="`)
			if _, err := fmt.Sscanf(at, `%f" y="1" width="%f"`, &x, &width); err != nil {
				t.Fatal(err)
			}
			if x < end-0.02 || width <= 0 || x+width > 400.02 {
				t.Errorf("a part of a bar from %g with width %g after %g", x, width, end)
			}
			end = x + width
		}
	}
	if !strings.Contains(page, `<rect class="seg name" x="0.00" y="1" width="116.50" height="16"><title>whole site closed, by name: 300 (29.1%)</title>`) {
		t.Error("the bar of GPTBot does not have 300 of 1,030 hosts")
	}
}

// An audit without files has a page without pictures.
func TestEmpty(t *testing.T) {
	var out bytes.Buffer
	if err := auditreport.Write(&out, auditreport.Config{Crawls: []*audit.Summary{{}}}); err != nil {
		t.Fatal(err)
	}
	if page := out.String(); strings.Contains(page, "<section") || strings.Contains(page, "NaN") {
		t.Error(page)
	}
}
