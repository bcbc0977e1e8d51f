// Package enginetest tests the engine through its exported names: against a slow reference
// written from the specifications, by laws, by the conformance vectors, on generated and on real
// files, and against the core of the npm package. Its exported functions make files and URLs; the
// tests of package robotstxt use them too.
package enginetest

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// Size returns how much a test does: more if ROBOTSTXT_LONG requests it.
func Size(usual, long int) int {
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		return long
	}
	return usual
}

// ForAll returns a file of a group for all crawlers, with n lines.
func ForAll(n int, line func(i int) string) []byte {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return []byte(b.String())
}

// Bodies are short files with the odd parts of the syntax.
var Bodies = []string{
	"",
	"User-agent: *\nDisallow: /a\nAllow: /a/b\n",
	"\xEF\xBB\xBFuser-agent: FooBot\r\ndisallow: /*.php$\r\n\r\nuser-agent: *\r\ndisallow:\r\n",
	"\xEF\xBBUser-agent: FooBot\rDisallow: /x\rUser-agent: *\n\rAllow: /$\n",
	"User-agent: FooBot/2.1\nCrawl-delay: 5\nUser-agent: * junk\nDisallow: /a/index.html\nAllow: /a/index.html # c\nDisallow: /a/*\n",
	"Disallow /x\nUseragent FooBot\nDisallow /y\nDisalow: /%7e%c3\xa9*$\nAllow: /%7E\n",
	"User-agent: a\nUser-agent: b\n\nDisallow: /\n\nUser-agent: a\nAllow: /x\nDisallow: /$$\n",
	"User-agent: *\nDisallow: /a\x00b\n\x00\nUser-agent: MJ12bot\nDisallow: /%2F?%2F\nAllow: /**a***b\n",
	"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nUser-agent: a\n\nVisit-time: x\nUser-agent: *\nDisallow: /\nRequest-rate: 1/2\nCrawl-delay: 3\n",
	"user-agent: googlebot*\nuser-agent: **\nuser-agent:\nallow: /%2A/%24\ndisallow: /a$b?x=%3D\n",
}

// URLs are URLs and paths with the odd parts of the syntax, many of which the rules of Bodies match.
var URLs = []string{
	"", "/", "/a", "/a/b", "/a/", "/x.php", "http://h/%7E%C3%A9", "//h/a/index.html", "http://h?a", "/%2f?/x%2F",
	"/robots.txt", "/*/$", "/%2A/%24", "h;p", "a#b", "/a\x00b", "/$", "/a$b?x==", "/b/aab",
}

// Agents are lists of tokens for SplitAgents.
var Agents = []string{"FooBot", "", "*", "a,b", "b,a", "MJ12bot", "googlebot", "NoBot,FooBot", "FooBot/2.1", "**", "MJ,*"}

// SplitAgents splits a text at commas into a list of tokens; ";" is the empty list.
func SplitAgents(s string) []string {
	if s == ";" {
		return nil
	}
	return strings.Split(s, ",")
}

// WitnessURLs returns URLs where a verdict of body can change.
func WitnessURLs(body []byte, limit int) []string {
	var patterns []string
	for l := range robotstxt.Lines(body) {
		if l.Kind == robotstxt.KindAllow || l.Kind == robotstxt.KindDisallow {
			patterns = append(patterns, string(l.Value))
		}
	}
	urls := slices.Collect(witness.Paths(patterns, limit))
	for i, path := range urls {
		if strings.HasPrefix(path, "//") {
			urls[i] = "http://h" + path
		}
	}
	return urls
}

func pick[E any](r *rand.Rand, from []E) E { return from[r.IntN(len(from))] }

