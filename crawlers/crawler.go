package crawlers

import (
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Unknown is the value of every text that no source states: an operator, a
// purpose, a status, a date, or an [Answer].
const Unknown = "unknown"

// Crawler contains the known facts about one product token. The zero Crawler stands
// for no crawler.
type Crawler struct {
	// Token is the product token in the operator's spelling. It can contain
	// characters that a product token must not have. Google's parser reads
	// MJ12bot in a user-agent line as MJ, for example. [RFC 9309 2.2.1, G26]
	Token string `json:"token"`

	// Aliases are other names of the crawler in robots.txt files, lists and
	// User-Agent headers. Find finds them. They are not Fallbacks: no source
	// states that the crawler obeys a group with an alias.
	Aliases []string `json:"aliases"`

	Operator string `json:"operator"` // the company, project or person, or Unknown

	// Purposes are what the operator uses the pages for, the main one first.
	// There is at least one. If another token controls a use, only that token
	// has the purpose: Google-Extended is for ai-training, Googlebot is not.
	Purposes []Purpose `json:"purposes"`

	// Obeys is which groups the crawler obeys.
	Obeys Obeys `json:"obeys"`

	// Control reports whether this is a control token, which no crawler sends.
	// Other crawlers of the operator fetch the pages, and the token's group
	// controls how they are used.
	Control bool `json:"control"`

	// Fallbacks are the tokens whose groups the crawler obeys if no group has
	// its own token, in order. They do not include "*": see Obeys.
	Fallbacks []string `json:"fallbacks"`

	// Dialect is the name of the dialect in which the crawler reads files, if a source
	// states it: "google", "rfc9309" or "koster1996", or else Unknown. ReadingOf uses
	// it.
	Dialect string `json:"dialect"`

	// Status is whether the operator uses the token. Replacements are the
	// tokens that it uses instead of a retired one.
	Status       Status   `json:"status"`
	Replacements []string `json:"replacements"`

	// Listed is the oldest date on which a public list is known to name the crawler.
	// The crawler was not necessarily in use then. FirstSeen is the date of the oldest
	// other text among the claims that describes the crawler; it can be older.
	// LastSeen is the date of the newest text of the operator that describes it as in
	// use. The form is 2025-07-31, 2025-07 or 2025, or Unknown.
	Listed    string `json:"listed"`
	FirstSeen string `json:"first_seen"`
	LastSeen  string `json:"last_seen"`

	// Rank is the crawler's place by how many of 246 robots.txt files of 2025 and 2026 name
	// it: 1 is the most frequent one. Crawlers that equally many files name share a place,
	// and those that none names have the last one.
	Rank int `json:"rank"`

	// Extensions are the lines beyond the core of the protocol, and whether the
	// crawler obeys them. The keys have their usual spelling. There is always an
	// answer for Crawl-delay, and for other lines if a source has one. The
	// method Extension looks one up.
	Extensions map[string]Answer `json:"extensions"`

	// Limits are the documented limits of the crawler's parser.
	Limits Limits `json:"limits"`

	// Cache is the longest time for which the crawler uses a copy of a robots.txt,
	// according to its operator, as a number of hours such as "24h", or Unknown. It
	// is also the time after which a changed file has its effect.
	Cache string `json:"cache"`

	// ReverseDNS are masks of the host names of the crawler's addresses, in
	// which "*" matches any text. IPRanges are URLs of lists of its addresses,
	// most of them in JSON.
	ReverseDNS []string `json:"reverse_dns"`
	IPRanges   []string `json:"ip_ranges"`

	// Verified are the JSON names of the fields whose values are in texts of the
	// operator, sorted, and "refuses" if the operator states that a Disallow for the
	// token refuses its Purposes. The passages are among the Claims. The other known
	// facts are from public lists, or common knowledge. Checked is the day on which the
	// entry was last compared with its sources, or Unknown if it has none.
	Verified []string `json:"verified"`
	Checked  string   `json:"checked"`
}

// Claim is a text that supports facts about a crawler.
type Claim struct {
	// Fields are the JSON names of the fields that the text supports, and "refuses" if it
	// states that a Disallow for the token refuses its purposes.
	Fields []string `json:"fields"`

	URL string `json:"url"`

	// Date is the date of the text, or of the copy that was read, in the form of
	// Crawler.FirstSeen, or Unknown.
	Date string `json:"date"`

	// Quote is the passage, or Unknown if it was not written down. "..." marks an
	// omission.
	Quote string `json:"quote"`

	Source Source `json:"source"`
}

// Source is the kind of publisher of a claim's text.
type Source string

// The sources. Only a text of the operator verifies a field, or shows that a crawler is
// in use; a list shows that it knows the crawler.
const (
	FromOperator Source = "operator"
	FromList     Source = "list"  // a public list or directory of crawlers
	FromOther    Source = "other" // for example an article
)

// Entry is a crawler with its claims. Its JSON form is an element of
// crawlers.json, which crawlers.schema.json describes.
type Entry struct {
	Crawler
	Claims []Claim `json:"claims"`
}

// Limits are limits that an operator documents. Zero means unknown.
type Limits struct {
	Bytes     int `json:"bytes,omitempty"`      // size of the file; 1 KB is 1000, 1 KiB is 1024
	Rules     int `json:"rules,omitempty"`      // number of rules in the file
	RuleChars int `json:"rule_chars,omitempty"` // characters of one rule
}

// Compare returns a negative number if people ask for c before they ask for other: it
// compares the ranks, and then the tokens without regard to case.
func (c Crawler) Compare(other Crawler) int {
	return cmp.Or(c.Rank-other.Rank, ascii.CompareFold(c.Token, other.Token))
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

// Answer is Yes, No or Unknown.
type Answer string

// The answers apart from Unknown.
const (
	Yes Answer = "yes"
	No  Answer = "no"
)

// Status is Active, Retired or Unknown.
type Status string

// The states apart from Unknown. A token is Active if a text of its operator describes
// it as in use, and Retired if a source states that it is no longer in use.
const (
	Active  Status = "active"
	Retired Status = "retired"
)

// Obeys is which groups of a robots.txt a crawler obeys, according to its operator,
// or else to a public list.
type Obeys string

// The values of Obeys apart from Unknown. A crawler with ObeysNamed ignores groups for "*":
// if no group has its token, everything is allowed. A crawler with ObeysNone need not
// obey robots.txt, for example because a user controls it or because it protects users.
const (
	ObeysAll   Obeys = "all"   // the groups with its token, or else those for "*"
	ObeysNamed Obeys = "named" // only the groups with its token
	ObeysNone  Obeys = "none"  // no groups, or not reliably
)

// Purpose is a use of the pages that a crawler fetches, one of Purposes.
type Purpose string

var purposes = [...]Purpose{
	"search", "ai-training", "ai-search", "ai-fetch", "user-fetch", "preview", "ads", "seo",
	"archive", "feed", "monitoring", "security", "media", "copier", "client", "data", "other", Unknown,
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
//   - client: a library or program for HTTP, used by programs of any purpose
//   - data: data that is sold or published, such as facts about companies
//   - other: another purpose
//   - unknown: no source states it
func Purposes() []Purpose { return slices.Clone(purposes[:]) }
