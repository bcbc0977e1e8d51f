package audit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// TestInterruptedWithoutRows: an interrupt ends the reading of tables and archives in which nothing is a
// robots.txt.
func TestInterruptedWithoutRows(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"crawl.warc":  strings.Repeat(warcRecord("https://shop.example/page", 200, "a"), 10),
		"crawl.tar":   inTar(entryFile{"a", ""}, entryFile{"b", ""}),
		"crawl.zip":   inZip(entryFile{"a", ""}, entryFile{"b", ""}),
		"crawl.csv":   "url,body\n" + strings.Repeat("https://shop.example/page,a\n", 10),
		"crawl.jsonl": strings.Repeat(`{"url":"https://shop.example/page","body":"a"}`+"\n", 10),
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sources, errs := openSources([]string{path}, nil, audit.Config{})
		if len(sources) != 1 || len(errs) > 0 {
			t.Fatalf("%s: %d sources, %v", name, len(sources), errs)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := sources[0].Files(ctx, func(in *audit.Input) error { t.Errorf("%s: got %v", name, in); return nil })
		if err != context.Canceled {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
	}
}

// TestForeignParts: a folder that has other files is not taken for one of parts, because these would be removed with
// it. A folder that is empty, or has only unfinished settings, is used.
func TestForeignParts(t *testing.T) {
	folder := t.TempDir()
	config := audit.PartsConfig{}
	kept := filepath.Join(folder, "kept.txt")
	if err := os.WriteFile(kept, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.OpenParts(folder, config); err == nil || !strings.Contains(err.Error(), "has files") {
		t.Errorf("a folder with another file: %v", err)
	}
	if names, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(names) != 1 || names[0] != kept {
		t.Errorf("the folder has %q, %v", names, err)
	}
	if err := os.Rename(kept, filepath.Join(folder, "settings.json.new")); err != nil {
		t.Fatal(err)
	}
	parts, err := audit.OpenParts(folder, config)
	if err != nil {
		t.Fatalf("a folder with unfinished settings: %v", err)
	}
	if err := parts.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.OpenParts(folder, config); err != nil {
		t.Errorf("a folder that does not exist: %v", err)
	}
}
