package main

import (
	"fmt"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// result returns that of a contest; it must have been measured.
func (r *report) result(experiment, contest string) *benchmarks.Result {
	for _, result := range r.results[experiment] {
		if result.Contest.Name == contest {
			return result
		}
	}
	panic("no contest " + experiment + ", " + contest)
}

// parseExtra adds what peers refuse, and the share of the line scan.
func (r *report) parseExtra() error {
	first := r.sets[0]
	fmt.Fprintf(&r.body, "## Files that a peer cannot parse\n\nOf the %d files of the set `%s`. A panic is caught, counted, and takes part in the times above.\n\n", len(first.Files), first.Name)
	r.header([]string{"", "panics", "errors"})
	for _, p := range peers.All() {
		refused := benchmarks.Refused(p, first.Corpus)
		r.row([]string{name(p.Name), fmt.Sprint(refused.Panics), fmt.Sprint(refused.Errors)})
	}
	r.body.WriteString("\n## Share of the line scan\n\nHow fast this project reads all files, as a share of a search for the end of each line: " +
		"the limit for a parser that reads line by line. The scanner is an internal loop; `Lines`, `Parse` and the one-shot call are what a program calls.\n\n")
	r.header([]string{"", "share"})
	share := func(what string, s benchmarks.Spread) { r.row([]string{what, ratioText(s)}) }
	if scan, err := r.scanShare(); err != nil {
		r.row([]string{"scanner alone", "not measured: " + err.Error()})
	} else {
		r.share = &scan
		share(first.Name+": scanner alone, `BenchmarkCorpus/Scan` of the root package", scan)
	}
	for _, s := range r.sets {
		parse, oneShot := r.result("Parse", s.Named(benchmarks.AllFiles)), r.result("OneShot", s.Named(benchmarks.AllFiles))
		share(s.Named("`Lines`"), parse.Ratio(benchmarks.LineScan, benchmarks.Lines))
		share(s.Named("one shot"), oneShot.Ratio(benchmarks.LineScan, peers.Ours))
		share(s.Named("`Parse`"), parse.Ratio(benchmarks.LineScan, peers.Ours))
	}
	return r.throughputChart()
}

// matchExtra adds how often peers answer otherwise.
func (r *report) matchExtra() error {
	fmt.Fprintf(&r.body, "## Other answers\n\nVerdicts unlike those of this project, on 10 paths for each file of the set `%s` that the peer can parse. "+
		"Speed is worth little where the answer differs from that of Google's parser (see [conformance.md](conformance.md)).\n\n", r.sets[0].Name)
	r.header([]string{"", "unlike", "of", "share"})
	row := func(name string, unlike, asked int) {
		r.unlike[name] = unlike
		r.row([]string{name, fmt.Sprint(unlike), fmt.Sprint(asked), fmt.Sprintf("%.2f %%", 100*float64(unlike)/float64(asked))})
	}
	for _, p := range peers.All()[1:] {
		unlike, asked := benchmarks.Unlike(p, r.sets[0].Corpus)
		row(p.Name, unlike, asked)
	}
	for _, p := range r.drivers {
		unlike, asked, err := benchmarks.UnlikeDriver(p, r.sets[0].Corpus)
		if err != nil {
			return err
		}
		row(p.Name, unlike, asked)
	}
	return nil
}

// worstExtra explains the files, and draws the chart.
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

// memory is a page of its own kind: nothing is timed.
func (r *report) memory() error {
	r.body.WriteString("All files are parsed and kept. What the heap has grown by, after garbage is collected, is divided by the number of files, " +
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
		fmt.Fprintf(&r.body, "\nThe text has %s B/file on average. `Robots.Size` gives %s B/file; it counts an index that is yet to be made.\n\n",
			number(float64(s.Size)/files), number(float64(size)/files))
	}
	return nil
}
