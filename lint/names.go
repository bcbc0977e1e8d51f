package lint

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/lookalike"
)

type intent struct {
	tokens []string // that lines should have instead of the value, each once; none if it is not known who is meant
	why    crawlers.Why
	guess  bool // a person should confirm the tokens
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
	if in.why == whyStar || in.why == whyExact {
		in.why = whyMarks
	}
	return in
}

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

// intentOf returns an intent that needs no confirmation.
func intentOf(why crawlers.Why, tokens ...string) intent { return intent{tokens: tokens, why: why} }

func isEveryone(word string) bool {
	return slices.Contains([]string{"all", "any", "everyone", "everybody"}, ascii.ToLower(word))
}

func readEveryone(text string) (intent, bool) {
	if text == "*" {
		return intentOf(whyStar, "*"), true
	}
	// With a star at its beginning the value means all crawlers as it is: the words after it are too much.
	if text[0] == '*' || !isEveryone(bare(text)) {
		return intent{}, false
	}
	return intentOf(whyAll, "*"), true
}

// readExact reads a name that the data have. An alias that no line can name is the token with other
// marks.
func readExact(text string) (intent, bool) {
	c, known := findCrawler(text)
	switch {
	case !known, isCompany(c):
		return intent{}, false
	case ascii.EqualFold(c.Token, text) || isNameable(text) ||
		ascii.HasPrefixFold(text, c.Token+" "): // the operator writes more
		return intentOf(whyExact, c.Token), true
	}
	return intentOf(crawlers.Joined, c.Token), !strings.Contains(text, "/")
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
	isName := func(word string) bool { // else the words are a phrase
		name := word[:tokenLen(word)]
		_, known := findCrawler(name)
		return known || isEveryone(name) ||
			slices.ContainsFunc(robotWords, func(end string) bool { return strings.HasSuffix(name, end) })
	}
	for i, word := range words {
		switch {
		case word[0] == '!' && len(word) > 1:
			return intent{why: whyNegated}, true
		case word != "not" && word != "but" && word != "except":
		case i == 0 && word != "but" && (comment || len(words) == 2 || slices.ContainsFunc(words[1:], isName)),
			i > 0 && (words[0] == "*" || isEveryone(words[0])),
			i > 0 && word == "not" && (words[i-1] == "and" || words[i-1] == "but"):
			return intent{why: whyNegated}, true
		}
	}
	expression := strings.Contains(text, "(?!") || strings.HasPrefix(text, "[^")
	return intent{why: whyNegated}, expression
}

// readHeader reads a whole User-Agent header: one of a browser's form, with an address, with a comment
// of several parts, or with several versions.
func readHeader(text string) (intent, bool) {
	header := bare(text)
	comment := false
	versions := 0
	if open := strings.IndexByte(header, '('); open > 0 {
		comment = tokenLen(header) > 0 && (strings.ContainsAny(header[open:], ";@") || strings.Contains(header[open:], "www."))
	}
	for word := range strings.FieldsSeq(header) {
		if _, version, _ := strings.Cut(word, "/"); isVersion(version) && ascii.IsLetter(word[0]) {
			versions++
		}
	}
	if !isBrowser(header) && !comment && versions < 2 && !strings.Contains(header, "://") || text[0] == '*' {
		return intent{}, false
	}
	in := senderOf(header)
	return in, len(in.tokens) > 0 || isBrowser(header)
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
	token, ok := crawlers.Sender(header)
	if !ok {
		return intentOf(whyHeader)
	}
	c, known := findCrawler(token)
	begin := header[:tokenLen(header)]
	switch {
	case known && isCompany(c):
		m, _ := crawlers.Meant(token)
		return intentOf(whyHeader, m.Tokens...)
	case known && isLibrary(c) && begin != "" && !isBrowser(header):
		token = begin
	}
	return intentOf(whyHeader, token)
}

// isLibrary reports whether a crawler is a program that others are made with: before it in a header is who sends it.
func isLibrary(c *crawlers.Crawler) bool {
	return len(c.Purposes) == 1 && (c.Purposes[0] == "client" || c.Purposes[0] == "copier")
}

// What separates the names of a list: between strong ones each name is one, known or not, between
// others only a known crawler is.
const (
	strongSeparators = ",;|"
	weakSeparators   = "+&/ \t"
)

func readList(text string) (intent, bool) {
	const most = 100 // of a longer list the line is what is wrong
	if !strings.ContainsAny(text, strongSeparators+weakSeparators) {
		return intent{}, false
	}
	var tokens []string
	parts := split(text, strongSeparators)
	names := 0
	for _, part := range parts {
		few := knownTokens(part)
		names += max(1, len(few))
		if len(few) == 0 && len(parts) > 1 {
			few = tokensOf(withoutConjunction(part))
		}
		if len(few) == 0 || isIntroduction(few[0]) || names > most {
			return intent{}, false
		}
		for _, token := range few {
			if !slices.ContainsFunc(tokens, func(t string) bool { return ascii.EqualFold(t, token) }) {
				tokens = append(tokens, token)
			}
		}
	}
	return intentOf(whyList, tokens...), names > 1
}

// knownTokens returns the tokens of several known crawlers, none if a part of a list does not consist of such. A
// library, or the name of a company, can be a part of another name.
func knownTokens(part string) (tokens []string) {
	for _, word := range split(part, weakSeparators) {
		if isConjunction(word) {
			continue
		}
		c, known := findCrawler(word)
		if sender, _ := crawlers.Sender(word + " Other/1.0"); !known || isCompany(c) || sender != c.Token {
			return nil
		}
		tokens = append(tokens, c.Token)
	}
	if len(tokens) < 2 {
		return nil
	}
	return tokens
}

