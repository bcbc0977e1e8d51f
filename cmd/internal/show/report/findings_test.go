package report_test

import (
	"encoding/json"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// TestWireFindings: the form of each finding is that of package lint, field by field, for
// the bad example of every kind of finding.
func TestWireFindings(t *testing.T) {
	for _, e := range lint.Catalogue() {
		found := lint.Inspect([]byte(e.Bad), e.Example)
		got, err := json.Marshal(report.WireFindings("robots.txt", e.Example.Profile, found))
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(wire.Line{Object: struct {
			File     string         `json:"file"`
			Profile  lint.Profile   `json:"profile"`
			Findings []lint.Finding `json:"findings"`
			Counts   []lint.Count   `json:"counts"`
		}{"robots.txt", e.Example.Profile, found.Findings, found.Counts}})
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", e.Code, got, want)
		}
	}
}
