package robotstxt

import (
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// match weighs rules against one path, in file order, and keeps the best.
// Allowed, Explain and the one-shot call all decide through it. Its path is to be
// freed.
type match struct {
	reading *reading
	path    pattern.Path // as compared
	best    pattern.Weight
}

// scan considers the rules from first to end, and returns how many of them had
// to be matched. Of most it compares only the head: its bytes are in the text
// where the row says, and the shift drops what follows it.
func (m *match) scan(r *Robots, first, end uint32) (tried int) {
	if first == end {
		return 0 // the zero Robots has no rows
	}
	path, text := firstEight(m.path.Text), r.text
	// A text ends where that of the next row begins.
	rows := r.words[r.rules.row(first, ruleWords) : r.rules.row(end, ruleWords)+1]
	for ; len(rows) > ruleWords; rows = rows[ruleWords:] {
		start, second := rows[0], rows[1]
		if flags := ruleFlags(second); (ascii.Load8(text[start:])^path)<<flags.freeBits() != 0 {
			continue
		}
		// Of most wildcards the head is but a slash, and their last byte is not there.
		e := newRuleRow(text[start:rows[ruleWords]], second)
		if e.flags&flagAnchored != 0 && e.flags&flagFolder == 0 && !e.pattern().EndsLike(m.path.Text) {
			continue
		}
		m.consider(e)
		tried++
	}
	return tried
}

// firstEight returns the first eight bytes of s, the first one lowest, and zeros
// for those that s does not have.
func firstEight(s string) uint64 {
	if len(s) >= 8 {
		return ascii.Load8(s)
	}
	return fewBytes(s)
}

// fewBytes is firstEight for a text that is shorter.
func fewBytes(s string) (word uint64) {
	for i := 0; i < len(s); i++ {
		word |= uint64(s[i]) << (8 * i)
	}
	return word
}

// consider takes the next rule of the crawler's groups.
func (m *match) consider(e ruleRow) {
	if m.reading.FirstMatch {
		if m.best == 0 && m.path.Matches(e.pattern()) {
			m.best = e.weight() // and nothing after it (Koster 3.2.2)
		}
		return
	}
	// What weighs less changes nothing, and neither does the folder that stands
	// in for it, which is shorter still.
	w := e.weight()
	if w <= m.best {
		return
	}
	if m.path.Matches(e.pattern()) {
		m.best = w
	} else if folder, ok := e.folder(); ok && m.path.Matches(folder) {
		m.best = max(m.best, pattern.Weigh(folder.Priority(), true, int(e.line)))
	}
}

func newMatch(r *reading, path string) match {
	return match{reading: r, path: pattern.NewPath(path)}
}

// verdict returns the decision and its line, 0 if no line decides.
func (m *match) verdict() (allowed bool, line int) {
	if m.implicit() {
		return true, 0
	}
	return m.best.Allowed(), m.best.Line()
}

// implicit reports whether the path is that of the robots.txt itself in a
// dialect that always allows it (RFC 9309 2.2.2).
func (m *match) implicit() bool { return m.reading.openRobots && m.path.Text == robotsPath }

// robotsPath is the path of the robots.txt itself, in every canonical form.
const robotsPath = "/robots.txt"
