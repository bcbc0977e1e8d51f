package lint

import (
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
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
// Names of crawlers are much alike, so one typo is allowed: two, or one in a
// short name, make another crawler. crawlers.Nearest forgives more, because it
// answers people who look for a crawler.
func misspelt(token string) string {
	const shortest = 7
	if len(token) < shortest {
		return ""
	}
	byLength := tokensByLength()
	for n := len(token) - 1; n <= len(token)+1 && n < len(byLength); n++ {
		for _, known := range byLength[n] {
			if n, near := typo.Distance(token, known, 1); near && n == 1 && !isReplaced(token, known) {
				return known
			}
		}
	}
	return ""
}

// isReplaced reports whether the one typo between two tokens replaces a letter
// and too few others are left to know the token by: FooBot-A is not FooBot-B.
func isReplaced(token, known string) bool {
	const shortest = 9
	if len(token) != len(known) || len(token) >= shortest {
		return false
	}
	differ := 0 // two letters where neighbours are swapped
	for i := range len(token) {
		if ascii.Lower(token[i]) != ascii.Lower(known[i]) {
			differ++
		}
	}
	return differ == 1
}