var (
	oddKeys = []string{
		"User-agent", "user-agent", "USER-AGENT", "useragent", "User agent", "user  agent", "User-agents",
		"Disallow", "disallow", "Dissallow", "disalow", "Disallowed", "Disallow all", "disallo", "\xC2\xA0Disallow",
		"Allow", "allow", "Allow-all", "alow", "Sitemap", "site-map", "Crawl-delay", "crawl-delay ", "Host", "License",
		"noindex", "Noindexed", "", "foo", "\vDisallow\f",
	}
	oddExtensions = []string{
		"Crawl-delay", "Crawl-delay", "crawl-DELAY", "Crawl-delays", "Request-rate", "Visit-time", "Content-Usage", "Content-Signal", "License",
		"Clean-param", "Host", "Sitemap",
	}
	oddDelays     = []string{"1", "2", "2.5", ".5", "3600", "0", "", "x", "-1", "1 s", "99999999999", "1.0000000019", ".", "1.2.3", "1e3", "1/5"}
	oddSeparators = []string{":", ":", ":", ":", ": ", ": ", " : ", "\t:\t", " ", "  ", "\t", "", "=", "::", ":\v"}
	oddAgents     = []string{
		"*", "*", "* x", "*\tx", "*\vx", "*x", "**", "*/1", "a", "a", "A", "b", "a/1.0", "a*", "a**", "a b", "a;b", "a1", "b2c", "",
		"1a", "\xFFa", "foo-bot", "Foo_Bot", "a,b", "a\x00b", "***",
	}
	oddValueParts = []string{
		"/", "/", "/", "a", "b", "ab", "aa", "*", "*", "**", "$", "$$", "?", "?", "%2F", "%2f", "%7e", "~", "%2A", "%24", "%", "%4", "%%41",
		"%3D", "=", "&", "%26", "%25", "%C3%A9", "%c3%a9", "é", "\xE9", "index.html", "/index.htm", "/index.htmx", ".php", "robots.txt",
		" ", "\t", "#", ":", ";", "A", "%61", "%00", "%3F", "\x00", "\v", "http://h/", "%EF",
	}
	oddEnds  = []string{"\n", "\n", "\n", "\n", "\r\n", "\r", "\n\r", "\r\r\n", "\n\n", "\n \n", "\n#c\n", "\n\v\n", "\n\x00\n", " #c\n", "#c\r"}
	oddStart = []string{"", "", "", "", "\xEF\xBB\xBF", "\xEF\xBB", "\xEF", "\xEF\xEF\xBB\xBF", "\xEF\x11\xBF", "\xBB", "\n\xEF\xBB\xBF", "\n"}
)

func randomValue(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(8) > 0 {
		b.WriteByte('/')
	}
	for range r.IntN(6) {
		b.WriteString(pick(r, oddValueParts))
	}
	return b.String()
}

// RandomBody returns a file of up to 13 odd lines.
func RandomBody(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pick(r, oddStart))
	for range r.IntN(14) {
		if r.IntN(4) == 0 {
			b.WriteString(randomIndent(r))
		}
		switch r.IntN(13) {
		case 0:
			b.WriteString(pick(r, oddKeys) + pick(r, oddSeparators) + randomValue(r))
		case 1, 2, 3:
			b.WriteString("User-agent" + pick(r, oddSeparators) + pick(r, oddAgents))
		case 4:
			b.WriteString(pick(r, oddKeys) + pick(r, oddSeparators) + pick(r, oddAgents))
		case 5:
			b.WriteString(pick(r, []string{"Disallow:", "Allow:", "Allow", "", " ", "\t", "Sitemap: /x"}))
		case 6:
			if r.IntN(200) == 0 {
				b.WriteString("Disallow: /" + strings.Repeat(pick(r, oddValueParts), 16640/2+r.IntN(40)))
			}
		case 7:
			b.WriteString(pick(r, oddExtensions) + pick(r, oddSeparators) + pick(r, oddDelays))
		default:
			b.WriteString(pick(r, []string{"Disallow: ", "Allow: "}) + randomValue(r))
		}
		b.WriteString(pick(r, oddEnds))
	}
	s := b.String()
	if r.IntN(4) == 0 {
		s = strings.TrimRight(s, "\r\n")
	}
	return s
}

