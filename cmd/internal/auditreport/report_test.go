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
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

const hostile = "a</bdi><script>alert(1)</script>\" onload=x '\u202egpj.\x1b[31m\x00\xff&amp;{{.}}"

// summary returns counts with hostile texts in all places where inputs have texts.
func summary() *audit.Summary {
	return &audit.Summary{
		Files: 1_100, Read: 1_000, ByStatus: 60, Problems: map[string]int{"damaged": 39, hostile: 1},
		Bodies: map[wire.Body]int{wire.BodyText: 990, wire.BodyHTML: 10}, Statuses: map[int]int{200: 1_000, 404: 60},
		Sizes: [6]int{0, 100, 900}, Signals: map[string]int{"Sitemap": 3}, Linted: 1_000, Codes: map[string]int{"RX211": 20, hostile: 2},
		Crawlers: map[string]*audit.CrawlerCount{
			"GPTBot": {Matched: map[robotstxt.MatchedBy]map[semdiff.Extent]int{
				robotstxt.MatchedByName: {semdiff.ExtentClosed: 300, semdiff.ExtentOpen: 12}, robotstxt.MatchedByStar: {semdiff.ExtentClosed: 90, semdiff.ExtentPartly: 500, "": 8}, robotstxt.MatchedByNone: {semdiff.ExtentOpen: 80},
			}},
			hostile: {Matched: map[robotstxt.MatchedBy]map[semdiff.Extent]int{robotstxt.MatchedByNone: {semdiff.ExtentOpen: 990}}},
		},
		Months: map[string]*audit.MonthCount{
			"2025-11": {Ruled: 400, Purposes: map[string]*audit.Treatments{"ai-training": {100, 20, 200, 0, 80}}},
			"2026-11": {Ruled: 590, Purposes: map[string]*audit.Treatments{"ai-training": {200, 70, 300, 8, 12}}},
		},
		Closed: []audit.Ranked{{Host: hostile, Record: hostile, Count: 9}}, Opened: []audit.Ranked{{Record: "line 3", Count: 1}}, LongList: []audit.Ranked{{Host: hostile, Record: "x", Count: 70_000}},
		Ruled: 990, OpenToAll: 12, ShutToAll: 3,
		Purposes: map[string]*audit.PurposeCount{"ai-training": {Crawlers: 1, Files: audit.Treatments{300, 90, 500, 8, 92}, All: 390}},
	}
}

func write(t *testing.T, s *audit.Summary) string {
	t.Helper()
	var page bytes.Buffer
	err := auditreport.Write(&page, s, auditreport.Config{
		Inputs: []string{hostile, "b"}, Created: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
		Compared: &audit.Comparison{
			Hosts: 900, Appeared: 90, Vanished: 10, AppearedHosts: []string{hostile}, VanishedHosts: []string{"b.example"},
			Crawlers: map[string]*audit.Change{"GPTBot": {Known: 800, Named: 70, Unnamed: 8, Moves: map[semdiff.Extent]map[semdiff.Extent]int{
				semdiff.ExtentOpen: {semdiff.ExtentOpen: 600, semdiff.ExtentClosed: 60}, semdiff.ExtentPartly: {semdiff.ExtentClosed: 10, semdiff.ExtentOpen: 30}, semdiff.ExtentClosed: {semdiff.ExtentPartly: 100},
			}}},
			Purposes: map[string]*audit.PurposeMoves{"ai-training": {Known: 800, Closed: 70, Opened: 130}},
			Closed:   []audit.Moved{{Host: hostile, Moves: []audit.Move{{Crawler: hostile, Before: semdiff.ExtentOpen, After: semdiff.ExtentPartly, Witness: hostile}}}},
		},
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
	page := write(t, summary())
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
	page := write(t, summary())
	for _, row := range []string{
		"blockers|GPTBot OpenAI|300 (30.3 %)|90 (9.1 %)|390 (39.4 %)",
		"read|text|990 (90.0 %)", "read|no file: the HTTP status decides|60 (5.5 %)", "read|damaged record or line|39 (3.5 %)",
		"purposes|AI training crawlers 1 crawler|300 (30.3 %)|90 (9.1 %)|500 (50.5 %)|92 (9.3 %)|390 (39.4 %)",
		"crawlers|GPTBot ai-training|300 (30.3 %)|90 (9.1 %)|500 (50.5 %)|8 (0.8 %)|92 (9.3 %)",
		"named|GPTBot|312 (31.5 %)|300 (96.2 %)|598 (60.4 %)|90 (15.1 %)|80 (8.1 %)|0 (0.0 %)",
		"months|2026-11|590|200 (33.9 %)|70 (11.9 %)|300 (50.8 %)|12 (2.0 %)",
		"statuses|404|60 (5.7 %)", "lines|Sitemap|3 (0.3 %)", "sizes|101 to 1,000 bytes|900 (90.0 %)",
		"mistakes|A short path also blocks everything that begins with it. RX211|20 (2.0 %)",
		"welcoming|(no host)|1|line 3",
		"changed-purposes|AI training crawlers|800|70 (8.8 %)|130 (16.2 %)",
		"changed-crawlers|GPTBot ai-training|800|70 (8.8 %)|70|130 (16.2 %)|100|70|8",
		"hosts|in both audits|900 (90.0 %)", "hosts|only in the earlier audit such as b.example|10 (1.0 %)",
	} {
		if !strings.Contains(rows(t, page), row+"\n") {
			t.Errorf("there is no row %s in\n%s", row, rows(t, page))
		}
	}
	for _, of := range []string{"Of 990 robots.txt files that are text or empty.", "Of all 1,100 files of the audit.", "Of 1,060 files with a status.", "300 of 990 files"} {
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
	page := write(t, summary())
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
	if !strings.Contains(page, `<rect class="seg name" x="0.00" y="1" width="121.21" height="16"><title>whole site closed, by name: 300 (30.3 %)</title>`) {
		t.Error("the bar of GPTBot does not have 300 of 990 files")
	}
}

// An audit without files has a page without pictures.
func TestEmpty(t *testing.T) {
	var out bytes.Buffer
	if err := auditreport.Write(&out, &audit.Summary{}, auditreport.Config{}); err != nil {
		t.Fatal(err)
	}
	if page := out.String(); strings.Contains(page, "<section") || strings.Contains(page, "NaN") {
		t.Error(page)
	}
}
