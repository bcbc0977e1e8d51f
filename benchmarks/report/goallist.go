package main

import (
	"math"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// goalList returns all goals. Goals in nanoseconds were set on the machine of the
// stored results.
func (r *report) goalList() []goal {
	return append(append(r.parseGoals(), r.matchGoals()...), r.otherGoals()...)
}

var none = math.NaN()

func times(v float64) string { return number(v) + " ×" }

// per returns the goal with the result of each set.
func (r *report) per(g goal, reached func(benchmarks.Set) *benchmarks.Spread) goal {
	for _, s := range r.sets {
		g.reached = append(g.reached, reached(s))
	}
	return g
}

// one returns the goal with a result that does not depend on the set.
func one(g goal, reached *benchmarks.Spread) goal {
	g.reached = []*benchmarks.Spread{reached}
	return g
}

// compared returns how many times longer slow took than fast, nil if one of them
// was not measured.
func compared(result *benchmarks.Result, slow, fast string) *benchmarks.Spread {
	if result.Row(slow) == nil || result.Row(fast) == nil {
		return nil
	}
	return some(result.Ratio(slow, fast))
}

func (r *report) parseGoals() []goal {
	ratio := func(experiment, contest, slow, fast string) func(benchmarks.Set) *benchmarks.Spread {
		return func(s benchmarks.Set) *benchmarks.Spread {
			return compared(r.result(experiment, s.Named(contest)), slow, fast)
		}
	}
	all := func(experiment, slow, fast string) func(benchmarks.Set) *benchmarks.Spread {
		return ratio(experiment, benchmarks.AllFiles, slow, fast)
	}
	allocations := func(experiment string) func(benchmarks.Set) *benchmarks.Spread {
		return func(s benchmarks.Set) *benchmarks.Spread {
			return exactly(r.result(experiment, s.Named(benchmarks.AllFiles)).Row(peers.Ours).Allocs)
		}
	}
	slowest, worstShape := r.least("HostileParse", driver.GoogleName, "")
	return []goal{
		r.per(goal{"parse: times faster than Google's C++", true, 3.4, 4, times, nil, "parse"}, all("Parse", driver.GoogleName, peers.Ours)),
		r.per(goal{"parse: times faster than temoto", true, 15, 23, times, nil, "parse"}, all("Parse", "temoto", peers.Ours)),
		r.per(goal{"parse, files of at most 600 bytes: time to that of fast-robots", false, 1, 0.85, times, nil, "parse"},
			ratio("Parse", benchmarks.SmallFiles, peers.Ours, driver.FastName)),
		one(goal{"parse, the worst hostile file" + worstShape + ": times faster than Google's C++", true, 1.3, 2, times, nil, "worst"}, slowest),
		one(goal{"parse, 26 agents: time for a byte, 11 MB to 0.7 MB; 1.03 is as fast", false, 1.03, 1, times, nil, "worst"}, r.linear()),
		r.per(goal{"parse: allocations per file", false, 8, 2, number, nil, "parse"}, allocations("Parse")),
		r.per(goal{"one shot: times faster than Google's C++", true, 4.5, 5.5, times, nil, "parse"}, all("OneShot", driver.GoogleName, peers.Ours)),
		r.per(goal{"one shot: times faster than fast-robots", true, 1.3, 1.7, times, nil, "parse"}, all("OneShot", driver.FastName, peers.Ours)),
		r.per(goal{"one shot: times faster than temoto", true, 20, 26, times, nil, "parse"}, all("OneShot", "temoto", peers.Ours)),
		r.per(goal{"one shot: times faster than grobotstxt", true, 9, 11, times, nil, "parse"}, all("OneShot", "grobotstxt", peers.Ours)),
		r.per(goal{"one shot: allocations", false, 0, 0, number, nil, "parse"}, allocations("OneShot")),
		one(goal{"scanner, an internal loop: share of the line scan", true, 0.27, 0.35, number, nil, "parse"}, r.share),
		r.per(goal{"`Lines`: share of the line scan", true, 0.27, 0.35, number, nil, "parse"}, all("Parse", benchmarks.LineScan, benchmarks.Lines)),
		r.per(goal{"`Parse`: share of the line scan", true, 0.27, 0.35, number, nil, "parse"}, all("Parse", benchmarks.LineScan, peers.Ours)),
		r.per(goal{"parse and the first query, for a file", false, 4400, 3600, duration, nil, "match"}, func(s benchmarks.Set) *benchmarks.Spread {
			return some(r.result("First", s.Named(benchmarks.AllFiles)).Row(peers.Ours).Spread())
		}),
	}
}

func (r *report) matchGoals() []goal {
	time := func(experiment, contest, entry string) *benchmarks.Spread {
		return some(r.result(experiment, contest).Row(entry).Spread())
	}
	few := func(rules string, must float64) goal {
		// The aim is the time of temoto, which was the fastest with few rules.
		aim := time("Literals", rules, "temoto").Median
		return one(goal{"match, " + rules + " rules, first 63 queries; aim: temoto's time", false, must, aim, duration, nil, "growth"},
			time("Literals", rules, benchmarks.First63))
	}
	plain := scaled(time("Literals", "1000", benchmarks.First63), 1000)
	typical := func(slow, fast string) func(benchmarks.Set) *benchmarks.Spread {
		return func(s benchmarks.Set) *benchmarks.Spread {
			return compared(r.result("Match", s.Named(benchmarks.TypicalFiles)), slow, fast)
		}
	}
	growth := r.results["Growth"]
	nothingPrepared := driver.FastName + benchmarks.NoMatcher
	return []goal{
		few("5", 28), few("10", 36), few("20", 58),
		one(goal{"match, nothing prepared: time for a rule, of 1,000 literals", false, 1.6, 1.2, duration, nil, "growth"}, plain),
		one(goal{"match, 10 wildcards; aim: slyrz' time elsewhere", false, 115, 84, duration, nil, "growth"}, time("Wildcards", "10", peers.Ours)),
		one(goal{"match, 20 wildcards; aim: slyrz' time elsewhere", false, 180, 160, duration, nil, "growth"}, time("Wildcards", "20", peers.Ours)),
		r.per(goal{"match, files of 0.8 to 1.25 KB: times faster than Google's C++", true, 30, 50, times, nil, "match"}, typical(driver.GoogleName, peers.Ours)),
		r.per(goal{"match, files of 0.8 to 1.25 KB: times faster than the matcher of fast-robots", true, 1.5, 2.5, times, nil, "match"}, typical(driver.FastName, peers.Ours)),
		r.per(goal{"match, files of 0.8 to 1.25 KB, nothing prepared: times faster than fast-robots", true, 1.1, 1.5, times, nil, "match"},
			typical(nothingPrepared, benchmarks.First63)),
		r.per(goal{"match: allocations", false, 0, 0, number, nil, "match"}, func(s benchmarks.Set) *benchmarks.Spread {
			return exactly(r.result("Match", s.Named(benchmarks.TypicalFiles)).Row(peers.Ours).Allocs)
		}),
		one(goal{"growth of a match, literals: 10,000 rules to 10", false, 1.7, 1.4, times, nil, "growth"},
			some(growth[0].Ratio(benchmarks.Rules(10_000), benchmarks.Rules(10)))),
		one(goal{"growth of a match, wildcards: 5,000 rules to 100", false, 1.3, 1.1, times, nil, "growth"},
			some(growth[1].Ratio(benchmarks.Rules(5000), benchmarks.Rules(100)))),
		one(goal{"match, 10,000 literals: times faster than fast-robots", true, 200, 600, times, nil, "growth"},
			compared(r.result("Literals", "10000"), driver.FastName, peers.Ours)),
		one(goal{"match, 5,000 wildcards: times faster than fast-robots", true, 500, 1800, times, nil, "growth"},
			compared(r.result("Wildcards", "5000"), driver.FastName, peers.Ours)),
		one(goal{"match, one agent of 10,000: time to that of a file of 10 rules", false, 2, none, times, nil, "growth"},
			some(growth[2].Ratio(benchmarks.ManyAgents, benchmarks.Rules(10)))),
		one(goal{"finding one of 10,000 agents; must: no longer than parsing the file", false, r.result("Agents", benchmarks.AgentsParse).Row(peers.Ours).Spread().Median, 100,
			duration, nil, "match"}, time("Agents", benchmarks.AgentsPresent, peers.Ours)),
	}
}

func (r *report) otherGoals() []goal {
	rule, ruleName := r.slowest("WorstRule")
	match, matchName := r.slowest("HostileMatch")
	oneShot, oneShotName := r.slowest("HostileOneShot")
	index := func(name string, must, aim float64, rules float64, contest string) goal {
		return one(goal{"the query that makes an index, for " + name, false, must, aim, duration, nil, "match"},
			scaled(some(r.result("Index", contest).Row(benchmarks.SlowestQuery).Spread()), rules))
	}
	inParses, inParsesName := r.most("Index", benchmarks.SlowestQuery, peers.Ours)
	share := func(entry string) func(benchmarks.Set) *benchmarks.Spread {
		return func(s benchmarks.Set) *benchmarks.Spread { return r.keptShare(s, entry) }
	}
	bulk := func(contest, slow, fast string) func(benchmarks.Set) *benchmarks.Spread {
		return func(s benchmarks.Set) *benchmarks.Spread {
			return compared(r.result("Bulk", s.Named(contest)), slow, fast)
		}
	}
	google, googleRule := r.most("WorstRule", peers.Ours, driver.GoogleName)
	fast, fastRule := r.most("WorstRule", peers.Ours, driver.FastName)
	starsGoogle, _ := r.least("HostileMatch", driver.GoogleName, "stars")
	starsFast, _ := r.least("HostileMatch", driver.FastName, "stars")
	starsGrobotstxt, _ := r.least("HostileMatch", "grobotstxt", "stars")
	unindexed, unindexedName := r.least("HostileMatch", benchmarks.First63, "")
	return []goal{
		one(goal{"worst single rule" + ruleName + ", path of 2 KB", false, 10_000, 10_000, duration, nil, "worst"}, rule),
		one(goal{"worst single rule" + googleRule + ": time to that of Google's C++", false, 0.1, none, times, nil, "worst"}, google),
		one(goal{"worst single rule" + fastRule + ": time to that of fast-robots", false, none, 2, times, nil, "worst"}, fast),
		one(goal{"hostile file of 490 KB" + matchName + ", path of 2 KB: a match", false, 4e6, 1e6, duration, nil, "worst"}, match),
		one(goal{"hostile file of 490 KB" + oneShotName + ", path of 2 KB: one shot", false, 6e6, 3e6, duration, nil, "worst"}, oneShot),
		one(goal{"hostile file, stars: times faster than Google's C++", true, 100, 300, times, nil, "worst"}, starsGoogle),
		one(goal{"hostile file, stars: times faster than fast-robots", true, 1, 1, times, nil, "worst"}, starsFast),
		one(goal{"hostile file, stars: times faster than grobotstxt", true, 100, 320, times, nil, "worst"}, starsGrobotstxt),
		one(goal{"hostile file" + unindexedName + ": times faster with an index than without; 0.97 is as fast", true, 0.97, 1, times, nil, "worst"}, unindexed),
		one(goal{"the query that makes an index" + inParsesName + ": time to that of parsing the file", false, 5, 2, times, nil, "match"}, inParses),
		index("a literal rule", 1000, 300, 10_000, "10,000 literals"),
		index("a rule with wildcards", 2000, 1000, 5000, "5,000 wildcards"),
		r.per(goal{"memory: share of the text's size", false, 0.55, 0.45, number, nil, "memory"}, share(peers.Ours)),
		r.per(goal{"memory with an index: share of the text's size", false, 0.9, 0.75, number, nil, "memory"}, share(benchmarks.Indexed)),
		r.per(goal{"bulk on one core: time to that of gunzip", false, 1.5, 1.3, times, nil, "bulk"}, bulk(benchmarks.OneCore, peers.Ours, benchmarks.Gunzip)),
		r.per(goal{"bulk: throughput of two cores to one", true, 1.85, 1.95, times, nil, "bulk"}, bulk(benchmarks.TwoCores, benchmarks.OneCore, benchmarks.TwoCores)),
		one(goal{"verdicts that differ from Google's C++, files of the first set", false, 0, 0, number, nil, "match"}, r.unlikeGoogle()),
	}
}

// slowest returns the longest time of this project in an experiment, and the name
// of that contest.
func (r *report) slowest(experiment string) (worst *benchmarks.Spread, where string) {
	for _, result := range r.results[experiment] {
		if s := result.Row(peers.Ours).Spread(); worst == nil || s.Median > worst.Median {
			worst, where = &s, result.Contest.Name
		}
	}
	return worst, quoted(where)
}

// extreme returns the least or the greatest ratio of the time of slow to that of
// fast, and its contest, among the contests whose names begin with prefix.
func (r *report) extreme(experiment, slow, fast, prefix string, least bool) (found *benchmarks.Spread, where string) {
	for _, result := range r.results[experiment] {
		s := compared(result, slow, fast)
		if s == nil || !strings.HasPrefix(result.Contest.Name, prefix) {
			continue
		}
		if found == nil || least && s.Median < found.Median || !least && s.Median > found.Median {
			found, where = s, result.Contest.Name
		}
	}
	return found, quoted(where)
}

// least finds the contest in which this project is faster than another entry by
// the smallest factor.
func (r *report) least(experiment, other, prefix string) (*benchmarks.Spread, string) {
	return r.extreme(experiment, other, peers.Ours, prefix, true)
}

// most finds the contest in which slow takes longest compared with fast.
func (r *report) most(experiment, slow, fast string) (*benchmarks.Spread, string) {
	return r.extreme(experiment, slow, fast, "", false)
}

// linear compares the time per byte of the largest and the smallest file with the
// same agents.
func (r *report) linear() *benchmarks.Spread {
	files := corpus.HostileParses()
	large, small := r.result("HostileParse", files[2].Name).Row(peers.Ours), r.result("HostileParse", files[0].Name).Row(peers.Ours)
	return some(benchmarks.Ratio(large.NS, small.NS))
}

func (r *report) keptShare(s benchmarks.Set, entry string) *benchmarks.Spread {
	for i, set := range r.sets {
		for _, k := range r.kept[i] {
			if set.Name == s.Name && k.Name == entry {
				return exactly(k.OfSource)
			}
		}
	}
	return nil
}

func (r *report) unlikeGoogle() *benchmarks.Spread {
	if unlike, ok := r.unlike[driver.GoogleName]; ok {
		return exactly(float64(unlike))
	}
	return nil
}

func quoted(where string) string {
	if where == "" {
		return ""
	}
	return " (" + where + ")"
}

func some(s benchmarks.Spread) *benchmarks.Spread { return &s }

func exactly(v float64) *benchmarks.Spread {
	return &benchmarks.Spread{Low: v, Median: v, High: v, Rounds: 1}
}

func scaled(s *benchmarks.Spread, by float64) *benchmarks.Spread {
	return &benchmarks.Spread{Low: s.Low / by, Median: s.Median / by, High: s.High / by, Rounds: s.Rounds}
}
