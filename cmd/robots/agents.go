package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentheader"
)

// parseCrawlers returns the crawlers in the values of --agent. A note reports each User-Agent
// header that was read for its product token.
func parseCrawlers(t *term.Terminal, values []string) ([]answer.Crawler, error) {
	parsed, err := answer.ParseCrawlers(values...)
	for _, c := range parsed {
		for i, text := range c.Written {
			if term.IsBlank(text) { // even in quotes, as of "\"$BOT\""
				err = answer.Unseen(text)
			} else if text != c.Tokens[i] {
				t.Note("%q is read as the User-Agent header of %s", text, term.Escape(c.Tokens[i]))
			}
		}
	}
	return parsed, term.Prefixed("cannot read --agent ", err)
}

func (f *crawlerFlags) narrowed() bool { return len(f.agents) > 0 || f.filterFlags.narrowed() }

// requested returns the crawlers of --agent, of which there are named, and then the crawlers
// that --purpose and --operator select, without repetition. Without these flags the only
// crawler is "*". With --exact-agent, crawlers have no documented fallbacks.
func (f *crawlerFlags) requested(t *term.Terminal) (requested []answer.Crawler, named int, err error) {
	if len(f.agents) > 0 || !f.narrowed() {
		requested, err = parseCrawlers(t, f.agents)
		if err != nil {
			return nil, 0, err
		}
	}
	named = len(requested)
	if f.filterFlags.narrowed() {
		selected, err := f.selected(t)
		if err != nil {
			return nil, 0, err
		}
		requested = answer.AddKnown(requested, selected)
	}
	f.document(requested)
	return requested, named, nil
}

// noteSelected prints in one line for how many crawlers of --purpose and --operator a
// robots.txt has verdicts.
func noteSelected(t *term.Terminal, selected []answer.Crawler, dialect *robotstxt.Dialect) {
	if len(selected) == 0 {
		return
	}
	var unnameable []string
	for _, c := range selected {
		if c.Unread && dialect == nil || dialect != nil && !answer.IsNameable(*dialect, c.Tokens[0]) {
			unnameable = append(unnameable, term.Escape(c.Name))
		}
	}
	note := "checking for " + term.Count(len(selected), "known crawler", "known crawlers")
	if len(unnameable) > 0 {
		note += fmt.Sprintf("; no group can name %s", term.First(unnameable, 6))
	}
	t.Note("%s", note)
}

// document removes the documented fallbacks of crawlers if --exact-agent is given.
func (f *crawlerFlags) document(requested []answer.Crawler) {
	for i := range requested {
		if f.exact {
			requested[i] = requested[i].Exact()
		}
	}
}

// noteCrawlers prints the documented fallbacks of crawlers, and other facts about them. For an
// unknown token it also notes the known crawler that the token might mean.
func noteCrawlers(t *term.Terminal, requested []answer.Crawler) {
	for _, c := range requested {
		noteKnown(t, term.Escape(c.Name), c.Known())
	}
	noted := make(map[string]bool)
	for _, c := range requested {
		for _, token := range c.Tokens {
			if similar := answer.Similar(token); similar != nil && !noted[token] {
				noted[token] = true
				t.Note("%s is not a known crawler; %s", term.Escape(token), answer.DidYouMean(similar))
			}
		}
	}
}

func noteKnown(t *term.Terminal, name string, known crawlers.Crawler) {
	doubt := func(field string) string {
		if slices.Contains(known.Verified, field) {
			return ""
		}
		return " (not verified)"
	}
	if len(known.Fallbacks) > 0 {
		t.Note("%s falls back to %s%s; --exact-agent uses only the one token",
			name, strings.Join(known.Fallbacks, ", then to "), doubt("fallbacks"))
	}
	if known.Obeys == crawlers.ObeysNamed {
		t.Note(`groups for "*" do not apply to %s%s; with --exact-agent they do`, name, doubt("obeys"))
	}
	if known.Obeys == crawlers.ObeysNone {
		t.Note("%s does not obey robots.txt, or does not obey it reliably%s; the answer shows only what the file says", name, doubt("obeys"))
	}
	if known.Control {
		t.Note("%s is a control token: no crawler sends it; its group controls how pages fetched by other crawlers may be used", name)
	}
	if known.Status == crawlers.Retired {
		t.Note("%s is %s%s", name, prose.Retirement(known), doubt("status"))
	}
}

// warnOfCrawlers warns, once each, about tokens that no group can name: in the requested
// dialect the answer is correct, but probably not the intended one; without one the
// answer is unknown.
func warnOfCrawlers(t *term.Terminal, requested []answer.Crawler, dialect *robotstxt.Dialect) {
	warned := make(map[string]bool)
	for _, c := range requested {
		for _, token := range c.Tokens {
			if d := c.In(dialect).Dialect; !warned[token] && !c.Selected && !answer.IsNameable(d, token) {
				warned[token] = true
				t.Warn("no group can name %q: %s", token, whyUnnameable(d, token))
			}
		}
	}
}

// whyUnnameable returns the reason why no group can name a token, and suggests one that
// would match.
func whyUnnameable(dialect robotstxt.Dialect, token string) string {
	name, _ := crawlers.Declared(token)
	header := ""
	if agentheader.IsHeader(token) {
		header = "it is a User-Agent header; "
	}
	read := answer.TokenRead(dialect, name)
	switch {
	case read == "":
		return header + "it contains no product token (letters, hyphens and underscores)"
	case dialect == robotstxt.Google && answer.IsNameable(robotstxt.RFC9309, name) && read != name:
		// Only google ends a token at a digit, for example.
		return fmt.Sprintf("%sdid you mean --agent %s, the part of %s that dialect google reads, or --dialect rfc9309 --agent %[3]s?",
			header, term.Escape(read), term.Escape(name))
	default:
		return fmt.Sprintf("%sdid you mean --agent %s?", header, term.Escape(read))
	}
}
