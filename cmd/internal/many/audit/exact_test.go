package audit_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// realFiles returns the folder of real files, and skips the test without one.
func realFiles(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("ROBOTSTXT_CORPUS is not set")
	}
	return folder
}

// The columns of crawlers have the verdicts of robots check.
func TestVerdictsOfCheck(t *testing.T) {
	folder := realFiles(t)
	samples := []string{"/", "/search?q=tea", "/wp-admin/", "/images/a.jpg", "/index.html"}
	asked := crawlersOf(t, "*,Googlebot,Googlebot-News:Googlebot,GPTBot,CCBot")
	_, rows := run(t, audit.Options{Questions: audit.Questions{Crawlers: asked, Samples: samples}}, audit.Config{},
		folder)
	questions := 0
	for i := 0; i < len(rows); i += len(asked) {
		data, err := os.ReadFile(filepath.Join(folder, rows[i].Record))
		if err != nil {
			t.Fatal(err)
		}
		ruling := answer.RuleFile(answer.NewFile(data[:min(len(data), robotstxt.DefaultBodyLimit)]), nil, asked)
		for crawler := range asked {
			row := rows[i+crawler]
			var allowed int32
			for _, url := range samples {
				visit := answer.Visit{URL: url, Compared: url, Ruling: ruling}
				got := visit.Answer(crawler)
				questions++
				if got.Allowed {
					allowed++
				}
				if url == "/" && got.Allowed != *row.Home || got.MatchedBy != *row.MatchedBy || got.Body != *row.Body {
					t.Errorf("%s, %s: check says %v %s %s, the audit %s %s %s", row.Record, row.Crawler, got.Allowed, got.MatchedBy, got.Body, text(row.Home),
						text(row.MatchedBy), text(row.Body))
				}
			}
			if allowed != *row.Samples {
				t.Errorf("%s, %s: check allows %d URLs, the audit %s", row.Record, row.Crawler, allowed, text(row.Samples))
			}
		}
	}
	t.Logf("%d questions", questions)
	if questions < 50_000 {
		t.Errorf("%d questions are too few", questions)
	}
}

// The summary has the counts of a plain recount of the JSON lines.
func TestSummary(t *testing.T) {
	var arguments []string
	for form, name := range archives(t) {
		if form != "pattern" {
			arguments = append(arguments, name)
		}
	}
	if folder := os.Getenv("ROBOTSTXT_CORPUS"); folder != "" {
		arguments = append(arguments, folder)
	}
	sources, _ := openSources(arguments, nil, audit.Config{})
	dir := t.TempDir()
	census := audit.NewCensus(audit.ByCapture, false)
	questions := audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot,CCBot"), Exact: true, Lint: true}
	parts := audited(t, audit.Options{Questions: questions, Census: census}, 0, sources)
	summary := census.Crawls()[0].Count(audit.CountConfig{Purposes: func(crawler string) []string {
		return testPurposes[crawler]
	}})
	writeTables(t, parts, dir, "files.jsonl", "crawlers.jsonl")
	samePurposes(t, summary, filepath.Join(dir, "crawlers.jsonl"))
	files, crawlers := map[string]int{}, map[string]int{}
	recount(t, filepath.Join(dir, "files.jsonl"), func(row map[string]any) {
		files["all"]++
		files[fmt.Sprint("body ", row["body"])]++
		if row["lint_codes"] != nil {
			files["linted"]++
		}
		if row["content_signal"] != nil {
			files["signal"]++
		}
	})
	recount(t, filepath.Join(dir, "crawlers.jsonl"), func(row map[string]any) {
		if row["body"] == "text" || row["body"] == "empty" {
			rest := ""
			if row["rest"] != nil {
				rest = fmt.Sprint(row["rest"])
			}
			crawlers[fmt.Sprint(row["crawler"], row["matched_by"], row["access"])+rest]++
		}
	})
	for what, n := range map[string]int{
		"all": summary.Sites, "linted": summary.Linted, "signal": summary.Signals["Content-Signal"], "body text": summary.Bodies[robotstxt.BodyText],
		"body html": summary.Bodies[robotstxt.BodyHTML], "body binary": summary.Bodies[robotstxt.BodyBinary],
		"body empty": summary.Bodies[robotstxt.BodyEmpty],
	} {
		if files[what] != n {
			t.Errorf("%s: %d in the summary, %d counted", what, n, files[what])
		}
	}
	for _, crawler := range []string{"*", "GPTBot"} {
		for treatment, key := range map[audit.Treatment][]string{
			audit.ClosedByName: {"nameclosed"}, audit.ClosedByStar: {"starclosed"}, audit.MostlyClosed: {"namepartlyfalse", "starpartlyfalse"}, audit.MostlyOpen: {"namepartlytrue", "starpartlytrue"}, audit.FullyOpen: {"nameopen", "staropen", "noneopen"},
		} {
			want := 0
			for _, key := range key {
				want += crawlers[crawler+key]
			}
			if got := summary.Crawlers[crawler].Treatments[treatment]; got != want {
				t.Errorf("%s %s: %d in the summary, %d counted", crawler, treatment, got, want)
			}
		}
	}
}

