package robotstxt

import (
	"sort"
	"unsafe"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// A parsed file in memory
//
// A parsed file is one slab of 32-bit words without a pointer: six tables, then all texts
// one after the other, then eight bytes, so that a load of eight bytes is possible
// wherever a text begins.
//
//	table    one row for each               words of a row
//	rules    Allow or Disallow line         text; line from 0, head and flags
//	agents   user-agent line                text, line, group
//	extras   sitemap or extension line      text, line, kind and whether in a group
//	         (one word)                     end of the texts
//	groups   group, and one at the end      first agent, first rule
//	tokens   agent line with a valid token  agent, hash of the token
//	buckets  range of hashes, and one more  first row of tokens; see tokens.go
//
// Texts are in the order of their rows, and a row contains the offset of its text. So the
// word after a row, which is the first of the next row or table, is the end of its text.
// In the same way the next row of groups contains the ends of a group.
const (
	ruleWords  = 2
	agentWords = 3
	extraWords = 3
	groupWords = 2
	tokenWords = 2

	textPadding = 8
)

type table struct{ start, rows uint32 }

func (t table) row(i uint32, width int) int { return int(t.start) + int(i)*width }

func bytesOf(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

type ruleRow struct {
	text  string // the pattern, with a final '$'
	line  uint32
	flags ruleFlags
}

// ruleFlags are the lower bits of a rule's second word; the line, counted from 0, is above
// them.
type ruleFlags uint32

const (
	flagAllow ruleFlags = 1 << iota
	flagWild
	flagAnchored
	flagFolder // an Allow of an index page, which matches its folder too [G53]

	// The number of the first eight bytes of a path that the rule does not fix. Those
	// that it fixes are its head: a path with another head does not match.
	freeShift = iota
	freeMask  = 15 << freeShift

	flagBits = freeShift + 4
)

// headLength is the maximum length of a head.
const headLength = 8

// freeBits returns the number of bits by which the first eight bytes of a path, the first
// one lowest, are shifted left so that only the head remains.
func (f ruleFlags) freeBits() uint32 { return uint32(f&freeMask) >> (freeShift - 3) } // 8 = 1<<3 bits for a byte

func (f ruleFlags) fixed() int { return headLength - int(f&freeMask)>>freeShift }

func (r *reading) flagsOf(allow bool, p pattern.Pattern, before int) (flags ruleFlags) {
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
			before = min(before, len(folder.Text)) // it has the shorter head
		}
	}
	return flags | headFlags(before)
}

// headFlags returns the flags of a Disallow whose pattern has n bytes, all of them
// before a wildcard.
func headFlags(n int) ruleFlags { return ruleFlags(headLength-min(n, headLength)) << freeShift }

func (e ruleRow) allow() bool { return e.flags&flagAllow != 0 }

func (e ruleRow) pattern() pattern.Pattern {
	p := pattern.Pattern{Text: e.text, Wild: e.flags&flagWild != 0, Anchored: e.flags&flagAnchored != 0}
	if p.Anchored {
		p.Text = p.Text[:len(p.Text)-1]
	}
	return p
}

// folder returns the second pattern of an Allow of an index page [G53].
func (e ruleRow) folder() (folder pattern.Pattern, ok bool) {
	if e.flags&flagFolder == 0 {
		return pattern.Pattern{}, false
	}
	return e.pattern().Folder()
}

func (e ruleRow) weight() pattern.Weight {
	return pattern.Weigh(len(e.text), e.allow(), int(e.line))
}

type agentRow struct {
	token string
	line  uint32
}

type extraRow struct {
	value   string
	line    uint32
	kind    keptKind
	grouped bool
}

const extraGrouped = 1 << 8 // in the third word of an extra, above its kind

// textOf returns the text of the row that starts at word at and has width words.
func (r *Robots) textOf(at, width int) string { return r.text[r.words[at]:r.words[at+width]] }

func (r *Robots) rule(i uint32) ruleRow {
	at := r.rules.row(i, ruleWords)
	return newRuleRow(r.textOf(at, ruleWords), r.words[at+1])
}

// newRuleRow returns the rule of a text and the second word of its row.
func newRuleRow(text string, second uint32) ruleRow {
	return ruleRow{text, second>>flagBits + 1, ruleFlags(second & (1<<flagBits - 1))}
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

func (r *Robots) groupOf(agent uint32) uint32 { return r.words[r.agents.row(agent, agentWords)+2] }

func (r *Robots) agentRange(group uint32) (start, end uint32) {
	at := r.groups.row(group, groupWords)
	return r.words[at], r.words[at+groupWords]
}

func (r *Robots) ruleRange(group uint32) (start, end uint32) {
	at := r.groups.row(group, groupWords) + 1
	return r.words[at], r.words[at+groupWords]
}

// extraRange returns the extras of a group, by their indexes. It searches for the lines
// of the group. Extras outside of all groups are between groups, so a group's extras are
// adjacent.
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
