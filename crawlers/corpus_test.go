package crawlers_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// TestCorpusTokens checks that every token in at least one of a hundred real
// files is known. It ignores values that are not product tokens, such as those
// with a version.
func TestCorpusTokens(t *testing.T) {
	bodies, _ := witness.Corpus(t)
	files := map[string]int{}
	for _, body := range bodies {
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
		if _, ok := crawlers.Find(token); !ok && n*100 >= len(bodies) && token != "*" && !strings.Contains(token, "/") {
			t.Errorf("%d of %d files contain %q, which is not a known crawler", n, len(bodies), token)
		}
	}
}
