package semdiff

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// automaton is a path pattern in the form in which it is stepped along a path.
//
// The text before the first star, the head, is compared from the start of the path. Each
// text after it is searched with the tables of Knuth, Morris and Pratt. The first place
// where a text is found counts, because it leaves the most for the texts that follow. A
// pattern without an anchor that matches a path matches all longer ones; an anchored one
// must match to the end of the path.
type automaton struct {
	head     string
	anchored bool
	letters  string   // the texts after the head, end to end
	start    []uint32 // by position: where the position's text starts
	fail     []uint32 // by position: where to go on after a mismatch
}

// spelling is the normal form of a pattern: patterns with the same spelling match the
// same paths.
type spelling struct {
	pattern.Pattern
	space uint8
}

// spell returns the spelling of a pattern. The spelling of a pattern that matches every
// path has no text and no anchor.
func spell(space int, p pattern.Pattern) spelling {
	if p.Wild {
		p = p.WithoutRuns()
		if cut, ok := strings.CutSuffix(p.Text, "*"); ok {
			p.Text = cut
			p.Anchored = false
		}
		p.Wild = strings.Contains(p.Text, "*")
	}
	if p.MatchesEvery() {
		p = pattern.Pattern{}
	}
	return spelling{p, uint8(space)}
}

func (s *spelling) everything() bool { return s.Text == "" && !s.Anchored } // as spell writes it

func compile(s spelling) *automaton {
	a := &automaton{head: s.Text, anchored: s.Anchored}
	if !s.Wild {
		return a
	}
	head, rest, _ := strings.Cut(s.Text, "*")
	a.head = head
	a.letters = strings.ReplaceAll(rest, "*", "")
	a.start = make([]uint32, len(a.letters)+1)
	a.fail = make([]uint32, len(a.letters)+1)
	at := 0
	for part := range strings.SplitSeq(rest, "*") {
		a.tables(at, part)
		at += len(part)
	}
	return a
}

// tables fills in start and fail for the text that starts at a position. The position of
// its end is the start of the next text, if there is one.
//
// After a mismatch the search goes on at the longest border of what has matched that is
// followed by another letter. This keeps the number of such steps in a row small, even in
// a periodic text.
func (a *automaton) tables(from int, text string) {
	borders := make([]uint32, len(text)+1)
	border := uint32(0)
	for i := 0; i <= len(text); i++ {
		if i > 1 {
			for border > 0 && text[border] != text[i-1] {
				border = borders[border]
			}
			if text[border] == text[i-1] {
				border++
			}
		}
		borders[i] = border
		a.start[from+i], a.fail[from+i] = uint32(from), uint32(from)+border
		if i < len(text) && border > 0 && text[i] == text[border] {
			a.fail[from+i] = a.fail[uint32(from)+border]
		}
	}
}

func (a *automaton) floats() bool { return a.start != nil }

func (a *automaton) step(position uint32, b byte) uint32 {
	for {
		if int(position) < len(a.letters) && a.letters[position] == b {
			return position + 1
		}
		if position == a.start[position] {
			return position
		}
		position = a.fail[position]
	}
}

// interest calls mark with the bytes that do not lead from a position to the
// start of its text.
func (a *automaton) interest(position uint32, mark func(b byte)) {
	for {
		if int(position) < len(a.letters) {
			mark(a.letters[position])
		}
		if position == a.start[position] {
			return
		}
		position = a.fail[position]
	}
}

func (a *automaton) fullAt(position uint32) bool { return int(position) == len(a.letters) }

func (a *automaton) textStartsAt(position uint32) bool { return a.start[position] == position }
