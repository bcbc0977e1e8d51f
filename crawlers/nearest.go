package crawlers

import "github.com/kosterhq/robotstxt/internal/typo"

// The bounds of a proposal: a token may have one typo for each four letters,
// and two in all. In a shorter token two typos make another word.
const (
	lettersPerTypo = 4
	mostTypos      = 2
)

// Nearest returns the crawler that a misspelt token most likely means; ok is
// false if none is near. A typo is a letter dropped, added, replaced or swapped
// with its neighbour; the case of letters does not count. Nearest forgives one
// typo for each four letters of the token, and two in all.
func Nearest(token string) (c Crawler, ok bool) {
	var nearest *Crawler
	most := min(len(token)/lettersPerTypo, mostTypos)
	for i := range known().Crawlers {
		candidate := &known().Crawlers[i]
		if typos, near := typo.Distance(token, candidate.Token, most); near {
			nearest, most = candidate, typos-1 // only a nearer one is better
		}
	}
	if nearest == nil {
		return Crawler{}, false
	}
	return nearest.clone(), true
}
