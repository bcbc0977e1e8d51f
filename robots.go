package robotstxt

import (
	"iter"
	"slices"
	"sort"
	"unsafe"
)

// Robots is a parsed robots.txt: its groups, rules, sitemaps and named
// extension lines. It is immutable, safe for concurrent use, and holds no
// reference to the body it was parsed from.
//
// The tables hold offsets instead of pointers, so a garbage collector has
// nothing to follow however many rules a file has.
type Robots struct {
	dialect Dialect
	text    string      // all tokens, patterns and values, end to end
	rules   []rule      // in file order
	agents  []agentLine // in file order
	groups  []group     // in file order
	extras  []extra     // in file order
	byToken []uint32    // indexes of the agents that name someone, by token, then in file order
	indexes indexes     // made when they pay
}

// text offsets fit 32 bits: see maxText.
type rule struct {
	offset uint32
	length uint16 // at most 3·maxLine, which fits
	flags  ruleFlags
	line   uint32
}

type ruleFlags uint16

const (
	flagAllow ruleFlags = 1 << iota
	flagWild
	flagAnchored
)

type agentLine struct {
	offset, length uint32
	line           uint32
	group          uint32
}

// group is a run of agent lines and what stands under it, up to where the next
// group's parts begin.
type group struct {
	firstAgent, firstRule uint32
}

// extra is a sitemap or a named extension line.
type extra struct {
	offset, length uint32
	line           uint32
	group          uint32 // noGroup outside of all
	name           extraName
}

const noGroup = ^uint32(0)

// extraName says which line an extra is: sitemapLine, or an index into
// extensionNames.
type extraName uint8

const (
	crawlDelay  extraName = 0
	sitemapLine extraName = 255
)

var extensionNames = [...]string{
	crawlDelay: "Crawl-delay",
	1:          "Request-rate",
	2:          "Visit-time",
	3:          "Clean-param",
	4:          "Host",
	5:          "Content-Signal",
	6:          "Content-Usage",
	7:          "License",
}

func extensionName(key string) (name extraName, ok bool) {
	for i := range extensionNames {
		if equalFold(key, extensionNames[i]) {
			return extraName(i), true
		}
	}
	return 0, false
}

// Rule is an Allow or Disallow line that belongs to a group, as it is compared.
type Rule struct {
	Allow   bool   `json:"allow"`   // otherwise Disallow
	Pattern string `json:"pattern"` // in the dialect's encoding (G22)
	Length  int    `json:"length"`  // of Pattern in octets: the rule's priority (G49)
	Line    int    `json:"line"`    // where the rule stands

	// Folder marks, in a Decision, an Allow of an index page that matched by
	// the pattern of its folder, which is Pattern then (G53).
	Folder bool `json:"folder"`
}

// Agent is a user-agent line.
type Agent struct {
	// Token is cut from the line as the dialect does (G26), as spelt: "*" for
	// everyone, several stars for no one.
	Token string

	Line int // where the user-agent line stands
}

// Extension is a named line beyond the protocol: Crawl-delay, Request-rate,
// Visit-time, Clean-param, Host, Content-Signal, Content-Usage or License. Its
// value is as spelt; nothing is validated.
type Extension struct {
	Name  string // as in the list above, however the file spells it
	Value string
	Line  int
}

// Sitemap is a sitemap line, wherever it stands: it belongs to no group (G63).
type Sitemap struct {
	URL  string // as spelt, not validated
	Line int
}

// Group is a run of agent lines with the rules under it (G34–G37); in
// Koster1996, a record. Groups are not merged here: Robots.Rules does that. The
// zero Group is empty.
type Group struct {
	robots *Robots
	index  uint32
}

// Dialect returns the dialect that r was parsed in.
func (r *Robots) Dialect() Dialect { return r.dialect }

// Size returns how many bytes r takes up in memory, for caches that are bounded
// by bytes. It counts one index, whether that has been made yet or not, because
// a cache asks once, and an index comes with use.
func (r *Robots) Size() int {
	size := r.tablesSize()
	if len(r.rules) >= indexFromRules && !r.dialect.reading().firstMatch {
		size += len(r.rules)*indexedRule + len(r.byToken)*int(unsafe.Sizeof(indexSlot{}))
	}
	return size
}

func (r *Robots) tablesSize() int {
	return int(unsafe.Sizeof(*r)) + len(r.text) +
		cap(r.rules)*int(unsafe.Sizeof(rule{})) +
		cap(r.agents)*int(unsafe.Sizeof(agentLine{})) +
		cap(r.groups)*int(unsafe.Sizeof(group{})) +
		cap(r.extras)*int(unsafe.Sizeof(extra{})) +
		cap(r.byToken)*int(unsafe.Sizeof(uint32(0)))
}

