package robotstxt

import "strings"

// everyone is the token of the agent lines that speak to every crawler, and
// what is asked for where no token is given (G25, G31).
const everyone = "*"

// cutAgent cuts a dialect's product token out of the value of an agent line.
type cutAgent func(value string) string

// agentToken returns the token that the value of an agent line names; named is
// false if no question can ever match it. The line opens or continues a run of
// agents all the same (G29).
func (r *reading) agentToken(value string) (token string, named bool) {
	if namesEveryone(value) {
		return everyone, true
	}
	token = r.cutAgent(value)
	// A token of stars alone looks like the wildcard but is not (G25).
	return token, token == "" || strings.Trim(token, "*") != ""
}

// namesEveryone reports whether value is a star, alone or followed by white
// space and anything (G25). It is asked before anything is cut.
func namesEveryone(value string) bool {
	return len(value) > 0 && value[0] == '*' && (len(value) == 1 || isSpace(value[1]))
}

// cutLetters returns the longest prefix in [A-Za-z_-] (G26, G28).
func cutLetters(value string) string {
	i := 0
	for i < len(value) && isTokenByte(value[i]) {
		i++
	}
	return value[:i]
}

// cutVersion returns the value up to the first blank or slash, without one
// final star: "FooBot/2.1" and "googlebot*" name FooBot and googlebot, and
// MJ12bot keeps its digits (RFC 9309 2.2.1).
func cutVersion(value string) string {
	if i := strings.IndexAny(value, " \t/"); i >= 0 {
		value = value[:i]
	}
	return strings.TrimSuffix(value, "*")
}

// cutToken returns the longest prefix that RFC 1945 calls a token (Koster 3.3).
func cutToken(value string) string {
	i := 0
	for i < len(value) && ' ' < value[i] && value[i] < 0x7F && strings.IndexByte(`()<>@,;:\"/[]?={}`, value[i]) < 0 {
		i++
	}
	return value[:i]
}

func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '_'
}

// ValidAgent reports whether token is a product token as RFC 9309 2.2.1 asks:
// not empty, and only of [A-Za-z_-]. Nothing enforces it, but no agent line
// names any other token in dialect Google (G33).
func ValidAgent(token string) bool {
	return token != "" && len(cutLetters(token)) == len(token)
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

// rule takes an Allow or Disallow line and reports whether it belongs to a
// group (G34, G37).
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
