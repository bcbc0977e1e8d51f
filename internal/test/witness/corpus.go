package witness

import (
	"os"
	"path/filepath"
	"testing"
)

// Corpus returns the real files, *.txt, in the folder that ROBOTSTXT_CORPUS names, sorted by
// their names. Without the variable it skips the test.
func Corpus(t testing.TB) (bodies [][]byte, names []string) {
	t.Helper()
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("ROBOTSTXT_CORPUS is not set: want a folder of real robots.txt files")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no *.txt in ROBOTSTXT_CORPUS=%s (%v)", folder, err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return bodies, names
}