// testPurposes are the purposes of the crawlers of TestSummary.
var testPurposes = map[string][]string{"GPTBot": {"training"}, "CCBot": {"training", "archive"}}

// samePurposes compares the counts of whole files with those of their rows in the table.
func samePurposes(t *testing.T, summary *audit.Summary, name string) {
	t.Helper()
	treatments := map[string]map[string]string{} // by file and crawler
	months := map[string]string{}
	recount(t, name, func(row map[string]any) {
		if row["matched_by"] == nil || row["body"] != "text" && row["body"] != "empty" {
			return
		}
		file := fmt.Sprint(row["input"], "\x00", row["record"])
		if treatments[file] == nil {
			treatments[file] = map[string]string{}
		}
		treatment := fmt.Sprint(row["access"])
		if row["rest"] != nil {
			treatment = fmt.Sprint("rest ", row["rest"])
		}
		if treatment == "closed" {
			treatment += " " + row["matched_by"].(string)
		}
		treatments[file][row["crawler"].(string)] = treatment
		if at, ok := row["fetched_at"].(string); ok {
			months[file] = at[:len("2026-11")]
		}
	})
	order := []string{"closed name", "closed fallback", "closed star", "closed status", "rest false", "partly", "rest true", "depends", "<nil>", "open"}
	want := map[string]int{}
	for file, of := range treatments {
		want["known"]++
		shut := func(crawler string) bool { return strings.HasPrefix(of[crawler], "closed") }
		if shut("GPTBot") && shut("CCBot") {
			want["training all"]++
		}
		strictest := min(slices.Index(order, of["GPTBot"]), slices.Index(order, of["CCBot"]))
		want[fmt.Sprint("training ", strictest)]++
		want["archive "+fmt.Sprint(slices.Index(order, of["CCBot"]))]++
		if month := months[file]; month != "" {
			want[fmt.Sprint(month, " training ", strictest)]++
		}
	}
	got := map[string]int{"known": summary.Known, "training all": summary.Purposes["training"].All}
	for i := range order {
		got[fmt.Sprint("training ", i)] = summary.Purposes["training"].Sites[i]
		got[fmt.Sprint("archive ", i)] = summary.Purposes["archive"].Sites[i]
		for month, count := range summary.Months {
			got[fmt.Sprint(month, " training ", i)] = count["training"][i]
		}
	}
	maps.DeleteFunc(got, func(_ string, n int) bool { return n == 0 })
	if !maps.Equal(got, want) {
		t.Errorf("in the summary %v\ncounted %v", got, want)
	}
}

func recount(t *testing.T, name string, count func(map[string]any)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row map[string]any
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		count(row)
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}
