package crawlers

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/lookalike"
	"github.com/kosterhq/robotstxt/internal/typo"
)

// Meaning is the crawlers that the author of an unknown name probably meant.
type Meaning struct {
	// Tokens are the product tokens, at least one, the most important first.
	Tokens []string
	Why    Why
	// Sure is false for a guess that a person should confirm: nothing should be replaced by it.
	Sure bool
}

// Why is how an unknown name differs from the name that was meant.
type Why string

// How names differ.
const (
	LookAlike Why = "look-alike" // it looks like the token, but has other characters, for example U+2011 for a hyphen
	Company   Why = "company"    // it is the name of a company or product, not of its crawlers
	Joined    Why = "joined"     // its spaces, hyphens or underscores differ from the token's
	Misspelt  Why = "misspelt"   // it is one or two typos away from the token
)

// Meant returns the probable meaning of a name that no crawler has, such as "GPT Bot",
// "Gogglebot", "Perplexity" or a token with a character that only looks right. The first kind of
// Why that fits wins. Case does not matter. ok is false if nothing is similar enough, and if the
// data have the name as a token or alias. There is one exception: the name is also a company's,
// such as OpenAI, and the data do not know for certain that a crawler has it.
//
// Companies and products that people name often are in brands.tsv, and are Sure. Other operators
// are not: then Tokens are the tokens of all their crawlers that are not retired. A typo is a
// letter that is missing, added, replaced or swapped with its neighbour. It is Sure if both names
// have at least 7 letters, or 9 if a letter is replaced, and if the names differ in more than
// spaces, hyphens, underscores and dots. Of shorter names, and of names that begin a token of ten
// letters or more and have most of it, only the crawlers in use of search engines and AI services
// are guesses; a name with a replaced letter is not. Names that end in different digits belong to different crawlers.
func Meant(name string) (m Meaning, ok bool) {
	folded := strings.Trim(lookalike.Fold(name), ascii.Space)
	bare := strings.Trim(folded, companyMarks)
	m, ok = Mistaken(name)
	if _, known := rowOf(folded); ok || known {
		return m, ok
	}
	if tokens := tokensOfOperator(bare); len(tokens) > 0 {
		return Meaning{tokens, Company, false}, true
	}
	if token := joined(bare); token != "" {
		return Meaning{[]string{token}, Joined, true}, true
	}
	if token, sure := misspelt(folded); token != "" {
		return Meaning{[]string{token}, Misspelt, sure}, true
	}
	return Meaning{}, false
}

// Mistaken is like Meant, but only for the kinds that need no search: names that only look like a
// token, and the names of companies in brands.tsv. It compares few names; Meant compares all.
func Mistaken(name string) (m Meaning, ok bool) {
	looks := lookalike.Fold(name)
	folded := strings.Trim(looks, ascii.Space)
	i, known := rowOf(folded)
	brand := brandOf(strings.Trim(folded, companyMarks))
	switch {
	case brand != nil && (!known || len(rows[i].Verified) == 0):
		return Meaning{slices.Clone(brand), Company, true}, true
	case known && looks != name:
		return Meaning{[]string{rows[i].Token}, LookAlike, true}, true
	}
	return Meaning{}, false
}

// The words that people omit from names, or add to them: for crawlers and for companies.
const (
	tokenMarks   = " -_"
	companyMarks = tokenMarks + "."
)

// equalWithout reports whether two texts are equal without some characters, ignoring case.
func equalWithout(marks, a, b string) bool {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		for i < len(a) && strings.IndexByte(marks, a[i]) >= 0 {
			i++
		}
		for j < len(b) && strings.IndexByte(marks, b[j]) >= 0 {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if ascii.Lower(a[i]) != ascii.Lower(b[j]) {
			return false
		}
	}
}

func brandOf(name string) []string {
	for i := range brands {
		if beginAlike(name, brands[i].name) && equalWithout(companyMarks, name, brands[i].name) {
			return brands[i].tokens
		}
	}
	return nil
}

// tokensOfOperator returns the tokens of the crawlers of an operator with a name. It returns none if
// Google reads the name in a line with one of these tokens: then the author could have meant that
// token.
func tokensOfOperator(name string) (tokens []string) {
	tokens = tokensByOperator()[withoutMarks(name)]
	if len(tokens) == 0 {
		return nil
	}
	for i, _ := find(name); i < len(names) && ascii.HasPrefixFold(names[i].text, name); i++ {
		if text := names[i].text; len(text) > len(name) && !inToken(text[len(name)]) {
			return nil
		}
	}
	return slices.Clone(tokens)
}

