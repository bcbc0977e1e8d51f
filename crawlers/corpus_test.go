package crawlers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// TestCorpusTokens checks that every token in at least one of a hundred real
// files is known. It ignores values that are not product tokens, such as those
// with a version.
func TestCorpusTokens(t *testing.T) {
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("ROBOTSTXT_CORPUS is not set to a folder of real robots.txt files")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no *.txt in ROBOTSTXT_CORPUS=%s (%v)", folder, err)
	}
	files := map[string]int{}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		for line := range robotstxt.Lines(body) {
			if line.Kind == robotstxt.KindUserAgent {
				named[strings.ToLower(string(line.Value))] = true
			}
		}
		for token := range named {
			files[token]++
		}
	}
	for token, n := range files {
		if _, ok := crawlers.Find(token); !ok && n*100 >= len(names) && token != "*" && !strings.Contains(token, "/") {
			t.Errorf("%d of %d files contain %q, which is not a known crawler", n, len(names), token)
		}
	}
}
