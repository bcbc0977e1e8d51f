package robotstxt

import (
	"fmt"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Dialect is one reading of robots.txt. The zero value is Google; a value that
// names no dialect reads as Google too.
type Dialect uint8

// The dialects.
const (
	// Google reads a body exactly as Google's open-source parser does (G1–G62).
	Google Dialect = iota
	// RFC9309 reads as RFC 9309 and its first draft say, with Google's lines
	// and groups: rule and URL are compared in one canonical encoding, tokens
	// may hold digits, and /robots.txt is always allowed.
	RFC9309
	// Koster1996 reads as the draft of 15 November 1996 says: records end at
	// blank lines, the first record that names the robot decides, the first
	// matching rule wins, there are no wildcards, and the query of a URL is not
	// compared.
	Koster1996
)

// Traits are the properties of a dialect that programs need which compare
// patterns themselves, such as one that proves two files equal.
type Traits struct {
	Wildcards  bool // '*' and a final '$' are special in a pattern (G43, G44)
	FirstMatch bool // the first rule that matches decides, not the longest (Koster 3.2.2)
	IndexRule  bool // "Allow: …/index.htm…" matches the folder too (G53)
	Records    bool // groups end at empty lines, and only the first one of a token counts (Koster 3.2)
}

// reading is what distinguishes one dialect from another. All differences are
// here; the code elsewhere uses a property, never a dialect.
type reading struct {
	name string
	Traits

	token    *ascii.Octets // what the product token in an agent line is made of
	dropStar bool          // a star that ends the token is not part of it: "googlebot*"

	emptyRules bool // an Allow or Disallow without a value is a rule (G51)
	pathOnly   bool // the URL's query is not compared (Koster 3.2.2)
	openRobots bool // /robots.txt is allowed whatever the rules say (RFC 9309 2.2.2)

	rule pattern.Encoding // how a rule is written before it is compared
	url  pattern.Encoding // how a URL's path is written before it is compared
}

var readings = [...]reading{
	Google: {
		name:       "google",
		token:      &tokenLetters,
		Traits:     Traits{Wildcards: true, IndexRule: true},
		emptyRules: true,
		rule:       pattern.Google,
		url:        pattern.AsIs,
	},
	RFC9309: {
		name:       "rfc9309",
		token:      &tokenBeforeVersion,
		dropStar:   true,
		Traits:     Traits{Wildcards: true},
		emptyRules: true,
		openRobots: true,
		rule:       pattern.RFC9309Rule,
		url:        pattern.RFC9309URL,
	},
	Koster1996: {
		name:     "koster1996",
		token:    &tokenRFC1945,
		Traits:   Traits{FirstMatch: true, Records: true},
		pathOnly: true,
		rule:     pattern.Koster1996,
		url:      pattern.Koster1996,
	},
}

// Dialects returns all dialects, the default first.
func Dialects() []Dialect { return []Dialect{Google, RFC9309, Koster1996} }

func (d Dialect) reading() *reading {
	if int(d) >= len(readings) {
		d = Google
	}
	return &readings[d]
}

// Traits returns the properties of the dialect.
func (d Dialect) Traits() Traits { return d.reading().Traits }

// EncodePath returns the path of url in the canonical form in which the dialect
// compares it with patterns, with the query unless that is Koster1996:
// Decision.Path (G48, G58–G62, RFC
// 9309 2.2.2, Koster 3.2.2).
func (d Dialect) EncodePath(url string) string {
	reading := d.reading()
	path, bare := reading.pathOf(url)
	return string(reading.appendPath(nil, path, bare))
}

// newPattern reads a pattern in the dialect's encoding.
func (r *reading) newPattern(encoded string) pattern.Pattern {
	return pattern.New(encoded, r.Wildcards)
}

// appendPattern appends the value of a rule to dst in the dialect's encoding.
func (r *reading) appendPattern(dst []byte, value string) []byte {
	return r.rule.AppendPattern(dst, value, r.Wildcards)
}

// String returns the dialect's name in lower case: "google", "rfc9309" or
// "koster1996". It is the form that UnmarshalText reads.
func (d Dialect) String() string { return d.reading().name }

// MarshalText returns the dialect's name, so that JSON, flags and the like can
// carry it. It never fails.
func (d Dialect) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText sets d to the dialect of that name, in any case of letters. An
// unknown name is an error that lists the known ones and leaves d unchanged.
func (d *Dialect) UnmarshalText(text []byte) error {
	for i := range readings {
		if ascii.EqualFold(text, readings[i].name) {
			*d = Dialect(i)
			return nil
		}
	}
	return fmt.Errorf("unknown dialect %q: want google, rfc9309 or koster1996", text)
}
