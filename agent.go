package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// everyone is the token of the agent lines that speak to every crawler, and
// what is asked for where no token is given (G25, G31).
const everyone = "*"

// agentToken returns the token that the value of an agent line names. If named
// is false it is what stands in a token's place, and names no one; the line
// opens or continues a run of agents all the same.
func (r *reading) agentToken(value string) (token string, named bool) {
	if namesEveryone(value) {
		return everyone, true
	}
	cut := prefixOf(value, r.token)
	token = cut
	if r.dropStar {
		token = strings.TrimSuffix(cut, "*")
	}
	if token != "" && strings.Trim(token, "*") == "" {
		return cut, false // like the wildcard, but it is none (G25)
	}
	return token, true
}

// namesEveryone reports whether value is a star, alone or followed by white
// space and anything (G25). It is asked before anything is cut.
func namesEveryone(value string) bool {
	return len(value) > 0 && value[0] == '*' && (len(value) == 1 || ascii.IsSpace(value[1]))
}

// The octets of product tokens in agent lines. A token is the longest prefix
// of such octets; what follows it is passed over.
var (
	// tokenLetters are those of RFC 9309's grammar, so that digits end a token:
	// "MJ12bot" names MJ (G26, G28).
	tokenLetters = ascii.OctetsOf(func(c byte) bool {
		return ascii.IsLetter(c) || c == '-' || c == '_'
	})
	// tokenBeforeVersion are all but blanks and the slash: "FooBot/2.1" names
	// FooBot and "MJ12bot" names MJ12bot.
	tokenBeforeVersion = ascii.OctetsOf(func(c byte) bool { return c != ' ' && c != '\t' && c != '/' })
	// tokenRFC1945 are ASCII without control characters and tspecials
	// (Koster 3.3).
	tokenRFC1945 = ascii.OctetsOf(func(c byte) bool {
		return ' ' < c && c < 0x7F && strings.IndexByte(`()<>@,;:\"/[]?={}`, c) < 0
	})
)

// prefixOf returns the longest prefix of s whose octets are all in set.
func prefixOf(s string, set *ascii.Octets) string {
	i := 0
	for i < len(s) && set[s[i]] {
		i++
	}
	return s[:i]
}

// ValidAgent reports whether an agent line can name token in this dialect, so
// that a crawler with that product token can have groups of its own. Google
// allows only [A-Za-z_-], the other dialects digits and more: "MJ12bot" is valid
// in RFC9309 and Koster1996. "*" and the empty token are valid in none.
func (d Dialect) ValidAgent(token string) bool {
	if token == "" || token == everyone {
		return false
	}
	// The scanner has a say in it too: it trims values and ends them at a #.
	line := "User-agent: " + token + "\nDisallow: /"
	return !d.Parse([]byte(line)).NamedRules(token).Allowed("/")
}

// ValidAgent reports whether token is a product token by RFC 9309 2.2.1: not
// empty, and only of [A-Za-z_-]. It is the same as Google.ValidAgent (G33).
func ValidAgent(token string) bool {
	return token != "" && prefixOf(token, &tokenLetters) == token
}

// grouping follows which run of agent lines the lines of a body belong to
// (G34–G37; Koster 3.2 for records).
type grouping struct {
	records bool // an empty line ends a group
	open    bool // an agent line was seen, and no end since
	ruled   bool // a rule was seen since the last agent line
}

// agent takes an agent line and reports whether it starts a new group (G36).
func (g *grouping) agent() (starts bool) {
	starts = !g.open || g.ruled
	g.open, g.ruled = true, false
	return starts
}

// rule takes an Allow or Disallow line, with or without a value, and reports
// whether it belongs to a group (G34, G37; Koster 3.2).
func (g *grouping) rule() bool {
	g.ruled = g.open
	return g.open
}

// empty takes an empty line.
func (g *grouping) empty() {
	if g.records {
		g.open = false
	}
}
