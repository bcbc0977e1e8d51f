// Package verdicts compares what two robots.txt files tell crawlers. It asks both
// about URLs at the borders of their rules, so that a change of one rule shows in
// a few questions; it can find a difference, and proves none.
package verdicts

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/witness"
)

// mostVerdicts bounds how many verdicts are compared in one dialect, which takes
// a fraction of a second. Crawlers whose rules changed come first.
const mostVerdicts = 1 << 18

// mostTrials bounds how often a rule is tried where rules are tried one after the
// other: for the first that matches there is no index.
const mostTrials = 1 << 26

// mostExamples is how many changed verdicts are kept to be shown.
const mostExamples = 3

// Comparison tells how the verdicts of two files differ in a dialect.
type Comparison struct {
	Dialect  robotstxt.Dialect
	Compared int      // verdicts
	Changed  int      // of them
	Examples []Change // the first few of those
	Cut      bool     // not all there is to compare was: that would take too long

	trials int // of rules, where they are tried one after the other
}

// Change is a URL about which a crawler gets another answer than before.
type Change struct {
	Dialect robotstxt.Dialect `json:"dialect"`
	Agent   string            `json:"agent"`
	URL     string            `json:"url"`     // a path
	Allowed bool              `json:"allowed"` // after the change
	Before  int               `json:"before"`  // the line that decided, 0 if none
	After   int               `json:"after"`   // the line that decides
}

// Compare asks both bodies, as a dialect reads them, for all crawlers that either
// names, for one that neither names, and for "*", about the URLs where a verdict
// can change.
func Compare(before, after []byte, dialect robotstxt.Dialect) *Comparison {
	was, is := newHeard(dialect.Parse(before)), newHeard(dialect.Parse(after))
	c := &Comparison{Dialect: dialect}
	for _, token := range listeners(was, is) {
		if c.compare(was, is, token); c.spent() {
			c.Cut = true
			break
		}
	}
	return c
}

// spent reports whether enough was compared.
func (c *Comparison) spent() bool { return c.Compared >= mostVerdicts || c.trials >= mostTrials }

// compare compares what one crawler is told.
func (c *Comparison) compare(was, is *heard, token string) {
	before, after := was.robots.Rules(token), is.robots.Rules(token)
	old, changed := was.patterns(token), is.patterns(token)
	trials := 0
	if c.Dialect == robotstxt.Koster1996 {
		trials = len(old) + len(changed)
	}
	for path := range witness.Between(old, changed, 0) {
		url := "https://site.example" + path // as a path may start with two slashes
		a, lineBefore := before.Verdict(url)
		b, lineAfter := after.Verdict(url)
		c.Compared, c.trials = c.Compared+1, c.trials+trials
		if a != b {
			c.Changed++
			if len(c.Examples) < mostExamples {
				c.Examples = append(c.Examples, Change{c.Dialect, token, path, b, lineBefore, lineAfter})
			}
		}
		if c.spent() {
			return
		}
	}
}

// heard is a file by the tokens that it names.
type heard struct {
	robots *robotstxt.Robots
	groups []robotstxt.Group
	named  map[string][]int // the groups of a token in lower case
	tokens []string         // as first spelt
}

func newHeard(robots *robotstxt.Robots) *heard {
	h := &heard{robots: robots, named: make(map[string][]int)}
	for group := range robots.Groups() {
		for agent := range group.Agents() {
			key := ascii.ToLower(agent.Token)
			of := h.named[key]
			if of == nil {
				h.tokens = append(h.tokens, agent.Token)
			}
			if len(of) == 0 || of[len(of)-1] != len(h.groups) {
				h.named[key] = append(of, len(h.groups))
			}
		}
		h.groups = append(h.groups, group)
	}
	return h
}

// key returns the token under which a crawler finds its groups.
func (h *heard) key(token string) string {
	if key := ascii.ToLower(token); h.named[key] != nil {
		return key
	}
	return "*"
}

// patterns returns those of all rules that speak to a crawler.
func (h *heard) patterns(token string) (patterns []string) {
	for _, group := range h.named[h.key(token)] {
		for rule := range h.groups[group].Rules() {
			patterns = append(patterns, rule.Pattern)
		}
	}
	return patterns
}

// listeners returns a token for each way to be spoken to by two files, those first
// to whom other rules speak than before. A file may name 100,000 tokens, but
// rarely tells them different things.
func listeners(was, is *heard) []string {
	texts := make(map[string]int)
	before, after := was.told(texts), is.told(texts)
	seen := make(map[[2]int]bool)
	var changed, same []string
	for _, token := range slices.Concat([]string{"*", unnamed(was, is)}, was.tokens, is.tokens) {
		told := [2]int{before[was.key(token)], after[is.key(token)]}
		switch {
		case seen[told]:
			continue
		case told[0] != told[1]:
			changed = append(changed, token)
		default:
			same = append(same, token)
		}
		seen[told] = true
	}
	return append(changed, same...)
}

// told numbers what the file tells to each of its tokens. Equal rules in equal
// groups have equal numbers, across files that share texts.
func (h *heard) told(texts map[string]int) map[string]int {
	number := func(text []byte) int {
		n, known := texts[string(text)]
		if !known {
			n = len(texts) + 1
			texts[string(text)] = n
		}
		return n
	}
	groups := make([]int, len(h.groups))
	for i, group := range h.groups {
		text := []byte("group")
		for rule := range group.Rules() {
			text = strconv.AppendBool(text, rule.Allow)
			text = binary.AppendUvarint(text, uint64(len(rule.Pattern)))
			text = append(text, rule.Pattern...)
		}
		groups[i] = number(text)
	}
	told := make(map[string]int)
	for key, of := range h.named {
		text := []byte("token")
		for _, group := range of {
			text = binary.AppendUvarint(text, uint64(groups[group]))
		}
		told[key] = number(text)
	}
	return told
}

// unnamed returns a token that neither file names.
func unnamed(files ...*heard) string {
	token := "AnyOtherBot"
	for slices.ContainsFunc(files, func(h *heard) bool { return h.named[ascii.ToLower(token)] != nil }) {
		token += "x"
	}
	return token
}
