package benchmarks_test

import (
	"flag"
	"os"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

var (
	folder = flag.String("corpus", os.Getenv("ROBOTSTXT_CORPUS"), "folder of robots.txt files, *.txt; generated if empty")
	seed   = flag.Uint64("seed", corpus.DefaultSeed, "of generated files and of paths")
)

// load returns the generated files, or the half of the folder to work with.
func load(t testing.TB) *corpus.Corpus {
	t.Helper()
	if *folder == "" {
		return corpus.Generated(*seed)
	}
	c, err := corpus.Load(*folder, corpus.Work, *seed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
