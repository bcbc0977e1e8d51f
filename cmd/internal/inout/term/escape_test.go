package term_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"/caf\u00e9?a=%20": "/caf\u00e9?a=%20",
		"/\u65e5\u672c":    "/\u65e5\u672c",
		`C:\x1b`:           `C:\x1b`,        // unchanged
		"::error::x":       `\x3a:error::x`, // a workflow command of GitHub
		"  :::x":           `  \x3a\x3a:x`,
		// In linear time, and with a small stack.
		strings.Repeat(":", 1<<20): strings.Repeat(`\x3a`, 1<<20-1) + ":",
		"a::b ##[x] ####[y":        `a::b #\x23[x] ###\x23[y`,
		"a\tb\r\nc":                `a\tb\r\nc`,
		"\x1b[31mred\x7f":          `\x1b[31mred\x7f`,
		"\x00\xff\xc3":             `\x00\xff\xc3`,
		"\u009b31m":                `\u009b31m`,     // CSI in one character
		"\u202egpj.exe":            `\u202egpj.exe`, // turns the text around
		"\u200b\ufeff\u00a0":       `\u200b\ufeff\u00a0`,
		"\U000e0041\ufffd":         "\\U000e0041\ufffd", // a real U+FFFD is harmless
	} {
		if got := term.Escape(text); got != want {
			t.Errorf("Escape(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"/cart", " ::x::", "##[x]####[", "\x1b[31m", "\u202e\u009b\xff", "\u65e5\u0301", "\U000e0041"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := term.Escape(text)
		isOdd := func(r rune) bool { return !unicode.IsPrint(r) }
		if strings.ContainsFunc(got, isOdd) || !utf8.ValidString(got) {
			t.Errorf("Escape(%q) = %q, which is not all printable", text, got)
		}
		if strings.HasPrefix(strings.TrimLeft(got, " "), "::") || strings.Contains(got, "##[") || strings.Contains(got, "##vso[") {
			t.Errorf("Escape(%q) = %q, which is a command", text, got)
		}
		if term.Escape(got) != got {
			t.Errorf("Escape(%q) = %q, which escapes to %q", text, got, term.Escape(got))
		}
		if short := term.Clip(got, 10); term.Width(short) > 10 && utf8.RuneCountInString(short) > 1 {
			t.Errorf("Clip(%q, 10) = %q, of %d columns", got, short, term.Width(short))
		}
	})
}
