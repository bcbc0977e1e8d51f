package editor_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint/editor"
)

// TestApply: edits give the same body together and one by one, and one edit replaces the
// text between the offsets of its range.
func TestApply(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString([]string{"a", "\r", "\n", "\r\n", "é", "\U0001f916", "\ufeff"}[random.IntN(7)])
		}
		return b.String()
	}
	position := func() editor.Position {
		return editor.Position{Line: random.IntN(6) - 1, Character: random.IntN(6) - 1}
	}
	for range 50_000 {
		body, encoding := text(), editor.Encoding(random.IntN(2))
		edits := make([]editor.Edit, random.IntN(6))
		want := []byte(body)
		for i := range edits {
			edits[i] = editor.Edit{Range: editor.Range{Start: position(), End: position()}, New: text()}
			d := editor.New(want, editor.Config{Encoding: encoding})
			start, end := d.Offset(edits[i].Range.Start), d.Offset(edits[i].Range.End)
			want = []byte(string(want[:start]) + edits[i].New + string(want[max(start, end):]))
		}
		if got := editor.Apply([]byte(body), encoding, edits); string(got) != string(want) {
			t.Fatalf("%+v of %q in encoding %d make %q, want %q", edits, body, encoding, got, want)
		}
	}
}

// TestApplyFast: thousands of edits are made in one pass if they are in the order of the text
// or the last one of the text is the first.
func TestApplyFast(t *testing.T) {
	const lines = 2000
	body, want := []byte(strings.Repeat("x\n", lines)), strings.Repeat("#\n", lines)
	edits := make([]editor.Edit, lines)
	for i := range edits {
		first := editor.Range{Start: editor.Position{Line: i}, End: editor.Position{Line: i, Character: 1}}
		edits[i] = editor.Edit{Range: first, New: "#"}
	}
	for range 2 {
		var got []byte
		n := testing.AllocsPerRun(1, func() { got = editor.Apply(body, editor.UTF16, edits) })
		if string(got) != want || n > lines/4 {
			t.Errorf("it makes %.20q… with %v allocations", got, n)
		}
		slices.Reverse(edits)
	}
}
