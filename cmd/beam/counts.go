package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// tally has the counts of a crawler in some buckets. Without a crawler, it counts sites.
type tally struct {
	Crawl, Crawler, Reading string
	Counts                  []int // sites, the treatments, named, home_closed; of the sites: captures, sites, known
}

func init() {
	register.DoFn3x1[int, func(*capture) bool, func(string, tally), error](&countFn{})
	register.DoFn3x1[context.Context, int, func(*tally) bool, error](&countsFn{})
	register.DoFn3x1[context.Context, int, func(*ended) bool, error](&inputsFn{})
	register.Function2x1(sumTallies)
	register.Emitter2[string, tally]()
	register.Iter1[capture]()
	register.Iter1[tally]()
	register.Iter1[ended]()
}

// countFn counts the sites of a bucket with a separate census, which chooses the capture of
// each site.
type countFn struct{ Options options }

func (f *countFn) ProcessElement(_ int, captures func(*capture) bool, emit func(string, tally)) error {
	q, err := f.Options.questions()
	if err != nil {
		return err
	}
	census := audit.NewCensus(f.Options.By, false)
	census.Policy = f.Options.Policy
	for _, input := range f.Options.Inputs {
		census.Begin(input.Label, q)
	}
	for c := (capture{}); captures(&c); c = (capture{}) {
		census.Crawl(c.Label).Add(&c.File, c.Verdicts, c.Place)
	}
	for _, crawl := range census.Crawls() {
		s := crawl.Count(audit.CountConfig{})
		emit(s.Label+"\x00", tally{Crawl: s.Label, Counts: []int{s.Captures, s.Sites, s.Known}})
		for name, c := range s.Crawlers {
			counts := []int{c.Sum()}
			for _, column := range treatments {
				counts = append(counts, c.Treatments[column.treatment])
			}
			counts = append(counts, c.Matched[robotstxt.MatchedByName], c.HomeClosed)
			emit(s.Label+"\x00"+name, tally{s.Label, name, c.Reading, counts})
		}
	}
	return nil
}

// treatments are columns of counts, with the names that robots audit --format csv has for them.
var treatments = []struct {
	name      string
	treatment audit.Treatment
}{
	{"closed_by_name", audit.ClosedByName}, {"closed_by_star", audit.ClosedByStar}, {"closed_by_status", audit.ClosedByStatus}, {"partly", audit.PartlyClosed},
	{"open", audit.FullyOpen}, {"open_by_status", audit.OpenByStatus}, {"depends", audit.Depends}, {"undecided", audit.Undecided}, {"unnamed", audit.Unnamed},
}

func sumTallies(a, b tally) tally {
	sum := tally{b.Crawl, b.Crawler, b.Reading, slices.Clone(b.Counts)}
	for i, n := range a.Counts {
		sum.Counts[i] += n
	}
	return sum
}

// countsFn writes the counts of crawlers and of crawls.
type countsFn struct{ Options options }

func (f *countsFn) ProcessElement(ctx context.Context, _ int, tallies func(*tally) bool) error {
	all := collect(tallies)
	slices.SortFunc(all, func(a, b tally) int {
		return cmp.Or(cmp.Compare(f.Options.label(a.Crawl), f.Options.label(b.Crawl)), strings.Compare(strings.ToLower(a.Crawler), strings.ToLower(b.Crawler)))
	})
	counts, crawls := [][]string{countColumns()}, [][]string{{"crawl", "captures", "sites", "known"}}
	for _, t := range all {
		if t.Crawler == "" {
			crawls = append(crawls, append([]string{t.Crawl}, texts(t.Counts...)...))
		} else {
			counts = append(counts, append([]string{t.Crawl, t.Crawler, t.Reading}, texts(t.Counts...)...))
		}
	}
	return errors.Join(f.Options.write(ctx, "counts.csv", counts), f.Options.write(ctx, "crawls.csv", crawls))
}

// countColumns are the columns of counts.csv.
func countColumns() []string {
	head := []string{"crawl", "crawler", "reading", "sites"}
	for _, column := range treatments {
		head = append(head, column.name)
	}
	return append(head, "named", "home_closed")
}

// inputsFn writes a table of how much of each input was read.
type inputsFn struct{ Options options }

// inputsName is the file that inputsFn writes.
const inputsName = "inputs.csv"

func (f *inputsFn) ProcessElement(ctx context.Context, _ int, inputs func(*ended) bool) error {
	all := collect(inputs)
	slices.SortFunc(all, func(a, b ended) int { return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Input, b.Input)) })
	table := [][]string{{"crawl", "input", "files", "damaged", "error"}}
	for _, e := range all {
		table = append(table, slices.Concat([]string{e.Crawl, e.Input}, texts(e.Files, e.Damaged), []string{e.Error}))
	}
	return f.Options.write(ctx, inputsName, table)
}

func collect[T any](next func(*T) bool) (all []T) {
	for value := *new(T); next(&value); value = *new(T) {
		all = append(all, value)
	}
	return all
}

func texts(numbers ...int) (texts []string) {
	for _, n := range numbers {
		texts = append(texts, strconv.Itoa(n))
	}
	return texts
}

// write writes a table to the folder of the tables.
func (o *options) write(ctx context.Context, name string, table [][]string) error {
	storage, err := filesystem.New(ctx, o.Tables)
	if err != nil {
		return err
	}
	defer storage.Close()
	to, err := storage.OpenWrite(ctx, o.in(name))
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(to).WriteAll(table), to.Close())
}

// problems returns how many records are damaged, and the errors of inputs that are not complete.
func (o *options) problems(ctx context.Context) (damaged int, incomplete []string, err error) {
	storage, err := filesystem.New(ctx, o.Tables)
	if err != nil {
		return 0, nil, err
	}
	defer storage.Close()
	from, err := storage.OpenRead(ctx, o.in(inputsName))
	if err != nil {
		return 0, nil, err
	}
	defer from.Close()
	table := csv.NewReader(from)
	table.Read() // the names
	for {
		row, err := table.Read()
		if err == io.EOF {
			return damaged, incomplete, nil
		}
		if err != nil {
			return 0, nil, err
		}
		n, err := strconv.Atoi(row[3])
		if damaged += n; err != nil {
			return 0, nil, err
		}
		if row[4] != "" {
			files, _ := strconv.Atoi(row[2])
			incomplete = append(incomplete, (&audit.InputError{Input: row[1], Files: files, Err: errors.New(row[4])}).Error())
		}
	}
}
