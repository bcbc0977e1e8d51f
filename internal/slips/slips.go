// Package slips tells how far a misspelt word is from the right one, for those
// who propose what was meant.
package slips

// Within returns how many slips make b of a, byte for byte; ok is false if there
// are more than most. A slip is a letter dropped, added, replaced or swapped with
// its neighbour, and none is made in a place where another was. Words whose
// lengths are further apart cost nothing, however long they are.
func Within(a, b string, most int) (slips int, ok bool) {
	if apart := len(a) - len(b); apart > most || -apart > most {
		return 0, false
	}
	// Three rows of the table of all beginnings do, as a swap looks back two.
	width := len(b) + 1
	rows := make([]int, 3*width)
	before, last, row := rows[:width], rows[width:2*width], rows[2*width:]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)], row[len(b)] <= most
}
