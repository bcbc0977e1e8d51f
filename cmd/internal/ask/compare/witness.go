package compare

import (
	"cmp"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

// lines are the lines that decide in the old and in the new file.
type lines [2]int

// pairs are changes that still have the witness of the proof, by their lines: their indices
// in the row, and in all changes.
type pairs map[lines][2]int

func (d *differing) lines(compared string) lines {
	_, before := d.old.Verdict(compared)
	_, after := d.new.Verdict(compared)
	return lines{before, after}
}

// show makes a URL that a crawler's verdict changes for the witness of its pair of lines,
// unless an earlier one is: people know their own URLs.
func (r *Result) show(u origin.URL, d *differing) {
	row := &r.Rows[d.row]
	if row.waiting == nil {
		row.waiting = make(pairs)
		for i, c := range row.Changes {
			row.waiting[lines{c.OldLine, c.NewLine}] = [2]int{i, row.first + i}
		}
	}
	path := cmp.Or(u.Target(), u.Compared())
	if len(row.waiting) == 0 || !strings.HasPrefix(path, "/") {
		return
	}
	pair := d.lines(u.Compared())
	if at, is := row.waiting[pair]; is {
		delete(row.waiting, pair)
		row.Changes[at[0]].Witness, r.Changes[at[1]].Witness = path, path
	}
}

// natural returns the path of a change without empty segments if one has the same lines: a
// shortest path leaves wildcards empty, and "/a//b" looks like a mistake.
func natural(c semdiff.Change, crawler semdiff.Crawler, files [2]*robotstxt.Robots) string {
	if !strings.Contains(c.Witness, "//") {
		return c.Witness
	}
	rules := differing{old: crawler.Rules(files[0]), new: crawler.Rules(files[1])}
	for _, segment := range []string{"x", "1"} {
		path := c.Witness
		for strings.Contains(path, "//") {
			path = strings.ReplaceAll(path, "//", "/"+segment+"/")
		}
		if rules.lines(path) == (lines{c.OldLine, c.NewLine}) {
			return path
		}
	}
	return c.Witness
}
