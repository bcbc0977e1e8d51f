package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
)

// The file of expectations that the page makes of answers is one that robots test
// reads, and it expects these answers. test/commands.test.ts checks that the page makes
// this file.
func TestCopiedExpectations(t *testing.T) {
	name := filepath.Join("testdata", "copied.robots-test")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	runner := &expect.Runner{ReadFile: func(path string) (*answer.File, error) {
		body, err := os.ReadFile(path)
		return answer.NewFile(body), err
	}}
	suite := runner.Suite(name, text)
	report, err := runner.Run(t.Context(), []*expect.Suite{suite})
	if err != nil || suite.Err != nil {
		t.Fatal(err, suite.Err)
	}
	if passed := report.Count(expect.Passed); passed != len(suite.Checks) || passed < 30 {
		t.Errorf("%d of %d checks passed", passed, len(suite.Checks))
	}
}
