package lint_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// BenchmarkCheck checks all files of ROBOTSTXT_CORPUS in each iteration.
func BenchmarkCheck(b *testing.B) {
	dir := os.Getenv("ROBOTSTXT_CORPUS")
	if dir == "" {
		b.Skip("ROBOTSTXT_CORPUS is not set")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		b.Fatal(err)
	}
	var bodies [][]byte
	size := int64(0)
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		bodies, size = append(bodies, body), size+int64(len(body))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range bodies {
			lint.Check(body, lint.Config{})
		}
	}
}
