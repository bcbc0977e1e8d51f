package audit_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// TestDigests: inputs have the SHA-256 of their bytes, and a folder that of what sha256sum prints for its files.
func TestDigests(t *testing.T) {
	dir := t.TempDir()
	folder, archive := filepath.Join(dir, "sites"), filepath.Join(dir, "a.warc")
	writeFile(t, filepath.Join(folder, "b.example"), []byte(closesAll))
	writeFile(t, filepath.Join(folder, "a.example"), []byte(openFile))
	writeFile(t, filepath.Join(folder, "README"), nil)
	writeFile(t, archive, []byte(siteOf("c.example")))
	stdin := siteOf("d.example")
	in, errs := audit.Open([]string{folder, archive, "-"}, strings.NewReader(stdin), audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if _, err := audit.Run(t.Context(), in.Sources, nil, audit.Options{}); err != nil {
		t.Fatal(err)
	}
	got, err := in.Digests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	lines := sum(openFile) + "  a.example\n" + sum(closesAll) + "  b.example\n"
	want := []wire.AuditDigest{
		{Name: folder, Bytes: int64(len(openFile) + len(closesAll)), SHA256: sum(lines)},
		{Name: archive, Bytes: int64(len(siteOf("c.example"))), SHA256: sum(siteOf("c.example"))},
		{Name: "-", Bytes: int64(len(stdin)), SHA256: sum(stdin)},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// TestProvenance: Parquet tables have their provenance, those that are joined from parts and others.
func TestProvenance(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "sites", "a.example"), []byte(openFile))
	sources, _ := openSources([]string{filepath.Join(dir, "sites")}, nil, audit.Config{})
	made := &wire.AuditProvenance{Tool: "v9.8.7 (0123456789ab)", Policy: "google"}
	parts := audited(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot")}}, 100, sources)
	parts.Provenance = made
	writeTables(t, parts, dir, "files.parquet", "crawlers.parquet")
	census := countedFor(t, audit.ByHost, "GPTBot", filepath.Join(dir, "sites"))
	census.Provenance = made
	if err := census.WriteSites([]string{filepath.Join(dir, "sites.parquet")}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"files", "crawlers", "sites"} {
		file, err := os.Open(filepath.Join(dir, name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		info, _ := file.Stat()
		table, err := parquet.OpenFile(file, info.Size())
		if err != nil {
			t.Fatal(err)
		}
		text, _ := table.Lookup("robotstxt.audit")
		by := table.Metadata().CreatedBy
		if !strings.Contains(text, `"policy":"google"`) || !strings.Contains(by, "9.8.7") || !strings.Contains(by, "0123456789ab") {
			t.Errorf("%s: %q, %q", name, text, by)
		}
		file.Close()
	}
}
