package robotstxt

// A question's way through the files
//
// A body is parsed once (left) and queried many times (right). The one-shot call
// (oneshot.go) does both at once: it reads the same lines, forgets the groups
// that do not count, and has match consider each rule that does.
//
//	Parse(body)      parse.go       Rules(agents…)   rules.go
//	  lines          scan.go          token → groups   tokens.go
//	  key → kind     key.go         Allowed(url)     rules.go
//	  token, groups  agent.go         URL → path       path.go
//	  pattern        internal/pattern rules of groups  slab.go
//	  tables         parse.go         heaviest match   match.go, or
//	Robots           robots.go        of many rules    index.go, literals.go, wildcards.go
//
// A URL is cut to its path (reading.pathOf) and, where the dialect's encoding
// changes it, written in canonical form. Few rules are tried one by one
// (match.scan); for a token with many rules that is queried often, an index made
// on the way finds the heaviest one instead (ruleIndex). Both return a pattern.Weight, which is the verdict and the line. Explain
// (explain.go) tries all rules by the same match and keeps those that match;
// Rules.All (all.go) yields them in the order of their weights. What differs
// between dialects is a row of readings (dialect.go).
//
// What is kept of a file lies in one slab without pointers: see slab.go.

import (
	"iter"
	"unsafe"
)

// Robots is a parsed robots.txt: its groups, rules, sitemaps and named
// extension lines. It is immutable, safe for concurrent use, and holds no
// reference to the body it was parsed from.
//
// What it holds lies in one slab without pointers, so a garbage collector has
// nothing to follow however many rules a file has: see slab.go.
type Robots struct {
	dialect Dialect
	rules   table      // in file order
	agents  table      // in file order
	extras  table      // in file order
	groups  table      // in file order
	tokens  table      // of the agents that name someone, by hash
	buckets table      // of tokens
	words   []uint32   // of the tables
	text    string     // and its padding
	indexes indexCache // made when they pay
}

// Rule is an Allow or Disallow line that belongs to a group, as it is compared.
type Rule struct {
	Allow   bool   `json:"allow"`   // otherwise Disallow
	Pattern string `json:"pattern"` // in the dialect's encoding (G22)
	Length  int    `json:"length"`  // of Pattern in octets: the rule's priority (G49)
	Line    int    `json:"line"`    // where the rule stands

	// Folder marks, in a Decision and in Rules.All, an Allow of an index page
	// whose Pattern is that of its folder (G53).
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
	size := int(unsafe.Sizeof(*r)) + 4*len(r.words) + len(r.text)
	if r.rules.rows > fewRules && !r.dialect.reading().FirstMatch {
		size += int(r.rules.rows)*indexedRule + int(r.tokens.rows)*int(unsafe.Sizeof(indexSlot{}))
	}
	return size
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
// outside of them. Group.Extensions and Rules.Extensions yield those of one
// group or crawler.
func (r *Robots) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		for i := range r.extras.rows {
			if e := r.extra(i); e.kind != keptSitemap && !yield(e.extension()) {
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

// Rules yields the group's Allow and Disallow lines in file order, those
// without a value included where the dialect counts them as rules (G51).
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

// Extensions yields the named extension lines that stand in the group, between
// its first agent line and the next group, in file order.
func (g Group) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		r := g.robots
		if r == nil {
			return
		}
		start, end := r.extraRange(g.index)
		for i := start; i < end; i++ {
			if e := r.extra(i); e.kind != keptSitemap && !yield(e.extension()) {
				return
			}
		}
	}
}

// exported returns a rule as the caller sees it.
func (e ruleRow) exported() Rule {
	return Rule{Allow: e.allow(), Pattern: e.text, Length: len(e.text), Line: int(e.line)}
}

func (e extraRow) extension() Extension {
	return Extension{extensionNames[e.kind], e.value, int(e.line)}
}
