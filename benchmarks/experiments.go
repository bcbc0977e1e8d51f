package benchmarks

import "github.com/kosterhq/robotstxt/benchmarks/corpus"

// Names of contests, by their files.
const (
	AllFiles     = "all files"
	SmallFiles   = "files of at most 600 bytes"
	TypicalFiles = "files of 0.8 to 1.25 KB"
)

// Set is a named corpus. The name is "" if there is only one.
type Set struct {
	Name string
	*corpus.Corpus
}

// Named returns the name of a contest with files of this set.
func (s Set) Named(contest string) string {
	if s.Name == "" {
		return contest
	}
	return s.Name + ": " + contest
}

// Experiments returns all experiments that measure time, in the order of the
// results.
func (d Drivers) Experiments(sets []Set, seed uint64) []Experiment {
	experiments := []Experiment{
		{
			Name: "Parse", Title: "Parse", Unit: "file",
			About: "Every file is read into the peer's parsed form, which is then dropped.",
		},
		{
			Name: "OneShot", Title: "One shot", Unit: "file",
			About: "Every file is read to answer one query; nothing is kept.",
		},
		{
			Name: "First", Title: "The first query", Unit: "file",
			About: "Every file is read into the parsed form, the rules of an agent are found, and one query is answered from them.",
		},
		{
			Name: "Match", Title: "Match", Unit: "match",
			About: "Up to 200 files of 0.8 to 1.25 KB that every peer can parse, parsed once, agent resolved once, 100 paths each: " +
				"half are typical of any site, half are made from the file's rules.",
		},
		d.Literals(),
		d.Wildcards(),
		d.ShopWildcards(),
		Growth(),
		Index(sets),
		d.Agents(),
		d.WorstRules(),
		d.HostileMatches(),
		d.HostileOneShots(),
		d.HostileParses(),
		{
			Name: "Bulk", Title: "Bulk", Unit: "file",
			About: "All files, each a gzip member in memory: unpacked with compress/gzip into a buffer that is reused, parsed, " +
				"and queried for 10 paths.",
		},
	}
	add := func(name string, contests ...Contest) {
		for i := range experiments {
			if experiments[i].Name == name {
				experiments[i].Contests = append(experiments[i].Contests, contests...)
			}
		}
	}
	for _, s := range sets {
		typical := ParsedByAll(s.Typical(seed))
		add("Parse", d.Parse(s.Named(AllFiles), s.Corpus), d.Parse(s.Named(SmallFiles), s.Small()),
			d.Parse(s.Named(TypicalFiles), typical))
		add("OneShot", d.OneShot(s.Named(AllFiles), s.Corpus), d.OneShot(s.Named(TypicalFiles), typical))
		add("First", d.First(s.Named(AllFiles), s.Corpus))
		add("Match", d.Match(s.Named(TypicalFiles), typical.Files))
		add("Bulk", Bulk(s)...)
	}
	return experiments
}
