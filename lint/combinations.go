package lint

import (
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

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
