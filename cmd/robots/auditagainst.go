package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// checkAgainst checks the tables of an earlier audit before the work begins.
func (a *auditing) checkAgainst() error {
	if a.against == "" && a.againstBodies != "" {
		return term.Errorf("add --against FILE.parquet", "--against-bodies needs the table of crawlers of that audit")
	}
	for flag, name := range map[string]string{"--against": a.against, "--against-bodies": a.againstBodies} {
		if name == "" {
			continue
		}
		if !strings.HasSuffix(strings.ToLower(name), ".parquet") {
			return term.Errorf("write the tables of that audit as Parquet: --crawlers-out old.parquet --bodies bodies.parquet", "%s %q is not a Parquet file", flag, name)
		}
	}
	if a.against == "" {
		return nil
	}
	return audit.CheckCrawlers(a.against)
}

// compare compares the audit with an earlier one; nil without --against.
func (a *auditing) compare(ctx context.Context, q *audit.Questions, parts *audit.Parts) (*audit.Comparison, error) {
	if a.against == "" {
		return nil, nil
	}
	return parts.Compare(ctx, audit.CompareConfig{Old: a.against, OldBodies: a.againstBodies, Purposes: purposesOf, Questions: q})
}

// shownMoved is how many hosts are printed for each direction.
const shownMoved = 10

// printComparison prints what changed since an earlier audit.
func (a *auditing) printComparison(t *term.Terminal, c *audit.Comparison) error {
	out := bufio.NewWriter(t.Out)
	fmt.Fprintf(out, "\nCompared with %s: %s in both audits, %s appeared, %s vanished\n\n", term.Escape(a.against),
		term.Count(c.Hosts, "host", "hosts"), term.Thousands(c.Appeared), term.Thousands(c.Vanished))
	screen, _ := t.Size()
	config := table.Config{Format: table.Text, Screen: screen, Columns: []table.Column{{Name: "crawler", Least: 10}, {Name: "purpose", Least: 6}}}
	for _, name := range []string{"hosts", "less open", "more open", "named now", "no longer named"} {
		config.Columns = append(config.Columns, table.Column{Name: name, Right: true})
	}
	w := table.New(out, config)
	for _, name := range auditreport.ByChange(c) {
		change := c.Crawlers[name]
		w.Cell(name)
		w.Cell(purposeOf(name))
		for _, n := range []int{change.Known, change.Closed(), change.Opened(), change.Named, change.Unnamed} {
			w.Number(n)
		}
		if err := w.End(); err != nil {
			return term.WriteError(err)
		}
	}
	if err := w.Flush(); err != nil {
		return term.WriteError(err)
	}
	printMoved(out, "Less open now", c.Closed)
	printMoved(out, "More open now", c.Opened)
	if c.NoWitnesses != "" && len(c.Closed)+len(c.Opened) > 0 {
		fmt.Fprintf(out, "\nThere are no paths as examples: %s.\n", c.NoWitnesses)
	}
	return term.WriteError(errors.Join(out.Flush()))
}

func printMoved(out *bufio.Writer, title string, list []audit.Moved) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	for _, moved := range list[:min(len(list), shownMoved)] {
		fmt.Fprintf(out, "  %s: %s\n", term.Escape(moved.Host), auditreport.Describe(moved))
	}
}
