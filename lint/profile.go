package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Profile is the audience of a file: crawlers, or a kind of site. The zero value is Google,
// and unknown values behave like it.
type Profile uint8

// The profiles.
const (
	Google     Profile = iota // Google's crawlers
	Bing                      // Microsoft's crawlers
	Yandex                    // Yandex's crawlers, with their limits
	RFC9309                   // crawlers that follow RFC 9309
	Koster1996                // crawlers that follow Koster's 1996 draft: no wildcards, blank lines end records
	Production                // Google's crawlers, for a site that search engines should find
	Staging                   // Google's crawlers, for a site that they should not find
)

// audience has the properties of a profile. All differences between profiles are here and in
// Entry.Profiles; the checks use properties and never compare profiles.
type audience struct {
	name    string
	dialect robotstxt.Dialect

	bytes     int // of the file that are read; 0: no documented limit
	rules     int // that are read; 0: no documented limit
	ruleBytes int // of one rule; 0: no documented limit
	// allOrNothing means that crawlers ignore a file of more bytes completely, instead
	// of reading its beginning.
	allOrNothing bool

	// tokens are the product token of the main crawler and its fallbacks. None: "*".
	tokens []string
	// others are further crawlers that the site should not be closed to.
	others []string
	// firstGroup means that if several groups name a crawler, only the first applies.
	firstGroup bool

	blankLines  bool // a blank line within a group is a mistake
	singleGroup bool // several groups for "*" are a mistake
	public      bool // the site should be open to the main crawlers
}

var audiences = [...]audience{
	Google: {name: "google", bytes: robotstxt.DefaultBodyLimit, tokens: googleTokens, others: bingTokens},
	Bing:   {name: "bing", tokens: bingTokens},
	Yandex: {
		name: "yandex", bytes: 500 * 1000, rules: 2048, ruleBytes: 1024, allOrNothing: true,
		blankLines: true, singleGroup: true, tokens: []string{"YandexBot", "Yandex"},
	},
	RFC9309:    {name: "rfc9309", dialect: robotstxt.RFC9309, bytes: robotstxt.DefaultBodyLimit},
	Koster1996: {name: "koster1996", dialect: robotstxt.Koster1996, blankLines: true, firstGroup: true},
	Production: {
		name: "production", bytes: robotstxt.DefaultBodyLimit, tokens: googleTokens, others: bingTokens, public: true,
	},
	Staging: {name: "staging", bytes: robotstxt.DefaultBodyLimit, tokens: googleTokens},
}

var (
	googleTokens = []string{"Googlebot"}
	bingTokens   = []string{"bingbot"}
)

func (a *audience) isMain(token string) bool {
	is := func(main string) bool { return ascii.EqualFold(main, token) }
	return slices.ContainsFunc(a.tokens, is) || slices.ContainsFunc(a.others, is)
}

func (p Profile) audience() *audience {
	if int(p) >= len(audiences) {
		p = Google
	}
	return &audiences[p]
}

// Profiles returns all profiles, the default first.
func Profiles() []Profile {
	profiles := make([]Profile, len(audiences))
	for i := range profiles {
		profiles[i] = Profile(i)
	}
	return profiles
}

// Dialect returns the dialect in which the profile's crawlers read.
func (p Profile) Dialect() robotstxt.Dialect { return p.audience().dialect }

// Bytes returns how many bytes of a file the profile's crawlers read: the documented
// limit, or else robotstxt.DefaultBodyLimit, the least that every crawler must read
// [RFC 9309 2.5].
func (p Profile) Bytes() int { return cmp.Or(p.audience().bytes, robotstxt.DefaultBodyLimit) }

// Head returns the part of a body that the profile's crawlers read: whole lines, or the
// beginning of the first line if that is longer than the limit.
func (p Profile) Head(body []byte) []byte {
	part, _ := head(body, p.Bytes())
	return part
}

// String returns the profile's name in lower case, such as "google".
func (p Profile) String() string { return p.audience().name }

// MarshalText returns the profile's name. It never fails.
func (p Profile) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText sets p to the profile with that name, ignoring case. For an unknown
// name it returns an error that lists the known ones, and leaves p unchanged.
func (p *Profile) UnmarshalText(text []byte) error {
	var names []string
	for i := range audiences {
		if strings.EqualFold(string(text), audiences[i].name) {
			*p = Profile(i)
			return nil
		}
		names = append(names, audiences[i].name)
	}
	return fmt.Errorf("unknown profile %q: use one of %s", text, strings.Join(names, ", "))
}
