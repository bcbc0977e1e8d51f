package robotstxt

import "sort"

// What is kept of a file is one slab of bytes without a pointer: five tables of
// 32-bit words, then all texts, end to end.
//
//	table    a row for each                 its words
//	rules    Allow or Disallow line         text, line and flags
//	agents   user-agent line                text, line, group
//	extras   sitemap or extension line      text, line, kind and whether in a group
//	         one word more                  where the texts end
//	groups   group, and one row behind all  first agent, first rule
//	tokens   agent line that names someone  agent, hash of the token
//	buckets  range of hashes, and one more  first of tokens; see tokens.go
//
// The texts stand in the order of their rows. So a text ends where that of the
// next row begins, and the word that says so is always the one behind the row,
// from one table to the next and at the end. In the same way a group ends where
// the next row of groups says that another begins.
const (
	ruleWords  = 2
	agentWords = 3
	extraWords = 3
	groupWords = 2
	tokenWords = 2
)

// slabWords are little-endian 32-bit words.
type slabWords string

func (w slabWords) at(i int) uint32 { return load4(string(w[4*i:])) }

// table is a part of the slab's words.
type table struct{ start, rows uint32 }

// row returns where a row starts.
func (t table) row(i uint32, width int) int { return int(t.start) + int(i)*width }

// load4 returns the first four bytes of s as an integer, the first one lowest.
// The compiler makes it a single load.
func load4(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// ruleRow is a row of rules, and what it says of the pattern.
type ruleRow struct {
	text  string
	line  uint32
	flags ruleFlags
}

type ruleFlags uint32

const (
	flagAllow ruleFlags = 1 << iota
	flagWild
	flagAnchored

	flagBits = 3 // the flags of a rule's second word; the line stands above them
)

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
func (r *Robots) textOf(at, width int) string {
	return r.text[r.words.at(at):r.words.at(at+width)]
}

func (r *Robots) rule(i uint32) ruleRow {
	// The three words at once, and those of ruleRange: taken one by one, they
	// made a question about a few rules an eighth slower.
	at := 4 * r.rules.row(i, ruleWords)
	row := string(r.words[at : at+4*ruleWords+4])
	start, second, end := load4(row), load4(row[4:]), load4(row[8:])
	return ruleRow{r.text[start:end], second >> flagBits, ruleFlags(second & (1<<flagBits - 1))}
}

func (r *Robots) agent(i uint32) agentRow {
	at := r.agents.row(i, agentWords)
	return agentRow{r.textOf(at, agentWords), r.words.at(at + 1)}
}

func (r *Robots) extra(i uint32) extraRow {
	at := r.extras.row(i, extraWords)
	third := r.words.at(at + 2)
	return extraRow{r.textOf(at, extraWords), r.words.at(at + 1), keptKind(third), third&extraGrouped != 0}
}

// groupOf returns the group of an agent line.
func (r *Robots) groupOf(agent uint32) uint32 { return r.words.at(r.agents.row(agent, agentWords) + 2) }

// agentRange returns the agent lines of a group, by their indexes.
func (r *Robots) agentRange(group uint32) (start, end uint32) {
	at := r.groups.row(group, groupWords)
	return r.words.at(at), r.words.at(at + groupWords)
}

// ruleRange returns the rules of a group, by their indexes.
func (r *Robots) ruleRange(group uint32) (start, end uint32) {
	at := 4 * r.groups.row(group, groupWords)
	row := string(r.words[at : at+2*4*groupWords])
	return load4(row[4:]), load4(row[4+4*groupWords:])
}

// extraRange returns the extras of a group, by their indexes. Those outside of
// all groups stand between groups, never within one, so a group's are
// neighbours; they are found by line.
func (r *Robots) extraRange(group uint32) (start, end uint32) {
	firstAgent, nextAgent := r.agentRange(group)
	behind := func(agent uint32) uint32 {
		line := r.agent(agent).line
		return uint32(sort.Search(int(r.extras.rows), func(i int) bool { return r.extra(uint32(i)).line > line }))
	}
	start, end = behind(firstAgent), r.extras.rows
	if nextAgent < r.agents.rows {
		end = behind(nextAgent)
	}
	for end > start && !r.extra(end-1).grouped {
		end--
	}
	return start, end
}
