package term_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// FuzzPrintJSON: the JSON is safe to print and decodes to what was encoded.
func FuzzPrintJSON(f *testing.F) {
	for _, seed := range []string{"/cart?a=1&b=<2>", "##[x]###vso[", "\x1b[31m\x7f", "\u202e\u009b", "\U000e0041", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		if err := term.PrintJSON(&b, text); err != nil {
			t.Fatal(err)
		}
		line, terminated := strings.CutSuffix(b.String(), "\n")
		if !terminated || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("PrintJSON(%q) = %q, which is not one printable line", text, b.String())
		}
		if strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("PrintJSON(%q) = %q, which contains a command", text, line)
		}
		var got string
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(text, "\ufffd"); utf8.ValidString(text) && got != want {
			t.Errorf("PrintJSON(%q) reads back as %q", text, got)
		}
	})
}
