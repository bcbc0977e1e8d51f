package robotstxt

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// spelling is the beginning of a key that makes a line a directive. A key
// counts by prefix, so "Disallowed" and "Allow-all" do too (G19).
type spelling struct {
	prefix string // in lower case
	kind   Kind
	typo   bool // accepted, but flagged (G21)
}

// The spellings that count, by their first letter; the order does not matter
// because none is a prefix of another. "allow" has no accepted misspelling.
var (
	spellingsA = [...]spelling{{"allow", KindAllow, false}}
	spellingsD = [...]spelling{
		{"disallow", KindDisallow, false},
		{"dissallow", KindDisallow, true},
		{"dissalow", KindDisallow, true},
		{"disalow", KindDisallow, true},
		{"diasllow", KindDisallow, true},
		{"disallaw", KindDisallow, true},
	}
	spellingsS = [...]spelling{
		{"sitemap", KindSitemap, false},
		{"site-map", KindSitemap, true},
	}
	spellingsU = [...]spelling{
		{"user-agent", KindUserAgent, false},
		{"useragent", KindUserAgent, true},
		{"user agent", KindUserAgent, true},
	}
)

// The octets that the lines begin with which decide, and those that the lines
// begin with which Parse keeps.
var (
	ruleLetters = ascii.OctetsOf(func(c byte) bool { return strings.IndexByte("adu", ascii.Lower(c)) >= 0 })
	keptLetters = ascii.OctetsOf(func(c byte) bool {
		for _, name := range extensionNames {
			if name != "" && ascii.Lower(c) == ascii.Lower(name[0]) {
				return true
			}
		}
		return ruleLetters[c] || ascii.Lower(c) == 's'
	})
)

// classify tells the kind of a non-empty key, and whether it is one of the
// accepted misspellings (G18–G21).
func classify(key string) (kind Kind, typo bool) {
	var spellings []spelling
	switch ascii.Lower(key[0]) {
	case 'a':
		spellings = spellingsA[:]
	case 'd':
		spellings = spellingsD[:]
	case 's':
		spellings = spellingsS[:]
	case 'u':
		spellings = spellingsU[:]
	}
	for i := range spellings {
		if ascii.HasPrefixFold(key, spellings[i].prefix) {
			return spellings[i].kind, spellings[i].typo
		}
	}
	for _, name := range unusedNames {
		if ascii.EqualFold(key, name) {
			return KindUnused, false
		}
	}
	return KindUnknown, false
}

// unusedNames are the keys that Google's parser knows and does not use. They
// count only in full (G65).
var unusedNames = [...]string{
	"clean-param", "content-signal", "content-usage", "crawl-delay", "domain", "host",
	"noarchive", "nofollow", "noindex", "request-rate", "revisit-after", "visit-time",
}

// keptKind says what a line is that Parse keeps. All from keptSitemap on are
// kept as they are, in one table.
type keptKind uint8

const (
	keptAgent keptKind = iota
	keptRule
	keptSitemap
	keptCrawlDelay
	keptRequestRate
	keptVisitTime
	keptCleanParam
	keptHost
	keptContentSignal
	keptContentUsage
	keptLicense
)

// extensionNames are the names of the extension lines that are kept.
var extensionNames = [...]string{
	keptCrawlDelay:    "Crawl-delay",
	keptRequestRate:   "Request-rate",
	keptVisitTime:     "Visit-time",
	keptCleanParam:    "Clean-param",
	keptHost:          "Host",
	keptContentSignal: "Content-Signal",
	keptContentUsage:  "Content-Usage",
	keptLicense:       "License",
}

// extensionKind returns the kind of the extension line with a non-empty key.
func extensionKind(key string) (kind keptKind, ok bool) {
	for i := range extensionNames {
		if ascii.EqualFold(key, extensionNames[i]) {
			return keptKind(i), true
		}
	}
	return 0, false
}
