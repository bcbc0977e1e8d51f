// Command report measures this project and its peers in turns, and writes
// results/: a page for each subject, and a chart.
//
//	go run ./report -corpus FOLDER -half closing
//
// Run it in the folder of this module, on an otherwise idle machine of at least
// two cores. It takes some ten minutes. It measures real files and generated ones.
// ROBOTSTXT_GOOGLE and ROBOTSTXT_FAST name checkouts of parsers in other languages,
// which are left out otherwise. With -only, it measures and writes only the named
// pages.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// page is one file in results/ with its experiments.
type page struct {
	name        string
	title       string
	experiments []string
	extra       func(*report) error // writes sections that are not contests
}

var pages = []page{
	{"parse", "Parse and one shot", []string{"Parse", "OneShot"}, (*report).refused},
	{"match", "Match and agents", []string{"First", "Match", "Agents", "Index"}, (*report).verdicts},
	{"growth", "Growth with the number of rules", []string{"Literals", "Wildcards", "ShopWildcards", "Growth"}, (*report).growthChart},
	{"worst", "Worst case", []string{"WorstRule", "HostileMatch", "HostileOneShot", "HostileParse"}, (*report).hostile},
	{"memory", "Memory", nil, (*report).memory},
	{"bulk", "Bulk", []string{"Bulk"}, nil},
	{"conformance", "", nil, (*report).conformance},
}

// report is one run of the program.
type report struct {
	sets        []benchmarks.Set // the generated files last
	drivers     benchmarks.Drivers
	experiments []benchmarks.Experiment
	command     string
	out         string // folder
	pace        benchmarks.Pace
	results     map[string][]*benchmarks.Result // by experiment
	body        strings.Builder                 // of the current page
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run() error {
	folder := flag.String("corpus", os.Getenv("ROBOTSTXT_CORPUS"), "folder of robots.txt files, *.txt; without, only generated files are measured")
	seed := flag.Uint64("seed", corpus.DefaultSeed, "of generated files and of paths")
	rounds := flag.Int("rounds", 12, "in which peers take turns, at least 3")
	only := flag.String("only", "", "pages to measure, separated by commas; all if empty")
	out := flag.String("out", "results", "folder to write to")
	half := corpus.Work
	flag.Var(&half, "half", "of the folder: work, closing (for published figures) or all")
	flag.Parse()
	if *rounds < 3 || flag.NArg() > 0 {
		return errors.New("want at least 3 rounds, and no arguments")
	}
	r := &report{
		out: *out, command: "go run ./report",
		pace:    benchmarks.Pace{Rounds: *rounds, Slice: 50 * time.Millisecond, Budget: 3 * time.Second},
		results: map[string][]*benchmarks.Result{},
	}
	if *folder != "" {
		c, err := corpus.Load(*folder, half, *seed)
		if err != nil {
			return err
		}
		r.sets = append(r.sets, benchmarks.Set{Name: "folder", Corpus: c})
		r.command += " -corpus FOLDER -half " + half.String()
	}
	r.sets = append(r.sets, benchmarks.Set{Name: "generated", Corpus: corpus.Generated(*seed)})
	drivers, err := benchmarks.StartDrivers(context.Background())
	if err != nil {
		return err
	}
	defer drivers.Close()
	r.drivers = drivers
	r.experiments = drivers.Experiments(r.sets, *seed)
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	for _, p := range chosen {
		if err := r.page(p); err != nil {
			return fmt.Errorf("page %s: %w", p.name, err)
		}
	}
	return nil
}

func choose(only string) (chosen []page, err error) {
	if only == "" {
		return pages, nil
	}
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(pages, func(p page) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no page %q", name)
		}
		chosen = append(chosen, pages[i])
	}
	return chosen, nil
}

func (r *report) page(p page) error {
	start := time.Now()
	r.body.Reset()
	for _, e := range r.experiments {
		if !slices.Contains(p.experiments, e.Name) {
			continue
		}
		fmt.Fprintln(os.Stderr, e.Name)
		if e.Matrix {
			r.results[e.Name] = benchmarks.RunTogether(e.Contests, r.pace)
		} else {
			for _, contest := range e.Contests {
				r.results[e.Name] = append(r.results[e.Name], contest.Run(r.pace))
			}
		}
		r.experiment(e)
	}
	if p.extra != nil {
		if err := p.extra(r); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "%s took %s\n", p.name, time.Since(start).Round(time.Second))
	if p.title == "" {
		return nil // extra has written the page
	}
	return r.write(p.name+".md", "# "+p.title+"\n\n"+r.head(" -only "+p.name)+r.body.String())
}

func (r *report) write(name, text string) error {
	return os.WriteFile(filepath.Join(r.out, name), []byte(text), 0o644)
}
