package corpus_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// TestGenerate: what the generator promises of its files, within a few percent.
func TestGenerate(t *testing.T) {
	bodies := corpus.Generate(corpus.DefaultSeed, 1000)
	if !reflect.DeepEqual(bodies, corpus.Generate(corpus.DefaultSeed, 1000)) {
		t.Fatal("the same seed gives other bodies")
	}
	var size, pages, crlf, rules, wild, allow, typical int
	for _, body := range bodies {
		size += len(body)
		switch {
		case bytes.HasPrefix(body, []byte("<!DOCTYPE")):
			pages++
		case bytes.Contains(body, []byte("\r\n")):
			crlf++
		}
		if len(body) >= 800 && len(body) <= 1250 {
			typical++
		}
		for group := range robotstxt.Parse(body).Groups() {
			for rule := range group.Rules() {
				rules++
				if bytes.ContainsAny([]byte(rule.Pattern), "*$") {
					wild++
				}
				if rule.Allow {
					allow++
				}
			}
		}
	}
	for _, share := range []struct {
		what      string
		got       float64
		low, high float64
	}{
		{"mean size", float64(size) / 1000, 2000, 4500},
		{"HTML pages", float64(pages) / 1000, 0.06, 0.12},
		{"files with CRLF, of the others", float64(crlf) / float64(1000-pages), 0.18, 0.26},
		{"rules with wildcards", float64(wild) / float64(rules), 0.25, 0.33},
		{"rules that allow", float64(allow) / float64(rules), 0.10, 0.15},
		{"typical files", float64(typical), 40, 300},
	} {
		t.Logf("%s: %.3f", share.what, share.got)
		if share.got < share.low || share.got > share.high {
			t.Errorf("%s: %v, want %v to %v", share.what, share.got, share.low, share.high)
		}
	}
}

func TestLoad(t *testing.T) {
	folder := t.TempDir()
	if _, err := corpus.Load(folder, corpus.All, 1); err == nil {
		t.Error("a folder without files is a corpus")
	}
	body := "User-agent: *\nDisallow: /a/*/b$\n"
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Load(folder, corpus.All, 1)
	if err != nil || len(c.Files) != 1 || c.Files[0].Text != body || c.Size() != len(body) ||
		len(c.Files[0].Paths) != corpus.PathsPerFile {
		t.Errorf("got %+v, %v", c, err)
	}
}

// TestShapes: the made files are what the experiments say of them.
func TestShapes(t *testing.T) {
	rulesOf := func(body corpus.Body) map[string]bool {
		patterns := map[string]bool{}
		for group := range robotstxt.Parse(body.Bytes).Groups() {
			for rule := range group.Rules() {
				patterns[rule.Pattern] = true
			}
		}
		return patterns
	}
	if n, size := len(rulesOf(corpus.WorstFile())), len(corpus.WorstFile().Bytes); n != 10_769 || size < 480_000 ||
		size > robotstxt.DefaultBodyLimit {
		t.Errorf("the worst file has %d distinct rules in %d bytes", n, size)
	}
	for _, f := range []corpus.File{corpus.Literals(1000), corpus.Wildcards(1000), corpus.ShortWildcards(1000)} {
		rules := robotstxt.Parse(f.Bytes).Rules("Googlebot")
		disallowed := 0
		for _, path := range f.Paths {
			if !rules.Allowed(path) {
				disallowed++
			}
		}
		if n := len(rulesOf(f.Body)); n != 1000 || len(f.Paths) != 400 {
			t.Errorf("%d distinct rules, %d paths", n, len(f.Paths))
		}
		// A near miss of a short rule may match another one.
		if disallowed < 160 || disallowed > 290 {
			t.Errorf("%d of 400 paths match, want 160 or somewhat more", disallowed)
		}
	}
	file, present, absent := corpus.Agents()
	robots := robotstxt.Parse(file.Bytes)
	agents := 0
	for group := range robots.Groups() {
		for range group.Agents() {
			agents++
		}
	}
	if allowed := robots.NamedRules(present); agents != 10_000 || allowed == robots.NamedRules(absent) {
		t.Errorf("%d agents; present and absent have the same rules", agents)
	}
}
