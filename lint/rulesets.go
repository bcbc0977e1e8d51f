package lint

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// weigh returns the weight of a rule with a pattern of that length. Where the
// first match decides, only the line counts.
func (s *ruleSets) weigh(length int, allow bool, line int) pattern.Weight {
	if s.traits.FirstMatch {
		return pattern.Weigh(0, false, line)
	}
	return pattern.Weigh(length, allow, line)
}

// claim is a pattern by which a rule decides: its own, or the folder's.
type claim struct {
	pattern.Pattern
	beginning string // what all matching paths begin with
	needs     pattern.ByteSet
	weight    pattern.Weight
	rule      int32
	allow     bool
}

// claimant is a rule of the file with what the search needs to know of it.
type claimant struct {
	robotstxt.Rule
	group   int32
	claims  [2]int32 // its own pattern's, its folder's; -1: none
	short   int      // its length without a redundant end
	removed bool     // by a fix that was found before
}

// ruleSets are the rules of a file as its crawlers see them. Each token that the
// file names has a set: the rules of all groups that name it (G38). Tokens of
// the same groups share one. A crawler that is not named has that of "*" (G31).
type ruleSets struct {
	traits  robotstxt.Traits
	rules   []claimant // in file order
	claims  []claim    // by beginning; of equal ones the heaviest first
	sets    []ruleSet
	ofGroup [][]int32 // the sets that a group's rules count in
	skipped []bool    // groups of which a set was not made, for want of work
	left    []int     // rules of each group that no fix has removed
	stuck   bool      // no line may be removed: see mayRemove

	// work is what is left of Config.Work, in sixteenths: looking at a pattern
	// costs one, comparing two costs sixteen and more if they are long.
	work      int64
	exemplars []*pattern.Exemplars // by claim; made when they are needed
}

// What the steps of the search cost.
const (
	workLook    = 1
	workCompare = 16
	workStar    = 8  // in addition, for each star of the pattern that is matched
	workBytes   = 16 // in addition one, for so many bytes
	workMake    = 64 // of a claim that enters a set: bounds memory too
)

// spend reports whether there is work left, and takes it.
func (s *ruleSets) spend(work int) bool {
	s.work -= int64(work)
	return s.work >= 0
}

func newRuleSets(d *document) *ruleSets {
	s := &ruleSets{
		traits:  d.audience.dialect.Traits(),
		work:    workCompare * min(int64(d.config.Work), 1<<40),
		skipped: make([]bool, len(d.groups)),
		left:    make([]int, len(d.groups)),
		ofGroup: make([][]int32, len(d.groups)),
	}
	s.stuck = s.traits.Records && hasBareCR(d.body)
	n := 0
	for i := range d.groups {
		n += len(d.groups[i].rules)
	}
	s.rules, s.claims = make([]claimant, 0, n), make([]claim, 0, n)
	perGroup := make([]int32, len(d.groups)+1) // where the rules of a group begin
	for i := range d.groups {
		for _, r := range d.groups[i].rules {
			s.addRule(r, int32(i))
		}
		perGroup[i+1] = int32(len(s.rules))
	}
	s.sortClaims()
	s.makeSets(d.groups, perGroup)
	return s
}

// addRule takes a rule with its claims. A rule without a path has none, since it
// decides nothing (G51), nor has one that matches nothing.
func (s *ruleSets) addRule(r robotstxt.Rule, group int32) {
	number := int32(len(s.rules))
	s.left[group]++
	s.rules = append(s.rules, claimant{Rule: r, group: group, claims: [2]int32{-1, -1}, short: r.Length})
	p := pattern.New(r.Pattern, s.traits.Wildcards)
	if r.Length == 0 || p.MatchesNone() {
		return
	}
	if shorter, ok := p.WithoutRedundantEnd(); ok {
		s.rules[number].short = shorter.Priority()
	}
	s.addClaim(p, number)
	if !r.Allow || !s.traits.IndexRule {
		return
	}
	if folder, ok := p.Folder(); ok && !folder.MatchesNone() {
		s.addClaim(folder, number) // where both match, the first is longer
	}
}

func (s *ruleSets) addClaim(p pattern.Pattern, number int32) {
	r := &s.rules[number]
	s.claims = append(s.claims, claim{p, p.Beginning(), p.Needs(), s.weigh(p.Priority(), r.Allow, r.Line), number, r.Allow})
}

