package crawlers

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// maxWords is how many words of a header are read. The longest that known crawlers send have
// 42.
const maxWords = 48

// maxHeader is how many bytes of a header are read. The longest that known crawlers send have 400.
const maxHeader = 1 << 10

type kind uint8

const (
	own         kind = iota // any name that the vocabulary lacks
	known                   // a crawler that the data have
	vehicle                 // a library, or another program that crawlers use
	never                   // a browser, a platform, a number, a word of English
	comparing               // the rest of the part is about another program
	introducing             // "compatible"
	address                 // of a page or a person
)

// term is an entry of the vocabulary: the names of crawlers.json and the words of words.txt.
type term struct {
	text string // can contain spaces
	kind kind
	row  int16 // the index of the crawler, or none
}

// none is a row that no crawler has, and a depth that no word has.
const none = -1

type word struct {
	name      string // without a version
	versioned bool
	kind      kind
	row       int16 // as in term
	depth     int   // how many comments it is in
	floor     int   // the least depth since the word before
	opens     bool  // it is the first word of its part
}

func (w *word) token() string {
	if w.kind == own || w.row == none {
		return w.name
	}
	return rows[w.row].Token
}

type words struct {
	header string
	isLog  bool // plus signs are spaces, as in some logs
	at     int  // where the next word is searched
	count  int  // how many words were read
	depth  int

	onlyAddresses bool // other words have no kind
}

func newWords(header string) words {
	if len(header) > maxHeader {
		// The rest of a word would be another word.
		header = header[:strings.LastIndexFunc(header[:maxHeader], isDelimiter)+1]
	}
	return words{header: header, isLog: strings.IndexByte(header, '+') >= 0 && strings.IndexByte(header, ' ') < 0}
}

// The classes of octets.
const (
	delimiter = 1 << iota // is between words
	nameEnd               // is after a name
	letter                // occurs in names, unlike digits and marks
	at                    // @
	robotic               // begins one of robots
)

var octets = func() (classes [256]uint8) {
	for i := range classes {
		switch c := byte(i); {
		case c <= ' ', c == 0x7F, strings.IndexByte(`()[]{}<>"';,|`, c) >= 0:
			classes[i] = delimiter | nameEnd
		case c == '/', c == '+':
			classes[i] = nameEnd
		case c == '@':
			classes[i] = at
		case strings.IndexByte("BCSbcs", c) >= 0:
			classes[i] = letter | robotic
		case ascii.IsLetter(c), c >= 0x80:
			classes[i] = letter
		}
	}
	return classes
}()

// isDelimiter reports whether a character is between words, even in a log.
func isDelimiter(r rune) bool { return r < 0x80 && octets[r]&delimiter != 0 || r == '+' }

func (s *words) next(w *word) bool {
	*w = word{floor: s.depth, opens: s.at == 0}
	plus := s.skipDelimiters(w)
	if s.at == len(s.header) || s.count == maxWords {
		return false
	}
	s.count++
	w.depth = s.depth
	start := s.at
	seen := uint8(0)
	for s.at < len(s.header) && octets[s.header[s.at]]&nameEnd == 0 {
		seen |= octets[s.header[s.at]]
		s.at++
	}
	w.name = strings.TrimRight(s.header[start:s.at], ":")
	w.row = none
	if !s.onlyAddresses {
		s.identify(w, start, seen)
	}
	w.versioned = s.at < len(s.header) && s.header[s.at] == '/'
	seen |= s.skipRest()
	host := plus && strings.IndexByte(w.name, '.') >= 0 || ascii.HasPrefixFold(w.name, "www.")
	if host || seen&at != 0 || w.versioned && s.skipAddress(start) {
		w.kind = address
	}
	return true
}

