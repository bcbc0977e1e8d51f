package semdiff

import (
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Config selects what a comparison covers, and bounds its cost. The zero value is
// ready for use.
type Config struct {
	// Crawlers are compared in addition to the crawlers that the files name. List
	// crawlers with fallback tokens, and crawlers that obey only groups that name
	// them. Unless Only is set, a single token that no file names needs no entry.
	Crawlers []Crawler

	// Only restricts the comparison to Crawlers. The report contains no others, and
	// they use the whole budget.
	Only bool

	// Steps is the budget: about how many times a pattern is advanced along a
	// path or compared with another pattern. 0 means DefaultSteps. The same
	// files and the same budget give the same result on every machine.
	Steps int

	// Lines are the line numbers of the rules that Minimize tries. nil means all rules.
	Lines []int

	// Changes bounds how many changes Compare lists for a crawler. 0 means
	// DefaultChanges. It does not change the Effect.
	Changes int
}

// The defaults of Config.
const (
	// DefaultSteps is the default of Config.Steps. It takes about a second.
	DefaultSteps = 6_000_000

	// DefaultChanges is the default of Config.Changes, more than a person reads.
	DefaultChanges = 256
)

// crawlers returns the crawlers that the files or the configuration name.
func (c Config) crawlers(files ...*robotstxt.Robots) []Crawler {
	if c.Only {
		return c.Crawlers
	}
	return append(Crawlers(files...), c.Crawlers...)
}

func (c Config) steps() int {
	if c.Steps <= 0 {
		return DefaultSteps
	}
	return c.Steps
}

func (c Config) changes() int {
	if c.Changes <= 0 {
		return DefaultChanges
	}
	return c.Changes
}

// Crawler is a crawler as it queries a robots.txt.
type Crawler struct {
	// Tokens are the product tokens that the crawler looks for, most specific
	// first, as for Robots.Rules. Without tokens, the Crawler represents all
	// crawlers that neither file names.
	Tokens []string

	// NamedOnly is true if the crawler ignores groups for "*", like
	// Robots.NamedRules.
	NamedOnly bool
}

// Rules returns the rules that apply to the crawler. It panics if robots is nil.
func (c Crawler) Rules(robots *robotstxt.Robots) robotstxt.Rules {
	if c.NamedOnly {
		return robots.NamedRules(c.Tokens...)
	}
	return robots.Rules(c.Tokens...)
}

// String returns the tokens, separated by colons: "Googlebot-News:Googlebot". For a
// crawler without tokens it returns "*". It quotes a token that is empty or contains
// an octet other than printable ASCII, and it appends "!" if NamedOnly is set.
func (c Crawler) String() string {
	var b strings.Builder
	for i, token := range c.Tokens {
		if i > 0 {
			b.WriteByte(':')
		}
		if quoted := strconv.QuoteToASCII(token); token == "" || quoted[1:len(quoted)-1] != token {
			token = quoted
		}
		b.WriteString(token)
	}
	if len(c.Tokens) == 0 {
		b.WriteByte('*')
	}
	if c.NamedOnly {
		b.WriteByte('!')
	}
	return b.String()
}

// Effect is what a change does to the verdicts for a crawler.
type Effect uint8

// The effects. All of them are proved, except Undecided.
const (
	Undecided Effect = iota // the budget ran out
	Equal                   // every URL has the same verdict
	Opens                   // some URLs were disallowed and are now allowed; no others change
	Closes                  // some URLs were allowed and are now disallowed; no others change
	Both                    // some URLs open, and some close
)

var effectNames = [...]string{Undecided: "undecided", Equal: "equal", Opens: "opens", Closes: "closes", Both: "both"}

// String returns the effect's name: "undecided", "equal", "opens", "closes" or
// "both".
func (e Effect) String() string {
	if int(e) >= len(effectNames) {
		return "Effect(" + strconv.Itoa(int(e)) + ")"
	}
	return effectNames[e]
}

// MarshalText returns the effect's name. It never fails.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// Change is a pair of deciding lines, one in each file, that give some URLs
// different verdicts.
type Change struct {
	Opens   bool // the URLs are now allowed; otherwise they are now disallowed
	OldLine int  // 0 if no line of the old file decides
	NewLine int  // 0 if no line of the new file decides

	// Witness is the path of such a URL, with its query. It can begin with two
	// slashes, so put a scheme and a host before it.
	Witness string

	// Shortest is true if no such path has fewer symbols. A symbol is an octet, or
	// a percent code if a dialect decodes it.
	Shortest bool
}

// Row contains the changes for some crawlers.
type Row struct {
	Crawlers []Crawler
	Effect   Effect

	// Closes and Opens are the sizes of the two effects, empty for an effect that does not occur.
	// If Effect is Undecided, they are what Changes and the six paths of Rest show.
	Closes, Opens Size

	// Site describes the effect of SizeMost or SizeAll. A row has at most one; without one, Site
	// is nil.
	Site *SiteChange

	// Changes are in the order of their lines. If Effect is Undecided, Changes contains
	// only what Compare found before the budget ran out.
	Changes []Change

	// Complete is true if Changes contains every pair of lines. It is false if
	// there are more than Config.Changes, or if the budget ran out.
	Complete bool

	// Tried is the reason why the row is undecided or incomplete, in one clause.
	Tried string

	paths [2][]Paths // by goal
}

// Difference is a difference in lines that do not affect verdicts.
type Difference struct {
	// Kind is "Sitemap", or the name of an extension line, such as "Crawl-delay".
	Kind string

	// Crawlers are the crawlers to which the lines apply. It is nil for sitemaps, which belong to
	// no group, and for signals outside all groups, which apply to no crawler. License lines outside all
	// groups apply to crawlers whose groups have none.
	Crawlers []Crawler

	// Old and New are the values that occur in only one file, in file order.
	Old, New []string
}

// Report contains the differences between two files.
type Report struct {
	Old, New robotstxt.Dialect

	// Rows contain each crawler once. The first row is about the crawlers that
	// no file names. The others are in the order in which the old file, the new file
	// and Config name their crawlers.
	Rows []Row

	// Other contains the differences in sitemaps and extension lines. They do
	// not affect verdicts.
	Other []Difference

	Steps int // how much of Config.Steps was used
}

// Equal reports whether it is proved that no verdict differs for any crawler of
// the report.
func (r *Report) Equal() bool {
	for i := range r.Rows {
		if r.Rows[i].Effect != Equal {
			return false
		}
	}
	return true
}

// Undecided reports whether the effect is undecided for a crawler of the report.
func (r *Report) Undecided() bool {
	for i := range r.Rows {
		if r.Rows[i].Effect == Undecided {
			return true
		}
	}
	return false
}
