package term_test

import (
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "/cart": 5, "caf\u00e9": 4, "cafe\u0301": 4, "\u65e5\u672c": 4, "\U0001f916": 2, "\u2026": 1} {
		if got := term.Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestWidthInAnyLocale: an East Asian locale, which the library has read by now,
// changes no table.
func TestWidthInAnyLocale(t *testing.T) {
	before := runewidth.DefaultCondition.EastAsianWidth
	defer func() { runewidth.DefaultCondition.EastAsianWidth = before }()
	runewidth.DefaultCondition.EastAsianWidth = true
	if got := term.Width("/\u03b1\u2026"); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"/cart", 5, "/cart"},
		{"/carts", 5, "/car\u2026"},
		{"\u65e5\u672c\u8a9e", 5, "\u65e5\u672c\u2026"},
		{"\u65e5\u672c\u8a9e", 4, "\u65e5\u2026"}, // half a character is none
	} {
		if got := term.Clip(test.text, test.width); got != test.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func TestPad(t *testing.T) {
	if got := "\u65e5" + term.Pad("\u65e5", 4) + "|"; got != "\u65e5  |" {
		t.Errorf("got %q", got)
	}
	if got := term.Pad("/cart", 2); got != "" {
		t.Errorf("got %q, want no blanks", got)
	}
}
