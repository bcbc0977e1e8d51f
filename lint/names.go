package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/lookalike"
)

// intent is whom the author of a User-agent line meant.
type intent struct {
	names []name // in the order of the value, without overlap; none if it is not known who is meant
	why   crawlers.Why
	guess bool // a person should confirm the names
}

// name is a part of a value that names crawlers.
type name struct {
	start, end int
	tokens     []string // as lines should have them
}

// How a value names crawlers, in addition to the kinds of crawlers.Why.
const (
	whyUnknown  crawlers.Why = "unknown"
	whyStar     crawlers.Why = "star"
	whyAll      crawlers.Why = "all"
	whyExact    crawlers.Why = "exact"
	whyNegated  crawlers.Why = "negated"
	whyHeader   crawlers.Why = "header"
	whyList     crawlers.Why = "list"
	whyMarks    crawlers.Why = "marks"
	whyVersion  crawlers.Why = "version"
	whyWildcard crawlers.Why = "wildcard"
)

// tokens returns what lines should have instead of the value, each token once.
func (in intent) tokens() (tokens []string) {
	for _, n := range in.names {
		for _, token := range n.tokens {
			if !slices.ContainsFunc(tokens, func(t string) bool { return ascii.EqualFold(t, token) }) {
				tokens = append(tokens, token)
			}
		}
	}
	return tokens
}

// intended reads the value of a User-agent line, which is not empty. If no reader understands it
// as it is, it is read as it looks: a space between names, or after a star, can be U+00A0.
func intended(value []byte) intent {
	text := string(value)
	in := readAsWritten(text)
	if in.why != whyUnknown {
		return in
	}
	looks := strings.Trim(lookalike.Fold(text), ascii.Space)
	if looks == text || looks == "" {
		return in
	}
	in = readAsWritten(looks)
	if tokens := in.tokens(); len(tokens) > 0 {
		in.names = []name{{0, len(text), tokens}}
	}
	if in.why == whyStar || in.why == whyExact {
		in.why = whyMarks
	}
	return in
}

// readAsWritten reads a value. The first reader that understands it wins.
func readAsWritten(text string) intent {
	for _, read := range [...]func(string) (intent, bool){
		readEveryone, readExact, readNegated, readList, readHeader, readDecorated, readMeant,
	} {
		if in, ok := read(text); ok {
			return in
		}
	}
	return intent{why: whyUnknown}
}

// whole is an intent of one name that is the whole value.
func whole(text string, why crawlers.Why, tokens ...string) intent {
	return intent{names: []name{{0, len(text), tokens}}, why: why}
}

// everyone are words for all crawlers.
var everyone = []string{"all", "any", "everyone", "everybody"}

func isEveryone(word string) bool {
	return slices.ContainsFunc(everyone, func(e string) bool { return ascii.EqualFold(word, e) })
}

func readEveryone(text string) (intent, bool) {
	if text == "*" {
		return whole(text, whyStar, "*"), true
	}
	// With a star at its beginning the value means all crawlers as it is: the words after it are too much.
	if text[0] == '*' || !isEveryone(span{0, len(text)}.bare(text).in(text)) {
		return intent{}, false
	}
	return whole(text, whyAll, "*"), true
}

// readExact reads a name that the data have. An alias that no line can name is the token with other
// marks.
func readExact(text string) (intent, bool) {
	c, known := findCrawler(text)
	switch {
	case !known, isCompany(c):
		return intent{}, false
	case ascii.EqualFold(c.Token, text) || isNameable(text):
		return whole(text, whyExact, c.Token), true
	}
	return whole(text, crawlers.Joined, c.Token), !strings.Contains(text, "/")
}

// isCompany reports whether the token of a crawler is the name of a company, of which it is not
// certain that it has a crawler with that name.
func isCompany(c *crawlers.Crawler) bool {
	if len(c.Verified) > 0 || !ascii.EqualFold(c.Token, c.Operator) {
		return false
	}
	_, company := crawlers.Meant(c.Token)
	return company
}

