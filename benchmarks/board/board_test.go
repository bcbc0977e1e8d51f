package board_test

import (
	"os"
	"reflect"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks/board"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

const again = "measure it again with: go run ./report -only conformance"

// TestBoard: this project fails nothing, and what is stored is what the parsers
// in Go answer now, and the page made of it.
func TestBoard(t *testing.T) {
	questions, err := board.Questions()
	if err != nil || len(questions) < 500 {
		t.Fatalf("%d questions (%v), want some hundreds", len(questions), err)
	}
	stored, err := board.Load("../results/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	scores := board.Go(questions)
	for i, score := range scores {
		if score.Name == peers.Ours {
			for id, failure := range score.Failures {
				t.Errorf("%s: we fail: %s", id, failure)
			}
		}
		if len(stored.Scores) <= i {
			t.Fatalf("%s is not stored: %s", score.Name, again)
		}
		was := stored.Scores[i]
		was.Version = score.Version // a test binary does not know it
		if !reflect.DeepEqual(was, score) {
			t.Errorf("%s does not answer as stored; %s", score.Name, again)
		}
	}
	page, err := os.ReadFile("../results/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != stored.Page(questions) {
		t.Errorf("conformance.md is not what conformance.json and the vectors give; %s", again)
	}
}
