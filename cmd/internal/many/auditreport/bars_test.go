package auditreport_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
	"github.com/kosterhq/robotstxt/fetch"
)

// files are the answers of hosts in turn. The blank makes the reading of a path depend on the parser.
var files = []string{
	`"body": "User-agent: GPTBot\nDisallow: /\n"`, `"body": "User-agent: *\nDisallow: /\n"`, `"body": "User-agent: CCBot\nDisallow: /a\n"`,
	`"body": ""`, `"status": 404`, `"body": "User-agent: GPTBot2\nDisallow: /\n"`, `"body": "<!DOCTYPE html><html><body>Hello"`,
}

// crawl has 61 hosts with files from a place on, of which an outage of the last ones.
func crawl(from, outage int) string {
	var lines strings.Builder
	for i := range 61 {
		answer := files[(from+i+i/7)%len(files)]
		if i >= 61-outage {
			answer = `"status": ` + []string{"503", "429"}[i%2]
		}
		fmt.Fprintf(&lines, `{"host": "h%d.example", "fetched_at": "2026-%02d-01T00:00:00Z", %s}`+"\n", i, 1+i%3, answer)
	}
	return lines.String()
}

// reported audits crawls by the default policy, and returns the report.
func reported(t *testing.T, agents string, crawls ...string) string {
	t.Helper()
	page, _ := reportedBy(t, fetch.GooglePolicy, audit.ByHost, agents, crawls...)
	return page
}

