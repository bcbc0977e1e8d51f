package language

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
)

// TestChanges: what a comparison found, in both languages.
func TestChanges(t *testing.T) {
	before := "User-agent: *\nDisallow: /basket\n\nUser-agent: A\nUser-agent: B\nDisallow: /\n"
	after := "User-agent: *\nDisallow: /1\nDisallow: /2\nDisallow: /3$\nDisallow: /4\n\nUser-agent: A\nDisallow: /\n"
	result, err := compare.Run(t.Context(), compare.Question{Old: []byte(before), New: []byte(after)})
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[Language][]string{
		English: {
			"Opens all but /1, /2, /3$ and /4 for B; it was closed.",
			"Closes /1, /2, /3$ and /4 for any crawler that follows the group for *.",
			"Opens /basket for any crawler that follows the group for *.",
			`"$" at the end of a pattern means that the URL ends there.`,
		},
		German: {
			"Öffnet alles außer /1, /2, /3$ und /4 für B; war vorher gesperrt.",
			"Sperrt /1, /2, /3$ und /4 für alle Crawler mit der Gruppe für *.",
			"Öffnet /basket für alle Crawler mit der Gruppe für *.",
			"„$“ am Ende eines Musters heißt, dass die URL dort endet.",
		},
	} {
		if got := l.Changes(result); !slices.Equal(got, want) {
			t.Errorf("%s: %q", l, got)
		}
	}
}
