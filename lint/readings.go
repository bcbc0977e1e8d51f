package lint

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// otherReadings is a document as other dialects read it, as far as it was needed.
type otherReadings struct {
	d         *document
	robots    []*robotstxt.Robots // see readings
	sameRules []bool              // see sameGroups, nil if not known yet
}

// readings returns the file in those dialects in which plain fixes change no verdict
// either: google and rfc9309, except for the profile's own.
func (o *otherReadings) readings() []*robotstxt.Robots {
	if o.robots == nil {
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			if dialect != o.d.audience.dialect {
				o.robots = append(o.robots, dialect.Parse(o.d.body))
			}
		}
	}
	return o.robots
}

// same reports whether rfc9309 reads a group like google: its rules
// are the same, without index pages (G53), and so are those of the groups that
// crawlers obey together with it. What is true there for all paths is true for
// those that rfc9309 compares, and its rule for the robots.txt itself comes before
// all others. So a rule that decides nothing in google decides nothing in
// rfc9309. It returns false in other dialects.
func (o *otherReadings) same(group int32) bool {
	if o.d.audience.dialect != robotstxt.Google {
		return false
	}
	if o.sameRules == nil {
		o.sameRules = o.sameGroups()
	}
	return o.sameRules[group]
}

// matchesOthers reports whether a rule with the same pattern may match other paths in rfc9309:
// google has index pages (G53), and in rfc9309 a slash after a star matches a coded one too.
func matchesOthers(r robotstxt.Rule) bool {
	return r.Allow && strings.Contains(r.Pattern, indexPage) || strings.Contains(r.Pattern, pattern.CodedSlash)
}

// sameGroups is same for all groups of a file, some of which may differ.
func (o *otherReadings) sameGroups() []bool {
	own, m := memories.Get().(*memory), memories.Get().(*memory)
	defer own.release()
	defer m.release()
	others := groupsOf(o.d, o.readings()[0], m)
	same, sameRules := make([]bool, len(o.d.groups)), make([]bool, len(o.d.groups))
	if len(others) != len(o.d.groups) {
		return same
	}
	for i, g := range o.d.groups {
		sameRules[i] = slices.Equal(g.rules, others[i].rules) && !slices.ContainsFunc(g.rules, matchesOthers)
	}
	copy(same, sameRules)
	here, there := own.combinations.of(o.d.groups, false), m.combinations.of(others, false)
	slices.SortFunc(here, slices.Compare)
	slices.SortFunc(there, slices.Compare)
	different := func(combinations, others [][]int32) {
		for _, together := range combinations {
			_, found := slices.BinarySearchFunc(others, together, slices.Compare)
			if found && !slices.ContainsFunc(together, func(g int32) bool { return !sameRules[g] }) {
				continue
			}
			for _, g := range together {
				same[g] = false
			}
		}
	}
	different(here, there)
	different(there, here)
	return same
}

// ruleSets returns the rules as those dialects read them.
func (o *otherReadings) ruleSets(work *int) (sets []*ruleSets) {
	for _, robots := range o.readings() {
		sets = append(sets, newRuleSets(robots, groupsOf(o.d, robots, new(memory)), work, new(memory)))
	}
	return sets
}

// naming says that an agent line of a group names a token.
type naming struct {
	token string
	group int32
}

// combinations is memory for the groups that crawlers follow together.
type combinations struct {
	namings []naming
	all     [][]int32
	groups  []int32
	alone   []bool          // the groups that are a combination of one
	seen    map[string]bool // the other combinations, see isNew
	key     []byte
}

// release forgets the groups and keeps the memory.
func (c *combinations) release() {
	c.namings, c.all, c.groups = emptied(c.namings), emptied(c.all), emptied(c.groups)
	c.alone, c.seen, c.key = emptied(c.alone), emptiedMap(c.seen), emptied(c.key)
}

// of returns the groups that crawlers follow together, each combination once. If
// firstOnly, only the first group that names a crawler counts.
func (c *combinations) of(groups []group, firstOnly bool) [][]int32 {
	namings := c.namings
	for i := range groups {
		for _, a := range groups[i].agents {
			namings = append(namings, naming{a.Token, int32(i)})
		}
	}
	c.namings = namings
	slices.SortFunc(namings, func(a, b naming) int {
		return cmp.Or(ascii.CompareFold(a.token, b.token), cmp.Compare(a.group, b.group))
	})
	c.groups = slices.Grow(c.groups, len(namings))
	c.alone = slices.Grow(c.alone, len(groups))[:len(groups)]
	clear(c.alone)
	all, list := c.all, c.groups[:0]
	for i, n := range namings {
		same := i > 0 && ascii.CompareFold(n.token, namings[i-1].token) == 0
		if !same {
			list = list[len(list):] // all lists share one slice: the next begins after it
		}
		if len(list) == 0 || !firstOnly && n.group != list[len(list)-1] {
			list = append(list, n.group)
		}
		last := i+1 == len(namings) || ascii.CompareFold(n.token, namings[i+1].token) != 0
		if last && c.isNew(list) {
			all = append(all, list[:len(list):len(list)])
		}
	}
	c.all = all
	return all
}

// isNew reports whether a combination occurs for the first time.
func (c *combinations) isNew(list []int32) bool {
	if len(list) == 1 {
		before := c.alone[list[0]]
		c.alone[list[0]] = true
		return !before
	}
	c.key = c.key[:0]
	for _, g := range list {
		c.key = binary.NativeEndian.AppendUint32(c.key, uint32(g))
	}
	if c.seen[string(c.key)] {
		return false
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[string(c.key)] = true
	return true
}
