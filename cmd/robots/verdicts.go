package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/kosterhq/robotstxt"
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

// comparison tells how the verdicts of two files differ in a dialect.
type comparison struct {
	dialect  robotstxt.Dialect
	verdicts int             // that were compared
	trials   int             // of rules, where they are tried one after the other
	changed  int             // of them
	examples []verdictChange // the first few of those
}

// verdictChange is a URL about which a crawler gets another answer than before.
type verdictChange struct {
	Dialect robotstxt.Dialect `json:"dialect"`
	Agent   string            `json:"agent"`
	URL     string            `json:"url"`     // a path
	Allowed bool              `json:"allowed"` // after the change
	Before  int               `json:"before"`  // the line that decided, 0 if none
	After   int               `json:"after"`   // the line that decides
}

// String tells the change in a sentence, escaped.
func (c verdictChange) String() string {
	verdicts := map[bool]string{true: "allowed", false: "disallowed"}
	return fmt.Sprintf("in dialect %s the verdict changes for %s: %s was %s, by %s, and is %s, by %s",
		c.Dialect, quoteStar(c.Agent), clip(escape(c.URL), widestExcerpt),
		verdicts[!c.Allowed], lineText(c.Before), verdicts[c.Allowed], lineText(c.After))
}

func lineText(line int) string {
	if line == 0 {
		return "no line"
	}
	return fmt.Sprintf("line %d", line)
}

// compareVerdicts asks both bodies, as a dialect reads them, for all crawlers
// that either names, for one that neither names, and for "*", about the URLs
// where a verdict can change.
func compareVerdicts(before, after []byte, dialect robotstxt.Dialect) *comparison {
	was, is := newHeard(dialect.Parse(before)), newHeard(dialect.Parse(after))
	c := &comparison{dialect: dialect}
	for _, token := range listeners(was, is) {
		if c.compare(was, is, token); c.spent() {
			break
		}
	}
	return c
}

// spent reports whether enough was compared.
func (c *comparison) spent() bool { return c.verdicts >= mostVerdicts || c.trials >= mostTrials }

// compare compares what one crawler is told.
func (c *comparison) compare(was, is *heard, token string) {
	before, after := was.robots.Rules(token), is.robots.Rules(token)
	old, changed := was.patterns(token), is.patterns(token)
	trials := 0
	if c.dialect == robotstxt.Koster1996 {
		trials = len(old) + len(changed)
	}
	for path := range witness.Between(old, changed, 0) {
		url := "https://site.example" + path // as a path may start with two slashes
		a, lineBefore := before.Verdict(url)
		b, lineAfter := after.Verdict(url)
		c.verdicts, c.trials = c.verdicts+1, c.trials+trials
		if a != b {
			c.changed++
			if len(c.examples) < mostExamples {
				c.examples = append(c.examples, verdictChange{c.dialect, token, path, b, lineBefore, lineAfter})
			}
		}
		if c.spent() {
			return
		}
	}
}

// tell names the changes of a file. In a dialect that is not its own one is enough:
// whoever writes for one dialect seldom cares for another.
func (c *comparison) tell(t *terminal, name string, foreign bool) {
	shown := c.examples
	if foreign {
		shown = shown[:min(1, len(shown))]
	}
	for i, change := range shown {
		more := ""
		if n := c.changed - len(shown); i == len(shown)-1 && n > 0 {
			more = "; so do " + count(n, "other verdict", "other verdicts")
		}
		t.note("%s: %s%s", shownName(name), change, more)
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
			key := lowerASCII(agent.Token)
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
	if key := lowerASCII(token); h.named[key] != nil {
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
	for slices.ContainsFunc(files, func(h *heard) bool { return h.named[lowerASCII(token)] != nil }) {
		token += "x"
	}
	return token
}

// lowerASCII writes a token as all spellings of it that find the same groups.
func lowerASCII(token string) string {
	lower := []byte(token)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}

// comparedText says what a comparison came to.
func comparedText(verdicts int, changed bool) string {
	text := count(verdicts, "verdict", "verdicts") + " compared"
	if !changed {
		text += ", none changes"
	}
	return text
}
