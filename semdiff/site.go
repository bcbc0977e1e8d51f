package semdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Size is how much of a site a change closes or opens. It is empty if the change does neither.
type Size string

// The sizes, the smallest first. The rest of a site is the paths that no rule names, see [Rest].
const (
	SizeSome Size = "some" // paths that rules name
	SizeMany Size = "many" // one of the six paths /W, /W/, /W/W, /W/W/, /W/W/W and /W-W, see Rest
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

	// But contains the exceptions: each other path has the new verdict. It is empty if Size is SizeAll or
	// By is not empty.
	But []Paths

	// By contains the rules that close or open the rest together, if none of them matches every
	// path: 26 rules could each close the words with one first letter. Otherwise it is empty.
	By []Exception

	// Before is the access before the change. Its Steps are 0.
	Before Access
}

// sitePart is the part of the budget that the proof for each of the two files can take.
const sitePart = 8

// restPaths is the number of paths by which Rest judges, and plainPaths the number of those, the first
// ones, without a hyphen.
const (
	restPaths  = 6
	plainPaths = 5
)

type restVerdicts [restPaths]bool

// open does not count the path with a hyphen: words with hyphens are far from the whole site.
func (v *restVerdicts) open() bool { return slices.Contains(v[:plainPaths], true) }

// Rest reports whether the rest of a site is open: the paths that no rule names. It judges five
// paths that consist of a word W: /W, /W/, /W/W, /W/W/ and /W/W/W. The rest is closed if the rules
// disallow them all. SizeMany also counts /W-W.
//
// W is one lower-case letter, repeated once more than its longest run in a pattern, so that no
// pattern with another letter matches. The letter is one for which patterns such as /z do not match
// either. If there is none, the rest is closed only if it is closed for the words of all letters,
// and for 26 words of two letters.
func Rest(rules robotstxt.Rules) bool {
	for _, word := range wordsOf(rules) {
		paths := pathsOf(word)
		for _, path := range paths[:plainPaths] {
			if rules.Allowed(anyHost + path) {
				return true
			}
		}
	}
	return false
}

type words []string

// verdicts returns for each path of Rest whether it is open for one of the words.
func (w words) verdicts(rules robotstxt.Rules) (v restVerdicts) {
	for _, word := range w {
		for i, path := range pathsOf(word) {
			v[i] = v[i] || rules.Allowed(anyHost+path)
		}
	}
	return v
}

func pathsOf(word string) [restPaths]string {
	first := "/" + word
	return [...]string{first, first + "/", first + first, first + first + "/", first + first + first, first + "-" + word}
}

// letterUse is what the patterns of a group say about each letter.
type letterUse struct {
	longest [1 << 8]int               // the longest run in a pattern
	only    [1 << 8][]pattern.Pattern // the patterns in which it is the only letter
}

// wordsOf returns the words by which Rest judges: one, or those of all letters.
func wordsOf(rules robotstxt.Rules) words {
	var l letterUse
	wildcards := rules.Dialect().Traits().Wildcards
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			l.read(rule.Pattern, wildcards)
		}
	}
	order := []byte("zyxwvutsrqponmlkjihgfedcba") // the first ones are the rarest in paths
	slices.SortStableFunc(order, func(a, b byte) int { return cmp.Compare(l.longest[a], l.longest[b]) })
	var all words
	for _, c := range order {
		word := strings.Repeat(string(rune(c)), l.longest[c]+1)
		if !l.doMatch(c, word) {
			return words{word}
		}
		all = append(all, word)
	}
	for i, c := range order {
		all = append(all, string([]byte{c, order[(i+1)%len(order)]}))
	}
	return all
}

func (l *letterUse) read(text string, wildcards bool) {
	only, isOnly := byte(0), true
	run := 0
	for i := range len(text) {
		c := text[i]
		run++
		if i > 0 && c != text[i-1] {
			run = 1
		}
		l.longest[c] = max(l.longest[c], run)
		switch {
		case c == '/', c == '-', c == '*', c == '$':
		case only == 0 || only == c:
			only = c
		default:
			isOnly = false
		}
	}
	if only != 0 && isOnly {
		l.only[only] = append(l.only[only], pattern.New(text, wildcards))
	}
}

// doMatch reports whether a pattern with a letter matches a path of Rest for the letter's word.
func (l *letterUse) doMatch(letter byte, word string) bool {
	paths := pathsOf(word)
	matches := func(p pattern.Pattern) bool { return slices.ContainsFunc(paths[:], p.Matches) }
	return slices.ContainsFunc(l.only[letter], matches)
}

// judge sets the sizes of a row, and its Site.
func (c *comparison) judge(row *Row, rules [2]robotstxt.Rules) {
	if row.Effect == Equal {
		return
	}
	sides := [2]words{wordsOf(rules[0]), wordsOf(rules[1])}
	rest := [2]restVerdicts{sides[0].verdicts(rules[0]), sides[1].verdicts(rules[1])}
	has := effectsOf(row)
	if row.Effect == Undecided { // the paths of Rest can show an effect even if no change is known
		for side, words := range sides {
			both := rest
			both[1-side] = words.verdicts(rules[1-side])
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
		c.exceptEvery(row, rules[1])
		return
	}
	access := c.access(rules[1])
	if access.Extent == ExtentOpen || access.Extent == ExtentClosed {
		*size = SizeAll
	}
	if !size.IsSite() {
		c.exceptEvery(row, rules[1])
		return
	}
	if access.Extent == ExtentUndecided {
		contrary, allowed := contraryTo(rules[1])
		access.Allowed, access.Except = allowed, unproved(contrary)
	}
	row.Site = &SiteChange{Opens: after, Size: *size, Before: c.access(rules[0])}
	if access.Allowed == after {
		row.Site.But = named(eachOnce(access.Except), rules[1], !after)
	} else {
		row.Site.By = eachOnce(access.Except)
	}
}

// named returns exceptions, which have a verdict, and for the first ones the rules that take parts of them back.
func named(exceptions []Exception, rules robotstxt.Rules, allowed bool) (list []Paths) {
	wildcards := rules.Dialect().Traits().Wildcards
	for i, e := range exceptions {
		p := Paths{Pattern: e.Pattern, Part: e.Part}
		if _, isIndex := pattern.New(e.Pattern, wildcards).Folder(); e.Part && !isIndex && i < maxNamed {
			p.Without = stronger(rules, e.Pattern, allowed, e.Line)
		}
		list = append(list, p)
	}
	return list
}

// exceptEvery sets But of a pattern that matches every path, if the effect is not one on the site. Without
// the exceptions, the pattern "/" in part would look like the home page.
func (c *comparison) exceptEvery(row *Row, rules robotstxt.Rules) {
	for goal := range row.paths {
		for i := range row.paths[goal] {
			p := &row.paths[goal][i]
			if !p.Part || !pattern.New(p.Pattern, rules.Dialect().Traits().Wildcards).MatchesEvery() {
				continue
			}
			access := c.access(rules)
			if isOpen := goal == goalOf(1, true); access.Extent == ExtentPartly && access.Allowed == isOpen {
				p.But = named(eachOnce(access.Except), rules, !isOpen)
			}
		}
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
