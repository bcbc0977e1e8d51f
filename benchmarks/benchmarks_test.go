package benchmarks_test

import (
	"flag"
	"os"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

var (
	folder = flag.String("corpus", os.Getenv("ROBOTSTXT_CORPUS"), "folder of robots.txt files, *.txt; generated if empty")
	seed   = flag.Uint64("seed", corpus.DefaultSeed, "of generated files and of paths")
)

// load returns the generated files, or the half of the folder to work with.
func load(t testing.TB) *corpus.Corpus {
	t.Helper()
	if *folder == "" {
		return corpus.Generated(*seed)
	}
	c, err := corpus.Load(*folder, corpus.Work, *seed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each experiment is a benchmark of its own: BenchmarkParse/all_files/temoto.

func BenchmarkParse(b *testing.B)          { run(b, "Parse") }
func BenchmarkOneShot(b *testing.B)        { run(b, "OneShot") }
func BenchmarkFirst(b *testing.B)          { run(b, "First") }
func BenchmarkMatch(b *testing.B)          { run(b, "Match") }
func BenchmarkLiterals(b *testing.B)       { run(b, "Literals") }
func BenchmarkWildcards(b *testing.B)      { run(b, "Wildcards") }
func BenchmarkGrowth(b *testing.B)         { run(b, "Growth") }
func BenchmarkIndex(b *testing.B)          { run(b, "Index") }
func BenchmarkAgents(b *testing.B)         { run(b, "Agents") }
func BenchmarkWorstRule(b *testing.B)      { run(b, "WorstRule") }
func BenchmarkHostileMatch(b *testing.B)   { run(b, "HostileMatch") }
func BenchmarkHostileOneShot(b *testing.B) { run(b, "HostileOneShot") }
func BenchmarkHostileParse(b *testing.B)   { run(b, "HostileParse") }
func BenchmarkBulk(b *testing.B)           { run(b, "Bulk") }

func run(b *testing.B, name string) {
	for _, e := range benchmarks.Drivers(nil).Experiments([]benchmarks.Set{{Corpus: load(b)}}, *seed) {
		if e.Name != name {
			continue
		}
		for _, contest := range e.Contests {
			for _, entry := range contest.Entries {
				b.Run(contest.Name+"/"+entry.Name, func(b *testing.B) { runEntry(b, &contest, &entry, e.Unit) })
			}
		}
	}
}

func runEntry(b *testing.B, contest *benchmarks.Contest, entry *benchmarks.Entry, unit string) {
	if entry.Timed != nil {
		took := entry.Timed()(b.N)
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/op") // of its own measuring
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N*contest.Ops), "ns/"+unit)
		return
	}
	work := entry.Start()
	if entry.Renew != nil {
		entry.Renew()
	}
	work() // the first go is slower than the others
	b.SetBytes(int64(contest.Bytes))
	b.ReportAllocs()
	for b.Loop() {
		if entry.Renew != nil {
			b.StopTimer()
			entry.Renew()
			b.StartTimer()
		}
		work()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*contest.Ops), "ns/"+unit)
}

// BenchmarkMemory reports what each parsed file keeps; its times mean nothing.
func BenchmarkMemory(b *testing.B) {
	c := load(b)
	for b.Loop() {
		rows, size := benchmarks.Memory(c)
		for _, row := range rows {
			b.ReportMetric(row.PerFile, "B-"+row.Name+"/file")
		}
		b.ReportMetric(float64(size)/float64(len(c.Files)), "B-Robots.Size/file")
	}
}