// skipDelimiters goes to the next word. It reports whether a plus sign that announces an
// address is in front of it.
func (s *words) skipDelimiters(w *word) (plus bool) {
	for ; s.at < len(s.header); s.at++ {
		switch c := s.header[s.at]; {
		case c == '(':
			s.depth++
			w.opens = true
		case c == ')':
			s.depth = max(s.depth-1, 0)
			w.floor = min(w.floor, s.depth)
			w.opens = true
		case c == ';', c == ',', c == '|':
			w.opens = true
		case c == '+':
			// In a log the plus sign after a word is a space.
			plus = !s.isLog || s.at > 0 && (s.header[s.at-1] == '+' || s.header[s.at-1] == '(')
		case octets[c]&delimiter == 0:
			return plus
		}
	}
	return plus
}

// skipRest goes to the end of a word whose name was read. It returns the classes of the
// octets that it skips.
func (s *words) skipRest() (seen uint8) {
	for ; s.at < len(s.header); s.at++ {
		c := s.header[s.at]
		if s.isBetweenWords(c) {
			break
		}
		seen |= octets[c]
	}
	return seen
}

// isBetweenWords reports whether an octet cannot be part of an address.
func (s *words) isBetweenWords(c byte) bool {
	return octets[c]&delimiter != 0 || c == '+' && s.isLog
}

// skipAddress reports whether the word that begins at start is the address of a page. If so,
// it goes to the end of it: commas and brackets are part of it.
func (s *words) skipAddress(start int) bool {
	if !strings.Contains(s.header[start:s.at], "://") {
		return false
	}
	for s.at+1 < len(s.header) && strings.IndexByte(",[]", s.header[s.at]) >= 0 && !s.isBetweenWords(s.header[s.at+1]) {
		s.at++
		s.skipRest()
	}
	return true
}

func (s *words) isBeforeSemicolon() bool {
	rest := strings.TrimLeft(s.header[s.at:], " \t+")
	return rest != "" && rest[0] == ';'
}

// identify sets the kind of a word. If the vocabulary has a name that begins with the word
// and has several, it goes to the end of it.
func (s *words) identify(w *word, start int, seen uint8) {
	for i := caselessHash(w.name); slots[i%uint32(len(slots))] != 0; i++ {
		t := &terms[slots[i%uint32(len(slots))]-1]
		if n := len(t.text); n == len(w.name) && ascii.EqualFold(w.name, t.text) ||
			n > len(w.name) && s.continues(t.text, start) {
			s.at = max(s.at, start+n)
			w.name, w.kind, w.row = s.header[start:start+n], t.kind, t.row
			return
		}
	}
	if seen&letter == 0 || hasPrefix(w.name, beginnings) {
		w.kind = never
	}
}

// continues reports whether a name of several words begins at start.
func (s *words) continues(text string, start int) bool {
	if first := s.at - start; first >= len(text) || text[first] != ' ' || len(s.header)-start < len(text) {
		return false
	}
	for i, c := range []byte(text) {
		if c == ' ' && s.isLog {
			c = '+'
		}
		if ascii.Lower(s.header[start+i]) != ascii.Lower(c) {
			return false
		}
	}
	end := start + len(text)
	return end == len(s.header) || octets[s.header[end]]&nameEnd != 0
}

func isRobot(name string) bool {
	for i := range len(name) {
		if octets[name[i]]&robotic != 0 && hasPrefix(name[i:], robots[:]) {
			return true
		}
	}
	return false
}

var robots = [...]string{"bot", "crawl", "scrape", "spider"}

// hasPrefix reports whether name begins with one of texts, which are in lower case. name is
// not empty.
func hasPrefix(name string, texts []string) bool {
	first := ascii.Lower(name[0])
	for _, text := range texts {
		if text[0] == first && ascii.HasPrefixFold(name, text) {
			return true
		}
	}
	return false
}

func caselessHash(name string) uint32 {
	var word uint64
	if n := len(name); n >= 8 {
		word = ascii.Lower8(name)*3 + ascii.Lower8(name[n-8:])
	} else {
		for _, c := range []byte(name) {
			word = word<<8 | uint64(ascii.Lower(c))
		}
	}
	return uint32((word + uint64(len(name))) * 0x9E3779B97F4A7C15 >> 32)
}
