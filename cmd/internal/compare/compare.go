// Package compare finds the changes between two robots.txt files: for which crawlers,
// by which lines, with a path for each, and for which given URLs. It returns structs of
// package wire and prints nothing. Package semdiff makes the proofs.
package compare

import (
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Question has two files and the crawlers for which to compare them.
type Question struct {
	// Old and New are the files, which may have different dialects. For a site without
	// a file use an empty one.
	Old, New *robotstxt.Robots

	// Crawlers are the crawlers to compare. nil means those of Crawlers(Old, New).
	Crawlers []answer.Crawler

	// Steps is the budget, see semdiff.Config. 0 means its default.
	Steps int
}

// Row has the changes for some crawlers.
type Row struct {
	Agents        []string // their names
	Effect        semdiff.Effect
	Opens, Closes int               // how many of Changes open and close paths
	Changes       []wire.PathChange // pairs of deciding lines, in their order
	Complete      bool              // Changes has all pairs
	Tried         string            // why the row is undecided or incomplete
}

// Result has all changes.
type Result struct {
	// Comparison is complete except for the names of the files, which the caller sets.
	wire.Comparison

	// Rows are the same changes by crawlers. Each crawler is in one row.
	Rows []Row

	question  Question
	differing []differing
}

// Run compares the files. The error is that of ctx.
func Run(ctx context.Context, q Question) (*Result, error) {
	if q.Crawlers == nil {
		q.Crawlers = Crawlers(q.Old, q.New)
	}
	config := semdiff.Config{Steps: q.Steps, Only: true}
	names := make(map[string]string) // by crawler
	r := &Result{question: Question{Old: q.Old, New: q.New}}
	r.Dialects = []robotstxt.Dialect{q.Old.Dialect(), q.New.Dialect()}
	r.Agents = []string{}
	for _, crawler := range q.Crawlers {
		key := searched(crawler).String()
		if names[key] != "" {
			continue
		}
		names[key] = crawler.Name
		r.question.Crawlers = append(r.question.Crawlers, crawler)
		r.Agents = append(r.Agents, crawler.Name)
		config.Crawlers = append(config.Crawlers, searched(crawler))
	}
	report, err := semdiff.Compare(ctx, q.Old, q.New, config)
	if err != nil {
		return nil, err
	}
	r.fill(report, names)
	return r, nil
}

// fill adds the rows of a report about the crawlers with names.
func (r *Result) fill(report *semdiff.Report, names map[string]string) {
	r.Equal, r.Complete = true, true
	r.Changes, r.UndecidedAgents, r.Flips = []wire.PathChange{}, []string{}, []wire.Flip{}
	for _, row := range report.Rows {
		if agents := named(row.Crawlers, names); len(agents) > 0 {
			r.add(&row, agents)
		}
	}
	r.Other = []wire.OtherDifference{}
	for _, d := range report.Other {
		agents := named(d.Crawlers, names)
		if len(agents) > 0 || len(d.Crawlers) == 0 {
			r.Other = append(r.Other, wire.OtherDifference{Kind: d.Kind, Agents: agents,
				Old: append([]string{}, d.Old...), New: append([]string{}, d.New...)})
		}
	}
}

func (r *Result) add(row *semdiff.Row, agents []string) {
	own := Row{Agents: agents, Effect: row.Effect, Complete: row.Complete, Tried: row.Tried}
	for _, c := range row.Changes {
		change := wire.PathChange{Agents: agents, Effect: effectOf(c.Opens), OldLine: c.OldLine, NewLine: c.NewLine, Witness: c.Witness}
		own.Changes = append(own.Changes, change)
		if c.Opens {
			own.Opens++
		} else {
			own.Closes++
		}
	}
	r.Rows = append(r.Rows, own)
	r.Changes = append(r.Changes, own.Changes...)
	r.Equal = r.Equal && row.Effect == semdiff.Equal
	r.Complete = r.Complete && row.Complete
	if row.Effect == semdiff.Undecided {
		r.Undecided = true
		r.UndecidedAgents = append(r.UndecidedAgents, agents...)
	}
	if row.Effect != semdiff.Equal {
		r.watch(agents)
	}
	if r.Tried == "" {
		r.Tried = row.Tried
	}
}

// named returns the names of the crawlers that have one.
func named(crawlers []semdiff.Crawler, names map[string]string) (agents []string) {
	agents = []string{}
	for _, crawler := range crawlers {
		if name := names[crawler.String()]; name != "" && !slices.Contains(agents, name) {
			agents = append(agents, name)
		}
	}
	return agents
}

func effectOf(opens bool) wire.ChangeEffect {
	if opens {
		return wire.Opens
	}
	return wire.Closes
}

// Does reports whether paths open, or close, for a crawler.
func (r *Result) Does(effect wire.ChangeEffect) bool {
	one := map[wire.ChangeEffect]semdiff.Effect{wire.Opens: semdiff.Opens, wire.Closes: semdiff.Closes}[effect]
	return slices.ContainsFunc(r.Rows, func(row Row) bool {
		return row.Effect == one || row.Effect == semdiff.Both ||
			slices.ContainsFunc(row.Changes, func(c wire.PathChange) bool { return c.Effect == effect })
	})
}