var tokensByOperator = sync.OnceValue(func() map[string][]string {
	tokens := make(map[string][]string)
	for i := range rows {
		if c := &rows[i].Crawler; c.Operator != Unknown && c.Status != Retired {
			key := withoutMarks(c.Operator)
			tokens[key] = append(tokens[key], c.Token)
		}
	}
	return tokens
})

// withoutMarks returns the name of a company in lower case and without marks.
func withoutMarks(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(companyMarks, r) {
			return -1
		}
		return r
	}, ascii.ToLower(name))
}

func beginAlike(a, b string) bool {
	return a != "" && b != "" && ascii.Lower(a[0]) == ascii.Lower(b[0])
}

// inToken reports whether product tokens have such bytes [RFC 9309 2.2.1, G26].
func inToken(c byte) bool { return ascii.IsLetter(c) || c == '-' || c == '_' }

// joined returns the token that differs from a name only in spaces, hyphens or underscores, or
// "". It considers only tokens with a verified operator, because two others can differ in
// nothing else.
func joined(name string) string {
	if name == "" {
		return ""
	}
	for i, _ := find(name[:1]); i < len(names) && beginAlike(name, names[i].text); i++ {
		c := &rows[names[i].row].Crawler
		if equalWithout(tokenMarks, name, c.Token) && c.Status != Retired && slices.Contains(c.Verified, "operator") {
			return c.Token
		}
	}
	return ""
}

// lettersPerTypo is how many letters a name with a typo has at least. Shorter names would match unrelated ones.
const lettersPerTypo = 4

// misspelt returns the token of the crawler whose token or alias is a typo away from a name, and whether that is
// sure. It returns "" if none is. A retired crawler wins only if no other is as close.
func misspelt(name string) (token string, sure bool) {
	if name == "" {
		return "", false
	}
	nearest, guess := -1, -1
	letters := lettersOf(name)
	for i := range names {
		text := names[i].text
		if beginsLong(name, text) && isFinder(i) {
			guess = i
		}
		// A typo adds one letter to the set or takes one from it, or both.
		if len(name) < lettersPerTypo || bits.OnesCount32(letters^names[i].letters) > 2 ||
			differInLastDigit(name, text) {
			continue
		}
		_, near := typo.Distance(name, text, 1)
		switch {
		case !near:
		case isSlip(name, text) && !equalWithout(companyMarks, name, text):
			if nearest < 0 || isRetired(nearest) {
				nearest = i
			}
		case isGuess(name, text) && isFinder(i):
			guess = i
		}
	}
	switch {
	case nearest >= 0:
		return rows[names[nearest].row].Token, !isRetired(nearest)
	case guess >= 0:
		return rows[names[guess].row].Token, false
	}
	return "", false
}

// beginsLong reports whether a name is most of a token of ten letters or more, from its beginning.
func beginsLong(name, token string) bool {
	const long = 10
	return len(token) >= long && len(name) < len(token) && 3*len(name) >= 2*len(token) &&
		ascii.HasPrefixFold(token, name)
}

// isGuess reports whether the typo between two names is a letter that one of them lacks, or two
// neighbours that are swapped. A replaced letter makes another name.
func isGuess(a, b string) bool {
	if len(a) == len(b) {
		return lettersOf(a) == lettersOf(b)
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && ascii.Lower(a[i]) == ascii.Lower(b[i]) {
		i++
	}
	return ascii.IsLetter(a[i])
}

// isFinder reports whether a name is of a crawler in use that finds pages for search or for AI.
func isFinder(name int) bool {
	c := &rows[names[name].row].Crawler
	return c.Status == Active && slices.ContainsFunc(c.Purposes, func(p Purpose) bool {
		return slices.Contains([]Purpose{"search", "ai-search", "ai-training", "ai-fetch"}, p)
	})
}

func lettersOf(name string) (set uint32) {
	for i := range len(name) {
		set |= 1 << (ascii.Lower(name[i]) & 31)
	}
	return set
}

func isRetired(name int) bool { return rows[names[name].row].Status == Retired }

func differInLastDigit(a, b string) bool {
	last := func(s string) byte { return s[len(s)-1] }
	return (ascii.IsDigit(last(a)) || ascii.IsDigit(last(b))) && last(a) != last(b)
}

// isSlip reports whether one typo between two names is surely one. Short names are words that others
// contain, and FooBot-A is not FooBot-B.
func isSlip(a, b string) bool {
	const shortest, shortestReplaced = 7, 9
	if len(a) != len(b) {
		return min(len(a), len(b)) >= shortest
	}
	differ := 0 // two letters where neighbours are swapped
	for i := range len(a) {
		if ascii.Lower(a[i]) != ascii.Lower(b[i]) {
			differ++
		}
	}
	return len(a) >= shortestReplaced || len(a) >= shortest && differ == 2
}
