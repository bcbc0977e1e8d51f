package benchmarks

import (
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// The numbers of rules in the tables of Literals, Wildcards and ShopWildcards.
var (
	LiteralCounts  = []int{1, 5, 10, 20, 100, 1000, 10_000}
	WildcardCounts = []int{1, 5, 10, 20, 100, 1000, 5000}
	ShopCounts     = []int{1, 5, 10, 20, 100}
)

// ShortWildcards names the contest with rules that are typical of shops.
const ShortWildcards = "5000 short"

// Growth compares this project with itself: the same 400 queries for files with
// few and with many rules, in turns.
func Growth() Experiment {
	return Experiment{
		Name: "Growth", Title: "Growth of this project alone", Unit: "match",
		About: "The files of the tables above, measured in turns, so that other load affects the times of few and of many rules alike.",
		Contests: []Contest{
			growth("literals", []int{10, 100, 1000, 10_000}, corpus.Literals),
			growth("wildcards", []int{10, 100, 1000, 5000}, corpus.Wildcards),
			growthOfAgents(),
		},
	}
}

// ManyAgents names the entry of a file of 10,000 agents.
const ManyAgents = "10,000 agents"

func growthOfAgents() Contest {
	contest := growth("agents", []int{10}, corpus.Literals)
	file, present, _ := corpus.Agents()
	contest.Entries = append(contest.Entries, Entry{Name: ManyAgents, Start: func() func() {
		rules := robotstxt.Parse(file.Bytes).Rules(present)
		return answering([]queries{{func(path string) bool { return rules.Allowed(path) }, file.Paths}})
	}})
	return contest
}

func growth(name string, counts []int, file func(n int) corpus.File) Contest {
	contest := Contest{Name: name, Base: Rules(counts[0])}
	for _, n := range counts {
		f := file(n)
		contest.Ops = len(f.Paths)
		contest.Entries = append(contest.Entries, Entry{
			Name:  Rules(n),
			Start: func() func() { return answering(parsed(peers.Named(peers.Ours), []corpus.File{f})) },
		})
	}
	return contest
}

// Rules names an entry of Growth.
func Rules(n int) string { return strconv.Itoa(n) + " rules" }

// Literals measures the time of a query as the number of rules without wildcards
// grows.
func (d Drivers) Literals() Experiment {
	return d.byCount(Experiment{
		Name: "Literals", Title: "Growth with the number of rules: literals",
		About: "One group of rules without wildcards, parsed once, agent resolved once, 400 paths: 40% match, 30% just miss, 30% are unrelated.",
	}, LiteralCounts, corpus.Literals)
}

// ShopWildcards does the same for the wildcards that shops have, without a '$'.
func (d Drivers) ShopWildcards() Experiment {
	return d.byCount(Experiment{
		Name: "ShopWildcards", Title: "Growth with the number of rules: wildcards of shops",
		About: "The same with rules such as `/*?sort=` and `/*/print/`, in turns. Nothing but a search shows whether they match.",
	}, ShopCounts, corpus.ShopWildcards)
}

// Wildcards does the same for rules with wildcards.
func (d Drivers) Wildcards() Experiment {
	e := d.byCount(Experiment{
		Name: "Wildcards", Title: "Growth with the number of rules: wildcards",
		About: "The same with rules of the form `/*one*two*three$`, and last with 5,000 short ones that share their words, such as `/*/cart*id-482`.",
	}, WildcardCounts, corpus.Wildcards)
	e.Contests = append(e.Contests, d.Match(ShortWildcards, []corpus.File{corpus.ShortWildcards(5000)}))
	return e
}

func (d Drivers) byCount(e Experiment, counts []int, file func(n int) corpus.File) Experiment {
	e.Unit = "match"
	e.Matrix = true
	for _, n := range counts {
		e.Contests = append(e.Contests, d.Match(strconv.Itoa(n), []corpus.File{file(n)}))
	}
	return e
}
