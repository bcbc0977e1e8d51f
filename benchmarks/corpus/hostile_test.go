package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// TestHostile: the files have their stated sizes, each has an explanation, and the
// path matches only in the files that say so.
func TestHostile(t *testing.T) {
	names := map[string]bool{}
	decided := map[string]bool{"stars, b last": true, "triples present": true, "pairs of ten letters": true, "equal rules": true}
	for _, h := range corpus.HostileMatches() {
		f := h.Make()
		explained(t, names, h)
		if len(f.Bytes) < 480_000 || len(f.Bytes) > robotstxt.DefaultBodyLimit {
			t.Errorf("%s: %d bytes", h.Name, len(f.Bytes))
		}
		if n := len(f.Paths[0]); n < 850 || n > 16_000 || n > 2000 && !strings.Contains(h.Name, " KB path") {
			t.Errorf("%s: a path of %d bytes", h.Name, n)
		}
		if d := robotstxt.Parse(f.Bytes).Rules().Explain(f.Paths[0]); (d.Line > 0) != decided[h.Name] {
			t.Errorf("%s: line %d decides", h.Name, d.Line)
		}
	}
	for _, h := range corpus.HostileParses() {
		explained(t, names, h)
		if f := h.Make(); len(f.Bytes) < 270_000 || len(f.Paths) == 0 {
			t.Errorf("%s: %d bytes, %d paths", h.Name, len(f.Bytes), len(f.Paths))
		}
	}
}

func explained(t *testing.T, names map[string]bool, h corpus.Hostile) {
	t.Helper()
	if h.Name == "" || h.What == "" || h.Why == "" || names[h.Name] {
		t.Errorf("%+v: without an explanation, or the second of its name", h)
	}
	names[h.Name] = true
}

// TestHalves: the two halves of a folder are the folder, and do not overlap.
func TestHalves(t *testing.T) {
	folder := t.TempDir()
	for i, body := range corpus.Generate(corpus.DefaultSeed, 1000) {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.txt", i)), body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sizes := map[corpus.Half]int{}
	for _, half := range []corpus.Half{corpus.All, corpus.Work, corpus.Closing} {
		c, err := corpus.Load(folder, half, 1)
		if err != nil {
			t.Fatal(err)
		}
		sizes[half] = len(c.Files)
	}
	if sizes[corpus.Work]+sizes[corpus.Closing] != sizes[corpus.All] || sizes[corpus.Work] < 400 ||
		sizes[corpus.Closing] < 400 {
		t.Errorf("%v", sizes)
	}
	var half corpus.Half
	if err := half.Set("both"); err == nil {
		t.Error("there is a half called both")
	}
	if err := half.Set("closing"); err != nil || half != corpus.Closing || half.String() != "closing" {
		t.Errorf("%v, %v", half, err)
	}
}
