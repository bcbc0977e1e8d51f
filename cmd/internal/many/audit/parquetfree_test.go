//go:build linux

package audit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// TestCountsOnly: without parts, Run counts the files.
func TestCountsOnly(t *testing.T) {
	// all but the long one
	if summary := countParquetFree(t, nil); summary.Sites != parquetFreeFiles ||
		summary.Crawlers["GPTBot"].Closed() != parquetFreeFiles-1 {
		t.Errorf("%d sites, %d closed", summary.Sites, summary.Crawlers["GPTBot"].Closed())
	}
}

// TestCountsAndTables: likewise with parts.
func TestCountsAndTables(t *testing.T) {
	parts, err := audit.OpenParts(t.TempDir(), audit.PartsConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if summary := countParquetFree(t, parts); summary.Sites != parquetFreeFiles {
		t.Errorf("%d sites", summary.Sites)
	}
}

const parquetFreeFiles = 300

func countParquetFree(t *testing.T, parts *audit.Parts) *audit.Summary {
	t.Helper()
	census := audit.NewCensus(audit.ByHost, false)
	options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot"), Exact: true}, Census: census}
	if _, err := audit.Run(t.Context(), []audit.Source{endless{parquetFreeFiles}}, parts, options); err != nil {
		t.Fatal(err)
	}
	return census.Crawls()[0].Count(audit.CountConfig{})
}

// TestNoParquetWithoutTable: no statement of the Parquet library runs if only counts are
// wanted. The coverage of that library says so; with tables many of its statements run.
func TestNoParquetWithoutTable(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "audit.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-covermode=set", "-coverpkg=github.com/parquet-go/parquet-go/...", "-o", program, ".")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	covered := func(test string) map[string]bool {
		profile := filepath.Join(folder, "profile")
		if output, err := exec.CommandContext(t.Context(), program, "-test.run=^"+test+"$", "-test.coverprofile="+profile).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			t.Fatal(err)
		}
		statements := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if at, ok := strings.CutSuffix(line, " 1\n"); ok {
				statements[at] = true
			}
		}
		return statements
	}
	idle := covered("NoTestHasThisName") // what the library initializes
	counts := covered("TestCountsOnly")
	for statement := range counts {
		if !idle[statement] {
			t.Errorf("counts run %s", statement)
		}
	}
	if tables := covered("TestCountsAndTables"); len(tables) < len(counts)+1000 {
		t.Errorf("tables run %d statements of the library, counts %d", len(tables), len(counts))
	}
	t.Logf("%d statements of the library run without a test, %d with counts", len(idle), len(counts))
}