// reportedBy audits crawls, and returns the report and what the screen has.
func reportedBy(t *testing.T, policy fetch.Policy, by audit.By, agents string, crawls ...string) (page, screen string) {
	t.Helper()
	list, err := answer.ParseCrawlers(agents)
	if err != nil {
		t.Fatal(err)
	}
	census := audit.NewCensus(by, false)
	census.Purposes, census.Policy = auditreport.PurposesOf, policy
	var inputs []string
	for i, lines := range crawls {
		name := filepath.Join(t.TempDir(), "in.ndjson")
		if err := os.WriteFile(name, []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
		if len(crawls) > 1 {
			name = fmt.Sprintf("c%d=%s", i, name)
		}
		inputs = append(inputs, name)
	}
	in, errs := audit.Open(inputs, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if _, err := audit.Run(t.Context(), in.Sources, nil, audit.Options{
		Questions: audit.Questions{Crawlers: list, Exact: true, Policy: policy}, Census: census, Labels: in.Labels,
	}); err != nil {
		t.Fatal(err)
	}
	strata, err := audit.ReadStrata(strings.NewReader("host,land\nh0.example,a\nh1.example,a\nh2.example,b\n"), "land")
	if err != nil {
		t.Fatal(err)
	}
	config := auditreport.Config{Created: time.Unix(0, 0), Purposes: auditreport.PurposesOf}
	count := audit.CountConfig{Purposes: auditreport.PurposesOf, Strata: strata}
	for _, c := range census.Crawls() {
		config.Crawls = append(config.Crawls, c.Count(count))
	}
	config.Compared, err = census.Compare(nil, strata)
	if err != nil {
		t.Fatal(err)
	}
	var written, printed bytes.Buffer
	if err := auditreport.Write(&written, config); err != nil {
		t.Fatal(err)
	}
	counts := auditreport.Counts{Crawls: config.Crawls, Compared: config.Compared}
	to := &term.Terminal{Out: &printed, Getenv: func(string) string { return "" }}
	if err := counts.Print(to, table.Text, false); err != nil {
		t.Fatal(err)
	}
	return written.String(), printed.String()
}

var (
	drawnPart = regexp.MustCompile(`<rect class="seg (\w+)" x="[0-9.]+" y="1" width="([0-9.]+)" height="16"><title>([^<]*)</title>`)
	drawnWord = regexp.MustCompile(`(?:^|: )[0-9,]+ \((?:&lt; )?([0-9.]+)%\)$`)
	wholeBar  = regexp.MustCompile(`The width of the column is ([0-9]+)% of`)
)

// TestBarsAreShares: what a bar draws is what its tooltips and the columns say, of the same sites, and no bar has more
// than all of them: in the report of one crawl, and of two and three crawls of which the last has an outage.
func TestBarsAreShares(t *testing.T) {
	const agents = "GPTBot,CCBot,Googlebot,*"
	for name, c := range map[string]struct {
		page string
		bars int // of the sites with rules, at least
	}{
		"one crawl":             {reported(t, agents, crawl(0, 0)), 10},
		"one crawl, an outage":  {reported(t, agents, crawl(0, 14)), 10},
		"two crawls, an outage": {reported(t, agents, crawl(0, 0), crawl(1, 14)), 18},
		"three crawls":          {reported(t, agents, crawl(0, 3), crawl(1, 0), crawl(2, 14)), 22},
		"hostile texts":         {write(t, summary("2026")), 6},
	} {
		bars := 0
		for _, section := range strings.Split(c.page, `<section id="`)[1:] {
			id, _, _ := strings.Cut(section, `"`)
			whole := 100.0
			switch id {
			case "statuses", "lines", "mistakes", "sizes", "hosts", "most-named", "changed-crawlers":
				if !strings.Contains(section, "A full bar is the ") {
					t.Errorf("%s, %s: nothing says what a full bar is", name, id)
				}
				continue
			case "blockers":
				whole, _ = strconv.ParseFloat(wholeBar.FindStringSubmatch(section)[1], 64)
			}
			for _, row := range strings.Split(section, "\n<tr>")[1:] {
				drawn := strings.Split(row, "<svg")[1:]
				for i, svg := range drawn {
					bars++
					sum := 0.0
					for _, part := range drawnPart.FindAllStringSubmatch(svg, -1) {
						width, _ := strconv.ParseFloat(part[2], 64)
						said := drawnWord.FindStringSubmatch(part[3])
						if said == nil {
							t.Errorf("%s, %s: the tooltip %q has no share", name, id, part[3])
							continue
						}
						share, _ := strconv.ParseFloat(said[1], 64)
						sum += share
						if math.Abs(width/400*whole-share) > 0.06 {
							t.Errorf("%s, %s: %.2f%% are drawn, and the tooltip says %q", name, id, width/400*whole, part[3])
						}
						cell := part[3][strings.LastIndex(part[3], "("):]
						if id == "before-after" {
							cell = map[bool]string{true: "<bdi>" + said[1] + "%", false: "→ " + said[1] + "%"}[i == 0]
						}
						isBetween := id == "before-after" && i > 0 && i < len(drawn)-1
						isOfTwoColumns := id == "crawlers" && part[1] == "unknown"
						if !isBetween && !isOfTwoColumns && !strings.Contains(row[strings.LastIndex(row, "</svg>"):], cell) {
							t.Errorf("%s, %s: no column has the %s%% of the tooltip %q", name, id, said[1], part[3])
						}
					}
					if sum > 100.3 { // each is rounded
						t.Errorf("%s, %s: the tooltips of a bar sum to %.1f%%", name, id, sum)
					}
				}
			}
		}
		if bars < c.bars {
			t.Errorf("%s: %d bars, want at least %d", name, bars, c.bars)
		}
	}
}

// TestWords: the report of real crawls names what its numbers are of.
func TestWords(t *testing.T) {
	one, two := reported(t, "GPTBot", crawl(0, 14)), reported(t, "GPTBot,CCBot", crawl(0, 0), crawl(1, 14))
	three := reported(t, "GPTBot", crawl(0, 3), crawl(1, 0), crawl(2, 14))
	for _, c := range []struct{ page, want string }{
		{three, "hosts with rules in the first and the last crawl close the whole site"}, {three, "hosts with rules in the first and the last crawl, "},
		{one, "<h1>Which hosts are closed to GPTBot?</h1>"}, {one, "close the whole site, by name, to GPTBot<"}, {one, "leave the whole site open to it<"},
		{one, "The audit has one crawler of this purpose."}, {one, ">hosts with rules</th>"},
		{two, "<h1>Which hosts are closed to AI training crawlers?</h1>"}, {two, "at least one of the 2 AI training crawlers"},
		{two, "Files name 2 of 2 crawlers."}, {two, ">with rules in both</th>"},
		{two, "All shares with an arrow, except &#34;by status&#34;, are of the "},
	} {
		if !strings.Contains(c.page, c.want) {
			t.Errorf("the page does not say %q", c.want)
		}
	}
	for _, not := range []string{"whose rules are known", "with a known answer", "known in both", "Later figures", "The first 10", "the 1 AI"} {
		if strings.Contains(one+two, not) {
			t.Errorf("a page says %q", not)
		}
	}
}
