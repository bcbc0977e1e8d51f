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
	return filesOf(t, "ROBOTSTXT_CORPUS")
}

// Corpora returns the files of Corpus and those of Newer.
func Corpora(t testing.TB) (bodies [][]byte, names []string) {
	t.Helper()
	bodies, names = Corpus(t)
	more, moreNames := Newer(t)
	return append(bodies, more...), append(names, moreNames...)
}

// Newer returns the files of 2025 and 2026 in the folder that ROBOTSTXT_CORPUS2026 names, or none if
// it is not set.
func Newer(t testing.TB) (bodies [][]byte, names []string) {
	t.Helper()
	if os.Getenv("ROBOTSTXT_CORPUS2026") == "" {
		return nil, nil
	}
	return filesOf(t, "ROBOTSTXT_CORPUS2026")
}

func filesOf(t testing.TB, variable string) (bodies [][]byte, names []string) {
	t.Helper()
	folder := os.Getenv(variable)
	if folder == "" {
		t.Skip(variable + " is not set: want a folder of real robots.txt files")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no *.txt in %s=%s (%v)", variable, folder, err)
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