// randomIndent returns runs of white space, some of them longer than those that the engine
// skips at once.
func randomIndent(r *rand.Rand) (s string) {
	for range 1 + r.IntN(3) {
		s += strings.Repeat(pick(r, []string{" ", " ", "\t", "\v", "\f"}), r.IntN(pick(r, []int{4, 20, 100})))
	}
	return s
}

// RandomAgents returns up to three values of agent lines.
func RandomAgents(r *rand.Rand) []string {
	var agents []string
	for range r.IntN(4) {
		agents = append(agents, pick(r, oddAgents))
	}
	return agents
}

// RandomURL returns an odd URL or path.
func RandomURL(r *rand.Rand) string {
	return pick(r, []string{"", "", "http://h", "//h", "h", "://", "//", "http:/", "u:p/w@h", "#", "?", ";", "a#b://", "HTTP://h:80"}) + randomValue(r)
}

// ManyRules returns a file of 10 to 60 rules with few different tokens, patterns and prefixes, so
// that groups are merged, rules tie, and an index is made; tokens, most of which its lines name;
// and a function that returns URLs which one of the patterns matches, or nearly.
func ManyRules(r *rand.Rand) (body []byte, agents []string, url func() string) {
	patterns := repeatedPatterns(r)
	body = []byte(repeatingBody(r, patterns))
	agents = []string{pick(r, repeatedTokens), pick(r, repeatedTokens)}[:r.IntN(3)]
	return body, agents, func() string { return repeatedURL(r, patterns) }
}

var repeatedTokens = []string{"a", "b", "c", "A", "z", "Z", "*", "foo-bot", "Foo-Bot", "longer-than-eight", "Longer-Than-Eight", "", "a1", "[z", "{Z"}

// repeatedPatterns returns a few patterns with equal prefixes and ends.
func repeatedPatterns(r *rand.Rand) (patterns []string) {
	parts := []string{"a", "b", "ab", "aba", "shop", "item-", "/", "*", "*", "**", "$", "?", "%41", "%2F", ":", "index.html", "/index.htm", "é", ".php"}
	beginnings := []string{"/", "/", "/shop/", "/shop/item-", "/*", "*", "", "/a"}
	for range 4 + r.IntN(12) {
		pattern := pick(r, beginnings)
		for range r.IntN(5) {
			pattern += pick(r, parts)
		}
		patterns = append(patterns, pattern+pick(r, []string{"", "", "", "$", "*"}))
	}
	return patterns
}

func repeatingBody(r *rand.Rand, patterns []string) string {
	var b strings.Builder
	group := func() {
		for range 1 + r.IntN(3) {
			b.WriteString("User-agent: " + pick(r, repeatedTokens) + pick(r, []string{"\n", "\n", "\n", "\n\n"}))
		}
	}
	group()
	inGroup := 1 + r.IntN(60)
	for range 10 + r.IntN(51) {
		if r.IntN(inGroup) == 0 {
			b.WriteString(pick(r, []string{"", "\n", "\n", "Disallow:\n"}))
			group()
		}
		b.WriteString(pick(r, []string{"Disallow: ", "Allow: "}) + pick(r, patterns) + "\n")
	}
	return b.String()
}

// repeatedURL returns a URL that one of the patterns matches, or nearly.
func repeatedURL(r *rand.Rand, patterns []string) string {
	path := strings.TrimSuffix(pick(r, patterns), "$")
	for strings.Contains(path, "*") {
		path = strings.Replace(path, "*", pick(r, []string{"", "", "x", "a", "ab", "/", "?", "shop"}), 1)
	}
	switch r.IntN(6) {
	case 0:
		path += pick(r, []string{"x", "/", "a", "?q"})
	case 1:
		path = path[:r.IntN(len(path)+1)]
	}
	return pick(r, []string{"", "http://h"}) + "/" + strings.TrimPrefix(path, "/")
}
