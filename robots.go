package robotstxt

import (
	"iter"
	"unsafe"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Robots is a parsed robots.txt: its groups, rules, sitemaps and named
// extension lines. It is immutable, safe for concurrent use, and holds no
// reference to the body it was parsed from.
//
// What it holds lies in one slab without pointers, so a garbage collector has
// nothing to follow however many rules a file has: see slab.go.
type Robots struct {
	dialect Dialect
	rules   table // in file order
	agents  table // in file order
	extras  table // in file order
	groups  table // in file order
	tokens  table // of the agents that name someone, by hash
	buckets table // of tokens
	words   words // of the tables
	text    string
	indexes indexes // made when they pay
}

// extraName says which line an extra is: sitemapLine, or an index into
// extensionNames.
type extraName uint8

const (
	crawlDelay  extraName = 0
	sitemapLine           = extraName(len(extensionNames))
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
		if ascii.EqualFold(key, extensionNames[i]) {
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
	size := int(unsafe.Sizeof(*r)) + len(r.words) + len(r.text)
	if r.rules.rows >= indexFromRules && !r.dialect.reading().FirstMatch {
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
			if e := r.extra(i); e.name == sitemapLine && !yield(Sitemap{e.value, int(e.line)}) {
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
			if e := r.extra(i); e.name != sitemapLine && !yield(e.extension()) {
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
			if e := r.extra(i); e.name != sitemapLine && !yield(e.extension()) {
				return
			}
		}
	}
}

// exported returns a rule as the caller sees it.
func (e rule) exported() Rule {
	return Rule{Allow: e.allow(), Pattern: e.text, Length: len(e.text), Line: int(e.line)}
}

func (e rule) allow() bool { return e.flags&flagAllow != 0 }

// pattern returns a rule as the matcher sees it.
func (e rule) pattern() pattern.Pattern {
	p := pattern.Pattern{Text: e.text, Wild: e.flags&flagWild != 0, Anchored: e.flags&flagAnchored != 0}
	if p.Anchored {
		p.Text = p.Text[:len(p.Text)-1]
	}
	return p
}

func (e extra) extension() Extension { return Extension{extensionNames[e.name], e.value, int(e.line)} }
