package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"/caf\u00e9?a=%20":   "/caf\u00e9?a=%20",
		"/\u65e5\u672c":      "/\u65e5\u672c",
		`C:\x1b`:             `C:\x1b`,        // as spelt
		"::error::x":         `\x3a:error::x`, // an order to GitHub
		"  :::x":             `  \x3a\x3a:x`,
		"a::b ##[x] ####[y":  `a::b #\x23[x] ###\x23[y`,
		"a\tb\r\nc":          `a\tb\r\nc`,
		"\x1b[31mred\x7f":    `\x1b[31mred\x7f`,
		"\x00\xff\xc3":       `\x00\xff\xc3`,
		"\u009b31m":          `\u009b31m`,     // CSI in one character
		"\u202egpj.exe":      `\u202egpj.exe`, // turns the text around
		"\u200b\ufeff\u00a0": `\u200b\ufeff\u00a0`,
		"\U000e0041\ufffd":   "\\U000e0041\ufffd", // a real U+FFFD is harmless
	} {
		if got := escape(text); got != want {
			t.Errorf("escape(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"/cart", " ::x::", "##[x]####[", "\x1b[31m", "\u202e\u009b\xff", "\u65e5\u0301", "\U000e0041"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := escape(text)
		if i := strings.IndexFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("escape(%q) = %q, which is not all printable", text, got)
		}
		if strings.HasPrefix(strings.TrimLeft(got, " "), "::") || strings.Contains(got, "##[") || strings.Contains(got, "##vso[") {
			t.Errorf("escape(%q) = %q, which is an order", text, got)
		}
		if escape(got) != got {
			t.Errorf("escape(%q) = %q, which escapes to %q", text, got, escape(got))
		}
		if short := clip(got, 10); columns(short) > 10 && utf8.RuneCountInString(short) > 1 {
			t.Errorf("clip(%q, 10) = %q, of %d columns", got, short, columns(short))
		}
	})
}

// FuzzPrintJSON holds that the JSON is safe to show and means what was printed.
func FuzzPrintJSON(f *testing.F) {
	for _, seed := range []string{"/cart?a=1&b=<2>", "##[x]###vso[", "\x1b[31m\x7f", "\u202e\u009b", "\U000e0041", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		if err := printJSON(&b, answer{URL: text}); err != nil {
			t.Fatal(err)
		}
		line, terminated := strings.CutSuffix(b.String(), "\n")
		if !terminated || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("printJSON(%q) = %q, which is not one printable line", text, b.String())
		}
		if strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("printJSON(%q) = %q, which holds an order", text, line)
		}
		var got answer
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(text, "\ufffd"); utf8.ValidString(text) && got.URL != want {
			t.Errorf("printJSON(%q) reads back as %q", text, got.URL)
		}
	})
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "/cart": 5, "caf\u00e9": 4, "cafe\u0301": 4, "\u65e5\u672c": 4} {
		if got := columns(text); got != want {
			t.Errorf("columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	names := []string{"agent", "dialect", "file", "json", "limit", "quiet", "urls"}
	for misspelt, want := range map[string]string{
		"agnet": "agent", "agents": "agent", "user-agent": "", "dial": "dialect", "url": "urls",
		"flie": "file", "": "", "x": "", "completely": "",
	} {
		if got := closest(misspelt, names); got != want {
			t.Errorf("closest(%q) = %q, want %q", misspelt, got, want)
		}
	}
}
