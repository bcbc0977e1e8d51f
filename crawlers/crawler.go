package crawlers

import (
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Crawler is what is known about one product token.
type Crawler struct {
	// Token is the product token, as its operator spells it. It may hold what
	// RFC 9309 2.2.1 does not allow in one: Google's parser reads MJ in a line
	// that names MJ12bot, for instance (G26).
	Token string `json:"token"`

	Operator string  `json:"operator,omitempty"` // who runs it, empty if unknown
	Purpose  Purpose `json:"purpose"`

	// Obeys says which groups it obeys.
	Obeys Obeys `json:"obeys,omitempty"`

	// Control is true of a token that no crawler sends: other crawlers of the
	// operator fetch, and what they fetched is used as the token's group says.
	Control bool `json:"control,omitempty"`

	// Fallbacks are the tokens whose groups it obeys if none names it, in the
	// order in which it asks. "*" is not among them: see Obeys.
	Fallbacks []string `json:"fallbacks,omitempty"`

	// Retired is true of a token that its operator does not use any more, and
	// Replacements are those that it uses instead.
	Retired      bool     `json:"retired,omitempty"`
	Replacements []string `json:"replacements,omitempty"`

	// Extensions says which lines beyond the core it obeys, by their keys as
	// they are usually spelt, such as Crawl-delay. Extension looks one up.
	Extensions map[string]Answer `json:"extensions,omitempty"`

	// Limits of what it reads of a robots.txt.
	Limits Limits `json:"limits,omitzero"`

	// ReverseDNS are masks of the host names of its addresses, in which "*"
	// stands for any letters; IPRanges the URLs of lists of its addresses, most
	// of them in JSON.
	ReverseDNS []string `json:"reverse_dns,omitempty"`
	IPRanges   []string `json:"ip_ranges,omitempty"`

	// Verified is true if texts of the operator among the Sources say all this.
	Verified bool     `json:"verified,omitempty"`
	Sources  []Source `json:"sources,omitempty"`
}

// Source is a text that facts were taken from.
type Source struct {
	URL string `json:"url"`
	// Date is when the text stood so: the date it bears, else that of the copy
	// that was read, as 2025-07-31 or 2025-07; empty if neither is known.
	Date string `json:"date,omitempty"`
}

// Limits are bounds that an operator documents. Zero is unknown.
type Limits struct {
	Bytes     int `json:"bytes,omitempty"`      // of the file; a KB is 1000, a KiB 1024
	Rules     int `json:"rules,omitempty"`      // in the file
	RuleChars int `json:"rule_chars,omitempty"` // characters of one rule
}

// Tokens returns the tokens to ask a robots.txt for: the crawler's own, then its
// fallbacks in order.
func (c Crawler) Tokens() []string { return append([]string{c.Token}, c.Fallbacks...) }

// Extension tells whether the crawler obeys lines with that key, whatever the
// case of its letters.
func (c Crawler) Extension(key string) Answer {
	for known, answer := range c.Extensions {
		if ascii.CompareFold(known, key) == 0 {
			return answer
		}
	}
	return Unknown
}

// Answer is whether something is so, if that is known.
type Answer string

// The answers. Unknown is not No: no source tells.
const (
	Unknown Answer = ""
	Yes     Answer = "yes"
	No      Answer = "no"
)

// Obeys is which groups of a robots.txt a crawler obeys, by the word of its
// operator.
type Obeys string

// What a crawler obeys. ObeysNamed are those for which groups for "*" do not
// count: where none names them everything is allowed. ObeysNone are those to
// which robots.txt does not apply, or need not: users control them, or they
// protect users.
const (
	ObeysUnknown Obeys = ""      // no source tells
	ObeysAll     Obeys = "all"   // the groups that name it, else those for "*"
	ObeysNamed   Obeys = "named" // only groups that name it
	ObeysNone    Obeys = "none"  // none, or none reliably
)

// Purpose is what a crawler mainly fetches for, one of Purposes.
type Purpose string

// purposes has all of them, in the order of Purposes.
var purposes = [...]Purpose{
	"search", "ai-training", "ai-search", "ai-fetch", "user-fetch", "preview", "ads", "seo",
	"archive", "feed", "monitoring", "security", "media", "copier", "other", "unknown",
}

// Purposes returns the purposes there are:
//
//   - search: an index for people to search
//   - ai-training: material to train models with
//   - ai-search: an index that AI answers are made from
//   - ai-fetch: a page that an AI answer or agent needs now, for a user
//   - user-fetch: a page that a user asked a service for
//   - preview: what a link to a page looks like
//   - ads: whether and which advertising fits a page
//   - seo: links and ranks, for those who market sites
//   - archive: a collection of the web, kept for whoever needs it
//   - feed: feeds that users subscribed to
//   - monitoring: whether a site works
//   - security: whether a site is safe
//   - media: who writes what about a brand or topic
//   - copier: a program with which a user copies sites
//   - other: something else
//   - unknown: no source tells
func Purposes() []Purpose { return slices.Clone(purposes[:]) }
