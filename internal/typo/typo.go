// Package typo measures how many typing errors apart two words are, for
// programs that propose what was meant.
package typo

import "github.com/kosterhq/robotstxt/internal/ascii"

// shortWord is the length up to which Distance allocates nothing.
const shortWord = 63

// Distance returns how many typos turn a into b. ok is false if there are more
// than most; n is then meaningless. A typo is a letter that is dropped, added,
// replaced, or swapped with its neighbour; no letter is part of two typos. The
// case of ASCII letters does not count, and letters are bytes.
//
// Time is proportional to most times the length of the words, or constant if
// their lengths differ by more than most.
func Distance(a, b string, most int) (n int, ok bool) {
	if apart := len(a) - len(b); apart > most || -apart > most {
		return 0, false
	}
	a, b = withoutCommonEnds(a, b)
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b), true
	case most <= 1:
		return 1, most == 1 && isOneTypo(a, b)
	}
	// A cell is the distance between the first i letters of a and the first j
	// of b. A row depends on two before it, because a swap spans two letters.
	// Cells with |i-j| > most are over most anyway, so they are not computed.
	var room [3 * (shortWord + 1)]int
	cells := room[:]
	width := len(b) + 1
	if width > shortWord+1 {
		cells = make([]int, 3*width)
	}
	before, last, row := cells[:width], cells[width:2*width], cells[2*width:3*width]
	for j := range row {
		row[j] = j
	}
	previous := 0 // the least cell of the last row
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		from, to := max(1, i-most), min(len(b), i+most)
		row[from-1] = most + 1
		if from == 1 {
			row[0] = i
		}
		least := row[from-1]
		for j := from; j <= to; j++ {
			row[j] = cell(a[:i], b[:j], before, last, row)
			least = min(least, row[j])
		}
		if to < len(b) {
			row[to+1] = most + 1 // read as a neighbour in the next row
		}
		if least > most && previous >= most {
			return 0, false // a swap adds one to a cell of the row before
		}
		previous = least
	}
	return row[len(b)], row[len(b)] <= most
}

// isOneTypo reports whether the distance between two words is one. They are not empty, and
// differ at both ends, so one typo must be all that they consist of.
func isOneTypo(a, b string) bool {
	return len(a) == 1 && len(b) == 1 || len(a) == 2 && len(b) == 2 && same(a[0], b[1]) && same(a[1], b[0])
}

// withoutCommonEnds returns two words without the letters with which both begin and those
// with which both end. Their distance is the same.
func withoutCommonEnds(a, b string) (string, string) {
	for a != "" && b != "" && same(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && same(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// cell returns the distance between a and b, neither of them empty, from the
// rows for a without its last letter, without its last two, and for a itself.
func cell(a, b string, before, last, row []int) int {
	i, j := len(a), len(b)
	replaced := last[j-1]
	if !same(a[i-1], b[j-1]) {
		replaced++
	}
	n := min(replaced, last[j]+1, row[j-1]+1)
	if i > 1 && j > 1 && same(a[i-1], b[j-2]) && same(a[i-2], b[j-1]) {
		n = min(n, before[j-2]+1)
	}
	return n
}

func same(x, y byte) bool { return ascii.Lower(x) == ascii.Lower(y) }
