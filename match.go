package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// match finds the heaviest rule that matches one path: the longest rule wins, then
// Allow, then the earlier line, see pattern.Weight. Allowed, Explain and the one-shot
// call give it the rules in file order. Its methods have the Matcher of the path as a
// parameter: see pattern.Matcher.
type match struct {
	reading *reading
	path    string         // in the form that is compared
	best    pattern.Weight // of the rules so far that match
}

// scan tries the rules from first to end, and returns how many of them it matched in
// full. For most rules it compares only the head: it loads eight bytes of the text
// and shifts out the bytes that are not part of the head.
func (m *match) scan(r *Robots, first, end uint32, x *pattern.Matcher) (tried int) {
	if first == end {
		return 0 // the zero Robots has no words
	}
	path := firstEight(m.path)
	text := r.text
	// A text ends where the next row's text begins.
	rows := r.words[r.rules.row(first, ruleWords) : r.rules.row(end, ruleWords)+1]
	// In this form the compiler omits the bounds checks of the row.
	for next := ruleWords; next < len(rows); next += ruleWords {
		start := int(rows[next-2])
		second := rows[next-1]
		if flags := ruleFlags(second); (ascii.Load8(text[start:start+8])^path)<<flags.freeBits() != 0 {
			continue
		}
		// Most patterns with wildcards have a slash as their head, which rejects no path,
		// but the last byte of an anchored one does.
		e := newRuleRow(text[start:rows[next]], second)
		// Paths and literals often have the same head and then differ. This does the same as
		// consider, without two calls, and saves a quarter of the time of 20 such rules.
		if e.flags&(flagWild|flagAnchored|flagFolder) == 0 && !strings.HasPrefix(m.path, e.text) {
			tried++
			continue
		}
		if e.flags&flagAnchored != 0 && e.flags&flagFolder == 0 && !x.EndsLike(m.path, e.pattern()) {
			continue
		}
		tried++
		// In most patterns with wildcards the head is everything before the star: comparing it
		// again took a third of the time of five such rules. No dialect in which the first match
		// decides has wildcards.
		if n := e.flags.fixed(); e.flags&(flagWild|flagAnchored|flagFolder) == flagWild && n < headLength {
			if w := e.weight(); w > m.best && x.MatchesAfter(m.path, e.text, n) {
				m.best = w
			}
			continue
		}
		m.consider(e, x)
	}
	return tried
}

func firstEight(s string) uint64 {
	if len(s) >= 8 {
		return ascii.Load8(s)
	}
	return fewBytes(s)
}

func fewBytes(s string) (word uint64) {
	for i := 0; i < len(s); i++ {
		word |= uint64(s[i]) << (8 * i)
	}
	return word
}

// consider tries the next rule of the crawler's groups.
func (m *match) consider(e ruleRow, x *pattern.Matcher) {
	if m.reading.FirstMatch {
		if m.best == 0 && x.Matches(m.path, e.pattern()) {
			m.best = e.weight() // later rules have no effect [Koster 3.2.2]
		}
		return
	}
	// A lighter rule has no effect, nor has the pattern of its folder, which is shorter.
	w := e.weight()
	if w <= m.best {
		return
	}
	if x.Matches(m.path, e.pattern()) {
		m.best = w
	} else if folder, ok := e.folder(); ok && x.Matches(m.path, folder) {
		m.best = max(m.best, pattern.Weigh(folder.Priority(), true, int(e.line)))
	}
}

func newMatch(r *reading, path string) match { return match{reading: r, path: path} }

// verdict returns the verdict and the deciding line, or 0 if no line decides.
func (m *match) verdict() (allowed bool, line int) {
	if m.implicit() {
		return true, 0
	}
	return m.best.Allowed(), m.best.Line()
}

// implicit reports whether the path is /robots.txt and the dialect always allows it
// [RFC 9309 2.2.2].
func (m *match) implicit() bool { return m.reading.openRobots && m.path == robotsPath }

const robotsPath = "/robots.txt"
