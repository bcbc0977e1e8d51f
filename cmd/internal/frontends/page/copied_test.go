package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
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

// TestGermanWords: the page has the German for each word that the tool writes in tables of uses.
func TestGermanWords(t *testing.T) {
	german, err := os.ReadFile(filepath.Join("src", "german.ts"))
	if err != nil {
		t.Fatal(err)
	}
	words := []string{}
	for _, p := range append(crawlers.Purposes(), permission.Purposes()...) {
		words = append(words, prose.UseWords(p))
	}
	for _, verdict := range []permission.Verdict{permission.Allowed, permission.Disallowed, permission.Reserved,
		permission.Unknown} {
		for _, kind := range []permission.Kind{permission.KindRule, permission.KindSignal, permission.KindUnread} {
			words = append(words, prose.AnswerWords(&wire.PermitAnswer{Answer: permission.Answer{Verdict: verdict,
				Kind: kind}}))
		}
	}
	letter, err := prose.PermitMarkdown(&wire.Permit{Operator: "OpenAI", Answers: []wire.PermitAnswer{{}}})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(letter) {
		if columns, isTable := strings.CutPrefix(strings.TrimSpace(line), "| use |"); isTable {
			words = append(words, strings.Split(strings.Trim(columns, " |"), " | ")...)
		}
	}
	for _, word := range words {
		if !regexp.MustCompile(`(?m)^  "?` + regexp.QuoteMeta(word) + `"?:`).Match(german) {
			t.Errorf("there is no German for %q", word)
		}
	}
	if len(words) < 36 {
		t.Errorf("%d words", len(words))
	}
}
