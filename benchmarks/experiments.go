package benchmarks

import "github.com/kosterhq/robotstxt/benchmarks/corpus"

// The corpora of an experiment as contests.
const (
	AllFiles     = "all files"
	TypicalFiles = "typical files"
)

// Experiments returns all experiments of time, in the order of the results.
func Experiments(c *corpus.Corpus, seed uint64) []Experiment {
	typical := ParsedByAll(c.Typical(seed))
	return []Experiment{
		{
			Name: "Parse", Title: "Parse", Unit: "file",
			About:    "Every file is read into the peer's parsed form, which is then dropped.",
			Contests: []Contest{Parse(AllFiles, c), Parse(TypicalFiles, typical)},
		},
		{
			Name: "OneShot", Title: "One shot", Unit: "file",
			About:    "Every file is read to answer one question; nothing is kept.",
			Contests: []Contest{OneShot(AllFiles, c), OneShot(TypicalFiles, typical)},
		},
		{
			Name: "Match", Title: "Match", Unit: "match",
			About: "Up to 200 files of 0.8 to 1.25 KB that every peer can parse, parsed once, agent resolved once, 100 paths each: " +
				"half are such as any site has, half are made from the file's rules.",
			Contests: []Contest{Match(TypicalFiles, typical.Files)},
		},
		Literals(),
		Wildcards(),
		Growth(),
		Agents(),
		WorstRules(),
		WorstFile(),
		Bulk(c),
	}
}
