package robotstxt

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Rules are the rules that apply to one crawler, or a verdict without a file. It is a
// small value, safe for concurrent use. The zero value allows every URL.
type Rules struct {
	robots       *Robots // nil without a file
	label        string  // the token that selected the groups; without a file, the reason
	start, end   uint32  // rows of Robots.tokens: the agent lines with that token
	first, after uint32  // rows of Robots.rules: the rules of the first group
	disallowAll  bool    // the verdict without a file
	fallback     bool    // the label is not the crawler's first token
}

// Rules returns the rules that apply to a crawler with these product tokens, the most
// specific first, such as "Googlebot-News", "Googlebot". Rules merges all groups with the
// first of these tokens that any agent line contains. If no line contains any of them, or
// agents is empty, the groups for "*" apply. In Koster1996 only the first record with the
// token applies [G31, G38].
//
// Tokens are compared in full and unchanged, except for the case of letters. So
// "FooBot/1.0" or a whole User-Agent header never selects a group in the Google dialect; see
// ValidAgent [G27].
func (r *Robots) Rules(agents ...string) Rules {
	for i, agent := range agents {
		if rules := r.rulesFor(agent); rules.chosen() {
			rules.fallback = i > 0
			return rules
		}
	}
	return r.rulesFor(starToken)
}

// NamedRules is like Rules, but without the fallback to "*": it is for crawlers that
// obey only groups with one of their tokens. If there is no such group, or "*" is the
// only token, every URL is allowed [G55].
func (r *Robots) NamedRules(agents ...string) Rules {
	for i, agent := range agents {
		if agent == starToken {
			continue
		}
		if rules := r.rulesFor(agent); rules.chosen() {
			rules.fallback = i > 0
			return rules
		}
	}
	return Rules{robots: r}
}

func (r *Robots) rulesFor(token string) Rules {
	start, end := r.named(token)
	if r.dialect.reading().Records {
		end = min(end, start+1)
	}
	rules := Rules{robots: r, label: token, start: uint32(start), end: uint32(end)}
	if rules.chosen() {
		rules.first, rules.after = r.ruleRange(r.groupOf(r.token(start).agent()))
	}
	return rules
}

// AllowAll returns Rules that allow every URL, for a site without a usable
// robots.txt. Explain repeats the reason.
func AllowAll(reason string) Rules { return Rules{label: reason} }

// DisallowAll returns Rules that disallow every URL, for a site whose robots.txt is
// unreachable at present. Explain repeats the reason.
func DisallowAll(reason string) Rules { return Rules{disallowAll: true, label: reason} }

// MatchedBy is how the groups that apply to a crawler were selected.
type MatchedBy string

// How groups are selected.
const (
	// By the crawler's own product token, the first one: the file names the crawler.
	MatchedByName MatchedBy = "name"
	// By a later token: the file does not name the crawler, but one whose group it obeys instead.
	MatchedByFallback MatchedBy = "fallback"
	MatchedByStar     MatchedBy = "star" // by "*", because no token of the crawler selected any
	MatchedByNone     MatchedBy = "none" // no group applies, or there is no file
)

// MatchedBy returns how the groups were selected, as Explain does but without allocation.
func (r Rules) MatchedBy() MatchedBy {
	switch {
	case !r.chosen():
		return MatchedByNone
	case r.label == starToken:
		return MatchedByStar
	case r.fallback:
		return MatchedByFallback
	default:
		return MatchedByName
	}
}

// Agent returns the token that selected the groups, see Decision.Agent.
func (r Rules) Agent() string {
	if !r.chosen() {
		return ""
	}
	return r.label
}

// Dialect returns the dialect of the file, see Decision.Dialect. If there is no file, it is Google.
func (r Rules) Dialect() Dialect {
	if r.robots == nil {
		return Google
	}
	return r.robots.dialect
}

func (r Rules) chosen() bool { return r.start < r.end }

