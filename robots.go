package robotstxt

// How a query passes through the files
//
// A body is parsed once (left) and queried many times (right). The one-shot call
// (oneshot.go) does both in one pass: it reads the same lines, skips groups of
// other crawlers, and passes each rule of the others to match.
//
//	Parse(body)      parse.go       Rules(agents…)   rules.go
//	  lines          scan.go          token → groups   tokens.go
//	  key → kind     key.go         Allowed(url)     rules.go
//	  token, groups  agent.go         URL → path       path.go
//	  pattern        internal/pattern rules of groups  slab.go
//	  tables         parse.go         heaviest match   match.go, or
//	Robots           robots.go        of many rules    index.go, literals.go, wildcards.go
//
// reading.pathOf returns the path of the URL, which is encoded if the dialect
// requires it. match.scan tries a few rules one by one. If a token has many rules
// and is queried often, the engine makes an index (ruleIndex), which finds the
// heaviest rule without trying the others. Both return a pattern.Weight, which
// contains the verdict and the line. Explain (explain.go) tries all rules with the
// same match and keeps those that match. Rules.All yields the rules by
// weight. Differences between dialects are the rows of readings (dialect.go).
//
// A parsed file is stored in one slab without pointers: see slab.go. Lines such as
// Crawl-delay belong to a part of a group's agents: see crawldelay.go.

import (
	"iter"
	"unsafe"
)

// Robots is a parsed robots.txt: its groups, rules, sitemaps and named
// extension lines. It is immutable and safe for concurrent use. It does not refer
// to the body it was parsed from, and the garbage collector finds no pointers in
// its rules, however many there are.
type Robots struct {
	dialect Dialect
	rules   table      // in file order
	agents  table      // in file order
	extras  table      // in file order
	groups  table      // in file order
	tokens  table      // of agents with a valid token, by hash
	buckets table      // of tokens
	words   []uint32   // of the tables
	text    string     // with its padding
	indexes indexCache // of tokens that are queried often
}

// Rule is an Allow or Disallow line of a group, in the form that is compared.
type Rule struct {
	Allow   bool   `json:"allow"`   // true for Allow, false for Disallow
	Pattern string `json:"pattern"` // the path pattern in the dialect's encoding [G22]
	Length  int    `json:"length"`  // the length of Pattern in octets: the rule's priority [G49]
	Line    int    `json:"line"`    // counted from 1

	// Folder is true if the rule allows an index page and Pattern is the pattern
	// of its folder. It is set only in a Decision and by Rules.All [G53].
	Folder bool `json:"folder"`
}

// Agent is a user-agent line.
type Agent struct {
	// Token is the product token that the dialect reads from the line, as
	// written. "*" matches every crawler; several stars match no crawler [G26].
	Token string

	Line int // counted from 1
}

// Extension is a named line beyond the protocol: Crawl-delay, Request-rate,
// Visit-time, Clean-param, Host, Content-Signal, Content-Usage or License. The
// value is as written and not validated.
type Extension struct {
	Name  string // in the spelling of the list above
	Value string
	Line  int

	robots       *Robots
	first, after uint32 // rows of Robots.agents
	listed       bool   // the line belongs to a list of agents, not to a group
}

// Sitemap is a sitemap line. It does not belong to a group, even if it is between
// the lines of one [G63].
type Sitemap struct {
	URL  string // as written, not validated
	Line int
}

// Group is a run of agent lines and the rules after it; in Koster1996, a record.
// A file can have several groups for one crawler, which Robots.Rules merges. The
// zero Group is empty [G34–G37].
type Group struct {
	robots *Robots
	index  uint32
}

// Dialect returns the dialect that r was parsed in.
func (r *Robots) Dialect() Dialect { return r.dialect }

// Size returns the number of bytes that r needs in memory, for caches with a limit
// in bytes. It includes one index even before the index exists, because a cache
// calls Size once and use of r can add the index later.
func (r *Robots) Size() int {
	size := int(unsafe.Sizeof(*r)) + 4*len(r.words) + len(r.text)
	if r.mayIndex() {
		size += int(r.rules.rows)*indexedRule + int(r.tokens.rows)*int(unsafe.Sizeof(indexSlot{}))
	}
	return size
}

func (r *Robots) mayIndex() bool {
	return !r.dialect.reading().FirstMatch && (r.rules.rows > fewRules || r.wildcards(0, r.rules.rows) >= fewWildcards)
}

// Groups yields the groups in file order.
func (r *Robots) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		for i := range r.groups.rows {
			if !yield(Group{r, i}) {
				return
			}
		}
	}
}

// Sitemaps yields the sitemap lines in file order.
func (r *Robots) Sitemaps() iter.Seq[Sitemap] {
	return func(yield func(Sitemap) bool) {
		for i := range r.extras.rows {
			if e := r.extra(i); e.kind == keptSitemap && !yield(Sitemap{e.value, int(e.line)}) {
				return
			}
		}
	}
}

// Extensions yields all named extension lines in file order, in groups and
// outside of them. Group.Extensions and Rules.Extensions yield the lines of one
// group or crawler.
func (r *Robots) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		lists := listReader{robots: r}
		for i := range r.extras.rows {
			if e := r.extra(i); e.kind != keptSitemap && !yield(lists.extension(e)) {
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
		start, end := r.agentRange(g.index)
		for i := start; i < end; i++ {
			if a := r.agent(i); !yield(Agent{a.token, int(a.line)}) {
				return
			}
		}
	}
}

// Rules yields the group's Allow and Disallow lines in file order. Lines without a
// value are included if they are rules in the dialect [G51].
func (g Group) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		r := g.robots
		if r == nil {
			return
		}
		start, end := r.ruleRange(g.index)
		for i := start; i < end; i++ {
			if !yield(r.rule(i).exported()) {
				return
			}
		}
	}
}

// Extensions yields the named extension lines between the group's first agent line
// and the next group, in file order. A Crawl-delay, Request-rate or Visit-time among
// them can belong to only some agents of the group, see Extension.Agents.
func (g Group) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		r := g.robots
		if r == nil {
			return
		}
		agent, _ := r.agentRange(g.index)
		lists := listReader{robots: r, first: agent, after: agent}
		start, end := r.extraRange(g.index)
		for i := start; i < end; i++ {
			if e := r.extra(i); e.kind != keptSitemap && !yield(lists.extension(e)) {
				return
			}
		}
	}
}

func (e ruleRow) exported() Rule {
	return Rule{Allow: e.allow(), Pattern: e.text, Length: len(e.text), Line: int(e.line)}
}
