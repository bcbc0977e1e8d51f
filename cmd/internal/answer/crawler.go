package answer

import (
	"errors"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/internal/agentlist"
)

// Crawler is a crawler by its product tokens.
type Crawler struct {
	Name      string   // as shown in answers
	Tokens    []string // an ordered fallback: a token counts only if no group names those before it
	NamedOnly bool     // groups for "*" do not apply to it
}

// NewCrawler returns the crawler with these product tokens. Its name is in the
// notation of ParseCrawlers. Without tokens it is "*", any crawler that no group
// names.
func NewCrawler(tokens ...string) Crawler {
	if len(tokens) == 0 {
		tokens = []string{"*"}
	}
	return Crawler{Name: agentlist.Format(tokens), Tokens: tokens}
}

// ParseCrawlers returns the crawlers in lists such as
// "Googlebot,Googlebot-News:Googlebot": a comma separates crawlers, a colon the
// tokens of one. Without lists the result is "*". The error is a [*term.Error] that
// quotes the list and has a hint.
func ParseCrawlers(lists ...string) (parsed []Crawler, err error) {
	if len(lists) == 0 {
		return []Crawler{NewCrawler()}, nil
	}
	for _, list := range lists {
		chains, err := agentlist.Parse(list)
		if syntax := (*agentlist.SyntaxError)(nil); errors.As(err, &syntax) {
			return nil, term.Errorf(syntax.Hint, "%q: %s", list, syntax.Problem)
		}
		for _, tokens := range chains {
			parsed = append(parsed, NewCrawler(tokens...))
		}
	}
	return parsed, nil
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

// Documented returns a crawler with the fallbacks that its operator documents,
// and its data. A crawler with several tokens, or one that is not known, is
// returned unchanged, with the zero data.
func (c Crawler) Documented() (Crawler, crawlers.Crawler) {
	if len(c.Tokens) != 1 || c.Tokens[0] == "*" {
		return c, crawlers.Crawler{}
	}
	known, ok := crawlers.Find(c.Tokens[0])
	if !ok {
		return c, crawlers.Crawler{}
	}
	c.Tokens = append(slices.Clip(c.Tokens), known.Fallbacks...)
	c.NamedOnly = known.Obeys == crawlers.ObeysNamed
	return c, known
}

// Rules returns the rules of a file for the crawler.
func (c Crawler) Rules(robots *robotstxt.Robots) robotstxt.Rules {
	if c.NamedOnly {
		return robots.NamedRules(c.Tokens...)
	}
	return robots.Rules(c.Tokens...)
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