func (s *ruleSets) sortClaims() {
	// Most files have patterns with beginnings of their own: the weights are looked
	// at only where these are equal, unlike with cmp.Or.
	slices.SortFunc(s.claims, func(a, b claim) int {
		if order := strings.Compare(a.beginning, b.beginning); order != 0 {
			return order
		}
		return cmp.Compare(b.weight, a.weight)
	})
	for i := range s.claims {
		rule := &s.rules[s.claims[i].rule]
		if s.ownPattern(&s.claims[i]) {
			rule.claims[0] = int32(i)
		} else {
			rule.claims[1] = int32(i)
		}
	}
}

// ownPattern reports whether a claim is by the rule's own pattern; a folder's is
// shorter.
func (s *ruleSets) ownPattern(c *claim) bool {
	return s.traits.FirstMatch || c.weight.Priority() == s.rules[c.rule].Length
}

// makeSets makes one set for each combination of groups that a token names, as
// long as there is work left.
func (s *ruleSets) makeSets(groups []group, perGroup []int32) {
	for _, combination := range combinations(groups, s.traits.Records) {
		n := 0
		for _, g := range combination {
			n += int(perGroup[g+1] - perGroup[g])
		}
		if s.work < int64(workMake*n) {
			for _, g := range combination {
				s.skipped[g] = true
			}
			continue
		}
		s.spend(workMake * n)
		members := make([]int32, 0, n)
		for _, g := range combination {
			for _, r := range s.rules[perGroup[g]:perGroup[g+1]] {
				for _, c := range r.claims {
					if c >= 0 {
						members = append(members, c)
					}
				}
			}
			s.ofGroup[g] = append(s.ofGroup[g], int32(len(s.sets)))
		}
		slices.Sort(members)
		s.sets = append(s.sets, newRuleSet(s.claims, members))
	}
}

// naming says that an agent line of a group names a token.
type naming struct {
	token string
	group int32
}

// combinations returns the groups that crawlers follow together, each
// combination once. If firstOnly, only the first group that names a crawler
// counts.
func combinations(groups []group, firstOnly bool) [][]int32 {
	var namings []naming
	for i := range groups {
		for _, a := range groups[i].agents {
			namings = append(namings, naming{a.Token, int32(i)})
		}
	}
	slices.SortFunc(namings, func(a, b naming) int {
		return cmp.Or(ascii.CompareFold(a.token, b.token), cmp.Compare(a.group, b.group))
	})
	all, list := make([][]int32, 0, len(groups)), make([]int32, 0, len(namings))
	seen := seenCombinations{alone: make([]bool, len(groups))}
	for i, n := range namings {
		same := i > 0 && ascii.CompareFold(n.token, namings[i-1].token) == 0
		if !same {
			list = list[len(list):] // all lists share one slice: the next begins behind
		}
		if len(list) == 0 || !firstOnly && n.group != list[len(list)-1] {
			list = append(list, n.group)
		}
		last := i+1 == len(namings) || ascii.CompareFold(n.token, namings[i+1].token) != 0
		if last && seen.first(list) {
			all = append(all, list[:len(list):len(list)])
		}
	}
	return all
}

// seenCombinations are those that occurred already. Most are of one group.
type seenCombinations struct {
	alone    []bool
	together map[string]bool
}

// first reports whether a combination occurs for the first time.
func (s *seenCombinations) first(list []int32) (first bool) {
	if len(list) == 1 {
		first = !s.alone[list[0]]
		s.alone[list[0]] = true
		return first
	}
	key := make([]byte, 0, 4*len(list))
	for _, g := range list {
		key = append(key, byte(g), byte(g>>8), byte(g>>16), byte(g>>24))
	}
	if s.together == nil {
		s.together = map[string]bool{}
	}
	first = !s.together[string(key)]
	s.together[string(key)] = true
	return first
}

// mayRemove reports whether the line of a rule can be taken out without moving
// others into another group. The last rule of a group must stay, because it ends
// the group's run of agent lines (G34), unless no group follows. Where empty
// lines end a record, a bare CR would join the LF of such a line and hide it.
func (s *ruleSets) mayRemove(r *claimant) bool {
	return !s.stuck && (s.left[r.group] > 1 || int(r.group) == len(s.left)-1)
}

func (s *ruleSets) remove(r *claimant) {
	r.removed = true
	s.left[r.group]--
}

func hasBareCR(body []byte) bool {
	return bytes.Count(body, []byte("\r")) != bytes.Count(body, []byte("\r\n"))
}