// isNameable reports whether a line can name a token.
func isNameable(token string) bool {
	return robotstxt.ValidAgent(token) || robotstxt.RFC9309.ValidAgent(token)
}

// readNegated reads a value that names the crawlers it does not mean. A comment after a name can
// contain such a negation about something else.
func readNegated(text string) (intent, bool) {
	outside, _, comment := strings.Cut(ascii.ToLower(text), "(")
	if all := strings.TrimRight(outside, ascii.Space); all == "*" || isEveryone(all) {
		outside = ascii.ToLower(text)
	}
	words := strings.FieldsFunc(outside, func(r rune) bool { return strings.ContainsRune(strongSeparators+"() \t", r) })
	for i, word := range words {
		switch {
		case word[0] == '!' && len(word) > 1, (word == "not" || word == "except") && i == 0 && (comment || len(words) > 1):
			return intent{why: whyNegated}, true
		case i == 0:
		case word == "not" && (words[i-1] == "and" || words[i-1] == "but"), (word == "not" || word == "but" || word == "except") && (words[0] == "*" || isEveryone(words[0])):
			return intent{why: whyNegated}, true
		}
	}
	expression := strings.Contains(text, "(?!") || strings.HasPrefix(text, "[^")
	return intent{why: whyNegated}, expression
}

// readHeader reads a whole User-Agent header: one of a browser's form, with an address, with a comment
// of several parts, or with several versions.
func readHeader(text string) (intent, bool) {
	bare := span{0, len(text)}.bare(text).in(text)
	comment, versions := false, 0
	if open := strings.IndexByte(bare, '('); open > 0 {
		comment = tokenLen(bare) > 0 && (strings.ContainsAny(bare[open:], ";@") || strings.Contains(bare[open:], "www."))
	}
	for word := range strings.FieldsSeq(bare) {
		if _, version, _ := strings.Cut(word, "/"); isVersion(version) && ascii.IsLetter(word[0]) {
			versions++
		}
	}
	if !isBrowser(bare) && !comment && versions < 2 && !strings.Contains(bare, "://") || text[0] == '*' {
		return intent{}, false
	}
	in := senderOf(bare)
	if len(in.names) > 0 {
		in.names[0].end = len(text)
	}
	return in, len(in.names) > 0 || isBrowser(bare)
}

// isBrowser reports whether a text begins as the headers of browsers do.
func isBrowser(text string) bool {
	begin := text[:tokenLen(text)]
	return ascii.EqualFold(begin, "Mozilla") || isIntroduction(begin)
}

// isIntroduction reports whether a word is "compatible", which the crawler follows in a browser's header.
func isIntroduction(word string) bool { return ascii.EqualFold(word, "compatible") }

// senderOf reads the header of one crawler, or of none.
func senderOf(header string) intent {
	in := intent{why: whyHeader}
	if token, ok := crawlers.Sender(header); ok {
		tokens := []string{token}
		if c, known := findCrawler(token); known && isCompany(c) {
			m, _ := crawlers.Meant(token)
			tokens = m.Tokens
		}
		in.names = []name{{0, len(header), tokens}}
	}
	return in
}

// What separates the names of a list: between strong ones each name is one, known or not, between
// others only a known crawler is.
const (
	strongSeparators = ",;|"
	weakSeparators   = "+&/ \t"
)

// readList reads several names.
func readList(text string) (intent, bool) {
	const most = 100 // of a longer list the line is what is wrong
	if !strings.ContainsAny(text, strongSeparators+weakSeparators) {
		return intent{}, false
	}
	var names []name
	pieces := span{0, len(text)}.split(text, strongSeparators)
	for _, piece := range pieces {
		switch few, known := knownNames(text, piece); {
		case known:
			names = append(names, few...)
		case len(pieces) == 1:
			return intent{}, false
		default:
			piece = piece.withoutConjunction(text)
			tokens := tokensOf(piece.in(text))
			if len(tokens) == 0 || isIntroduction(tokens[0]) {
				return intent{}, false
			}
			names = append(names, name{piece.start, piece.end, tokens})
		}
	}
	return intent{names: names, why: whyList}, len(names) > 1 && len(names) <= most
}

