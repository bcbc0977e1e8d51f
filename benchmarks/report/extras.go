package main

import (
	"fmt"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// result returns the result of a contest. It panics if the contest was not
// measured.
func (r *report) result(experiment, contest string) *benchmarks.Result {
	for _, result := range r.results[experiment] {
		if result.Contest.Name == contest {
			return result
		}
	}
	panic("no contest " + experiment + ", " + contest)
}

// parseExtra adds the files that peers cannot parse, and the share of the line
// scan.
func (r *report) parseExtra() error {
	first := r.sets[0]
	fmt.Fprintf(&r.body, "## Files that a peer cannot parse\n\nOf the %d files of the set `%s`. Panics are caught and counted; the times above include them.\n\n", len(first.Files), first.Name)
	r.header([]string{"", "panics", "errors"})
	for _, p := range peers.All() {
		refused := benchmarks.Refused(p, first.Corpus)
		r.row([]string{name(p.Name), fmt.Sprint(refused.Panics), fmt.Sprint(refused.Errors)})
	}
	r.body.WriteString("\n## Share of the line scan\n\nThe speed of this project with all files, divided by the speed of a search for the end of each line, which no parser " +
		"that reads line by line can exceed. Programs call `Lines`, `Parse` or the one-shot call; the scanner is the internal loop of all three.\n\n")
	r.header([]string{"", "share"})
	share := func(what string, s benchmarks.Spread) { r.row([]string{what, ratioText(s)}) }
	if scan, err := r.scanShare(); err != nil {
		r.row([]string{"only the scanner", "not measured: " + err.Error()})
	} else {
		r.share = &scan
		share(first.Name+": only the scanner, `BenchmarkCorpus/Scan` of the root package", scan)
	}
	for _, s := range r.sets {
		parse, oneShot := r.result("Parse", s.Named(benchmarks.AllFiles)), r.result("OneShot", s.Named(benchmarks.AllFiles))
		share(s.Named("`Lines`"), parse.Ratio(benchmarks.LineScan, benchmarks.Lines))
		share(s.Named("one shot"), oneShot.Ratio(benchmarks.LineScan, peers.Ours))
		share(s.Named("`Parse`"), parse.Ratio(benchmarks.LineScan, peers.Ours))
	}
	return r.throughputChart()
}

// matchExtra adds how often the verdicts of peers differ.
func (r *report) matchExtra() error {
	fmt.Fprintf(&r.body, "## Different verdicts\n\nVerdicts that differ from those of this project, for 10 paths of each file of the set `%s` that the peer can parse. "+
		"[conformance.md](conformance.md) shows in which clauses a peer differs from Google's parser.\n\n", r.sets[0].Name)
	r.header([]string{"", "different", "of", "share"})
	row := func(name string, unlike, total int) {
		r.unlike[name] = unlike
		r.row([]string{name, fmt.Sprint(unlike), fmt.Sprint(total), fmt.Sprintf("%.2f %%", 100*float64(unlike)/float64(total))})
	}
	for _, p := range peers.All()[1:] {
		unlike, total := benchmarks.Unlike(p, r.sets[0].Corpus)
		row(p.Name, unlike, total)
	}
	for _, p := range r.drivers {
		unlike, total, err := benchmarks.UnlikeDriver(p, r.sets[0].Corpus)
		if err != nil {
			return err
		}
		row(p.Name, unlike, total)
	}
	return nil
}

// worstExtra explains the hostile files and draws the chart.
func (r *report) worstExtra() error {
	explain := func(title string, list []corpus.Hostile) {
		fmt.Fprintf(&r.body, "## %s\n\n", title)
		r.row([]string{"name", "what it contains", "why it takes long"})
		r.body.WriteString("|---|---|---|\n")
		for _, h := range list {
			r.row([]string{h.Name, h.What, h.Why})
		}
		r.body.WriteString("\n")
	}
	explain("The hostile files with a path", corpus.HostileMatches())
	explain("The hostile files that are parsed", corpus.HostileParses())
	return r.worstChart()
}

// memory writes the page about the size of parsed files, which has no contests.
func (r *report) memory() error {
	r.body.WriteString("All files are parsed and kept. The growth of the heap, after garbage collection, is divided by the number of files, " +
		"and by the size of their text.\n\n")
	for _, s := range r.sets {
		rows, size := benchmarks.Memory(s.Corpus)
		r.kept = append(r.kept, rows)
		fmt.Fprintf(&r.body, "## %s\n\n", sentence(s.Named(benchmarks.AllFiles)))
		r.header([]string{"", "B/file", "of the text", ""})
		for _, k := range rows {
			r.row([]string{name(k.Name), number(k.PerFile), number(k.OfSource), k.Note})
		}
		files := float64(len(s.Files))
		fmt.Fprintf(&r.body, "\nThe text has %s B/file on average. `Robots.Size` returns %s B/file; it includes the index even if none is made yet.\n\n",
			number(float64(s.Size)/files), number(float64(size)/files))
	}
	return nil
}
