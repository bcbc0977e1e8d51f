package semdiff

import (
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
)

// symbol is one step along a URL's path: an octet, or a percent code, "%hh".
type symbol struct {
	raw   string    // as the URL has it
	image [2]string // what each space compares in its place
	digit bool      // an octet that is a hex digit
	stray bool      // a '%' that begins no percent code
	query bool      // the octet '?'
	// silent says that a space compares nothing in its place, but something in
	// the place of others.
	silent bool
}

// alphabet is the symbols of which the paths of two spaces consist, and what
// each space makes of them. A space is what a dialect compares: the path of the
// URL, rewritten.
//
// Every path is one sequence of symbols, and its rewritten form is that of its
// symbols, one after the other. That form depends on one thing beside the
// symbol: whether a '?' came before.
type alphabet struct {
	spaces int // 2 if the spaces rewrite paths differently
	// symbols are the symbols that differ in some space, most readable first: before
	// the first '?', and after it.
	symbols [2][]symbol
	marked  [2]marked // the same, by the bytes of their images
	queries bool      // the two differ
	octets  bool      // percent codes are no symbols
	pauses  [2]bool   // by space: some symbols are compared as nothing
	strays  bool      // a '%' may occur that begins no percent code
}

// images says what a dialect compares in the place of each symbol. It is learnt
// from the engine, so that it cannot differ from it.
type images struct {
	bySymbol [2]map[string]string // by symbol, before and after the first '?'
	// plain says that each octet is compared as itself, so that percent codes
	// are no symbols.
	plain bool
	// selves are the octets other than '%' that are compared as themselves.
	selves letters
}

func learnImages(dialect robotstxt.Dialect) *images {
	im := &images{plain: true}
	for i, before := range []string{"http://host/", "http://host/?"} {
		im.bySymbol[i] = make(map[string]string)
		prefix := dialect.EncodePath(before)
		for _, raw := range rawSymbols() {
			image := strings.TrimPrefix(dialect.EncodePath(before+raw), prefix)
			im.bySymbol[i][raw] = image
			im.plain = im.plain && image == raw
		}
	}
	for octet := range 256 {
		raw := string([]byte{byte(octet)})
		if image, known := im.bySymbol[0][raw]; known && octet != '%' && image == raw && im.bySymbol[1][raw] == raw {
			im.selves.mark(byte(octet))
		}
	}
	return im
}

// learnt are the images of each dialect, which never change.
var learnt = func() (all []func() *images) {
	for _, dialect := range robotstxt.Dialects() {
		all = append(all, sync.OnceValue(func() *images { return learnImages(dialect) }))
	}
	return all
}()

// alphabets are those of each two dialects, which never change either.
var alphabets = func() (all [][]func() *alphabet) {
	for _, old := range robotstxt.Dialects() {
		var row []func() *alphabet
		for _, new := range robotstxt.Dialects() {
			row = append(row, sync.OnceValue(func() *alphabet { return newAlphabet(old, new) }))
		}
		all = append(all, row)
	}
	return all
}()

// dialectIndex returns the place of a dialect in Dialects. One that is unknown
// reads as the first.
func dialectIndex(dialect robotstxt.Dialect) int {
	return max(slices.Index(robotstxt.Dialects(), dialect), 0)
}

func imagesOf(dialect robotstxt.Dialect) *images { return learnt[dialectIndex(dialect)]() }

func alphabetOf(old, new robotstxt.Dialect) *alphabet {
	return alphabets[dialectIndex(old)][dialectIndex(new)]()
}

// path returns what is compared in the place of a URL's path.
func (im *images) path(raw string) string {
	changed := 0
	for !im.plain && changed < len(raw) && im.selves.has(raw[changed]) {
		changed++
	}
	if im.plain || changed == len(raw) {
		return raw
	}
	var b strings.Builder
	query := 0
	for raw != "" {
		width := symbolWidth(raw, false)
		b.WriteString(im.bySymbol[query][raw[:width]])
		if raw[0] == '?' {
			query = 1
		}
		raw = raw[width:]
	}
	return b.String()
}