// groups yields the selected groups in file order, each once.
func (r Rules) groups() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := r.start; i < r.end; i++ {
			if !yield(r.robots.groupOf(r.robots.token(int(i)).agent())) {
				return
			}
		}
	}
}

// Groups yields the groups that apply to the crawler, in file order. Rules of the
// same groups give the same answers.
func (r Rules) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		if r.robots == nil {
			return
		}
		for group := range r.groups() {
			if !yield(Group{r.robots, group}) {
				return
			}
		}
	}
}

// Allowed reports whether the crawler may fetch url, which is absolute, scheme-relative,
// or a path with its query. Every URL is accepted and compared as it is; call EncodeURL
// first if it might not be encoded yet [G48, G58–G62].
//
// Allowed does not allocate, with two exceptions: a path that the dialect rewrites to
// more than 64 KB, and the index that is made once for a token with many rules that is
// queried often.
func (r Rules) Allowed(url string) bool {
	allowed, _ := r.decide(url)
	return allowed
}

// Verdict returns the result of Allowed and the deciding line, see
// Decision.Line. It is as fast as Allowed. Explain also returns the reasons
// [G54].
func (r Rules) Verdict(url string) (allowed bool, line int) { return r.decide(url) }

// decide takes a pointer, because Go would copy Rules for each call: they have more fields than it
// passes in registers.
func (r *Rules) decide(url string) (allowed bool, line int) {
	if r.robots == nil {
		return !r.disallowAll, 0
	}
	reading := r.robots.dialect.reading()
	path, bare := reading.pathOf(url)
	if reading.rewrites(path, bare) {
		return r.verdictRewritten(reading, path, bare)
	}
	return r.verdict(reading, path, "")
}

func (r *Rules) verdictRewritten(reading *reading, path string, bare bool) (allowed bool, line int) {
	b := newBuffer()
	defer b.free()
	text, slashed := b.path(reading, path, bare)
	return r.verdict(reading, text, slashed)
}

// verdict decides about a path in the form that is compared. It tries a few rules of one
// group one after the other. For many rules, or wildcards, it uses the index, if there is one
// already.
func (r *Rules) verdict(reading *reading, path, slashed string) (allowed bool, line int) {
	var matcher pattern.Matcher
	if slashed != "" {
		matcher.Slash(slashed)
	}
	m := newMatch(reading, path)
	few := r.end-r.start <= 1 && r.after-r.first <= fewRules
	switch index := r.index(); {
	case reading.FirstMatch:
		m.scan(r.robots, r.first, r.after, &matcher)
	case index != nil:
		m.best = index.heaviest(path, &matcher)
	case !few:
		r.indexSlot().add(*r, r.scanAll(&m, &matcher))
	default:
		if tried := m.scan(r.robots, r.first, r.after, &matcher); tried >= fewWildcards {
			r.indexSlot().add(*r, workOf(r.after-r.first, tried))
		}
	}
	matcher.Free()
	return m.verdict()
}

func (r *Rules) scanAll(m *match, x *pattern.Matcher) (work uint64) {
	for group := range r.groups() {
		first, after := r.robots.ruleRange(group)
		work += workOf(after-first, m.scan(r.robots, first, after, x))
	}
	return work
}

// Extensions yields the named extension lines that apply to the crawler, in file order: the
// lines of the selected groups, but a Crawl-delay, Request-rate or Visit-time only if the
// selected token is among its agents, see Extension.Agents. If an agent line has a token of
// the crawler, lines of "*" do not apply to it.
func (r Rules) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		for group := range r.Groups() {
			list, named := uint32(0), false // of the latest list: its end, and whether it has the token
			for e := range group.Extensions() {
				if e.listed && e.after != list {
					list, named = e.after, e.names(r.label)
				}
				if (named || !e.listed) && !yield(e) {
					return
				}
			}
		}
	}
}

