package semdiff

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// patterns numbers the patterns of a comparison. Patterns that match the same paths in
// the same space have one number.
type patterns struct {
	images    [2]*images // by space
	numbers   map[spelling]int32
	spellings []spelling
	// These lists end with the last pattern for which they were used: see element.
	automata  []*automaton        // nil until used
	exemplars []pattern.Exemplars // zero until used
	begins    []*string           // the image of the head in the other space, nil until used
	notes     []note
	turn      int32           // of the notes that are valid
	text      []byte          // reused by words and between
	texts     strings.Builder // of exemplars
}

// note is a number for a pattern within one computation.
type note struct{ turn, value int32 }

func newPatterns() *patterns {
	return &patterns{numbers: make(map[spelling]int32)}
}

func (p *patterns) release() {
	p.numbers = emptiedMap(p.numbers)
	if p.numbers == nil {
		p.numbers = make(map[spelling]int32)
	}
	p.spellings = emptied(p.spellings)
	p.text = emptied(p.text)
	p.turn = 0
	p.automata = emptied(p.automata)
	p.exemplars = emptied(p.exemplars)
	p.begins = emptied(p.begins)
	p.notes = emptied(p.notes)
	p.texts.Reset()
}

func (p *patterns) number(s spelling) int32 {
	if n, known := p.numbers[s]; known {
		return n
	}
	n := p.add(s)
	p.numbers[s] = n
	return n
}

// add gives a pattern a new number without checking whether it has one. It takes a third
// of the time of number.
func (p *patterns) add(s spelling) int32 {
	n := int32(len(p.spellings))
	p.spellings = append(p.spellings, s)
	return n
}

func (p *patterns) reserve(n int) { p.spellings = slices.Grow(p.spellings, n) }

// element returns the element of a list for a pattern. The list gets its length, one element
// for each pattern, when it is first used: many problems are solved without it.
func element[T any](p *patterns, list *[]T, n int32) *T {
	if more := len(p.spellings) - len(*list); int(n) >= len(*list) {
		*list = append(*list, make([]T, more)...)
	}
	return &(*list)[n]
}

func (p *patterns) forget() { p.turn++ }

// note notes a number for a pattern. That takes less time than a map.
func (p *patterns) note(n int32, value int) { *element(p, &p.notes, n) = note{p.turn, int32(value)} }

// noted reports whether there is a note for a pattern, noteOf returns it.
func (p *patterns) noted(n int32) bool { return element(p, &p.notes, n).turn == p.turn }

func (p *patterns) noteOf(n int32) int { return int(element(p, &p.notes, n).value) }

func (p *patterns) automaton(n int32) *automaton {
	a := element(p, &p.automata, n)
	if *a == nil {
		*a = compile(p.spellings[n])
	}
	return *a
}

func (p *patterns) pattern(n int32) pattern.Pattern { return p.spellings[n].Pattern }

// contains reports whether it is certain that outer matches every path that
// inner matches.
func (p *patterns) contains(outer, inner int32) bool {
	if outer == inner {
		return true
	}
	if p.spellings[outer].space != p.spellings[inner].space {
		return p.spellings[outer].everything()
	}
	if s := &p.spellings[outer]; !s.Wild && !s.Anchored {
		return strings.HasPrefix(p.pattern(inner).Beginning(), s.Text)
	}
	exemplars := element(p, &p.exemplars, inner)
	if *exemplars == (pattern.Exemplars{}) {
		*exemplars = p.pattern(inner).ExemplarsIn(&p.texts)
	}
	return p.pattern(outer).ContainsAll(*exemplars)
}

// intersect reports whether both might match some path.
func (p *patterns) intersect(a, b int32) bool {
	if p.spellings[a].space == p.spellings[b].space {
		return p.pattern(a).Intersects(p.pattern(b))
	}
	return p.headsMeet(a, b) && p.headsMeet(b, a)
}

// headsMeet reports whether two patterns in different spaces can match a path, judging by
// their heads. If the space of plain compares the octets of a URL, the URLs that plain
// matches begin with its head, so their image in the other space begins with the image of
// the head. In all other cases the result is true.
func (p *patterns) headsMeet(plain, other int32) bool {
	images := p.images[p.spellings[plain].space]
	if images == nil || !images.plain {
		return true
	}
	known := element(p, &p.begins, plain)
	if *known == nil {
		begins := p.spellings[plain].Head()
		if code := strings.LastIndexByte(begins, '%'); code >= 0 && code+3 > len(begins) {
			begins = begins[:code] // the rest of the code is not known
		}
		begins = p.images[p.spellings[other].space].path(begins)
		*known = &begins
	}
	begins := **known
	head := p.spellings[other].Head()
	return strings.HasPrefix(begins, head) || strings.HasPrefix(head, begins)
}

func (p *patterns) cost(a, b int32) int {
	return 1 + (len(p.spellings[a].Text)+len(p.spellings[b].Text))/bytesAStep
}

// bytesAStep is how many bytes are compared in the time of a step.
const bytesAStep = 32

func (p *patterns) words(n int32) iter.Seq[string] {
	return func(yield func(string) bool) {
		s := &p.spellings[n]
		tails := []string{"", "x"}
		if s.Anchored {
			tails = tails[:1]
		}
		for _, tail := range tails {
			for _, filling := range fillings {
				p.text = appendFilled(append(p.text[:0], '/'), s, filling)
				p.text = append(p.text, tail...)
				path := p.text
				if strings.HasPrefix(s.Text, "/") {
					path = path[1:]
				}
				if !yield(string(path)) {
					return
				}
				if !s.Wild {
					break
				}
			}
		}
	}
}

var fillings = [...]string{"", "x", "/"}

func appendFilled(to []byte, s *spelling, filling string) []byte {
	for i := range len(s.Text) {
		if s.Wild && s.Text[i] == '*' {
			to = append(to, filling...)
		} else {
			to = append(to, s.Text[i])
		}
	}
	return to
}

// oneSlash returns p.text without the first slash if there are two.
func (p *patterns) oneSlash() []byte {
	if bytes.HasPrefix(p.text, []byte("//")) {
		return p.text[1:]
	}
	return p.text
}

const meetings = 6

// between yields some paths that two patterns of one space match, if they
// match any: the longer beginning, the texts of both, the longer end.
func (p *patterns) between(a, b int32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range [...]int32{a, b} {
			if p.pattern(n).IsLiteral() {
				yield(p.spellings[n].Text)
				return
			}
		}
		first, second := p.spellings[a].pieces(), p.spellings[b].pieces()
		head, tail := longer(first.head, second.head), longer(first.tail, second.tail)
		for _, filling := range fillings {
			for _, texts := range [...][2]string{{first.texts, second.texts}, {second.texts, first.texts}} {
				p.text = append(append(append(p.text[:0], '/'), head...), filling...)
				for _, own := range texts {
					p.text = appendPieces(p.text, own, filling)
				}
				p.text = append(p.text, tail...)
				if !yield(string(p.oneSlash())) {
					return
				}
			}
		}
	}
}

type pieces struct {
	head, tail string
	texts      string // between them, separated by stars
}

func (s *spelling) pieces() pieces {
	head, tail := s.Head(), s.Tail()
	return pieces{head, tail, strings.Trim(s.Text[len(head):len(s.Text)-len(tail)], "*")}
}

func appendPieces(to []byte, texts, filling string) []byte {
	for texts != "" {
		var piece string
		piece, texts, _ = strings.Cut(texts, "*")
		to = append(append(to, piece...), filling...)
	}
	return to
}

func longer(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}
