package main

import (
	"cmp"
	"flag"
	"path"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
)

// options are from the command line. Workers receive them with the pipeline.
type options struct {
	Inputs []argument
	Tables string // the folder of the tables
	Agents string // the list of --agent; empty for the default crawlers
	By     audit.By
	Policy fetch.Policy
	Exact  bool
	Lint   bool
	Bodies bool

	keepGoing, incomplete bool
}

// argument is [LABEL=]PATTERN.
type argument struct{ Label, Pattern string }

func (o *options) define(flags *flag.FlagSet) {
	flags.StringVar(&o.Tables, "tables", "", "write the tables and counts to `FOLDER`, which has no tables yet; gs://BUCKET/FOLDER and s3://BUCKET/FOLDER are possible")
	flags.StringVar(&o.Agents, "agent", "", "audit for the crawlers `TOKEN[:FALLBACK...],...` (default: those of robots audit)")
	flags.StringVar((*string)(&o.By), "by", string(audit.ByHost), "count `WHAT`: host, origin or domain")
	flags.TextVar(&o.Policy, "policy", fetch.GooglePolicy, "read HTTP statuses by `POLICY`, see robots policy")
	flags.BoolVar(&o.Exact, "exact", true, "search for a proof where it is not obvious how much of a site is open")
	flags.BoolVar(&o.Lint, "lint", false, "count the problems of each file")
	flags.BoolVar(&o.Bodies, "bodies", false, "write the files themselves to tables, too")
	flags.BoolVar(&o.keepGoing, "keep_going", false, "exit with 0 if records are damaged")
	flags.BoolVar(&o.incomplete, "allow_incomplete", false, "exit with 0 if an input ends early or cannot be read to its end")
}

// settle checks the options, and reads the arguments.
func (o *options) settle(arguments []string) error {
	switch {
	case o.Tables == "":
		return term.Errorf("--tables is missing").Hint("name a folder that all workers can write to")
	case len(arguments) == 0:
		return term.Errorf("there is nothing to audit").Hint("name archives: beam --tables FOLDER 'gs://bucket/*.warc.gz'")
	case o.By != audit.ByHost && o.By != audit.ByOrigin && o.By != audit.ByDomain:
		return term.Errorf("--by %s is not known", o.By).Hint("choose host, origin or domain")
	}
	labelled := 0
	o.Inputs = nil
	for _, text := range arguments {
		label, pattern := audit.Labelled(text)
		if label != "" {
			labelled++
		}
		o.Inputs = append(o.Inputs, argument{label, pattern})
	}
	if labelled > 0 && labelled < len(o.Inputs) {
		return term.Errorf("some inputs have a label, and others have none: which crawl are they?").Hint("give each input a label, or none")
	}
	_, err := o.questions()
	return err
}

// questions returns the questions that are answered about each file.
func (o *options) questions() (q audit.Questions, err error) {
	q = audit.Questions{Crawlers: audit.DefaultCrawlers(), Policy: o.Policy, Exact: o.Exact, Lint: o.Lint, Bodies: o.Bodies}
	if o.Agents != "" {
		q.Crawlers, err = answer.ParseCrawlers(o.Agents)
	}
	return q, err
}

// in returns the name of a file in the folder of the tables.
func (o *options) in(names ...string) string {
	folder := strings.TrimRight(o.Tables, "/")
	return cmp.Or(folder, "/") + "/" + path.Join(names...)
}

// label returns the position of a label on the command line.
func (o *options) label(label string) int {
	for i, input := range o.Inputs {
		if input.Label == label {
			return i
		}
	}
	return len(o.Inputs)
}
