package robotstxt_test

import (
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
)

// TestConformance runs the vectors through every function that gives a verdict.
func TestConformance(t *testing.T) {
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	engine := func(dialect string, body []byte, agents []string, url string) (bool, int) {
		var d robotstxt.Dialect
		if err := d.UnmarshalText([]byte(dialect)); err != nil {
			t.Fatal(err)
		}
		checkDecision(t, d, d.Parse(body), body, agents, url)
		decision := d.Parse(body).Rules(agents...).Explain(url)
		return decision.Allowed, decision.Line
	}
	for _, failure := range conformance.Run(engine, vectors) {
		t.Error(failure)
	}
}
