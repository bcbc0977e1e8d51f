package semdiff

import (
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// symbol is one symbol of a URL's path: an octet, or a percent code, "%hh".
type symbol struct {
	raw   string    // as the URL has it
	image [2]string // what each space compares in its place
	digit bool      // an octet that is a hex digit
	stray bool      // a '%' that begins no percent code
	query bool      // the octet '?'
	// silent is true if the symbol has an empty image in a space, like the symbols of the
	// query in koster.
	silent bool
}

// alphabet contains the symbols of paths and their images in two spaces.
//
// A path is a sequence of symbols, and a space compares the sequence of their images. An
// image depends only on the symbol and on whether a '?' came before it.
type alphabet struct {
	spaces int // 2 if the spaces rewrite paths differently
	// symbols are the symbols that differ in some space, most readable first: before
	// the first '?', and after it.
	symbols [2][]symbol
	marked  [2]marked // the same, by the bytes of their images
	queries bool      // symbols differs before and after the first '?'
	octets  bool      // percent codes are not symbols
	pauses  [2]bool   // by space: some symbols have an empty image
	strays  bool      // a '%' can occur that begins no percent code
}

// images contains the image of each symbol in a dialect. learnImages takes them from the
// engine, so that the two cannot differ. A slash of the query has the image "/", because
// the patterns come from pattern.Slashed.
type images struct {
	dialect  robotstxt.Dialect
	bySymbol [2]map[string]string // by symbol, before and after the first '?'
	// plain means that each octet is compared as itself, so percent codes are
	// not symbols.
	plain bool
	// selves are the octets other than '%' that are compared as themselves.
	selves letters
}

func learnImages(dialect robotstxt.Dialect) *images {
	im := &images{dialect: dialect, plain: true}
	for i, before := range []string{"http://host/", "http://host/?"} {
		im.bySymbol[i] = make(map[string]string)
		prefix := dialect.EncodePath(before)
		for _, raw := range rawSymbols() {
			image := strings.TrimPrefix(dialect.EncodePath(before+raw), prefix)
			if i == 1 && image == pattern.CodedSlash && dialect.Traits().QuerySlash {
				image = "/" // see pattern.Slashed
			}
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

// forEach returns a function with a result for each dialect, which is computed once. An unknown
// dialect gets the result for the first one.
func forEach[T any](compute func(robotstxt.Dialect) T) func(robotstxt.Dialect) T {
	var all []func() T
	for _, dialect := range robotstxt.Dialects() {
		all = append(all, sync.OnceValue(func() T { return compute(dialect) }))
	}
	return func(dialect robotstxt.Dialect) T {
		return all[max(slices.Index(robotstxt.Dialects(), dialect), 0)]()
	}
}

// imagesOf and alphabetsOf return the images of a dialect, and the alphabets of it and another one.
var imagesOf = forEach(learnImages)

var alphabetsOf = forEach(func(old robotstxt.Dialect) func(robotstxt.Dialect) *alphabet {
	return forEach(func(new robotstxt.Dialect) *alphabet { return newAlphabet(imagesOf(old), imagesOf(new)) })
})

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

func newAlphabet(sides ...*images) *alphabet {
	a := &alphabet{spaces: 1}
	if sides[0] != sides[1] {
		a.spaces = 2
	}
	a.octets = sides[0].plain && sides[1].plain
	a.strays = !a.octets && (sides[0].plain || sides[1].plain)
	for query := range a.symbols {
		a.collect(query, sides)
		a.findSilent(a.symbols[query])
	}
	a.queries = !slices.EqualFunc(a.symbols[0], a.symbols[1], func(x, y symbol) bool { return x.image == y.image })
	for query := range a.symbols {
		a.marked[query] = a.mark(query)
	}
	return a
}

func (a *alphabet) collect(query int, sides []*images) {
	seen := make(map[[2]string]bool)
	for _, raw := range rawSymbols() {
		_, isDigit := ascii.HexDigit(raw[0])
		s := symbol{raw: raw, digit: isDigit, stray: raw == "%", query: raw == "?"}
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

// readable contains octets of paths in the order in which witnesses prefer them: first
// those that are easy to read and that few patterns contain.
const readable = "xqzkwjvybghdmpuflctnrsaoie0123456789-_./~XQZKWJVYBGHDMPUFLCTNRSAOIE?=&+,;:@!()*'$"

// rawSymbols returns all octets and percent codes, most readable first, except '#' and
// NUL, before which a path ends.
func rawSymbols() (symbols []string) {
	var seen [256]bool
	add := func(c byte) {
		if !seen[c] {
			seen[c] = true
			symbols = append(symbols, string([]byte{c}))
		}
	}
	for _, c := range []byte(readable) {
		add(c)
	}
	for i := range 256 {
		symbols = append(symbols, ascii.Percent(byte(i+' '))) // control characters last
	}
	const mixed = "0123456789ABCDEFabcdef"
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

func (a *alphabet) length(path string) (n int) {
	for ; path != ""; n++ {
		path = path[symbolWidth(path, a.octets):]
	}
	return n
}

func symbolWidth(path string, octets bool) int {
	if octets || path[0] != '%' {
		return 1
	}
	if _, isCode := ascii.Unhex(path[1:]); !isCode {
		return 1
	}
	return 3
}

// inexact reports whether a search of the problem could give a wrong result. A symbol
// with an empty image changes the path but not what is compared, so an anchored pattern
// that has matched still matches; the search has already dropped that pattern.
func (a *alphabet) inexact(p *problem) bool {
	for i, automaton := range p.automata {
		if automaton.anchored && a.pauses[p.spaces[i]] {
			return true
		}
	}
	return false
}
