package lint

import (
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// tokensByLength lists the known product tokens that a file can name, by their
// length. It is made when the first unknown token is met.
var tokensByLength = sync.OnceValue(func() (byLength [][]string) {
	for c := range crawlers.All() {
		if !robotstxt.ValidAgent(c.Token) || c.Retired {
			continue
		}
		for len(byLength) <= len(c.Token) {
			byLength = append(byLength, nil)
		}
		byLength[len(c.Token)] = append(byLength[len(c.Token)], c.Token)
	}
	return byLength
})

// misspelt returns the known token that an unknown one is meant to be, or "".
// Names of crawlers are much alike, so it must be just one slip apart: two slips,
// or one in a short name, make another crawler. crawlers.Nearest is made for
// people who ask, and forgives more.
func misspelt(token string) string {
	const shortest = 7
	if len(token) < shortest {
		return ""
	}
	byLength := tokensByLength()
	for n := len(token) - 1; n <= len(token)+1 && n < len(byLength); n++ {
		for _, known := range byLength[n] {
			if oneSlip(token, known) {
				return known
			}
		}
	}
	return ""
}

// oneSlip reports whether a letter was dropped, added, swapped with its neighbour,
// or, where enough others are left, replaced.
func oneSlip(token, known string) bool {
	const shortestReplaced = 9
	start, end := 0, 0
	for start < len(token) && start < len(known) && lower(token[start]) == lower(known[start]) {
		start++
	}
	for end < len(token)-start && end < len(known)-start && lower(token[len(token)-1-end]) == lower(known[len(known)-1-end]) {
		end++
	}
	a, b := token[start:len(token)-end], known[start:len(known)-end]
	switch {
	case len(a) == 2 && len(b) == 2:
		return lower(a[0]) == lower(b[1]) && lower(a[1]) == lower(b[0])
	case len(a) == 1 && len(b) == 1:
		return len(token) >= shortestReplaced
	}
	return len(a)+len(b) == 1
}
