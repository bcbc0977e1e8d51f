package benchmarks

import (
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// WorstRules asks about a path of 2,000 bytes under a single rule that is made
// to explode.
func WorstRules() Experiment {
	e := Experiment{
		Name: "WorstRule", Title: "Worst rules", Unit: "match", Matrix: true,
		About: "One rule, parsed once, and a path of 2,000 bytes, all `a`.",
	}
	for _, rule := range corpus.WorstRules() {
		// A single rule has no index, so that the plain scan is all there is.
		contest := Match(rule.Name, []corpus.File{rule.File()})
		e.Contests = append(e.Contests, contest.Only(allPeers()...))
	}
	return e
}

// The contests of WorstFile.
const (
	WithoutB = "no b"
	BFirst   = "b first"
	BLast    = "b last"
)

// WorstFile asks about paths of 2,000 bytes under 10,650 rules that no text
// tells apart. What it must show is that an index is never slower than trying
// rule after rule.
func WorstFile() Experiment {
	e := Experiment{
		Name: "WorstFile", Title: "Worst file", Unit: "match", Matrix: true,
		About: "490 KB with 10,650 distinct rules such as `/*aaa*a*aaaa*a*aa*aaaaa*a*b`, parsed once, and a path of 2,000 bytes, " +
			"all `a`; the same that begins with a `b`, where a look at which bytes occur does not help; and the same that " +
			"ends in `b`, where every rule matches. Peers that take seconds are asked once.",
	}
	body, as := corpus.WorstFile(), corpus.WorstPath()
	for _, c := range []struct{ name, path string }{
		{WithoutB, as},
		{BFirst, "/b" + as[2:]},
		{BLast, strings.TrimSuffix(as, "a") + "b"},
	} {
		contest := Match(c.name, []corpus.File{{Body: body, Paths: []string{c.path}}})
		if c.name != WithoutB {
			contest = contest.Only(peers.Ours, PlainScan, "grobotstxt")
		}
		e.Contests = append(e.Contests, contest)
	}
	return e
}

func allPeers() (names []string) {
	for _, p := range peers.All() {
		names = append(names, p.Name)
	}
	return names
}
