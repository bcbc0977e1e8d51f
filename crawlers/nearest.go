package crawlers

// The bounds of a suggestion: a token may have a slip for each so many letters,
// up to so many slips. In a shorter token two slips make another word.
const (
	lettersPerSlip = 4
	mostSlips      = 2
)

// Nearest returns the crawler that a misspelt token most likely means; ok is
// false if none is near. A slip is a letter dropped, added, replaced or swapped
// with its neighbour; the case of letters does not count. At most one slip is
// forgiven for four letters, and two in all.
func Nearest(token string) (c Crawler, ok bool) {
	var nearest *Crawler
	most := min(len(token)/lettersPerSlip, mostSlips)
	var rows slipRows
	for i := range known().Crawlers {
		candidate := &known().Crawlers[i]
		if apart := len(candidate.Token) - len(token); apart > most || -apart > most {
			continue // which also bounds the work, whatever token is
		}
		if slips, within := rows.count(token, candidate.Token, most); within {
			nearest, most = candidate, slips-1 // only less is better
		}
	}
	if nearest == nil {
		return Crawler{}, false
	}
	return nearest.clone(), true
}

// slipRows are three rows of the table that counts the slips between all
// beginnings of two tokens. Three do, as a swap looks back two.
type slipRows [3][]int

// count counts how many slips make b of a; within is false if there are more
// than so many. It is like internal/slips, which this package cannot call because it
// imports nothing of the module, but folds case and reuses its rows for all tokens.
func (r *slipRows) count(a, b string, most int) (slips int, within bool) {
	for i := range r {
		r[i] = append(r[i][:0], make([]int, len(b)+1)...)
	}
	before, last, row := r[0], r[1], r[2]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			replaced := last[j]
			if lower(a[i]) != lower(b[j]) {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && lower(a[i]) == lower(b[j-1]) && lower(a[i-1]) == lower(b[j]) {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most+1 {
			return 0, false // a swap can win back one, and nothing more
		}
	}
	return row[len(b)], row[len(b)] <= most
}
