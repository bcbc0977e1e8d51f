package semdiff

import (
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Config says what a comparison covers and what it may cost. The zero value is
// usable.
type Config struct {
	// Crawlers are compared in addition to those that the files name: crawlers
	// with fallback tokens, and those that obey only groups that name them.
	// Without Only, a single token that no file names needs no entry.
	Crawlers []Crawler

	// Only says that no crawlers but those of Crawlers are compared: the report
	// has no others, and the budget is theirs.
	Only bool

	// Steps is the budget: about how many times a pattern is advanced along a
	// path or compared with another pattern. 0 means DefaultSteps. The same
	// files and the same budget give the same result on every machine.
	Steps int

	// Lines are those of the rules that Minimize tries. nil means all rules.
	Lines []int

	// Changes bounds how many changes are listed for a crawler. 0 means
	// DefaultChanges. The effect does not depend on it.
	Changes int
}

// The defaults of Config.
const (
	// DefaultSteps takes about a second.
	DefaultSteps = 6_000_000

	// DefaultChanges is more than a reader looks at.
	DefaultChanges = 256
)

// crawlers returns those of the files and of the configuration.
func (c Config) crawlers(files []*robotstxt.Robots) []Crawler {
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
	// first, as Robots.Rules takes them. Without tokens it means every
	// crawler that neither file names.
	Tokens []string

	// NamedOnly says that the crawler ignores groups for "*", as
	// Robots.NamedRules does.
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

	// Shortest says that no such path has fewer symbols: octets, or percent
	// codes where a dialect decodes them.
	Shortest bool
}

// Row is what changes for some crawlers.
type Row struct {
	Crawlers []Crawler
	Effect   Effect

	// Changes are in the order of their lines. Where the effect is Undecided,
	// they are what was found nevertheless.
	Changes []Change

	// Complete says that Changes has every pair of lines. It is false if there
	// are more than Config.Changes, or if the budget was used up.
	Complete bool

	// Tried says why the row is undecided or incomplete, in one clause.
	Tried string
}

// Difference is one beside the verdicts.
type Difference struct {
	// Kind is "Sitemap", or the name of an extension line: "Crawl-delay".
	Kind string

	// Crawlers are those whose groups have the lines, nil for sitemaps, which
	// belong to no group.
	Crawlers []Crawler

	// Old and New are the values that only one file has, in file order.
	Old, New []string
}

// Report is what sets two files apart.
type Report struct {
	Old, New robotstxt.Dialect

	// Rows are by crawler: first the row of the crawlers that no file names,
	// then in the order in which the old file, the new file and Config name
	// crawlers. Each crawler is in one row.
	Rows []Row

	// Other are the differences in sitemaps and extension lines. They have no
	// influence on a verdict.
	Other []Difference
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