func newAlphabet(old, new robotstxt.Dialect) *alphabet {
	a := &alphabet{spaces: 1}
	sides := [2]*images{imagesOf(old), imagesOf(new)}
	if sides[0] != sides[1] {
		a.spaces = 2
	}
	a.octets = sides[0].plain && sides[1].plain
	a.strays = !a.octets && (sides[0].plain || sides[1].plain)
	for query := range a.symbols {
		seen := make(map[[2]string]bool)
		for _, raw := range rawSymbols() {
			s := symbol{raw: raw, digit: len(raw) == 1 && isHexDigit(raw[0]), stray: raw == "%", query: raw == "?"}
			for side := range sides {
				s.image[side] = sides[side].bySymbol[query][raw]
			}
			switch {
			case a.octets && len(raw) > 1:
				continue // its octets are symbols already
			case !a.octets && !a.strays && s.stray:
				continue // both sides compare it as %25
			case seen[s.image] && !s.query:
				continue // equal on both sides to a more readable one
			}
			seen[s.image] = true
			a.symbols[query] = append(a.symbols[query], s)
		}
	}
	for query := range a.symbols {
		a.findSilent(a.symbols[query])
	}
	a.queries = !slices.EqualFunc(a.symbols[0], a.symbols[1], func(x, y symbol) bool { return x.image == y.image })
	for query := range a.symbols {
		a.marked[query] = a.mark(query)
	}
	return a
}

func (a *alphabet) findSilent(symbols []symbol) {
	for space := range a.spaces {
		silent := func(x symbol) bool { return x.image[space] == "" }
		a.pauses[space] = a.pauses[space] || slices.ContainsFunc(symbols, silent)
		if !slices.ContainsFunc(symbols, func(x symbol) bool { return !silent(x) }) {
			continue
		}
		for i := range symbols {
			symbols[i].silent = symbols[i].silent || silent(symbols[i])
		}
	}
}

// readable are octets of paths, those first that look best in a witness and
// occur in the fewest patterns.
const readable = "xqzkwjvybghdmpuflctnrsaoie0123456789-_./~XQZKWJVYBGHDMPUFLCTNRSAOIE?=&+,;:@!()*'$"

// rawSymbols returns all octets and percent codes, most readable first. '#' and
// NUL are none: a path ends before them.
func rawSymbols() (symbols []string) {
	var seen [256]bool
	add := func(c byte) {
		if !seen[c] {
			seen[c] = true
			symbols = append(symbols, string([]byte{c}))
		}
	}
	for i := range len(readable) {
		add(readable[i])
	}
	const upper, mixed = "0123456789ABCDEF", "0123456789ABCDEFabcdef"
	for i := range 256 {
		c := (i + ' ') % 256 // control characters last
		symbols = append(symbols, string([]byte{'%', upper[c>>4], upper[c&15]}))
	}
	for _, high := range []byte(mixed) {
		for _, low := range []byte(mixed) {
			if high >= 'a' || low >= 'a' {
				symbols = append(symbols, string([]byte{'%', high, low}))
			}
		}
	}
	for c := byte(1); c != 0; c++ {
		if c != '#' {
			add(c)
		}
	}
	return symbols
}

// length returns of how many symbols a path consists.
func (a *alphabet) length(path string) (n int) {
	for ; path != ""; n++ {
		path = path[symbolWidth(path, a.octets):]
	}
	return n
}

// symbolWidth returns how many octets the first symbol of a path has.
func symbolWidth(path string, octets bool) int {
	if !octets && len(path) >= 3 && path[0] == '%' && isHexDigit(path[1]) && isHexDigit(path[2]) {
		return 3
	}
	return 1
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// inexact reports whether the search of a problem would not be exact. A symbol
// that is compared as nothing leaves a path where it ended before; patterns for
// just that path are forgotten by then.
func (a *alphabet) inexact(p *problem) bool {
	for i, automaton := range p.automata {
		if automaton.anchored && a.pauses[p.spaces[i]] {
			return true
		}
	}
	return false
}
