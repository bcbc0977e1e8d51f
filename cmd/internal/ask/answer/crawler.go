package answer

import (
	"errors"
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentlist"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
)

// Crawler is a crawler by its product tokens.
type Crawler struct {
	Name string // as shown in answers
	crawlers.Reading

	// Unread means that no user-agent line can name the crawler, so that its verdicts are
	// unknown if no dialect is requested.
	Unread bool

	// Selected means that the crawler was not named, but selected among the known ones. If it
	// is Unread, it does not affect the exit status of a command.
	Selected bool

	// Written are the texts from which the given tokens were read: User-Agent headers, or the
	// tokens themselves. It is nil if the crawler was not read from a list.
	Written []string

	given int // number of tokens that were given, without the documented fallbacks
}

// NewCrawler returns the crawler with these product tokens and how it reads files. Its
// name is in the notation of ParseCrawlers. Without tokens it is "*", any crawler that no
// group names.
func NewCrawler(tokens ...string) Crawler {
	if len(tokens) == 0 {
		tokens = []string{"*"}
	}
	r, ok := crawlers.ReadingOf(tokens...)
	return Crawler{Name: agentlist.Format(tokens), Reading: r, Unread: !ok, given: len(tokens)}
}

// Exact returns the crawler without its documented fallbacks. Groups for "*" apply to it.
func (c Crawler) Exact() Crawler {
	c.Tokens, c.NamedOnly = c.Tokens[:c.given:c.given], false
	return c
}

// In returns the crawler with the requested dialect, or the crawler unchanged if dialect is
// nil.
func (c Crawler) In(dialect *robotstxt.Dialect) Crawler {
	c.Reading, c.Unread = c.Reading.In(dialect), c.Unread && dialect == nil
	return c
}

// ReadsIn returns the dialect in which the crawler reads files, nil if it is Unread.
func (c *Crawler) ReadsIn() *robotstxt.Dialect {
	if c.Unread {
		return nil
	}
	return &c.Dialect
}

// Known returns the data of a known crawler, the zero Crawler for any other and for one
// with several given tokens.
func (c Crawler) Known() crawlers.Crawler {
	if c.given != 1 {
		return crawlers.Crawler{}
	}
	known, _ := crawlers.Find(c.Tokens[0])
	return known
}

// Permission returns the crawler for package permission. One with several given tokens is not known.
func (c Crawler) Permission() permission.Crawler {
	of := permission.Crawler{Name: c.Name, Reading: c.Reading, Unread: c.Unread}
	known := c.Known()
	if known.Token != "" {
		of.Name = c.Tokens[0] // the name can be in quotes
	}
	if known.Operator != crawlers.Unknown {
		of.Operator = known.Operator
	}
	return of
}

// ParseCrawlers returns the crawlers in lists such as
// "Googlebot,Googlebot-News:Googlebot": a comma separates crawlers, a colon the
// tokens of one. Each is read like Typed, unless it is in double quotes; a list can also be one
// User-Agent header. Without lists the result is "*". The error is a [*term.Error] that
// quotes its cause and has a hint.
func ParseCrawlers(lists ...string) (parsed []Crawler, err error) {
	for crawler, err := range Crawlers(lists...) {
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, crawler)
	}
	return parsed, nil
}

// Crawlers yields the crawlers that ParseCrawlers returns, while it reads the lists. It ends
// after an error.
func Crawlers(lists ...string) iter.Seq2[Crawler, error] {
	return func(yield func(Crawler, error) bool) {
		if len(lists) == 0 {
			yield(NewCrawler(), nil)
		}
		for _, list := range lists {
			for written, err := range agentlist.All(list) {
				if syntax := (*agentlist.SyntaxError)(nil); errors.As(err, &syntax) {
					err = term.Errorf("%q: %s", list, syntax.Problem).Hint(syntax.Hint)
				}
				crawler, err := typedCrawler(written, err)
				if err != nil && origin.WithoutPasswords(list) != list { // which the error can quote in part
					err = term.Errorf("%q: a URL is not a crawler", list).Hint(term.HintOf(err))
				}
				if !yield(crawler, err) || err != nil {
					return
				}
			}
		}
	}
}

// typedCrawler returns the crawler with the tokens of a list, each read like Typed if it is not
// quoted.
func typedCrawler(written []agentlist.Token, err error) (Crawler, error) {
	tokens, texts := make([]string, len(written)), make([]string, len(written))
	for i, token := range written {
		tokens[i], texts[i] = token.Text, token.Text
		if !token.Quoted && err == nil {
			tokens[i], err = Typed(token.Text)
		}
	}
	if err != nil {
		return Crawler{}, err
	}
	c := NewCrawler(tokens...)
	c.Written = texts
	return c, nil
}

// AddKnown returns the crawlers, and the known crawlers that are not among them.
func AddKnown(requested []Crawler, known []crawlers.Crawler) []Crawler {
	for _, c := range known {
		crawler := NewCrawler(c.Token)
		if !slices.ContainsFunc(requested, func(r Crawler) bool { return r.Name == crawler.Name }) {
			crawler.Selected = true
			requested = append(requested, crawler)
		}
	}
	return requested
}

// chain returns the tokens if there are several, else nil.
func (c Crawler) chain() []string {
	if len(c.Tokens) > 1 {
		return c.Tokens
	}
	return nil
}

// IsNameable reports whether a user-agent line can apply to a crawler with a token. A
// line without a value applies to one with the empty token.
func IsNameable(dialect robotstxt.Dialect, token string) bool {
	return token == "*" || token == "" || dialect.ValidAgent(token)
}

// TokenRead returns the token that a dialect reads in "User-agent: value", "" if
// none.
func TokenRead(dialect robotstxt.Dialect, value string) string {
	for group := range dialect.Parse([]byte("User-agent: " + value)).Groups() {
		for agent := range group.Agents() {
			return agent.Token
		}
	}
	return ""
}
