package main

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentheader"
)

// parseCrawlers returns the crawlers in the values of --agent.
func parseCrawlers(values []string) ([]answer.Crawler, error) {
	parsed, err := answer.ParseCrawlers(values...)
	return parsed, term.Prefixed("cannot read --agent ", err)
}

// follow has each crawler ask as it is known to, unless --exact-agent is given.
// It returns what is known, in the same order.
func (f *crawlerFlags) follow(asked []answer.Crawler) []crawlers.Crawler {
	known := make([]crawlers.Crawler, len(asked))
	for i := range asked {
		if !f.exact {
			asked[i], known[i] = asked[i].Documented()
		}
	}
	return known
}

// noteKnown tells what of the data was followed, and what to know besides. It
// takes what follow took, and returned.
func noteKnown(t *term.Terminal, asked []answer.Crawler, known []crawlers.Crawler) {
	for i, c := range asked {
		noteOne(t, term.Escape(c.Name), known[i])
	}
}

// noteOne tells it of one crawler.
func noteOne(t *term.Terminal, name string, known crawlers.Crawler) {
	doubt := ""
	if !known.Verified {
		doubt = ", though that is not verified"
	}
	if len(known.Fallbacks) > 0 {
		t.Note("where no group names %s, one for %s counts%s; --exact-agent asks for the one token",
			name, strings.Join(known.Fallbacks, ", then for "), doubt)
	}
	if known.Obeys == crawlers.ObeysNamed {
		t.Note(`groups for "*" do not count for %s%s; with --exact-agent they do`, name, doubt)
	}
	if known.Obeys == crawlers.ObeysNone {
		t.Note("%s obeys no robots.txt, or not reliably%s: this is what the file says", name, doubt)
	}
	if known.Control {
		t.Note("%s is a control token: no crawler sends it, and its group says how what others fetch may be used", name)
	}
	if known.Retired {
		t.Note("%s is %s%s", name, retirement(known), doubt)
	}
}

// warnOfCrawlers warns, once each, of tokens that no group can name: the answer
// is right, but hardly the one that was meant.
func warnOfCrawlers(t *term.Terminal, asked []answer.Crawler, dialect robotstxt.Dialect) {
	warned := make(map[string]bool)
	for _, c := range asked {
		for _, token := range c.Tokens {
			if warned[token] || isNameable(dialect, token) {
				continue
			}
			warned[token] = true
			t.Warn("no group can name %q: %s", token, whyUnnameable(dialect, token))
		}
	}
}

// isNameable reports whether a user-agent line can apply to a crawler with that
// token.
func isNameable(dialect robotstxt.Dialect, token string) bool {
	return token == "*" || dialect.ValidAgent(token)
}

// tokenRead returns the token that a dialect reads in "User-agent: value", ""
// if none.
func tokenRead(dialect robotstxt.Dialect, value string) string {
	for group := range dialect.Parse([]byte("User-agent: " + value)).Groups() {
		for agent := range group.Agents() {
			return agent.Token
		}
	}
	return ""
}

// whyUnnameable tells what is wrong with a token, and what would match.
func whyUnnameable(dialect robotstxt.Dialect, token string) string {
	name, _ := crawlers.ProductToken(token)
	header := ""
	if agentheader.IsHeader(token) {
		header = "it is a User-Agent header; "
		if known, ok := crawlers.FromUserAgent(token); ok {
			name = known.Token
		}
	}
	read := tokenRead(dialect, name)
	switch {
	case read == "":
		return header + "it holds no product token, which is made of letters, hyphens and underscores"
	case dialect == robotstxt.Google && isNameable(robotstxt.RFC9309, name) && read != name:
		// A digit, for instance, where Google alone stops reading.
		return fmt.Sprintf("%sdid you mean --agent %s, which is all that dialect google reads of %s, or --dialect rfc9309 --agent %[3]s?",
			header, term.Escape(read), term.Escape(name))
	default:
		return fmt.Sprintf("%sdid you mean --agent %s?", header, term.Escape(read))
	}
}
