package places_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/places"
)

func TestPosition(t *testing.T) {
	for _, tt := range []struct {
		body         string
		offset       int
		line, column int
	}{
		{"", 0, 1, 1},
		{"ab\ncd", 0, 1, 1},
		{"ab\ncd", 2, 1, 3},
		{"ab\ncd", 3, 2, 1},
		{"ab\ncd", 5, 2, 3},
		{"ab\n", 3, 1, 4}, // there is no line after the last terminator
		{"ab\r\ncd\ref", 4, 2, 1},
		{"ab\r\ncd\ref", 7, 3, 1},
		{"é\U0001f916x", 6, 1, 4},                  // one unit and two
		{"a\xff\xfeb", 3, 1, 4},                    // one for each byte that is no UTF-8
		{"\ufeffab\n", 0, 1, 1},                    // the mark is none of the text
		{"\ufeffab\n", 3, 1, 1},                    //
		{"\ufeffab\n", 4, 1, 2},                    //
		{"a\n\ufeffb", 5, 2, 2},                    // but it is elsewhere
		{"\U0001f916", 2, 1, 3},                    // cut, it counts in full
		{strings.Repeat("é", 5000), 6000, 1, 3001}, // far from the start
	} {
		want := places.Position{Line: tt.line, Column: tt.column}
		if got := places.Of([]byte(tt.body)).Position(tt.offset); got != want {
			t.Errorf("byte %d of %.20q is at %v, want %v", tt.offset, tt.body, got, want)
		}
	}
}

func TestInMark(t *testing.T) {
	for _, tt := range []struct {
		body   string
		offset int
		want   bool
	}{{"\ufeffa", 0, true}, {"\ufeffa", 2, true}, {"\ufeffa", 3, false}, {"abc", 0, false}, {"", 0, false}, {"\xef", 0, false}} {
		if got := places.Of([]byte(tt.body)).InMark(tt.offset); got != tt.want {
			t.Errorf("byte %d of %q is in the mark: %v", tt.offset, tt.body, got)
		}
	}
}

// FuzzPlaces compares lines with the scanner's, and units with those of the whole text.
func FuzzPlaces(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /é\U0001f916\r\n\rx\xff"))
	f.Add([]byte("\ufeff\ufeff\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := places.Of(body)
		for line := range robotstxt.Lines(body) {
			if p.Start(line.Number) != line.Offset ||
				!strings.HasPrefix(string(line.Raw), string(p.Text(line.Number))) {
				t.Fatalf("line %d is %q from byte %d, want %q from %d", line.Number, p.Text(line.Number), p.Start(line.Number), line.Raw, line.Offset)
			}
		}
		units := len(utf16.Encode([]rune(strings.TrimPrefix(string(body), "\ufeff"))))
		if got := p.Units(len(body)); got != units {
			t.Fatalf("%d units, want %d", got, units)
		}
	})
}