// Groups yields the groups in file order.
func (r *Robots) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		for i := range r.groups {
			if !yield(Group{r, uint32(i)}) {
				return
			}
		}
	}
}

// Sitemaps yields the sitemap lines in file order.
func (r *Robots) Sitemaps() iter.Seq[Sitemap] {
	return func(yield func(Sitemap) bool) {
		for _, e := range r.extras {
			if e.name == sitemapLine && !yield(Sitemap{r.cut(e.offset, e.length), int(e.line)}) {
				return
			}
		}
	}
}

// Extensions yields all named extension lines in file order, in groups and
// outside of them. Group.Extensions and Rules.Extensions yield those of one
// group or crawler.
func (r *Robots) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		for i := range r.extras {
			if e := &r.extras[i]; e.name != sitemapLine && !yield(r.extension(e)) {
				return
			}
		}
	}
}

// Agents yields the group's user-agent lines in file order.
func (g Group) Agents() iter.Seq[Agent] {
	return func(yield func(Agent) bool) {
		r := g.robots
		if r == nil {
			return
		}
		_, end := r.agentRange(g.index)
		for i := r.groups[g.index].firstAgent; i < end; i++ {
			if !yield(Agent{r.token(i), int(r.agents[i].line)}) {
				return
			}
		}
	}
}

// Rules yields the group's Allow and Disallow lines in file order, those
// without a value included where the dialect counts them as rules (G51).
func (g Group) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		if g.robots == nil {
			return
		}
		for _, e := range g.robots.groupRules(g.index) {
			if !yield(g.robots.rule(e)) {
				return
			}
		}
	}
}

// Extensions yields the named extension lines that stand in the group, between
// its first agent line and the next group, in file order.
func (g Group) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		if g.robots == nil {
			return
		}
		for _, e := range g.robots.groupExtras(g.index) {
			if e.name != sitemapLine && !yield(g.robots.extension(&e)) {
				return
			}
		}
	}
}

func (r *Robots) cut(offset, length uint32) string { return r.text[offset : offset+length] }

// token returns what the agent line of that index names.
func (r *Robots) token(agent uint32) string {
	return r.cut(r.agents[agent].offset, r.agents[agent].length)
}

// rule returns a rule as the caller sees it.
func (r *Robots) rule(e rule) Rule {
	text := r.cut(e.offset, uint32(e.length))
	return Rule{Allow: e.flags&flagAllow != 0, Pattern: text, Length: len(text), Line: int(e.line)}
}

// pattern returns a rule as the matcher sees it.
func (r *Robots) pattern(e *rule) pattern {
	p := pattern{
		text:     r.text[e.offset : e.offset+uint32(e.length)],
		wild:     e.flags&flagWild != 0,
		anchored: e.flags&flagAnchored != 0,
	}
	if p.anchored {
		p.text = p.text[:len(p.text)-1]
	}
	return p
}

func (r *Robots) extension(e *extra) Extension {
	return Extension{extensionNames[e.name], r.cut(e.offset, e.length), int(e.line)}
}

func (r *Robots) agentRange(group uint32) (start, end uint32) {
	start, end = r.groups[group].firstAgent, uint32(len(r.agents))
	if int(group)+1 < len(r.groups) {
		end = r.groups[group+1].firstAgent
	}
	return start, end
}

func (r *Robots) groupRules(group uint32) []rule {
	start, end := r.groups[group].firstRule, uint32(len(r.rules))
	if int(group)+1 < len(r.groups) {
		end = r.groups[group+1].firstRule
	}
	return r.rules[start:end]
}

// groupExtras returns the extras of a group. Those outside of all groups stand
// between groups, never within one, so a group's are neighbours; they are
// found by line.
func (r *Robots) groupExtras(group uint32) []extra {
	first := r.agents[r.groups[group].firstAgent].line
	start := sort.Search(len(r.extras), func(i int) bool { return r.extras[i].line > first })
	end := start
	for end < len(r.extras) && r.extras[end].group == group {
		end++
	}
	return r.extras[start:end]
}

// named returns the range in byToken of the agent lines that name token.
func (r *Robots) named(token string) (start, end int) {
	start, found := slices.BinarySearchFunc(r.byToken, token, func(i uint32, token string) int {
		return compareFold(r.token(i), token)
	})
	if !found {
		return start, start
	}
	end = start + 1
	for end < len(r.byToken) && equalFold(r.token(r.byToken[end]), token) {
		end++
	}
	return start, end
}
