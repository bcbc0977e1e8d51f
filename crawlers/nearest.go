package crawlers

import "github.com/kosterhq/robotstxt/internal/typo"

// Nearest allows one typo for each four letters of a token, and two in total. With
// more, short tokens would match unrelated ones.
const (
	lettersPerTypo = 4
	mostTypos      = 2
)

// Nearest returns the crawler whose token or alias is closest to a misspelt one. ok is
// false if none is close enough. A typo is a letter that is missing, added, replaced or
// swapped with its neighbour; case does not matter. Nearest allows one typo for each
// four letters of the token, and two in total.
func Nearest(token string) (c Crawler, ok bool) {
	nearest := -1
	most := min(len(token)/lettersPerTypo, mostTypos)
	for _, candidate := range names {
		if typos, near := typo.Distance(token, candidate.text, most); near {
			nearest, most = int(candidate.row), typos-1 // from now on only a closer one
		}
	}
	if nearest < 0 {
		return Crawler{}, false
	}
	return crawler(nearest), true
}
