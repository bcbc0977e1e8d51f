package main

import (
	"fmt"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// parseExtra adds what peers refuse, and the share of the line scan.
func (r *report) parseExtra() error {
	fmt.Fprintf(&r.body, "## Files that a peer cannot parse\n\nOf all %d files. A panic is caught, counted, and takes part in the times above.\n\n", len(r.corpus.Files))
	r.header([]string{"", "panics", "errors"})
	for _, p := range peers.All() {
		refused := benchmarks.Refused(p, r.corpus)
		r.row([]string{name(p.Name), fmt.Sprint(refused.Panics), fmt.Sprint(refused.Errors)})
	}
	r.body.WriteString("\n## Share of the line scan\n\nHow fast this project reads all files, as a share of a search for the end of each line: " +
		"the ceiling for whatever reads line by line.\n\n")
	r.header([]string{"", "share"})
	share := func(what string, s benchmarks.Spread) { r.row([]string{what, ratioText(s)}) }
	if scan, err := r.scanShare(); err != nil {
		r.row([]string{"scanner alone", "not measured: " + err.Error()})
	} else {
		r.share = &scan
		share("scanner alone, `BenchmarkCorpus/Scan` of the root package", scan)
	}
	parse, oneShot := r.results["Parse"][0], r.results["OneShot"][0]
	share("`Lines`", parse.Ratio(benchmarks.LineScan, benchmarks.Lines))
	share("one shot", oneShot.Ratio(benchmarks.LineScan, peers.Ours))
	share("`Parse`", parse.Ratio(benchmarks.LineScan, peers.Ours))
	return r.throughputChart()
}

// matchExtra adds how often peers answer otherwise.
func (r *report) matchExtra() error {
	r.body.WriteString("## Other answers\n\nVerdicts unlike those of this project, which are those of Google's parser (see [conformance.md](conformance.md)), " +
		"on 10 paths for each file of the corpus that the peer can parse. Speed is worth little where the answer differs.\n\n")
	r.header([]string{"", "unlike", "of", "share"})
	for _, p := range peers.All()[1:] {
		unlike, asked := benchmarks.Unlike(p, r.corpus)
		r.row([]string{p.Name, fmt.Sprint(unlike), fmt.Sprint(asked), fmt.Sprintf("%.2f %%", 100*float64(unlike)/float64(asked))})
	}
	return nil
}

// memory is a page of its own kind: nothing is timed.
func (r *report) memory() error {
	rows, size := benchmarks.Memory(r.corpus)
	r.kept = rows
	r.body.WriteString("All files are parsed and kept. What the heap has grown by, after garbage is collected, is divided by the number of files, " +
		"and by the size of their text.\n\n")
	r.header([]string{"", "B/file", "of the text", ""})
	for _, k := range rows {
		r.row([]string{name(k.Name), number(k.PerFile), number(k.OfSource), k.Note})
	}
	files := float64(len(r.corpus.Files))
	fmt.Fprintf(&r.body, "\nThe text has %s B/file on average. `Robots.Size` gives %s B/file; it counts an index that is yet to be made.\n",
		number(float64(r.corpus.Size)/files), number(float64(size)/files))
	return nil
}