// tokensOf returns the tokens that lines should have for one piece of a list, none if it is not a name.
func tokensOf(text string) []string {
	switch in := intended([]byte(text)); {
	case in.why == whyHeader:
		return nil
	case len(in.tokens) > 0 && !in.guess:
		return in.tokens
	}
	token, _ := withoutVersion(text)
	if !robotstxt.ValidAgent(token) {
		return nil
	}
	return []string{token}
}

func readDecorated(text string) (intent, bool) {
	plain := bare(text)
	inName := func(r rune) bool { return r >= utf8.RuneSelf || inWord(byte(r)) }
	beginsSo := text[0] == '*' && (isBlank(text[1]) || !strings.ContainsFunc(text, inName))
	if beginsSo || plain == "" && strings.Contains(text, "*") {
		return intentOf(whyMarks, "*"), true
	}
	unversioned, versioned := withoutVersion(plain)
	token := unescaped(bare(unversioned))
	c, known := findCrawler(token)
	switch {
	case !known || isCompany(c) || token != text && slices.Contains(common, ascii.ToLower(token)):
		return intent{}, false
	case versioned && strings.HasPrefix(text, plain):
		return intentOf(whyVersion, c.Token), true
	}
	return intentOf(whyMarks, c.Token), token != text
}

func readMeant(text string) (intent, bool) {
	plain, _ := withoutVersion(bare(text))
	m, ok := crawlers.Meant(unescaped(plain))
	if !ok || m.Why != crawlers.Company {
		if in, ok := readWildcard(text); ok {
			return in, true
		}
		if !ok {
			return intent{}, false
		}
	}
	return intent{m.Tokens, m.Why, !m.Sure}, true
}

var common = []string{"ads", "agent", "bot", "bots", "crawl", "crawler", "data", "http", "link", "news", "python", "robot", "scrape", "search", "seo", "site", "spider", "web"}

var robotWords = []string{"bot", "-bot", "spider", "crawler"}

var tokensInUse = sync.OnceValue(func() (tokens []string) {
	for c := range crawlers.All() {
		if c.Status != crawlers.Retired && !isCompany(&c) {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
})

// readWildcard reads the beginning of a name, with a star for the rest. If one crawler alone begins so and
// its name goes on otherwise, as in Open*, the star might stand for other names.
func readWildcard(text string) (intent, bool) {
	const shortest = 3
	prefix, starred := strings.CutSuffix(text, "*")
	prefix = strings.TrimSuffix(prefix, ".")
	if !starred || len(prefix) < shortest || !robotstxt.ValidAgent(prefix) ||
		slices.Contains(common, ascii.ToLower(prefix)) {
		return intent{}, false
	}
	differs := func(token string) bool { return !ascii.HasPrefixFold(token, prefix) }
	tokens := slices.DeleteFunc(slices.Clone(tokensInUse()), differs)
	several := len(tokens) > 1
	sure := several || len(tokens) == 1 && slices.Contains(robotWords, ascii.ToLower(tokens[0][len(prefix):]))
	return intent{tokens, whyWildcard, several}, sure
}

const marks = "*\"'`+^$<>[](){}.,;: \t" + "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"

// expressionMarks begin expressions: the edge of a word, and a group with flags or without a number.
var expressionMarks = [...]string{`\b`, "?:", "?i)", "?i:"}

// bare returns a text without marks around it, and without marks of expressions.
func bare(text string) string {
	for {
		text = strings.Trim(text, marks)
		if before, cut := strings.CutSuffix(text, `\b`); cut {
			text = before
			continue
		}
		at := slices.IndexFunc(expressionMarks[:], func(mark string) bool { return strings.HasPrefix(text, mark) })
		if at < 0 {
			return text
		}
		text = text[len(expressionMarks[at]):]
	}
}

// withoutVersion returns a text without the version at its end, and whether it has one. The version
// is after a slash, or after white space and has no letter but v.
func withoutVersion(text string) (string, bool) {
	i := strings.LastIndexByte(text, '/')
	if blank := strings.LastIndexAny(text, " \t"); i < 0 && strings.Trim(text[blank+1:], "vV.0123456789") == "" {
		i = blank
	}
	if i <= 0 || !isVersion(text[i+1:]) && i+1 < len(text) || strings.ContainsAny(text[i+1:], " \t") {
		return text, false
	}
	return strings.TrimRight(text[:i], " \t"), true
}

// isVersion reports whether a text is a version, or a star for any.
func isVersion(text string) bool {
	digits := strings.TrimLeft(text, "vV")
	return digits == "*" || digits != "" && ascii.IsDigit(digits[0])
}

// split returns the parts between separators, without marks around them, but not empty ones and
// versions. A star alone is a part.
func split(text, separators string) (parts []string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		switch plain := bare(part); {
		case strings.Trim(part, " \t\"'()[]{}<>^$") == "*":
			parts = append(parts, part)
		case plain != "" && !isVersion(plain):
			parts = append(parts, plain)
		}
	}
	return parts
}

func isConjunction(word string) bool {
	return ascii.EqualFold(word, "and") || ascii.EqualFold(word, "or")
}

func withoutConjunction(text string) string {
	if i := strings.IndexAny(text, " \t"); i > 0 && isConjunction(text[:i]) {
		return bare(text[i:])
	}
	return text
}

var unescaped = strings.NewReplacer(`\ `, " ", `\.`, ".", `\-`, "-").Replace