// knownNames returns the names of several known crawlers, and whether a part consists of such. A
// library, or the name of a company, can be a part of another name.
func knownNames(text string, part span) (names []name, ok bool) {
	for _, word := range part.split(text, weakSeparators) {
		token := word.in(text)
		if isConjunction(token) {
			continue
		}
		c, known := findCrawler(token)
		if sender, _ := crawlers.Sender(token + " Other/1.0"); !known || isCompany(c) || sender != c.Token {
			return nil, false
		}
		names = append(names, name{word.start, word.end, []string{c.Token}})
	}
	return names, len(names) > 1
}

// tokensOf returns the tokens that lines should have for one piece of a list, none if it is not a name.
func tokensOf(text string) []string {
	switch in := intended([]byte(text)); {
	case in.why == whyHeader:
		return nil
	case len(in.names) > 0 && !in.guess:
		return in.tokens()
	}
	s, _ := span{0, len(text)}.withoutVersion(text)
	if !robotstxt.ValidAgent(s.in(text)) {
		return nil
	}
	return []string{s.in(text)}
}

// readDecorated reads a known name with marks around it or a version.
func readDecorated(text string) (intent, bool) {
	s := span{0, len(text)}.bare(text)
	beginsSo := text[0] == '*' && (isBlank(text[1]) || !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || inWord(byte(r)) }))
	if beginsSo || s.start == s.end && strings.Contains(text, "*") {
		return whole(text, whyMarks, "*"), true
	}
	plain, versioned := s.withoutVersion(text)
	plain = plain.bare(text)
	bare := unescaped(plain.in(text))
	c, known := findCrawler(bare)
	if !known || isCompany(c) {
		return intent{}, false
	}
	in := intent{names: []name{{plain.start, plain.end, []string{c.Token}}}, why: whyMarks}
	if versioned && s.start == 0 {
		in.why = whyVersion
	}
	return in, bare != text
}

// readMeant reads a name that the data lack, or the beginning of names.
func readMeant(text string) (intent, bool) {
	s, _ := span{0, len(text)}.bare(text).withoutVersion(text)
	m, ok := crawlers.Meant(unescaped(s.in(text)))
	if !ok || m.Why != crawlers.Company {
		if in, ok := readWildcard(text); ok {
			return in, true
		}
		if !m.Sure {
			return intent{}, false
		}
	}
	return intent{names: []name{{s.start, s.end, m.Tokens}}, why: m.Why, guess: !m.Sure}, true
}

// common are words that names of different crawlers begin with.
var common = []string{"ads", "agent", "bot", "bots", "crawl", "crawler", "data", "http", "link", "news", "python", "robot", "scrape", "search", "seo", "site", "spider", "web"}

// robotWords are how names go on after the word that people know.
var robotWords = []string{"bot", "-bot", "spider", "crawler"}

// readWildcard reads the beginning of a name, with a star for the rest. If one crawler alone begins so and
// its name goes on otherwise, as in Open*, the star might stand for other names.
func readWildcard(text string) (intent, bool) {
	const shortest = 3
	prefix, starred := strings.CutSuffix(text, "*")
	prefix = strings.TrimSuffix(prefix, ".")
	if !starred || len(prefix) < shortest || !robotstxt.ValidAgent(prefix) || slices.Contains(common, ascii.ToLower(prefix)) {
		return intent{}, false
	}
	var tokens []string
	for c := range crawlers.All() {
		if c.Status != crawlers.Retired && ascii.HasPrefixFold(c.Token, prefix) && !isCompany(&c) {
			tokens = append(tokens, c.Token)
		}
	}
	in := whole(text, whyWildcard, tokens...)
	in.guess = len(tokens) > 1
	sure := len(tokens) > 1 || len(tokens) == 1 && slices.Contains(robotWords, ascii.ToLower(tokens[0][len(prefix):]))
	return in, sure
}
