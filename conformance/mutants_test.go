package conformance_test

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
)

// TestMutants makes each mistake of smallParser alone. The small parser answers all checks, so what
// finds a mistake is the kit. Every mistake must be found.
func TestMutants(t *testing.T) {
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	delays, err := conformance.DelayCases()
	if err != nil {
		t.Fatal(err)
	}
	small := newSmallParser("")
	for _, failure := range conformance.Run(small.answer, vectors) {
		t.Errorf("the small parser: %s", failure)
	}
	for _, failure := range conformance.RunDelays(small.delay, delays) {
		t.Errorf("the small parser: %s", failure)
	}
	if len(small.mistakes) < 100 {
		t.Errorf("only %d mistakes", len(small.mistakes))
	}
	slices.SortFunc(vectors, func(a, b conformance.Vector) int { // the quick ones first
		return cmp.Compare(len(a.Body)*len(a.Checks), len(b.Body)*len(b.Checks))
	})
	for _, mistake := range slices.Sorted(maps.Keys(small.mistakes)) {
		broken := newSmallParser(mistake)
		found := len(conformance.RunDelays(broken.delay, delays)) > 0
		if !found && !slices.ContainsFunc(vectors, func(v conformance.Vector) bool {
			return len(conformance.Run(broken.answer, []conformance.Vector{v})) > 0
		}) {
			t.Errorf("no check finds that %s", mistake)
		}
	}
}
