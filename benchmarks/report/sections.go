package main

import (
	"fmt"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// refused adds the files that peers cannot parse.
func (r *report) refused() error {
	first := r.sets[0]
	fmt.Fprintf(&r.body, "## Files that a peer cannot parse\n\nOf the %d files of the set `%s`. Panics are caught and counted; the times above include them.\n\n", len(first.Files), first.Name)
	r.header([]string{"", "panics", "errors"})
	for _, p := range peers.All() {
		refused := benchmarks.Refused(p, first.Corpus)
		r.row([]string{name(p.Name), fmt.Sprint(refused.Panics), fmt.Sprint(refused.Errors)})
	}
	return nil
}

// verdicts adds how often the verdicts of peers differ.
func (r *report) verdicts() error {
	fmt.Fprintf(&r.body, "## Different verdicts\n\nVerdicts that differ from those of this project, for 10 paths of each file of the set `%s` that the peer can parse. "+
		"[conformance.md](conformance.md) shows in which clauses a peer differs from Google's parser.\n\n", r.sets[0].Name)
	r.header([]string{"", "different", "of", "share"})
	row := func(name string, unlike, total int) {
		r.row([]string{name, fmt.Sprint(unlike), fmt.Sprint(total), fmt.Sprintf("%.2f%%", 100*float64(unlike)/float64(total))})
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

// hostile explains the hostile files.
func (r *report) hostile() error {
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
	return nil
}

// memory writes the page about the size of parsed files, which has no contests.
func (r *report) memory() error {
	r.body.WriteString("All files are parsed and kept. The growth of the heap, after garbage collection, is divided by the number of files, " +
		"and by the size of their text.\n\n")
	for _, s := range r.sets {
		rows, size := benchmarks.Memory(s.Corpus)
		fmt.Fprintf(&r.body, "## %s\n\n", sentence(s.Named(benchmarks.AllFiles)))
		r.header([]string{"", "B/file", "of the text", ""})
		for _, k := range rows {
			r.row([]string{name(k.Name), number(k.PerFile), number(k.OfSource), k.Note})
		}
		files := float64(len(s.Files))
		fmt.Fprintf(&r.body, "\nThe text has %s B/file on average. `Robots.Size` returns %s B/file; it includes the index even if none is made yet.\n\n",
			number(float64(s.Size())/files), number(float64(size)/files))
	}
	return nil
}
