package crawlers

import (
	"slices"

	"github.com/kosterhq/robotstxt"
)

// Reading is how a crawler reads robots.txt files. The zero Reading is for any
// crawler that follows the group for "*" and reads in Google's dialect.
type Reading struct {
	Dialect robotstxt.Dialect
	Stated  bool // a source states that the crawler reads in Dialect, see Crawler.Dialect

	// Tokens are the product tokens, the most specific first: a token selects
	// groups only if no group has an earlier token.
	Tokens []string
	// NamedOnly means that groups for "*" do not apply.
	NamedOnly bool

	requested bool // Dialect was chosen with In
}

// ReadingOf returns the reading of a crawler with these product tokens. If you pass a
// single token of a known crawler, ReadingOf adds its documented fallbacks. It takes
// several tokens as they are.
//
// Dialect and NamedOnly come from the first token that has a dialect. A token has the
// dialect that a source states. Otherwise it has the first of Google and RFC9309 in which
// an agent line can contain it. Without tokens, and for "*", Dialect is Google. ok is
// false if no token has a dialect: then no agent line can name the crawler, as for "Sogou
// web spider", and its verdicts are unknown. In still gives it a dialect.
func ReadingOf(tokens ...string) (r Reading, ok bool) {
	r.Tokens = tokens
	for i := 0; i < len(r.Tokens); i++ {
		token := r.Tokens[i]
		known := &row{}
		if at, found := rowOf(token); found {
			known = &rows[at]
		}
		if len(tokens) == 1 && i == 0 {
			r.Tokens = append(slices.Clip(tokens), known.Fallbacks...)
		}
		r.Dialect, r.Stated, ok = dialectOf(token, known)
		if ok {
			r.NamedOnly = known.Obeys == ObeysNamed
			return r, true
		}
	}
	return r, len(tokens) == 0
}

// dialectOf returns the dialect of a token, with the row of a known crawler or the zero
// row. ok is false if the token has no dialect.
func dialectOf(token string, known *row) (d robotstxt.Dialect, stated, ok bool) {
	if token == "" || token == "*" { // any crawler that follows the group for "*"
		return robotstxt.Google, false, true
	}
	if known.Dialect != "" && d.UnmarshalText([]byte(known.Dialect)) == nil {
		return d, true, true
	}
	for _, d := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
		if d.ValidAgent(token) {
			return d, false, true
		}
	}
	return robotstxt.Google, false, false
}

// In returns the reading in another dialect, or the same reading if dialect is nil.
// It is for programs in which a user can choose how files are read.
func (r Reading) In(dialect *robotstxt.Dialect) Reading {
	if dialect != nil {
		r.Dialect = *dialect
		r.requested = true
	}
	return r
}

// Other returns the reading that the crawler has if it does not read files as Google does.
// ok is false if that is not in doubt: if a source states how the crawler reads, if Google
// cannot name it, if the dialect was chosen with In, and for "*".
func (r Reading) Other() (other Reading, ok bool) {
	ok = !r.Stated && !r.requested && r.Dialect == robotstxt.Google && len(r.Tokens) > 0 && r.Tokens[0] != "*"
	r.Dialect = robotstxt.RFC9309
	r.requested = true
	return r, ok
}

// Rules returns the rules of a file for the crawler. The file must have been parsed in
// the reading's Dialect. Rules panics if robots is nil.
func (r Reading) Rules(robots *robotstxt.Robots) robotstxt.Rules {
	if r.NamedOnly {
		return robots.NamedRules(r.Tokens...)
	}
	return robots.Rules(r.Tokens...)
}
