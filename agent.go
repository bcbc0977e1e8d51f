package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// starToken is the token of agent lines that match every crawler. A query without a token
// uses it too [G25, G31].
const starToken = "*"

// agentToken returns the product token in the value of an agent line. If named is
// false, the token is invalid and matches no crawler, but the line still starts or
// continues a run of agent lines.
func (r *reading) agentToken(value string) (token string, named bool) {
	if isStar(value) {
		return starToken, true
	}
	cut := prefixOf(value, r.token)
	token = cut
	if r.dropStar {
		token = strings.TrimSuffix(cut, "*")
	}
	if token != "" && token[0] == '*' && strings.Trim(token, "*") == "" {
		if cut == starToken {
			cut = value // such as "*/2", which is cut in Koster1996
		}
		return cut, false // "**" is not the wildcard [G25]
	}
	return token, true
}

// isStar reports whether value is a star, alone or followed by white space
// and any text. The test comes before the value is cut to a token, because the
// cut would drop the star [G25].
func isStar(value string) bool {
	return len(value) > 0 && value[0] == '*' && (len(value) == 1 || ascii.IsSpace(value[1]))
}

// The octets of product tokens in agent lines. A token is the longest prefix
// that consists of these octets; the rest of the value is ignored.
var (
	// tokenLetters are the octets of RFC 9309's grammar. Digits end a token:
	// "MJ12bot" is read as MJ [G26, G28].
	tokenLetters = ascii.OctetsOf(func(c byte) bool {
		return ascii.IsLetter(c) || c == '-' || c == '_'
	})
	// tokenBeforeVersion are all octets except white space and the slash:
	// "FooBot/2.1" is read as FooBot and "MJ12bot" as MJ12bot.
	tokenBeforeVersion = ascii.OctetsOf(func(c byte) bool { return c != ' ' && c != '\t' && c != '/' })
	// tokenRFC1945 are the ASCII octets except control characters and tspecials
	// [Koster 3.3].
	tokenRFC1945 = ascii.OctetsOf(func(c byte) bool {
		return ' ' < c && c < 0x7F && strings.IndexByte(`()<>@,;:\"/[]?={}`, c) < 0
	})
)

func prefixOf(s string, set *ascii.Octets) string {
	i := 0
	for i < len(s) && set[s[i]] {
		i++
	}
	return s[:i]
}

// ValidAgent reports whether an agent line can contain token in this dialect. A crawler whose
// product token is not valid cannot have its own groups. Google allows only [A-Za-z_-]; the
// other dialects also allow digits and other octets, so "MJ12bot" is valid in RFC9309 and
// Koster1996. "*" and the empty token are not valid in any dialect.
func (d Dialect) ValidAgent(token string) bool {
	if token == "" || token == starToken {
		return false
	}
	// Parsing a line covers the scanner too, which trims values and ends them at
	// a '#'.
	line := "User-agent: " + token + "\nDisallow: /"
	return !d.Parse([]byte(line)).NamedRules(token).Allowed("/")
}

// ValidAgent reports whether token is a product token of RFC 9309: one or more
// octets of [A-Za-z_-]. It is the same as Google.ValidAgent [G33, RFC 9309 2.2.1].
func ValidAgent(token string) bool {
	return token != "" && prefixOf(token, &tokenLetters) == token
}

// grouping tracks the group that each line of a body belongs to [G34–G37; Koster
// 3.2 for records].
type grouping struct {
	records bool // an empty line ends a group
	open    bool // the current line is in a group
	ruled   bool // the group had a rule since its last agent line
}

// agent takes an agent line and reports whether it starts a new group [G36].
func (g *grouping) agent() (starts bool) {
	starts = !g.open || g.ruled
	g.open, g.ruled = true, false
	return starts
}

// rule takes an Allow or Disallow line, with or without a value, and reports
// whether it belongs to a group [G34, G37; Koster 3.2].
func (g *grouping) rule() bool {
	g.ruled = g.open
	return g.open
}

func (g *grouping) empty() {
	if g.records {
		g.open = false
	}
}
