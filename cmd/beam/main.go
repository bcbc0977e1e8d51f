// Command beam is robots audit as a pipeline of Apache Beam, for crawls that one machine
// cannot read in time:
//
//	beam [flags] [LABEL=]PATTERN...
//
// It turns archives into rows, rows into Parquet tables, and captures into counts. Inputs and
// tables are local or in buckets (gs://, s3://). Without --runner it runs in the process, with
// Beam's Prism. docs/beam.md describes other runners.
//
// Exit status: 0, or 2 if a record is damaged, unless --keep_going is given, or if an input ends
// early or could not be read to its end, unless --allow_incomplete is given.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // the other file systems are in beamx
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func main() {
	o := &options{}
	o.define(flag.CommandLine)
	flag.Parse()
	beam.Init() // a worker ends here
	unread, err := run(context.Background(), o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
	}
	if err != nil || unread {
		os.Exit(2)
	}
}

// run runs the pipeline, and prints what could not be read. unread is true if the options do not
// permit all of that.
func run(ctx context.Context, o *options, arguments []string) (unread bool, err error) {
	if err := o.settle(arguments); err != nil {
		return false, err
	}
	if err := o.isEmpty(ctx); err != nil {
		return false, err
	}
	if err := beamx.Run(ctx, o.pipeline()); err != nil {
		return false, err
	}
	damaged, incomplete, err := o.problems(ctx)
	if err != nil {
		return false, err
	}
	for _, text := range incomplete {
		fmt.Fprintln(os.Stderr, "beam:", term.Escape(text))
	}
	if damaged > 0 {
		fmt.Fprintf(os.Stderr, "beam: %s damaged, see the column detail of the files-*.parquet\n", term.Count(damaged, "record is", "records are"))
	}
	return damaged > 0 && !o.keepGoing || len(incomplete) > 0 && !o.incomplete, nil
}

// isEmpty returns an error if the folder has tables. Tables of two runs would count captures
// twice.
func (o *options) isEmpty(ctx context.Context) error {
	storage, err := filesystem.New(ctx, o.Tables)
	if err != nil {
		return err
	}
	defer storage.Close()
	names, err := storage.List(ctx, o.in("*.parquet"))
	if err == nil && len(names) > 0 {
		err = term.Errorf("%q has tables already", o.Tables).Hint("give --tables another folder")
	}
	return err
}

// pipeline returns the transforms.
func (o *options) pipeline() *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	objects := beam.Reshuffle(s, beam.ParDo(s, &listFn{*o}, beam.Impulse(s)))
	rows, captures, links, ends := beam.ParDo4(s, &readFn{Options: *o}, objects)

	bundles := beam.ParDo(s, &writeFn{Options: *o}, rows)
	beam.ParDo0(s, &commitFn{*o}, beam.Reshuffle(s, bundles)) // reshuffled rows are not written again

	buckets := beam.ParDo(s, &bucketFn{}, captures, beam.SideInput{Input: links})
	tallies := beam.ParDo(s, &countFn{*o}, beam.GroupByKey(s, buckets))
	together(s, &countsFn{*o}, beam.CombinePerKey(s, sumTallies, tallies))
	together(s, &inputsFn{*o}, beam.CombinePerKey(s, sumEnded, ends))
	return p
}

// together sends all values to one worker, because they are few.
func together(s beam.Scope, fn any, keyed beam.PCollection) {
	beam.ParDo0(s, fn, beam.GroupByKey(s, beam.AddFixedKey(s, beam.DropKey(s, keyed))))
}
