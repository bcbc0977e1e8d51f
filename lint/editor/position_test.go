package editor_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/kosterhq/robotstxt/lint/editor"
)

func TestPosition(t *testing.T) {
	for _, tt := range []struct {
		body        string
		offset      int
		utf16, utf8 editor.Position
	}{
		{"", 0, editor.Position{}, editor.Position{}},
		{"ab\ncd", 4, editor.Position{Line: 1, Character: 1}, editor.Position{Line: 1, Character: 1}},
		{"ab\n", 3, editor.Position{Line: 1}, editor.Position{Line: 1}}, // the last line is empty
		{"ab\r\ncd", 4, editor.Position{Line: 1}, editor.Position{Line: 1}},
		{"ab\rcd", 3, editor.Position{Line: 1}, editor.Position{Line: 1}},
		{"é\U0001f916x", 6, editor.Position{Character: 3}, editor.Position{Character: 6}},
		{"a\xff\xfeb", 3, editor.Position{Character: 3}, editor.Position{Character: 3}},
		{"\ufeffab", 3, editor.Position{Character: 1}, editor.Position{Character: 3}},
		{"\ufeffab", 4, editor.Position{Character: 2}, editor.Position{Character: 4}},
		{"a\n\ufeffb", 5, editor.Position{Line: 1, Character: 1}, editor.Position{Line: 1, Character: 3}},
	} {
		for encoding, want := range map[editor.Encoding]editor.Position{editor.UTF16: tt.utf16, editor.UTF8: tt.utf8} {
			d := editor.New([]byte(tt.body), editor.Config{Encoding: encoding})
			if got := d.Position(tt.offset); got != want {
				t.Errorf("encoding %d: byte %d of %q is at %v, want %v", encoding, tt.offset, tt.body, got, want)
			}
			if got := d.Offset(want); got != tt.offset {
				t.Errorf("encoding %d: %v in %q is byte %d, want %d", encoding, want, tt.body, got, tt.offset)
			}
		}
	}
}

// TestOffsetOutside: positions that do not exist are moved to the nearest one, as the
// Language Server Protocol requires for characters.
func TestOffsetOutside(t *testing.T) {
	d := editor.New([]byte("ab\r\n\U0001f916c\r\n"), editor.Config{})
	for p, want := range map[editor.Position]int{
		{Line: 0, Character: 99}: 2,
		{Line: 1, Character: 1}:  4, // within a character of two units
		{Line: 1, Character: 2}:  8,
		{Line: 1, Character: -1}: 4,
		{Line: -1}:               0,
		{Line: 3}:                11,
		{Line: 1 << 40}:          11,
	} {
		if got := d.Offset(p); got != want {
			t.Errorf("%v is byte %d, want %d", p, got, want)
		}
	}
	for offset, want := range map[int]editor.Position{-1: {}, 3: {Character: 2}, 5: {Line: 1}, 99: {Line: 2}} {
		if got := d.Position(offset); got != want {
			t.Errorf("byte %d is at %v, want %v", offset, got, want)
		}
	}
}

// lines returns the lines of a text as the Language Server Protocol splits them, with
// their terminators.
func lines(text string) (all []string) {
	for text != "" {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 {
			break
		}
		end := i + 1
		if strings.HasPrefix(text[i:], "\r\n") {
			end++
		}
		all, text = append(all, text[:end]), text[end:]
	}
	return append(all, text)
}

// apply makes edits as a client of the Language Server Protocol does: from the last to
// the first, by lines and characters.
func apply(t *testing.T, body string, edits []editor.Edit, encoding editor.Encoding) string {
	t.Helper()
	all := lines(body)
	offset := func(p editor.Position) int {
		at := 0
		for _, line := range all[:p.Line] {
			at += len(line)
		}
		if encoding == editor.UTF8 {
			return at + p.Character
		}
		units := 0
		for i, r := range all[p.Line] {
			if units == p.Character {
				return at + i
			}
			units += utf16.RuneLen(r)
		}
		if units != p.Character {
			t.Fatalf("%v is not a position in %q", p, body)
		}
		return at + len(all[p.Line])
	}
	end := len(body)
	var pieces []string
	for i := len(edits) - 1; i >= 0; i-- {
		from, to := offset(edits[i].Range.Start), offset(edits[i].Range.End)
		if to < from || to > end {
			t.Fatalf("edits overlap in %q: %+v", body, edits)
		}
		pieces = append([]string{edits[i].New, body[to:end]}, pieces...)
		end = from
	}
	return body[:end] + strings.Join(pieces, "")
}
