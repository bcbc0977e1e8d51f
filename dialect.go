package robotstxt

import (
	"fmt"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Dialect is a specification or a program that defines how robots.txt is read. The
// zero value is Google, and values other than the constants below act like Google.
type Dialect uint8

// The dialects.
const (
	// Google gives the same verdicts as Google's open-source parser [G1–G62].
	Google Dialect = iota
	// RFC9309 follows RFC 9309 and its first draft; it splits lines and groups
	// like Google. Rule and URL are compared in one canonical encoding, tokens
	// can contain digits, and /robots.txt is always allowed.
	RFC9309
	// Koster1996 follows Koster's draft of 15 November 1996. Records end at
	// blank lines. The first record that names the robot applies, and the first
	// rule in it that matches decides. There are no wildcards, and the query of
	// a URL is not compared.
	Koster1996
)

// Traits are the properties of a dialect that a program needs if it compares
// patterns itself, for example to prove that two files have the same verdicts.
type Traits struct {
	Wildcards  bool // '*' and a final '$' are wildcards in a pattern [G43, G44]
	FirstMatch bool // the first rule that matches decides, not the longest [Koster 3.2.2]
	IndexRule  bool // "Allow: …/index.htm…" matches the folder too [G53]
	Records    bool // groups end at empty lines, and only the first group of a token applies [Koster 3.2]

	// A slash of the query is written %2F, like an encoded one of the path. After a star
	// and before any '?' of a pattern, both '/' and %2F match a slash of the query
	// [RFC 9309 2.2.2].
	QuerySlash bool
}

// reading contains everything that differs between dialects. Code elsewhere tests
// one of these properties and never compares dialects.
type reading struct {
	name string
	Traits

	token    *ascii.Octets // the octets of a product token in an agent line
	dropStar bool          // a final star is not part of the token: "googlebot*"

	emptyRules bool // an Allow or Disallow without a value is a rule [G51]
	pathOnly   bool // the URL's query is not compared [Koster 3.2.2]
	openRobots bool // /robots.txt is allowed even if a rule disallows it [RFC 9309 2.2.2]

	rule pattern.Encoding // canonical form of rules
	url  pattern.Encoding // canonical form of URL paths
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
		Traits:     Traits{Wildcards: true, QuerySlash: true},
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
// compares it with patterns. The path includes the query, except in Koster1996.
// Decision.Path has the same form [G48, G58–G62, RFC 9309 2.2.2, Koster 3.2.2].
func (d Dialect) EncodePath(url string) string {
	reading := d.reading()
	path, bare := reading.pathOf(url)
	return string(reading.appendPath(nil, path, bare))
}

// newPattern returns the pattern with a text in the dialect's encoding, and the number of
// bytes before its first star.
func (r *reading) newPattern(encoded string) (p pattern.Pattern, before int) {
	return pattern.Read(encoded, r.Wildcards)
}

func (r *reading) appendPattern(dst []byte, value string) []byte {
	return r.rule.AppendPattern(dst, value, r.Wildcards)
}

// String returns the dialect's name in lower case: "google", "rfc9309" or
// "koster1996". It is the form that UnmarshalText reads.
func (d Dialect) String() string { return d.reading().name }

// MarshalText returns the dialect's name, for JSON, flags and the like. The error
// is always nil.
func (d Dialect) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText sets d to the dialect with that name; the case of letters does not
// matter. If the name is unknown, d does not change and the error lists the known
// names.
func (d *Dialect) UnmarshalText(text []byte) error {
	for i := range readings {
		if ascii.EqualFold(text, readings[i].name) {
			*d = Dialect(i)
			return nil
		}
	}
	return fmt.Errorf("unknown dialect %q: use google, rfc9309 or koster1996", text)
}
