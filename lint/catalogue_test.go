package lint_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// codesIn returns the codes of the findings in body.
func codesIn(body string, config lint.Config) []lint.Code {
	var codes []lint.Code
	for _, f := range lint.Check([]byte(body), config) {
		codes = append(codes, f.Code)
	}
	return codes
}

// TestExamples holds the catalogue to its word: each code is found in its bad
// example and not in its good one.
func TestExamples(t *testing.T) {
	for _, e := range lint.Catalogue() {
		t.Run(string(e.Code), func(t *testing.T) {
			if codes := codesIn(e.Bad, e.Example); !slices.Contains(codes, e.Code) {
				t.Errorf("not found in its bad example, but %v:\n%s", codes, e.Bad)
			}
			mended := e.Example
			if e.GoodExample != nil {
				mended = *e.GoodExample
			}
			if slices.Contains(codesIn(e.Good, mended), e.Code) {
				t.Errorf("found in its good example:\n%s", e.Good)
			}
		})
	}
}

// TestCatalogue holds the form of the entries.
func TestCatalogue(t *testing.T) {
	code := regexp.MustCompile(`^RX[1-6][0-9][0-9]$`)
	name := regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)*$`)
	last, names := lint.Code(""), map[string]bool{}
	for _, e := range lint.Catalogue() {
		if !code.MatchString(string(e.Code)) || e.Code <= last {
			t.Errorf("code %q after %q: want RX and three digits, in order", e.Code, last)
		}
		if !name.MatchString(e.Name) || names[e.Name] {
			t.Errorf("%s: name %q: want words joined by '-', once", e.Code, e.Name)
		}
		for what, text := range map[string]string{"title": e.Title, "why": e.Why} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
				t.Errorf("%s: %s %q: want sentences on one line", e.Code, what, text)
			}
		}
		last, names[e.Name] = e.Code, true
	}
}
