package enginetest

import (
	"bytes"
	"testing"

	"github.com/kosterhq/robotstxt"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// TestCorpus checks for one in four real files, or with ROBOTSTXT_LONG for each, that its lines,
// joined, equal the file, and that the engine and the reference agree on URLs made from its rules.
func TestCorpus(t *testing.T) {
	t.Parallel()
	urlsPerFile := Size(8, 12)
	cost := Size(200_000, 400_000)
	every := Size(4, 1)
	decisions := 0
	bodies, names := witness.Corpus(t)
	for n, body := range bodies {
		if n%every > 0 {
			continue
		}
		kept := bytes.Clone(body)
		checkLines(t, body)
		// For each query the reference takes time in proportion to the file.
		urls := WitnessURLs(body, min(urlsPerFile, 2+cost/(1+len(body))))
		for _, d := range robotstxt.Dialects() {
			robots := d.Parse(body)
			for i, url := range urls {
				checkDecision(t, d, robots, body, corpusAgents[i%len(corpusAgents)], url)
				decisions++
			}
			checkExtensions(t, d, robots, body, nil)
		}
		if !bytes.Equal(body, kept) {
			t.Errorf("%s: the body was changed", names[n])
		}
		if t.Failed() {
			t.Fatalf("in %s", names[n])
		}
	}
	t.Logf("%d files, %d decisions", len(bodies), decisions)
}

var corpusAgents = [][]string{
	{"*"}, {"Googlebot"}, {"Googlebot-News", "Googlebot"}, {"MJ12bot"}, {"bingbot"}, {"AhrefsBot", "GPTBot"}, {""}, {"Slurp", "MJ"},
}
