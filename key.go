package robotstxt

import (
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// spelling is one accepted spelling of a known key, in lower case.
type spelling struct {
	text  string
	kind  Kind
	typo  bool // an accepted misspelling [G21]
	whole bool // the key must equal text; otherwise a key that begins with it matches, such as "Disallowed" [G19, G65]
}

// spellings are all spellings of known keys. None is a prefix of another, so the
// order does not matter. "allow" has no accepted misspelling.
var spellings = []spelling{
	{text: "allow", kind: KindAllow},
	{text: "disallow", kind: KindDisallow},
	{text: "dissallow", kind: KindDisallow, typo: true},
	{text: "dissalow", kind: KindDisallow, typo: true},
	{text: "disalow", kind: KindDisallow, typo: true},
	{text: "diasllow", kind: KindDisallow, typo: true},
	{text: "disallaw", kind: KindDisallow, typo: true},
	{text: "user-agent", kind: KindUserAgent},
	{text: "useragent", kind: KindUserAgent, typo: true},
	{text: "user agent", kind: KindUserAgent, typo: true},
	{text: "sitemap", kind: KindSitemap},
	{text: "site-map", kind: KindSitemap, typo: true},

	// Keys that Google's parser knows and does not use.
	{text: "clean-param", kind: KindUnused, whole: true},
	{text: "content-signal", kind: KindUnused, whole: true},
	{text: "content-usage", kind: KindUnused, whole: true},
	{text: "crawl-delay", kind: KindUnused, whole: true},
	{text: "domain", kind: KindUnused, whole: true},
	{text: "host", kind: KindUnused, whole: true},
	{text: "noarchive", kind: KindUnused, whole: true},
	{text: "nofollow", kind: KindUnused, whole: true},
	{text: "noindex", kind: KindUnused, whole: true},
	{text: "request-rate", kind: KindUnused, whole: true},
	{text: "revisit-after", kind: KindUnused, whole: true},
	{text: "visit-time", kind: KindUnused, whole: true},

	// Unknown to Google's parser; Parse keeps the line as an extension.
	{text: "license", kind: KindUnknown, whole: true},
}

// keyTable finds the spellings that a key may match, by its first four letters. It
// has one list for each value of the lower five bits of the first letter; in a
// list the four letters, in lower case, are compared as one integer. No known key
// has fewer than four letters.
type keyTable [32][]keyStart

type keyStart struct {
	word      uint32
	spellings []spelling
}

// allKeys contains all spellings, ruleKeys those of agent lines and rules, and
// keptKeys those of the lines that Parse keeps.
var (
	allKeys  = keyTableOf(func(spelling) bool { return true })
	ruleKeys = keyTableOf(func(s spelling) bool {
		return s.kind == KindAllow || s.kind == KindDisallow || s.kind == KindUserAgent
	})
	keptKeys = keyTableOf(func(s spelling) bool {
		_, extension := extensionKind(s.text)
		return extension || s.kind != KindUnused
	})
)

func keyTableOf(include func(spelling) bool) (table keyTable) {
	for _, s := range spellings {
		if !include(s) {
			continue
		}
		word := load4(s.text)
		list := &table[word&31]
		i := slices.IndexFunc(*list, func(start keyStart) bool { return start.word == word })
		if i < 0 {
			i = len(*list)
			*list = append(*list, keyStart{word: word})
		}
		(*list)[i].spellings = append((*list)[i].spellings, s)
	}
	return table
}

// find returns the spellings that begin with the same four letters as a line or
// key. The case of the letters does not matter.
func (k *keyTable) find(line string) []spelling {
	if len(line) < 4 {
		return nil
	}
	// The lower-case bit turns upper-case letters into lower-case ones, and no
	// other octet into a letter.
	word := load4(line) | 0x20202020
	for i := range k[word&31] {
		if start := &k[word&31][i]; start.word == word {
			return start.spellings
		}
	}
	return nil
}

// excludes reports whether text begins with a line that is not empty and has none
// of the keys: a comment, or the HTML that some sites serve as their robots.txt.
// If not, nothing is known.
func (k *keyTable) excludes(text string) bool {
	i := 0
	for i < len(text) && i < 64 && isBlank(text[i]) {
		i++
	}
	return i < len(text) && text[i] > ' ' && (!ascii.IsLetter(text[i]) || k.find(text[i:]) == nil)
}

// isBlank reports whether c is white space within a line.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }

// load4 returns the first four bytes of s as an integer, the first one lowest.
func load4(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// classify returns the kind of a non-empty key, and whether it is an accepted
// misspelling [G18–G21].
func classify(key string) (kind Kind, typo bool) {
	candidates := allKeys.find(key)
	for i := range candidates {
		s := &candidates[i]
		if ascii.HasPrefixFold(key, s.text) && (!s.whole || len(key) == len(s.text)) {
			return s.kind, s.typo
		}
	}
	return KindUnknown, false
}

// keptKind is the kind of a line that Parse keeps. Lines from keptSitemap on are
// stored with their values unchanged, in one table.
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

// extensionNames are the names of the extension lines that Parse keeps.
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
