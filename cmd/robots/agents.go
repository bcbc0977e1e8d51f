package main

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentheader"
)

// parseCrawlers returns the crawlers in the values of --agent.
func parseCrawlers(values []string) ([]answer.Crawler, error) {
	parsed, err := answer.ParseCrawlers(values...)
	return parsed, term.Prefixed("cannot read --agent ", err)
}

// follow gives each known crawler its documented fallbacks, unless --exact-agent is
// given. It returns the data of the crawlers in the same order.
func (f *crawlerFlags) follow(asked []answer.Crawler) []crawlers.Crawler {
	known := make([]crawlers.Crawler, len(asked))
	for i := range asked {
		if !f.exact {
			asked[i], known[i] = asked[i].Documented()
		}
	}
	return known
}

// noteKnown notes which documented fallbacks were used, and what else is known of
// the crawlers. Its arguments are those of follow, and its result.
func noteKnown(t *term.Terminal, asked []answer.Crawler, known []crawlers.Crawler) {
	for i, c := range asked {
		noteOne(t, term.Escape(c.Name), known[i])
	}
}

// noteOne is noteKnown for one crawler.
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
		t.Note("%s is %s%s", name, prose.Retirement(known), doubt)
	}
}

// warnOfCrawlers warns, once each, of tokens that no group can name: the answer is
// right, but probably not the intended one.
func warnOfCrawlers(t *term.Terminal, asked []answer.Crawler, dialect robotstxt.Dialect) {
	warned := make(map[string]bool)
	for _, c := range asked {
		for _, token := range c.Tokens {
			if warned[token] || answer.IsNameable(dialect, token) {
				continue
			}
			warned[token] = true
			t.Warn("no group can name %q: %s", token, whyUnnameable(dialect, token))
		}
	}
}

// whyUnnameable says why no group can name a token, and which token would match.
func whyUnnameable(dialect robotstxt.Dialect, token string) string {
	name, _ := crawlers.ProductToken(token)
	header := ""
	if agentheader.IsHeader(token) {
		header = "it is a User-Agent header; "
		if known, ok := crawlers.FromUserAgent(token); ok {
			name = known.Token
		}
	}
	read := answer.TokenRead(dialect, name)
	switch {
	case read == "":
		return header + "it holds no product token, which is made of letters, hyphens and underscores"
	case dialect == robotstxt.Google && answer.IsNameable(robotstxt.RFC9309, name) && read != name:
		// A digit, for instance, where Google alone stops reading.
		return fmt.Sprintf("%sdid you mean --agent %s, which is all that dialect google reads of %s, or --dialect rfc9309 --agent %[3]s?",
			header, term.Escape(read), term.Escape(name))
	default:
		return fmt.Sprintf("%sdid you mean --agent %s?", header, term.Escape(read))
	}
}
