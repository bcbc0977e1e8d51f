package robotstxt

import (
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// spelling is a key that makes a line more than an unknown one, in lower case.
type spelling struct {
	text  string
	kind  Kind
	typo  bool // accepted, but flagged (G21)
	whole bool // counts only in full; others by prefix, so that "Disallowed" and "Allow-all" do too (G19, G65)
}

// spellings are all that count. None is a prefix of another, so that the order
// does not matter. "allow" has no accepted misspelling.
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

	// Known to Google's parser and not used.
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

	// Unknown to it, and kept.
	{text: "license", kind: KindUnknown, whole: true},
}

// keyTable finds the spellings that a key may be, by the first four letters in
// lower case as an integer, in lists by the lower five bits of the first one. No
// key that counts is shorter.
type keyTable [32][]keyStart

type keyStart struct {
	word      uint32
	spellings []spelling
}

// The spellings of all lines, of those that decide, and of those that Parse
// keeps.
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
// key, in either case.
func (k *keyTable) find(line string) []spelling {
	if len(line) < 4 {
		return nil
	}
	word := load4(line) | 0x20202020 // makes nothing but letters into letters
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

// classify tells the kind of a non-empty key, and whether it is one of the
// accepted misspellings (G18–G21).
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
