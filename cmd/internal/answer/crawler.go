package answer

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/internal/agentlist"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Crawler is a crawler by its product tokens.
type Crawler struct {
	Name string // as shown in answers
	crawlers.Reading

	// Unread means that no user-agent line can name the crawler, so that its verdicts are
	// unknown if no dialect is requested.
	Unread bool

	// Selected means that the crawler was not named, but selected among the known ones. If
	// it is Unread, it does not count for how a command ends.
	Selected bool

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

// In returns the crawler as it reads files if a dialect is requested, or the same if
// dialect is nil.
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

// Extent returns the extent of rules for the crawler, or what becomes of it if the rules of
// the crawler's other reading allow other URLs, see [crawlers.Reading.Other]: then it
// depends on the parser. in returns the file in a dialect.
func (c Crawler) Extent(ctx context.Context, extent semdiff.Extent, rules robotstxt.Rules, in func(robotstxt.Dialect) *robotstxt.Robots, config semdiff.Config) (semdiff.Extent, error) {
	other, ok := c.Other()
	if !ok || c.Unread || extent == semdiff.ExtentUndecided {
		return extent, nil
	}
	agree, decided, err := semdiff.Agree(ctx, rules, other.Rules(in(other.Dialect)), config)
	switch {
	case !decided:
		extent = semdiff.ExtentUndecided
	case !agree:
		extent = semdiff.ExtentDepends
	}
	return extent, err
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

// ParseCrawlers returns the crawlers in lists such as
// "Googlebot,Googlebot-News:Googlebot": a comma separates crawlers, a colon the
// tokens of one. Without lists the result is "*". The error is a [*term.Error] that
// quotes the list and has a hint.
func ParseCrawlers(lists ...string) (parsed []Crawler, err error) {
	for crawler, err := range Crawlers(lists...) {
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, crawler)
	}
	return parsed, nil
}

// Crawlers yields the crawlers of lists like ParseCrawlers, while these are read. An error is
// the last.
func Crawlers(lists ...string) iter.Seq2[Crawler, error] {
	return func(yield func(Crawler, error) bool) {
		if len(lists) == 0 {
			yield(NewCrawler(), nil)
		}
		for _, list := range lists {
			for tokens, err := range agentlist.All(list) {
				if syntax := (*agentlist.SyntaxError)(nil); errors.As(err, &syntax) {
					yield(Crawler{}, term.Errorf(syntax.Hint, "%q: %s", list, syntax.Problem))
					return
				}
				if !yield(NewCrawler(tokens...), nil) {
					return
				}
			}
		}
	}
}

// HeaderToken returns the product token of a text that is a whole User-Agent header, or a
// product with its version, "" for any other. People write such texts where a product
// token is expected.
func HeaderToken(text string) string {
	product := strings.Contains(text, "/") && !strings.ContainsAny(text, ",:;")
	if strings.HasPrefix(text, `"`) || !product && !agentheader.IsHeader(text) {
		return ""
	}
	if known, ok := crawlers.FromUserAgent(text); ok {
		return known.Token
	}
	token, _ := crawlers.ProductToken(text)
	return token
}

// AddKnown returns the crawlers with those of known ones that are not among them.
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

// Misspelt returns the known crawler that a token may mean if it is not a known one.
func Misspelt(token string) (near crawlers.Crawler, ok bool) {
	if _, known := crawlers.Find(token); known || token == "*" {
		return crawlers.Crawler{}, false
	}
	return crawlers.Nearest(token)
}

// KnownCrawler finds the data of a crawler by its token, or by the header that it sends.
// The error has a hint.
func KnownCrawler(name string) (crawlers.Crawler, error) {
	if c, ok := crawlers.Find(name); ok {
		return c, nil
	}
	if c, ok := crawlers.FromUserAgent(name); ok {
		return c, nil
	}
	hint := `"robots crawlers" lists the known ones`
	if near, ok := crawlers.Nearest(name); ok {
		hint = "did you mean " + near.Token + "?"
	}
	return crawlers.Crawler{}, term.Errorf(hint, "%q is not a known crawler", name)
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
