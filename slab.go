package robotstxt

import (
	"sort"
	"strings"
	"unsafe"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// What is kept of a file is one slab of 32-bit words without a pointer: six
// tables, then all texts, end to end, and eight bytes more, so that eight bytes
// can be loaded wherever a text begins.
//
//	table    a row for each                 its words
//	rules    Allow or Disallow line         text; line, head and flags
//	agents   user-agent line                text, line, group
//	extras   sitemap or extension line      text, line, kind and whether in a group
//	         one word more                  where the texts end
//	groups   group, and one row after all   first agent, first rule
//	tokens   agent line that names someone  agent, hash of the token
//	buckets  range of hashes, and one more  first of tokens; see tokens.go
//
// The texts are in the order of their rows. So a text ends where that of the
// next row begins, and the word that says so is always the one after the row,
// from one table to the next and at the end. In the same way a group ends where
// the next row of groups says that another begins.
const (
	ruleWords  = 2
	agentWords = 3
	extraWords = 3
	groupWords = 2
	tokenWords = 2

	textPadding = 8
)

// table is a part of the slab's words.
type table struct{ start, rows uint32 }

// row returns where a row starts.
func (t table) row(i uint32, width int) int { return int(t.start) + int(i)*width }

// bytesOf returns the memory of words as bytes: texts are in the same slab.
func bytesOf(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// ruleRow is a row of rules.
type ruleRow struct {
	text  string // the pattern, with its final '$'
	line  uint32
	flags ruleFlags
}

// ruleFlags are the lower bits of a rule's second word; the line is above them.
type ruleFlags uint32

const (
	flagAllow ruleFlags = 1 << iota
	flagWild
	flagAnchored
	flagFolder // an Allow of an index page, which matches by its folder too (G53)

	// How many of the first eight bytes of a path the rule does not determine.
	// The others are its head: a path with other bytes there does not match.
	freeShift = iota
	freeMask  = 15 << freeShift

	flagBits = freeShift + 4
)

// headLength is the length of the longest head.
const headLength = 8

// freeBits returns by how many bits to shift the first eight bytes of a path, the
// first one lowest, so that only those of the head are left.
func (f ruleFlags) freeBits() uint32 { return uint32(f&freeMask) >> freeShift * 8 }

// flagsOf returns the flags of a rule with a pattern in the dialect's encoding.
func (r *reading) flagsOf(allow bool, encoded string) (flags ruleFlags) {
	p := r.newPattern(encoded)
	if p.Wild {
		flags |= flagWild
	}
	if p.Anchored {
		flags |= flagAnchored
	}
	if allow {
		flags |= flagAllow
		if folder, ok := p.Folder(); ok && r.IndexRule {
			flags |= flagFolder
			p = folder // its head is shorter
		}
	}
	if p.Wild {
		return flags | headFlags(strings.IndexByte(p.Text, '*'))
	}
	return flags | headFlags(len(p.Text))
}

// headFlags returns the flags of a Disallow whose pattern has n bytes, all of them
// before a wildcard.
func headFlags(n int) ruleFlags { return ruleFlags(headLength-min(n, headLength)) << freeShift }

func (e ruleRow) allow() bool { return e.flags&flagAllow != 0 }

// pattern returns a rule as the matcher sees it.
func (e ruleRow) pattern() pattern.Pattern {
	p := pattern.Pattern{Text: e.text, Wild: e.flags&flagWild != 0, Anchored: e.flags&flagAnchored != 0}
	if p.Anchored {
		p.Text = p.Text[:len(p.Text)-1]
	}
	return p
}

// folder returns the pattern by which an Allow of an index page matches too (G53).
func (e ruleRow) folder() (folder pattern.Pattern, ok bool) {
	if e.flags&flagFolder == 0 {
		return pattern.Pattern{}, false
	}
	return e.pattern().Folder()
}

// weight returns the claim of the rule to decide.
func (e ruleRow) weight() pattern.Weight {
	return pattern.Weigh(len(e.text), e.allow(), int(e.line))
}

// agentRow is a row of agents without its group: see groupOf.
type agentRow struct {
	token string
	line  uint32
}

// extraRow is a row of extras: a sitemap or a named extension line.
type extraRow struct {
	value   string
	line    uint32
	kind    keptKind
	grouped bool
}

const extraGrouped = 1 << 8 // in the third word of an extra, above its kind

// textOf returns the text of the row of so many words that starts at word at.
func (r *Robots) textOf(at, width int) string { return r.text[r.words[at]:r.words[at+width]] }

func (r *Robots) rule(i uint32) ruleRow {
	at := r.rules.row(i, ruleWords)
	return newRuleRow(r.textOf(at, ruleWords), r.words[at+1])
}

// newRuleRow returns the rule of a text and the second word of its row.
func newRuleRow(text string, second uint32) ruleRow {
	return ruleRow{text, second >> flagBits, ruleFlags(second & (1<<flagBits - 1))}
}

func (r *Robots) agent(i uint32) agentRow {
	at := r.agents.row(i, agentWords)
	return agentRow{r.textOf(at, agentWords), r.words[at+1]}
}

func (r *Robots) extra(i uint32) extraRow {
	at := r.extras.row(i, extraWords)
	third := r.words[at+2]
	return extraRow{r.textOf(at, extraWords), r.words[at+1], keptKind(third), third&extraGrouped != 0}
}

// groupOf returns the group of an agent line.
func (r *Robots) groupOf(agent uint32) uint32 { return r.words[r.agents.row(agent, agentWords)+2] }

// agentRange returns the agent lines of a group, by their indexes.
func (r *Robots) agentRange(group uint32) (start, end uint32) {
	at := r.groups.row(group, groupWords)
	return r.words[at], r.words[at+groupWords]
}

// ruleRange returns the rules of a group, by their indexes.
func (r *Robots) ruleRange(group uint32) (start, end uint32) {
	at := r.groups.row(group, groupWords) + 1
	return r.words[at], r.words[at+groupWords]
}

// extraRange returns the extras of a group, by their indexes. Those outside of
// all groups stand between groups, never within one, so a group's are
// neighbours; they are found by line.
func (r *Robots) extraRange(group uint32) (start, end uint32) {
	firstAgent, nextAgent := r.agentRange(group)
	after := func(agent uint32) uint32 {
		line := r.agent(agent).line
		return uint32(sort.Search(int(r.extras.rows), func(i int) bool { return r.extra(uint32(i)).line > line }))
	}
	start, end = after(firstAgent), r.extras.rows
	if nextAgent < r.agents.rows {
		end = after(nextAgent)
	}
	for end > start && !r.extra(end-1).grouped {
		end--
	}
	return start, end
}
