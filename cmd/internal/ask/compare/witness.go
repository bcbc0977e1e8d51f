package compare

import (
	"cmp"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

type lines [2]int

// pairs are the changes of a row, by their lines.
type pairs map[lines]*judged

// judged is a change for which given URLs are counted.
type judged struct {
	change int // the index in the row
	last   int // the number of the URL that was counted last
}

func (d *differing) lines(compared string) lines {
	_, before := d.old.Verdict(compared)
	_, after := d.new.Verdict(compared)
	return lines{before, after}
}

// count adds a URL, whose verdict for a crawler these lines change, to their change, once for
// all its crawlers. The first such URL becomes the witness, because people know their own
// URLs.
func (r *Result) count(u origin.URL, d *differing, pair lines) {
	row := &r.Rows[d.row]
	if row.pairs == nil {
		row.pairs = make(pairs)
		for i, c := range row.Changes {
			row.pairs[lines{c.OldLine, c.NewLine}] = &judged{change: i}
		}
	}
	at, is := row.pairs[pair]
	if !is || at.last == r.URLs {
		return
	}
	at.last = r.URLs
	for _, c := range []*wire.PathChange{&row.Changes[at.change], &r.Changes[row.first+at.change]} {
		if path := cmp.Or(u.Target(), u.Compared()); c.URLs == 0 && strings.HasPrefix(path, "/") {
			c.Witness = path
		}
		c.URLs++
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
