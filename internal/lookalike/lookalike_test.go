package lookalike_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/lookalike"
)

// FuzzFold: a text in ASCII stays as it is, and what is folded stays so.
func FuzzFold(f *testing.F) {
	for _, seed := range []string{"GPTBot", "Perplexity\u2011User", "\u0410\u0391\uff27", "\x96\xa0\xad\xff", "\u201cx\u2019", "\u0301\ufeff\u200b", "\t\x00\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		folded := lookalike.Fold(name)
		if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) && folded != name {
			t.Errorf("Fold(%q) = %q", name, folded)
		}
		if utf8.ValidString(name) && lookalike.Fold(folded) != folded {
			t.Errorf("Fold(%q) = %q, and again %q", name, folded, lookalike.Fold(folded))
		}
	})
}
