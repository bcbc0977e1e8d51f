package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Paths returns n paths, some with a query string, to match against a body. Half
// are typical of any site, half are made from the body's rules, so that many
// match. They are paths rather than URLs because all peers accept paths.
func Paths(seed uint64, body Body, n int) []string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
	var patterns []string
	for group := range robotstxt.Parse(body.Bytes).Groups() {
		for rule := range group.Rules() {
			patterns = append(patterns, rule.Pattern)
		}
	}
	paths := make([]string, n)
	for i := range paths {
		if i%2 == 0 || len(patterns) == 0 {
			paths[i] = g.generic()
		} else {
			paths[i] = g.derived(g.pick(patterns...))
		}
	}
	return paths
}

// generic returns a path, perhaps with a query string, that is typical of any site.
func (g *generator) generic() string {
	switch g.IntN(6) {
	case 0:
		return "/"
	case 1:
		return fmt.Sprintf("/%s/%d/%02d/%s-%s-%s/", g.word(), 2010+g.IntN(15), 1+g.IntN(12), g.word(), g.word(), g.word())
	case 2:
		return fmt.Sprintf("/%s?%s=%d&%s=%s", g.word(), g.word(), g.IntN(1000), g.word(), g.word())
	case 3:
		return fmt.Sprintf("/%s/%s/%s-%d.jpg", g.word(), g.word(), g.word(), g.IntN(10_000))
	default:
		return g.path()
	}
}

// derived returns a path that a pattern matches or just misses.
func (g *generator) derived(pattern string) string {
	path := strings.ReplaceAll(strings.TrimSuffix(pattern, "$"), "*", g.word())
	// Some parsers read a host after two slashes.
	path = "/" + strings.TrimLeft(path, "/")
	switch g.IntN(4) {
	case 0:
		return path
	case 1:
		return path[:len(path)-1] + "~"
	default:
		return path + g.word() + ".html"
	}
}
