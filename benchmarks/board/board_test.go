package board_test

import (
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks/board"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

const again = "measure it again with: go run ./report -only conformance"

// TestBoard: this project fails no check, the stored results are those of the
// parsers in Go today, and the page is the one made from them.
func TestBoard(t *testing.T) {
	checks, err := board.Checks()
	if err != nil || len(checks) < 500 {
		t.Fatalf("%d checks (%v), want at least 500", len(checks), err)
	}
	stored, err := board.Load("../results/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	scores := board.Go(checks)
	for i, score := range scores {
		if score.Name == peers.Ours {
			for id, failure := range score.Failures {
				t.Errorf("%s: we fail: %s", id, failure)
			}
		}
		if len(stored.Scores) <= i {
			t.Fatalf("%s is not stored: %s", score.Name, again)
		}
		storedScore := stored.Scores[i]
		storedScore.Version = score.Version // a test binary does not know it
		if !reflect.DeepEqual(storedScore, score) {
			t.Errorf("the results of %s differ from the stored ones; %s", score.Name, again)
		}
	}
	page, err := os.ReadFile("../results/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != stored.Page(checks) {
		t.Errorf("conformance.md differs from the page made from conformance.json and the vectors; %s", again)
	}
}

// TestOtherLanguages: the stored results are those of the parsers in other languages that can be installed
// here in the same version.
func TestOtherLanguages(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG: it installs parsers from npm, PyPI, Maven and crates.io")
	}
	checks, err := board.Checks()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := board.Load("../results/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range board.OtherLanguages(t.Context(), checks) {
		i := slices.IndexFunc(stored.Scores, func(s board.Score) bool { return s.Name == score.Name })
		switch {
		case score.NotRun != "":
			t.Logf("NOT CHECKED: %s: %s", score.Name, score.NotRun)
		case i < 0:
			t.Errorf("%s is not stored: %s", score.Name, again)
		case stored.Scores[i].Version != score.Version:
			t.Logf("NOT CHECKED: %s: it is %s, and %s is stored", score.Name, score.Version, stored.Scores[i].Version)
		case !reflect.DeepEqual(stored.Scores[i], score):
			t.Errorf("the results of %s differ from the stored ones; %s", score.Name, again)
		}
	}
}
