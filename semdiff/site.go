package semdiff

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Size is how much of a site a change closes or opens. It is empty if the change does neither.
type Size string

// The sizes, the smallest first. The rest of a site is the paths that no rule names, see [Rest].
const (
	SizeSome Size = "some" // paths that rules name
	SizeMany Size = "many" // one of the six paths by which Rest judges
	SizeMost Size = "most" // the rest closes, or the rest opens
	SizeAll  Size = "all"  // no URL is open afterwards; or the rest opens, and no URL is closed afterwards
)

// IsSite reports whether nearly the whole site closes or opens: whether the size is SizeMost or
// SizeAll.
func (s Size) IsSite() bool { return s == SizeMost || s == SizeAll }

// SiteChange is a change of SizeMost or SizeAll.
type SiteChange struct {
	Opens bool // the rest of the site is open now; otherwise it is closed now
	Size  Size

	// But contains the rules that make exceptions: each other path has the new verdict. It is
	// empty if Size is SizeAll or By is not empty.
	But []Exception

	// By contains the rules that close or open the rest together, if none of them matches every
	// path: 26 rules could each close the words with one first letter. Otherwise it is empty.
	By []Exception

	// Before is the access before the change. Its Steps are 0.
	Before Access
}

// sitePart is the part of the budget that the proof for each of the two files can take.
const sitePart = 8

// restPaths is the number of paths by which Rest judges.
const restPaths = 6

type restVerdicts [restPaths]bool

func (v restVerdicts) open() bool { return slices.Contains(v[:], true) }

// Rest reports whether the rest of a site is open: the paths that no rule names. It judges six
// paths that consist of a word W that occurs in no pattern: /W, /W/, /W/W, /W/W/, /W/W/W and /W-W.
// The rest is closed if the rules disallow all six. W is one lower-case letter, repeated once
// more than its longest run in a pattern.
func Rest(rules robotstxt.Rules) bool { return restOf(rules, newWord(rules)).open() }

func restOf(rules robotstxt.Rules, word string) (v restVerdicts) {
	folder := anyHost + "/" + word
	for i, path := range [restPaths]string{"", "/", "/" + word, "/" + word + "/", "/" + word + "/" + word, "-" + word} {
		v[i] = rules.Allowed(folder + path)
	}
	return v
}

// newWord returns a word that occurs in no pattern. If two letters need equally long words, it
// takes the letter that is later in the alphabet, which fewer paths consist of.
func newWord(rules robotstxt.Rules) string {
	var longest [1 << 8]int
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			run := 0
			for i := range len(rule.Pattern) {
				run++
				if i > 0 && rule.Pattern[i] != rule.Pattern[i-1] {
					run = 1
				}
				longest[rule.Pattern[i]] = max(longest[rule.Pattern[i]], run)
			}
		}
	}
	letter := byte('z')
	for c := byte('y'); c >= 'a'; c-- {
		if longest[c] < longest[letter] {
			letter = c
		}
	}
	return strings.Repeat(string(rune(letter)), longest[letter]+1)
}

// judge sets the sizes of a row, and its Site.
func (c *comparison) judge(row *Row, rules [2]robotstxt.Rules) {
	if row.Effect == Equal {
		return
	}
	words := [2]string{newWord(rules[0]), newWord(rules[1])}
	rest := [2]restVerdicts{restOf(rules[0], words[0]), restOf(rules[1], words[1])}
	has := effectsOf(row)
	if row.Effect == Undecided { // the paths of Rest can show an effect even if no change is known
		for side, word := range words {
			both := rest
			both[1-side] = restOf(rules[1-side], word)
			for i := range both[0] {
				if both[0][i] != both[1][i] {
					has[goalOf(1, both[1][i])] = true
				}
			}
		}
	}
	if has[closes] {
		row.Closes = sizeOf(rest, true)
	}
	if has[opens] {
		row.Opens = sizeOf(rest, false)
	}
	after := rest[1].open()
	size := &row.Closes
	if after {
		size = &row.Opens
	}
	if *size == "" || after && *size != SizeMost {
		return
	}
	access := c.access(rules[1])
	if access.Extent == ExtentOpen || access.Extent == ExtentClosed {
		*size = SizeAll
	}
	if !size.IsSite() {
		return
	}
	if access.Extent == ExtentUndecided {
		contrary, allowed := contraryTo(rules[1])
		access.Allowed, access.Except = allowed, unproved(contrary)
	}
	row.Site = &SiteChange{Opens: after, Size: *size, Before: c.access(rules[0])}
	if access.Allowed == after {
		row.Site.But = eachOnce(access.Except)
	} else {
		row.Site.By = eachOnce(access.Except)
	}
}

// effectsOf returns which effects a row shows, as opens and closes number them.
func effectsOf(row *Row) (has [2]bool) {
	has[opens] = row.Effect == Opens || row.Effect == Both
	has[closes] = row.Effect == Closes || row.Effect == Both
	for _, change := range row.Changes {
		has[goalOf(1, change.Opens)] = true
	}
	return has
}

// eachOnce omits rules whose pattern an earlier rule has.
func eachOnce(rules []Exception) (list []Exception) {
	known := make(map[string]bool, len(rules))
	for _, rule := range rules {
		if !known[rule.Pattern] {
			known[rule.Pattern] = true
			list = append(list, rule)
		}
	}
	return list
}

// sizeOf returns the size of an effect for which only the paths of Rest are known, the larger ones
// without a proof.
func sizeOf(rest [2]restVerdicts, from bool) Size {
	if rest[0].open() == from && rest[1].open() != from {
		return SizeMost
	}
	for i := range rest[0] {
		if rest[0][i] == from && rest[1][i] != from {
			return SizeMany
		}
	}
	return SizeSome
}

// access is AccessOf within the budget of the comparison.
func (c *comparison) access(rules robotstxt.Rules) Access {
	budget := c.solver.budget
	a := accessOf(budget.ctx, rules, budget.steps/sitePart)
	budget.spend(a.Steps, 0)
	a.Steps = 0
	return *a
}
