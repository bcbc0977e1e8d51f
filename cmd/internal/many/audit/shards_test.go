package audit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// shards is how many processes TestShardProcesses starts.
const shards = 4

// TestShardProcesses audits an archive in four processes at the same time, and merges
// their tables into one Parquet file. It has the rows of a single process.
func TestShardProcesses(t *testing.T) {
	if shard := os.Getenv("AUDIT_SHARD"); shard != "" {
		auditShard(t, shard)
		return
	}
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&lines, `{"host": "h%d.example", "body": "User-agent: *\\nDisallow: /%d\\n"}`+"\n", i, i%3)
	}
	writeFile(t, filepath.Join(dir, "a.ndjson"), []byte(lines.String()))
	var children []*exec.Cmd
	for i := range shards {
		child := exec.Command(os.Args[0], "-test.run=^TestShardProcesses$")
		child.Env = append(os.Environ(), "AUDIT_SHARD="+fmt.Sprint(i+1), "AUDIT_DIR="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	for _, child := range children {
		if err := child.Wait(); err != nil {
			t.Fatal(err)
		}
	}

	merged, err := os.Create(filepath.Join(dir, "merged.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer merged.Close()
	writer := parquet.NewGenericWriter[audit.Crawler](merged)
	for i := range shards {
		err := audit.ReadTable(filepath.Join(dir, fmt.Sprintf("crawlers-%d.parquet", i+1)), func(c *audit.Crawler) error {
			_, err := writer.Write([]audit.Crawler{*c})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	var got, want []string
	if err := audit.ReadTable(merged.Name(), func(c *audit.Crawler) error {
		got = append(got, said(c))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	_, rows := run(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot"), Exact: true}},
		audit.Config{}, filepath.Join(dir, "a.ndjson"))
	for i := range rows {
		want = append(want, said(&rows[i]))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(got) != 2000 {
		t.Errorf("%d rows of the shards, %d of one process", len(got), len(want))
	}
}

// auditShard is a process of TestShardProcesses.
func auditShard(t *testing.T, shard string) {
	dir := os.Getenv("AUDIT_DIR")
	var index int
	fmt.Sscan(shard, &index)
	sources, _ := openSources([]string{filepath.Join(dir, "a.ndjson")}, nil, audit.Config{})
	questions := audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot"), Exact: true}
	parts := audited(t, audit.Options{Questions: questions, Shard: audit.Shard{Index: index, Count: shards}}, 0,
		sources)
	writeTables(t, parts, dir, "crawlers-"+shard+".parquet")
}
