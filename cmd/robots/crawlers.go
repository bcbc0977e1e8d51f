package main

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// crawler is one --agent: a product token and the ones it falls back to.
type crawler struct {
	asked  string // as it is printed
	tokens []string
}

// parseCrawlers reads the values of --agent; without any, everyone is asked for.
func parseCrawlers(values []string, dialect robotstxt.Dialect) ([]crawler, error) {
	if len(values) == 0 {
		return []crawler{{"*", []string{"*"}}}, nil
	}
	var crawlers []crawler
	for _, value := range values {
		if isHeader(value) {
			// Its commas separate nothing.
			crawlers = append(crawlers, crawler{value, []string{value}})
			continue
		}
		tokens := strings.Split(value, ",")
		for i := range tokens {
			if tokens[i] = strings.TrimSpace(tokens[i]); tokens[i] == "" {
				return nil, fail(`give a product token such as FooBot, or "*"`, "--agent %q has an empty token", value)
			}
		}
		crawlers = append(crawlers, crawler{strings.Join(tokens, ","), tokens})
	}
	return crawlers, nil
}

// warnOfCrawlers warns, once each, of tokens that no group can name: the answer
// is right, but hardly the one that was meant.
func warnOfCrawlers(t *terminal, crawlers []crawler, dialect robotstxt.Dialect) {
	warned := make(map[string]bool)
	for _, c := range crawlers {
		for _, token := range c.tokens {
			if warned[token] || isNameable(dialect, token) {
				continue
			}
			warned[token] = true
			t.warn("no group can name %q: %s", token, whyUnnameable(dialect, token))
		}
	}
}

// isNameable reports whether a user-agent line can speak to a crawler that asks
// for token. The engine is asked, with the very line, as each dialect reads
// tokens its own way.
func isNameable(dialect robotstxt.Dialect, token string) bool {
	body := []byte("User-agent: " + token + "\nDisallow: /\n")
	return token == "*" || !dialect.Parse(body).NamedRules(token).Allowed("/")
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
	name, header := product(token), ""
	if isHeader(token) {
		header = "it is a User-Agent header; "
	}
	read := tokenRead(dialect, name)
	switch {
	case read == "":
		return header + "it holds no product token, which is made of letters, hyphens and underscores"
	case dialect == robotstxt.Google && isNameable(robotstxt.RFC9309, name) && read != name:
		// A digit, for instance, where Google alone stops reading.
		return fmt.Sprintf("%sdid you mean --agent %s, which is all that dialect google reads of %s, or --dialect rfc9309 --agent %[3]s?",
			header, escape(read), escape(name))
	default:
		return fmt.Sprintf("%sdid you mean --agent %s?", header, escape(read))
	}
}

// isHeader reports whether an --agent is rather a whole User-Agent header, with
// a comment or several products.
func isHeader(agent string) bool {
	return strings.Contains(agent, "(") || strings.Contains(agent, "/") && strings.Contains(strings.TrimSpace(agent), " ")
}

// product returns the name of the product that a User-Agent header, or what was
// given for a token, speaks of: the one in a comment that starts as
// "(compatible; FooBot/2.1", else the first; without its version.
func product(agent string) string {
	if _, after, found := strings.Cut(agent, "compatible;"); found {
		agent = after
	}
	agent = strings.TrimSpace(agent)
	if i := strings.IndexAny(agent, " \t/;,()"); i >= 0 {
		agent = agent[:i]
	}
	return agent
}
