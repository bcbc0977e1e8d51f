package semdiff

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Crawlers returns the crawlers for which the files can differ: a crawler that no file
// names, then one crawler for each product token that a file names, in file order. Together
// they cover all crawlers with a single token. Tokens that differ only in case are one
// crawler.
func Crawlers(files ...*robotstxt.Robots) []Crawler {
	crawlers := []Crawler{{}}
	var tokens []string // of all crawlers
	seen := make(map[string]bool)
	for _, robots := range files {
		for group := range orEmpty(robots).Groups() {
			for agent := range group.Agents() {
				if selectsAll(agent.Token) {
					continue
				}
				if key := ascii.ToLower(agent.Token); !seen[key] {
					seen[key] = true
					tokens = append(tokens, agent.Token)
					crawlers = append(crawlers, Crawler{Tokens: slices.Clip(tokens[len(tokens)-1:])})
				}
			}
		}
	}
	return crawlers
}

// selectsAll reports whether a token consists of stars, so that it names no single crawler.
func selectsAll(token string) bool { return token != "" && strings.Trim(token, "*") == "" }

type class struct {
	crawlers []Crawler
	rules    [2]robotstxt.Rules
	sizes    [2]int // how many rules each side has
	same     bool   // the rules are the same in both
}

// classes sorts crawlers into classes, in the order of their first crawlers.
func classes(files [2]*robotstxt.Robots, crawlers []Crawler) (classes []class) {
	type numbered struct{ number, rules int }
	numbers := make(map[robotstxt.Group]numbered)
	known := make(map[string]int)
	var key []byte
	for _, crawler := range crawlers {
		var rules [2]robotstxt.Rules
		var sizes [2]int
		key = key[:0]
		for side, robots := range files {
			rules[side] = crawler.Rules(robots)
			for group := range rules[side].Groups() {
				n, seen := numbers[group]
				if !seen {
					n = numbered{number: len(numbers) + 1}
					for range group.Rules() {
						n.rules++
					}
					numbers[group] = n
				}
				sizes[side] += n.rules
				key = binary.AppendUvarint(key, uint64(n.number))
			}
			key = append(key, 0)
		}
		at, seen := known[string(key)]
		if !seen {
			at = len(classes)
			known[string(key)] = at
			classes = append(classes, class{rules: rules, sizes: sizes})
		}
		classes[at].crawlers = append(classes[at].crawlers, crawler)
	}
	return classes
}
