package aiview

import (
	"encoding/binary"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// statements finds the preferences that the groups of crawlers state, once for the crawlers that
// obey the same groups. Time and memory are linear in the lines of these groups.
type statements struct {
	numbers  map[int][]uint32 // by line: the numbers of the texts of its preferences
	texts    []string         // by number
	byGroups map[groupsKey]*statement
	byTexts  map[string]*statement
}

type groupsKey struct {
	dialect robotstxt.Dialect
	token   string // in lower case; "" if no group applies
}

// statement is a list of preferences without repetition. Equal lists are one statement.
type statement struct{ texts []string }

func newStatements(preferences []wire.AIPreference) *statements {
	s := &statements{numbers: make(map[int][]uint32), byGroups: make(map[groupsKey]*statement),
		byTexts: make(map[string]*statement)}
	known := make(map[string]uint32)
	for _, p := range preferences {
		text := Text(p)
		n, ok := known[text]
		if !ok {
			n = uint32(len(s.texts))
			known[text] = n
			s.texts = append(s.texts, text)
		}
		s.numbers[p.Line] = append(s.numbers[p.Line], n)
	}
	return s
}

func (s *statements) of(rules robotstxt.Rules) *statement {
	key := groupsKey{rules.Dialect(), ascii.ToLower(rules.Agent())}
	if known, ok := s.byGroups[key]; ok {
		return known
	}
	var said []byte // the numbers
	found := &statement{texts: []string{}}
	seen := make([]bool, len(s.texts))
	for e := range rules.Extensions() {
		for _, n := range s.numbers[e.Line] {
			if !seen[n] {
				seen[n] = true
				said = binary.AppendUvarint(said, uint64(n))
				found.texts = append(found.texts, s.texts[n])
			}
		}
	}
	if same, ok := s.byTexts[string(said)]; ok {
		found = same
	}
	s.byGroups[key], s.byTexts[string(said)] = found, found
	return found
}
