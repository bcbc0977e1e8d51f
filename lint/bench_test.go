package lint_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

// BenchmarkCheck checks all files of ROBOTSTXT_CORPUS in each iteration.
func BenchmarkCheck(b *testing.B) {
	bodies, _ := witness.Corpus(b)
	size := int64(0)
	for _, body := range bodies {
		size += int64(len(body))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range bodies {
			lint.Check(body, lint.Config{})
		}
	}
}
