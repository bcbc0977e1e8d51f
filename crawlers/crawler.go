package crawlers

import (
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Crawler contains the known facts about one product token.
type Crawler struct {
	// Token is the product token in the operator's spelling. It may contain
	// characters that a product token must not have. Google's parser reads
	// MJ12bot in a user-agent line as MJ, for example. [RFC 9309 2.2.1, G26]
	Token string `json:"token"`

	Operator string `json:"operator,omitempty"` // empty if unknown

	// Purposes are what the operator uses the pages for, the main one first.
	// There is at least one. A use that another token controls is a purpose of
	// that token only: Google-Extended is for ai-training, Googlebot is not.
	Purposes []Purpose `json:"purposes"`

	// Obeys says which groups the crawler obeys.
	Obeys Obeys `json:"obeys,omitempty"`

	// Control reports a token that no crawler sends. Other crawlers of the
	// operator fetch the pages, and the token's group controls how they are
	// used.
	Control bool `json:"control,omitempty"`

	// Fallbacks are the tokens whose groups the crawler obeys if no group has
	// its own token, in order. They do not include "*": see Obeys.
	Fallbacks []string `json:"fallbacks,omitempty"`

	// Retired reports that the operator no longer uses the token. Replacements
	// are the tokens that it uses instead.
	Retired      bool     `json:"retired,omitempty"`
	Replacements []string `json:"replacements,omitempty"`

	// Extensions says which lines beyond the core of the protocol the crawler
	// obeys. The keys have their usual spelling, such as Crawl-delay. The method
	// Extension looks one up.
	Extensions map[string]Answer `json:"extensions,omitempty"`

	// Limits are the documented limits of the crawler's parser.
	Limits Limits `json:"limits,omitzero"`

	// ReverseDNS are masks of the host names of the crawler's addresses, in
	// which "*" matches any text. IPRanges are URLs of lists of its addresses,
	// most of them in JSON.
	ReverseDNS []string `json:"reverse_dns,omitempty"`
	IPRanges   []string `json:"ip_ranges,omitempty"`

	// Verified reports that all of these facts are in texts of the operator,
	// which are among the Sources.
	Verified bool     `json:"verified,omitempty"`
	Sources  []Source `json:"sources,omitempty"`
}

// Source is a text that facts come from.
type Source struct {
	URL string `json:"url"`
	// Date is the date of the text, or of the copy that was read, in the form
	// 2025-07-31 or 2025-07. It is empty if neither is known.
	Date string `json:"date,omitempty"`
}

// Limits are limits that an operator documents. Zero means unknown.
type Limits struct {
	Bytes     int `json:"bytes,omitempty"`      // size of the file; 1 KB is 1000, 1 KiB is 1024
	Rules     int `json:"rules,omitempty"`      // number of rules in the file
	RuleChars int `json:"rule_chars,omitempty"` // characters of one rule
}

// Tokens returns the crawler's own token and then its fallbacks, in order. Pass them
// to a parser to select the crawler's group.
func (c Crawler) Tokens() []string { return append([]string{c.Token}, c.Fallbacks...) }

// Extension reports whether the crawler obeys lines with the given key. It ignores
// case.
func (c Crawler) Extension(key string) Answer {
	for known, answer := range c.Extensions {
		if ascii.CompareFold(known, key) == 0 {
			return answer
		}
	}
	return Unknown
}

// Answer is yes, no or unknown.
type Answer string

// The answers. Unknown means that no source says yes or no.
const (
	Unknown Answer = ""
	Yes     Answer = "yes"
	No      Answer = "no"
)

// Obeys says which groups of a robots.txt a crawler obeys, according to its operator.
type Obeys string

// The values of Obeys. A crawler with ObeysNamed ignores groups for "*": if no group
// has its token, everything is allowed. A crawler with ObeysNone need not obey
// robots.txt, for example because a user controls it or because it protects users.
const (
	ObeysUnknown Obeys = ""      // no source says
	ObeysAll     Obeys = "all"   // the groups with its token, or else those for "*"
	ObeysNamed   Obeys = "named" // only the groups with its token
	ObeysNone    Obeys = "none"  // no groups, or not reliably
)

// Purpose is a use of the pages that a crawler fetches, one of Purposes.
type Purpose string

// purposes lists all purposes in the order of Purposes.
var purposes = [...]Purpose{
	"search", "ai-training", "ai-search", "ai-fetch", "user-fetch", "preview", "ads", "seo",
	"archive", "feed", "monitoring", "security", "media", "copier", "other", "unknown",
}

// Purposes returns all purposes:
//
//   - search: a search index for people
//   - ai-training: training data for models
//   - ai-search: an index for AI answers
//   - ai-fetch: a page that an AI answer or agent needs now, for a user
//   - user-fetch: a page that a user of a service requested
//   - preview: previews of links
//   - ads: selection and review of advertising
//   - seo: links and rankings, for marketing
//   - archive: a public archive of the web
//   - feed: feeds that users subscribed to
//   - monitoring: whether a site works
//   - security: whether a site is safe
//   - media: monitoring of media, for brands or topics
//   - copier: a program that copies sites for a user
//   - other: another purpose
//   - unknown: no source says
func Purposes() []Purpose { return slices.Clone(purposes[:]) }
