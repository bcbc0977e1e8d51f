package robotstxt_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// corpusFiles returns the paths of the real robots.txt files in the folder that
// ROBOTSTXT_CORPUS names, and skips the test without it.
func corpusFiles(t testing.TB) []string {
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("ROBOTSTXT_CORPUS is not set: want a folder of real robots.txt files")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.txt in ROBOTSTXT_CORPUS=%s (%v)", folder, err)
	}
	return files
}

// TestCorpus checks for each real file that its lines, joined, equal the file, and
// that the engine and the reference agree on URLs made from its rules.
func TestCorpus(t *testing.T) {
	urlsPerFile, cost := 8, 200_000
	if long() {
		urlsPerFile, cost = 60, 4_000_000
	}
	decisions := 0
	files := corpusFiles(t)
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kept := bytes.Clone(body)
		checkLines(t, body)
		// For each query the reference takes time in proportion to the file.
		urls := witnessURLs(body, min(urlsPerFile, 2+cost/(1+len(body))))
		for _, d := range robotstxt.Dialects() {
			robots := d.Parse(body)
			for i, url := range urls {
				checkDecision(t, d, robots, body, corpusAgents[i%len(corpusAgents)], url)
				decisions++
			}
			checkExtensions(t, d, robots, body, nil)
		}
		if !bytes.Equal(body, kept) {
			t.Errorf("%s: the body was changed", file)
		}
		if t.Failed() {
			t.Fatalf("in %s", file)
		}
	}
	t.Logf("%d files, %d decisions", len(files), decisions)
}

var corpusAgents = [][]string{
	{"*"}, {"Googlebot"}, {"Googlebot-News", "Googlebot"}, {"MJ12bot"}, {"bingbot"}, {"AhrefsBot", "GPTBot"}, {""}, {"Slurp", "MJ"},
}
