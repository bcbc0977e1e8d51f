package semdiff

import (
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Config selects what a comparison covers, and bounds its cost. The zero value is
// ready for use.
type Config struct {
	// Crawlers are compared in addition to those that the files name: crawlers
	// with fallback tokens, and those that obey only groups that name them.
	// Without Only, a single token that no file names needs no entry.
	Crawlers []Crawler

	// Only restricts the comparison to Crawlers. The report contains no others, and
	// they use the whole budget.
	Only bool

	// Steps is the budget: about how many times a pattern is advanced along a
	// path or compared with another pattern. 0 means DefaultSteps. The same
	// files and the same budget give the same result on every machine.
	Steps int

	// Lines are the lines of the rules that Minimize tries. nil means all rules.
	Lines []int

	// Changes bounds how many changes are listed for a crawler. 0 means
	// DefaultChanges. The effect does not depend on it.
	Changes int
}

// The defaults of Config.
const (
	// DefaultSteps is the default of Config.Steps. It takes about a second.
	DefaultSteps = 6_000_000

	// DefaultChanges is the default of Config.Changes, more than a person reads.
	DefaultChanges = 256
)

// crawlers returns those of the files and of the configuration.
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

// Rules returns the rules that apply to the crawler.
func (c Crawler) Rules(robots *robotstxt.Robots) robotstxt.Rules {
	if c.NamedOnly {
		return robots.NamedRules(c.Tokens...)
	}
	return robots.Rules(c.Tokens...)
}

// String returns the tokens, separated by colons: "Googlebot-News:Googlebot". A
// crawler without tokens is "*"; a token that is empty or contains an octet
// that is not printable ASCII is quoted; a final "!" says NamedOnly.
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
	Undecided Effect = iota // the budget did not suffice
	Equal                   // every URL has the same verdict
	Opens                   // some URLs were disallowed and are allowed; no others change
	Closes                  // some URLs were allowed and are disallowed; no others change
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

// Change is a pair of deciding lines, one of each file, that give some URLs
// another verdict.
type Change struct {
	Opens   bool // the URLs are allowed now; otherwise they are disallowed now
	OldLine int  // 0 if no line of the old file decides
	NewLine int  // 0 if no line of the new file decides

	// Witness is the path of such a URL, with its query. It may begin with two
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

	// Site is the change in short if it closes or opens the whole site, or all but a few
	// patterns. Otherwise it is nil.
	Site *SiteChange

	// Changes are in the order of their lines. If Effect is Undecided, they are
	// those that were found before the budget was used up.
	Changes []Change

	// Complete is true if Changes contains every pair of lines. It is false if
	// there are more than Config.Changes, or if the budget was used up.
	Complete bool

	// Tried is the reason why the row is undecided or incomplete, in one clause.
	Tried string
}

// Difference is a difference in lines that do not affect verdicts.
type Difference struct {
	// Kind is "Sitemap", or the name of an extension line, such as "Crawl-delay".
	Kind string

	// Crawlers are those whose groups have the lines, nil for sitemaps, which
	// belong to no group.
	Crawlers []Crawler

	// Old and New are the values that only one file has, in file order.
	Old, New []string
}

// Report contains the differences between two files.
type Report struct {
	Old, New robotstxt.Dialect

	// Rows contain each crawler once. The first row is that of the crawlers that
	// no file names. The others have the order in which the old file, the new file
	// and Config name their crawlers.
	Rows []Row

	// Other are the differences in sitemaps and extension lines. They do
	// not affect verdicts.
	Other []Difference

	Steps int // that were taken of Config.Steps
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
