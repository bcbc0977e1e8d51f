package robotstxt

import "github.com/kosterhq/robotstxt/internal/ascii"

// spelling is one accepted spelling of a known key, in lower case.
type spelling struct {
	text  string
	kind  Kind
	typo  bool     // an accepted misspelling [G21]
	whole bool     // the key must equal text; else a key that begins so matches, such as "Disallowed" [G19, G65]
	kept  keptKind // of the lines that Parse keeps as they are
}

// spellings are all spellings of known keys. None is a prefix of another, so the
// order does not matter. "allow" has no accepted misspelling.
var spellings = []spelling{
	{text: "allow", kind: KindAllow},
	{text: "disallow", kind: KindDisallow}, // before its misspellings, since most lines have it
	{text: "dissallow", kind: KindDisallow, typo: true},
	{text: "dissalow", kind: KindDisallow, typo: true},
	{text: "disalow", kind: KindDisallow, typo: true},
	{text: "diasllow", kind: KindDisallow, typo: true},
	{text: "disallaw", kind: KindDisallow, typo: true},
	{text: "user-agent", kind: KindUserAgent},
	{text: "useragent", kind: KindUserAgent, typo: true},
	{text: "user agent", kind: KindUserAgent, typo: true},
	{text: "sitemap", kind: KindSitemap, kept: keptSitemap},
	{text: "site-map", kind: KindSitemap, typo: true, kept: keptSitemap},

	// Keys that Google's parser knows and does not use.
	{text: "clean-param", kind: KindUnused, whole: true, kept: keptCleanParam},
	{text: "content-signal", kind: KindUnused, whole: true, kept: keptContentSignal},
	{text: "content-usage", kind: KindUnused, whole: true, kept: keptContentUsage},
	{text: "crawl-delay", kind: KindUnused, whole: true, kept: keptCrawlDelay},
	{text: "domain", kind: KindUnused, whole: true},
	{text: "host", kind: KindUnused, whole: true, kept: keptHost},
	{text: "noarchive", kind: KindUnused, whole: true},
	{text: "nofollow", kind: KindUnused, whole: true},
	{text: "noindex", kind: KindUnused, whole: true},
	{text: "request-rate", kind: KindUnused, whole: true, kept: keptRequestRate},
	{text: "revisit-after", kind: KindUnused, whole: true},
	{text: "visit-time", kind: KindUnused, whole: true, kept: keptVisitTime},

	// Unknown to Google's parser; Parse keeps the line as an extension.
	{text: "license", kind: KindUnknown, whole: true, kept: keptLicense},
}

// keyTable finds the spelling that a line begins with. It has one list for each value
// of the lower five bits of a first letter.
type keyTable struct {
	lists [32][]keyWords
	first [256]firstByte // the kind of line that a first byte begins
}

// firstByte is the kind of line that a first byte begins.
type firstByte uint8

const (
	firstKey   firstByte = iota // it can have a key of the table, even after a byte order mark
	firstBlank                  // the first byte after the white space decides
	firstEnd                    // it is empty
	firstOther                  // it has no key of the table
)

// keyWords is a spelling as two integers of eight bytes each, the first byte lowest.
// A line begins with it if the first bytes of the line, with the bits of fold set and
// under the mask, are equal.
type keyWords struct {
	words, folds, masks [2]uint64
	spelling            *spelling
}

func newKeyWords(s *spelling) keyWords {
	k := keyWords{spelling: s}
	for i := range len(s.text) {
		c := s.text[i]
		shift := 8 * (i % 8)
		k.words[i/8] |= uint64(c) << shift
		k.masks[i/8] |= 0xFF << shift
		if ascii.IsLetter(c) {
			k.folds[i/8] |= 0x20 << shift // the bit that upper-case letters lack
		}
	}
	return k
}

// allKeys contains all spellings, ruleKeys the spellings of agent lines and
// rules, and keptKeys the spellings of the lines that Parse keeps.
var (
	allKeys  = keyTableOf(func(*spelling) bool { return true })
	ruleKeys = keyTableOf(func(s *spelling) bool {
		return s.kind == KindAllow || s.kind == KindDisallow || s.kind == KindUserAgent
	})
	keptKeys = keyTableOf(func(s *spelling) bool { return s.kind < KindUnused || s.kept != keptNone })
)

func keyTableOf(include func(*spelling) bool) (table keyTable) {
	for i := range spellings {
		if s := &spellings[i]; include(s) {
			list := &table.lists[s.text[0]&31]
			*list = append(*list, newKeyWords(s))
		}
	}
	for i := range table.first {
		c := byte(i)
		switch {
		case c == '\n' || c == '\r':
			table.first[i] = firstEnd
		case isBlank(c):
			table.first[i] = firstBlank
		case ascii.IsLetter(c) && table.lists[c&31] == nil || ' ' < c && c < 0x80 && !ascii.IsLetter(c):
			table.first[i] = firstOther
		}
	}
	return table
}

func (k *keyTable) find(line string) *spelling {
	if line == "" {
		return nil
	}
	first, second := firstEight(line), uint64(0)
	if len(line) > 8 {
		second = firstEight(line[8:])
	}
	list := k.lists[line[0]&31]
	for i := range list {
		w := &list[i]
		if (first|w.folds[0])&w.masks[0] == w.words[0] && (second|w.folds[1])&w.masks[1] == w.words[1] {
			return w.spelling
		}
	}
	return nil
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }

// classify returns the kind of a non-empty key, and whether it is an accepted
// misspelling [G18–G21].
func classify(key string) (kind Kind, typo bool) {
	if s := allKeys.find(key); s != nil && (!s.whole || len(key) == len(s.text)) {
		return s.kind, s.typo
	}
	return KindUnknown, false
}

type keptKind uint8

const (
	keptNone keptKind = iota
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

func extensionKind(key string) (kind keptKind, ok bool) {
	s := keptKeys.find(key)
	if s == nil || !s.whole || len(key) != len(s.text) {
		return keptNone, false
	}
	return s.kept, true
}
