// Command load measures "robots serve" on loopback: requests and streams about sites whose
// files the service knows, fetches from others, and honest clients during attacks. Every
// answer to an honest client is compared with the file of its site.
//
//	go run ./load
//	go run ./load -only requests,streams -rounds 5 -length 10s -out results/load.md
//	go run ./load -only attacks -sample
//	go run ./load -only attacks -attack bombs -robots OLD -out old.md
//	go run ./load -only attacks -attack bombs -before old.md
//
// Attacks use addresses in 127.0.0.0/8 as clients and sites, on Linux only. The program fails
// if one of them takes more memory than the unit of the service permits, or if an honest
// request fails. A tool without these bounds can take all memory: limit it with ulimit -v.
//
// Run it in the folder of this module, on an otherwise idle machine. It builds the tool,
// starts it, and starts the sites. The generator shares its processors with the service, so
// each table has the processor time of both. Processor time and memory are measured on Linux
// only.
//
// The latency of a request at a fixed rate begins at the time at which it should have been
// sent, whether or not the generator could send it then.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// parts are the parts of a run.
var parts = []struct {
	name string
	run  func(*run) error
}{
	{"requests", (*run).requests},
	{"streams", (*run).streams},
	{"fetches", (*run).fetches},
	{"attacks", (*run).attacks},
}

// run is one run of the program.
type run struct {
	out         io.Writer
	program     string
	procs       int
	rounds      int
	length      time.Duration
	rate        float64
	connections int
	attackName  string
	sample      bool          // of the attacks
	patience    time.Duration // for answers to honest clients
	retries     int           // of honest requests that are refused or fail
	before      string        // results of an older tool: of its attacks; "" for none
	flags       []string      // of the service
	sites       []*site
	part        string   // that is measured
	bad         []string // results that were not right
}

func main() {
	run := start
	if len(os.Args) > 1 && os.Args[1] == crowdCommand {
		run = func() error { return crowd(os.Args[2:]) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func start() error {
	r := &run{patience: 10 * time.Second}
	only := flag.String("only", "", "parts to measure, separated by commas: requests, streams, fetches, attacks; all if empty")
	out := flag.String("out", "", "file that gets the tables; standard output in any case")
	flag.IntVar(&r.rounds, "rounds", 5, "of each measurement")
	flag.DurationVar(&r.length, "length", 10*time.Second, "of each round")
	flag.Float64Var(&r.rate, "rate", 30_000, "requests a second at the fixed rate")
	flag.IntVar(&r.connections, "connections", 64, "of requests")
	flag.IntVar(&r.procs, "procs", runtime.NumCPU(), "GOMAXPROCS of the service and of the generator")
	flag.StringVar(&r.attackName, "attack", "", "the attacks to measure, a part of their names; all if empty")
	flag.BoolVar(&r.sample, "sample", false, "measure a sample of the attacks")
	before := flag.String("before", "", "file with the tables of an older tool, whose attacks are repeated in the results")
	flag.Func("flags", "more flags of the service, separated by blanks", func(text string) error {
		r.flags = strings.Fields(text)
		return nil
	})
	flag.StringVar(&r.program, "robots", "", "the tool; built if empty")
	flag.Parse()
	if flag.NArg() > 0 || r.rounds < 1 || r.length < time.Second || r.connections < 1 || r.procs < 1 {
		return errors.New("want positive numbers, a length of a second or more, and no arguments")
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	context.AfterFunc(ctx, cancel) // another interrupt ends the program at once
	folder, err := os.MkdirTemp("", "load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if r.program == "" {
		if r.program, err = buildTool(ctx, folder); err != nil {
			return err
		}
	}
	if *before != "" {
		text, err := os.ReadFile(*before)
		if err != nil {
			return err
		}
		r.before = string(text)
	}
	r.out = os.Stdout
	if *out != "" {
		file, err := os.Create(*out)
		if err != nil {
			return err
		}
		defer file.Close()
		r.out = io.MultiWriter(os.Stdout, file)
	}
	runtime.GOMAXPROCS(r.procs)
	if r.sites, err = startSites(64); err != nil {
		return err
	}
	return r.all(ctx, *only)
}

// all runs the parts that are named in only.
func (r *run) all(ctx context.Context, only string) error {
	names := strings.Split(only, ",")
	r.head()
	done := 0
	for _, part := range parts {
		if only != "" && !slices.Contains(names, part.name) {
			continue
		}
		done++
		r.part = part.name
		if err := part.run(r); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if only != "" && done != len(names) {
		return fmt.Errorf("-only %s: want requests, streams, fetches, attacks", only)
	}
	if len(r.bad) > 0 {
		return fmt.Errorf("some answers were not right:\n%s", strings.Join(r.bad, "\n"))
	}
	return nil
}

// head prints what the figures depend on.
func (r *run) head() {
	r.print("# Load\n\n| measured | |\n|---|---|\n")
	r.print("| command, in `benchmarks/` | `%s` |\n", strings.Join(append([]string{"go run ./load"}, os.Args[1:]...), " "))
	r.print("| date | %s |\n| this project | %s |\n", time.Now().Format(time.DateOnly), machine.Commit())
	r.print("| machine | %s |\n", machine.Name())
	r.print("| Go | %s, GOMAXPROCS=%d for the service and for the generator, on the same cores |\n", runtime.Version(), r.procs)
	r.print("| rounds | %d of %v; figures are medians, with the least and the greatest |\n", r.rounds, r.length)
	r.print("| load average at the start | %s |\n\n", machine.LoadAverage())
}

func (r *run) print(format string, values ...any) { fmt.Fprintf(r.out, format, values...) }

// note prints what a person who waits wants to know.
func note(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }
