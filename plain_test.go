package robotstxt_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// TestCopyValue compares copyValue with its definition, on texts in which any byte may be at
// any place of a step of 32 bytes.
func TestCopyValue(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 8))
	const special = "\n\r#\x00*$%\x80\xFF+ \t\v\f\"!&'()*,-~\x7F"
	for range size(200_000, 4_000_000) {
		text := make([]byte, r.IntN(110))
		rare := 1 + r.IntN(60)
		for i := range text {
			text[i] = byte('+' + r.IntN(0x80-'+'))
			if r.IntN(rare) == 0 {
				text[i] = special[r.IntN(len(special))]
			}
		}
		checkCopyValue(t, string(text), r.IntN(len(text)+1))
	}
}

func checkCopyValue(t *testing.T, text string, from int) {
	t.Helper()
	want := strings.TrimLeft(text[from:], " \t\v\f")
	start := len(text) - len(want)
	end := strings.IndexAny(want, "\n\r#\x00")
	ended := end >= 0 && (want[end] == '\n' || want[end] == '\r')
	if end < 0 {
		end = len(want)
	}
	after := want[end:]
	want = want[:end]
	value, at, gotEnd, wild, coded := robotstxt.CopyValue(text, from)
	if value != want || at != start || gotEnd != ended || wild != strings.ContainsAny(want, "*$") {
		t.Fatalf("%q from %d: %q at %d, ended %v, wild %v, want %q at %d", text, from, value, at, gotEnd, wild, want, start)
	}
	// A byte after the value may have the mark too.
	must := strings.Contains(want, "%") || highByte(want)
	if must && !coded || coded && !must && !highByte(after[:min(len(after), 32)]) {
		t.Fatalf("%q from %d: coded %v", text, from, coded)
	}
}

func highByte(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= 0x80 }) >= 0
}
