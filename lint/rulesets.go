package lint

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// ruleSets are the rules of a file as a dialect's crawlers see them. Each token
// that the file names has a set: the rules of all groups that name it (G38).
// Tokens of the same groups share one. A crawler that is not named has that of
// "*" (G31).
type ruleSets struct {
	traits robotstxt.Traits
	rules  []claimant // in file order
	from   []int32    // by group: where its rules begin; one more for the end
	sets   []ruleSet
	work   *int // how many more rules may be compared

	// The sets that the rules of group g count in are those of setsOf from setsAt[g] to
	// setsAt[g+1].
	setsOf, setsAt []int32
}

// claimant is a rule with its group.
type claimant struct {
	*robotstxt.Rule
	group int32
	short int32 // its length without a redundant end
	none  bool  // it matches nothing, or has no path

	// See inspectDeadRules.
	dead     bool // the rule is redundant
	needless bool // it can be removed in all dialects of plain fixes
}

// ruleSet is what one crawler obeys.
type ruleSet struct {
	groups []int32
	claims [2][]claim // Disallow, Allow; by length. Nil until they are needed, none if no two can be rivals
}

// claim is a pattern by which a rule decides, its own or its folder's, under a
// length that it has or would have without a redundant end.
type claim struct {
	length  int
	pattern pattern.Pattern
	rule    *claimant
}

func newRuleSets(robots *robotstxt.Robots, groups []group, work *int, m *memory) *ruleSets {
	s := &m.ruleSets
	*s = ruleSets{traits: robots.Dialect().Traits(), work: work, rules: s.rules, from: s.from, sets: s.sets, setsOf: s.setsOf, setsAt: s.setsAt}
	n := 0
	for i := range groups {
		n += len(groups[i].rules)
	}
	s.rules, s.from = slices.Grow(s.rules, n), append(s.from, 0)
	for i := range groups {
		for at := range groups[i].rules {
			s.rules = append(s.rules, s.claimant(&groups[i].rules[at], int32(i)))
		}
		s.from = append(s.from, int32(len(s.rules)))
	}
	for _, combination := range m.combinations.of(groups, s.traits.Records) {
		s.sets = append(s.sets, ruleSet{groups: combination})
	}
	s.makeSetsOf(len(groups))
	return s
}

// makeSetsOf lists the sets by group.
func (s *ruleSets) makeSetsOf(groups int) {
	s.setsAt = slices.Grow(s.setsAt, groups+1)[:groups+1]
	clear(s.setsAt)
	for i := range s.sets {
		for _, g := range s.sets[i].groups {
			s.setsAt[g]++ // how many the group has
		}
	}
	n := int32(0)
	for g, own := range s.setsAt {
		n += own
		s.setsAt[g] = n // where they end
	}
	s.setsOf = slices.Grow(s.setsOf, int(n))[:n]
	for i := len(s.sets) - 1; i >= 0; i-- {
		for _, g := range s.sets[i].groups {
			s.setsAt[g]--
			s.setsOf[s.setsAt[g]] = int32(i)
		}
	}
}

// ofGroup returns the sets that a group's rules count in.
func (s *ruleSets) ofGroup(g int32) []int32 { return s.setsOf[s.setsAt[g]:s.setsAt[g+1]] }

// release forgets the rules and keeps the memory.
func (s *ruleSets) release() {
	s.rules, s.sets = emptied(s.rules), emptied(s.sets)
	s.from, s.setsOf, s.setsAt = emptied(s.from), emptied(s.setsOf), emptied(s.setsAt)
}

func (s *ruleSets) claimant(r *robotstxt.Rule, group int32) claimant {
	c := claimant{Rule: r, group: group, short: int32(r.Length)}
	p := s.pattern(&c)
	c.none = r.Length == 0 || p.MatchesNone()
	if shorter, ok := p.WithoutRedundantEnd(); ok {
		if strings.HasPrefix(p.Text, "*") && p.MatchesEvery() {
			shorter.Text = "/" // "*/*" becomes "/", not "*/"
		}
		c.short = int32(shorter.Priority())
	}
	return c
}

func (s *ruleSets) pattern(r *claimant) pattern.Pattern {
	p := pattern.New(r.Pattern, s.traits.Wildcards)
	p.Slashes = s.traits.QuerySlash
	return p
}

// at returns the rule of a line, nil if the line has none.
func (s *ruleSets) at(line int) *claimant {
	i, found := slices.BinarySearchFunc(s.rules, line, func(r claimant, line int) int { return cmp.Compare(r.Line, line) })
	if !found {
		return nil
	}
	return &s.rules[i]
}

// claims returns those of a set, of one kind. Patterns without wildcards and of
// about the same length share no path, or all.
func (s *ruleSets) claims(number int32, allow bool) []claim {
	set, kind := &s.sets[number], 0
	if allow {
		kind = 1
	}
	if set.claims[kind] != nil {
		return set.claims[kind]
	}
	set.claims[kind] = []claim{}
	wild, some := false, false
	for r := range s.of(set) {
		wild = wild || s.traits.Wildcards && strings.ContainsAny(r.Pattern, "*$") || r.Allow && s.traits.IndexRule && strings.Contains(r.Pattern, indexPage)
		some = some || r.Allow == allow
	}
	if !wild || !some {
		return nil
	}
	for r := range s.of(set) {
		if r.Allow == allow {
			set.claims[kind] = s.addClaims(set.claims[kind], r)
		}
	}
	slices.SortFunc(set.claims[kind], func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.rule.Line, b.rule.Line))
	})
	return set.claims[kind]
}

// of yields the rules of a set that match something, in file order.
func (s *ruleSets) of(set *ruleSet) iter.Seq[*claimant] {
	return func(yield func(*claimant) bool) {
		for _, g := range set.groups {
			for i := s.from[g]; i < s.from[g+1]; i++ {
				if r := &s.rules[i]; !r.none && !yield(r) {
					return
				}
			}
		}
	}
}

func (s *ruleSets) addClaims(claims []claim, r *claimant) []claim {
	p := s.pattern(r)
	claims = append(claims, claim{r.Length, p, r})
	if short := int(r.short); short != r.Length {
		claims = append(claims, claim{short, p, r})
	}
	if !r.Allow || !s.traits.IndexRule {
		return claims
	}
	if folder, ok := p.Folder(); ok && !folder.MatchesNone() {
		claims = append(claims, claim{folder.Priority(), folder, r}) // where both match, the rule's own is longer
	}
	return claims
}

// indexPage is what an Allow contains that allows a folder too (G53).
const indexPage = "/index.htm"

// rival returns a rule of the other kind, with a length from low to high, that
// shares a path with a rule in one of its sets and is accepted. It is nil if there
// is none, and not ok if there was no work left to look at all of them.
func (s *ruleSets) rival(r *claimant, low, high int, accept func(*claim) bool) (rival *claimant, ok bool) {
	p := s.pattern(r)
	for _, number := range s.ofGroup(r.group) {
		claims := s.claims(number, !r.Allow)
		first, _ := slices.BinarySearchFunc(claims, low, func(c claim, low int) int { return cmp.Compare(c.length, low) })
		for i := first; i < len(claims) && claims[i].length <= high; i++ {
			if *s.work--; *s.work < 0 {
				return nil, false
			}
			if c := &claims[i]; accept(c) && p.Intersects(c.pattern) {
				return c.rule, true
			}
		}
	}
	return nil, true
}