type weighted struct {
	pattern pattern.Pattern
	weight  pattern.Weight
	folder  bool // pattern is the folder of an index page [G53]
}

// inFileOrder yields the patterns of the rules of r in file order. An Allow of an
// index page has two patterns; if both match, its own weighs more than the folder's.
func (r Rules) inFileOrder() iter.Seq[weighted] {
	return func(yield func(weighted) bool) {
		for group := range r.groups() {
			start, end := r.robots.ruleRange(group)
			for i := start; i < end; i++ {
				rule := r.robots.rule(i)
				p, allow, line := rule.pattern(), rule.allow(), int(rule.line)
				if !yield(weighted{p, pattern.Weigh(p.Priority(), allow, line), false}) {
					return
				}
				if p, ok := rule.folder(); ok && !yield(weighted{p, pattern.Weigh(p.Priority(), allow, line), true}) {
					return
				}
			}
		}
	}
}

// All yields the rules that apply to the crawler, strongest first. The first rule
// whose pattern matches a path decides. The path is allowed if no rule matches, or
// if the Length of the first one is 0 [G49–G54]. In Koster1996 the rules are in file
// order, because the first match decides.
//
// To match the patterns yourself, compare them with the path that Dialect.EncodePath
// returns; Dialect.Traits reports whether they contain wildcards, and whether a slash
// after a star can match %2F.
//
// If the dialect has the index rule, All yields an Allow of an index page twice:
// with its own pattern, and later as a weaker rule with the pattern of its folder
// and Folder set [G53]. In RFC9309 the first rule is the implicit Allow of
// /robots.txt, with Line 0 [RFC 9309 2.2.2].
//
// AllowAll, DisallowAll and the zero Rules yield nothing; call Allowed for their
// verdict. All sorts each time it is iterated.
func (r Rules) All() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		if r.robots == nil {
			return
		}
		reading := r.robots.dialect.reading()
		if reading.openRobots && !yield(Rule{Allow: true, Pattern: robotsPath + "$", Length: len(robotsPath) + 1}) {
			return
		}
		s := sortings.Get().(*sorting)
		defer s.free()
		s.rows = r.appendWeights(s.rows)
		if !reading.FirstMatch {
			slices.SortFunc(s.rows, func(a, b weightedRow) int { return cmp.Compare(b.weight, a.weight) })
		}
		for _, w := range s.rows {
			row := r.robots.rule(w.row)
			rule := Rule{Allow: w.weight.Allow(), Pattern: row.text, Length: w.weight.Priority(), Line: int(row.line)}
			rule.Folder = w.folder
			if w.folder {
				folder, _ := row.folder()
				rule.Pattern = folder.String()
			}
			if !yield(rule) {
				return
			}
		}
	}
}

// weightedRow is a rule, or the folder of its index page, by which All sorts.
type weightedRow struct {
	weight pattern.Weight
	row    uint32 // of Robots.rules
	folder bool
}

// appendWeights is inFileOrder without the patterns, which are slow to sort.
func (r Rules) appendWeights(rows []weightedRow) []weightedRow {
	for group := range r.groups() {
		start, end := r.robots.ruleRange(group)
		rows = slices.Grow(rows, int(end-start))
		for i := start; i < end; i++ {
			rule := r.robots.rule(i)
			rows = append(rows, weightedRow{weight: rule.weight(), row: i})
			if p, ok := rule.folder(); ok {
				rows = append(rows, weightedRow{pattern.Weigh(p.Priority(), rule.allow(), int(rule.line)), i, true})
			}
		}
	}
	return rows
}

type sorting struct{ rows []weightedRow }

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// maxKeptRows is the number of rules up to which memory of All is reused.
const maxKeptRows = 1 << 16

func (s *sorting) free() {
	s.rows = s.rows[:0]
	if cap(s.rows) <= maxKeptRows {
		sortings.Put(s)
	}
}
