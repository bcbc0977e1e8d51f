// Package agentheader reads User-Agent headers: the product token of a header,
// and where words begin and end in it (RFC 9110 10.1.5).
package agentheader

import (
	"iter"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Product returns the product token of the crawler that sends header, without
// its version. It is a piece of header without separators, not necessarily a
// token that a robots.txt can name. ok is false if header contains only addresses,
// separators and versions. It is the first of:
//
//   - the product after "compatible;", as in
//     "Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example)";
//   - if the first product is Mozilla, a product with a version in a comment
//     that also contains an address, as in
//     "Mozilla/5.0 … Safari/605.1.15 (FooBot/1.0; +https://foo.example)";
//   - the first product.
//
// Addresses of pages and people are never products. A comment that is not
// closed ends with the header.
func Product(header string) (token string, ok bool) {
	if token = afterCompatible(header); token != "" {
		return token, true
	}
	for w := range words(header) {
		if w.isAddress() {
			continue
		}
		if ascii.EqualFold(w.name(), "Mozilla") {
			if token = besideAddress(header); token != "" {
				return token, true
			}
		}
		return w.name(), true
	}
	return "", false
}

// afterCompatible returns the first product between "compatible;" and the end
// of its comment, "" if there is none.
func afterCompatible(header string) string {
	depth := -1 // of "compatible;", once seen
	for w := range words(header) {
		switch {
		case depth < 0:
			if ascii.EqualFold(w.text, "compatible") && strings.HasPrefix(strings.TrimLeft(w.after, spaces), ";") {
				depth = w.depth
			}
		case w.floor < depth:
			return ""
		case w.depth == depth && !w.isAddress():
			return w.name()
		}
	}
	return ""
}

// besideAddress returns the first product with a version in a comment that
// contains an address too, "" if there is none.
func besideAddress(header string) string {
	name, addressed := "", false
	for w := range words(header) {
		if w.floor == 0 {
			name, addressed = "", false // another comment, or none
		}
		switch {
		case w.depth == 0:
		case w.isAddress():
			addressed = true
		case name == "" && len(w.name()) < len(w.text):
			name = w.name()
		}
		if addressed && name != "" {
			return name
		}
	}
	return ""
}

// IsHeader reports whether value is a whole User-Agent header rather than a product,
// with or without a version, or a list of products. A header contains a comment, or a
// version and another word; without a comment it contains no comma or semicolon.
func IsHeader(value string) bool {
	value = strings.Trim(value, spaces)
	return strings.Contains(value, "(") ||
		strings.Contains(value, "/") && strings.ContainsAny(value, spaces) && !strings.ContainsAny(value, ",;")
}

// BeginsWord reports whether a product may begin at header[i]: at the start, or
// after a separator. A slash, a dot or an @ is none, so that no part of an
// address is taken for a product. i is at most the length of header.
func BeginsWord(header string, i int) bool { return i == 0 || separates[header[i-1]] }

// EndsWord reports whether a product may end in front of header[i]: at the end,
// before a version, or before a separator. i is at most the length of header.
func EndsWord(header string, i int) bool {
	return i == len(header) || header[i] == '/' || separates[header[i]]
}

// separates are the octets between products, comments and the parts of comments:
// blanks and control characters, parentheses, semicolons and commas, and the plus
// sign, which some logs write for each blank.
var separates = ascii.OctetsOf(func(c byte) bool {
	return c <= ' ' || c == 0x7F || strings.IndexByte("();,+", c) >= 0
})

const spaces = " \t"

// word is a maximal piece of a header without separators; commas and plus signs
// in the address of a page are part of it.
type word struct {
	text  string
	after string // the rest of the header
	plus  bool   // a plus sign is in front of it
	depth int    // how many comments it is in
	floor int    // the least depth since the word before
}

// name returns the word without a version.
func (w word) name() string {
	name, _, _ := strings.Cut(w.text, "/")
	return name
}

// isAddress reports whether the word is the address of a page or a person, or
// has no name. After a plus sign a host alone is one.
func (w word) isAddress() bool {
	name := w.name()
	return name == "" || strings.Contains(w.text, "://") || strings.Contains(w.text, "@") ||
		ascii.HasPrefixFold(name, "www.") || w.plus && strings.Contains(name, ".")
}

// words yields the words of a header in their order.
func words(header string) iter.Seq[word] {
	return func(yield func(word) bool) {
		depth, floor := 0, 0
		for i := 0; i < len(header); {
			switch header[i] {
			case '(':
				depth++
			case ')':
				depth = max(depth-1, 0)
				floor = min(floor, depth)
			}
			if separates[header[i]] {
				i++
				continue
			}
			start := i
			i = endOfWord(header, i)
			w := word{text: header[start:i], after: header[i:], plus: start > 0 && header[start-1] == '+', depth: depth, floor: floor}
			if !yield(w) {
				return
			}
			floor = depth
		}
	}
}

// endOfWord returns where the word that begins at header[start] ends.
func endOfWord(header string, start int) int {
	i := start
	for i < len(header) && !separates[header[i]] {
		i++
	}
	if strings.Contains(header[start:i], "://") {
		for i < len(header) && (!separates[header[i]] || header[i] == ',' || header[i] == '+') {
			i++
		}
	}
	return i
}
