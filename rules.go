package robotstxt

import (
	"iter"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Rules are the rules that apply to one crawler, or a verdict without a file. It is a
// small value, safe for concurrent use. The zero value allows every URL.
type Rules struct {
	robots       *Robots // nil if there is no file
	label        string  // the token that selected the groups; without a file, the reason
	start, end   uint32  // rows of Robots.tokens: the agent lines with that token
	first, after uint32  // rows of Robots.rules: the rules of the first group
	disallowAll  bool    // the verdict without a file
}

// Rules returns the rules that apply to a crawler with these product tokens, the most
// specific first, such as "Googlebot-News", "Googlebot". The first token that any agent
// line has selects the groups, and all groups with that token are merged. If no line has
// any of the tokens, or there are none, the groups for "*" apply. In Koster1996 only the
// first record with the token applies [G31, G38].
//
// Tokens are compared in full and unchanged, except for the case of letters. So
// "FooBot/1.0" or a whole User-Agent header never selects a group in dialect Google; see
// ValidAgent [G27].
func (r *Robots) Rules(agents ...string) Rules {
	for _, agent := range agents {
		if rules := r.rulesFor(agent); rules.chosen() {
			return rules
		}
	}
	return r.rulesFor(starToken)
}

// NamedRules is Rules without the fallback to "*", for crawlers that obey only groups
// with one of their tokens. If there are none, or "*" is the only token, every URL is
// allowed [G55].
func (r *Robots) NamedRules(agents ...string) Rules {
	for _, agent := range agents {
		if agent == starToken {
			continue
		}
		if rules := r.rulesFor(agent); rules.chosen() {
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
	MatchedByName MatchedBy = "name" // by a product token of the crawler
	MatchedByStar MatchedBy = "star" // as those for "*", which no other token selected
	MatchedByNone MatchedBy = "none" // no group applies, or there is no file
)

// MatchedBy returns how the groups were selected, as Explain does but without allocation.
func (r Rules) MatchedBy() MatchedBy {
	switch {
	case !r.chosen():
		return MatchedByNone
	case r.label == starToken:
		return MatchedByStar
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

// Dialect returns the dialect of the file, see Decision.Dialect. It is Google without a file.
func (r Rules) Dialect() Dialect {
	if r.robots == nil {
		return Google
	}
	return r.robots.dialect
}

// chosen reports whether any group was selected.
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
// first if it may not be encoded yet [G48, G58–G62].
//
// Allowed does not allocate, with two exceptions: a path that the dialect rewrites to
// more than 64 KB, and the index that is made once for a token with many rules that is
// queried often.
func (r Rules) Allowed(url string) bool {
	allowed, _ := r.decide(url)
	return allowed
}

// Verdict returns what Allowed returns and, as fast, the deciding line, see
// Decision.Line. Explain also returns the reasons [G54].
func (r Rules) Verdict(url string) (allowed bool, line int) { return r.decide(url) }

// decide has a pointer as receiver because Rules have too many fields for registers.
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

// verdictRewritten decides about a path that is not yet in the form that is compared.
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

// scanAll tries the rules of all selected groups, and returns the approximate work of
// that, see indexWork.
func (r *Rules) scanAll(m *match, x *pattern.Matcher) (work uint64) {
	for group := range r.groups() {
		first, after := r.robots.ruleRange(group)
		work += workOf(after-first, m.scan(r.robots, first, after, x))
	}
	return work
}

// Extensions yields the named extension lines that apply to the crawler, in file order:
// those of the selected groups, but a Crawl-delay, Request-rate or Visit-time only if the
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
