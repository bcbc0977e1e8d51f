package main

import (
	"bufio"
	_ "embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/fetch"
)

func newPolicy(t *term.Terminal) *cobra.Command {
	names := policyNames()
	var notFound bool
	cmd := &cobra.Command{
		Use:   "policy [--" + notFoundFlag + "] [" + strings.Join(names, "|") + "]",
		Short: "Print what a policy decides about status codes and outages",
		Long: `Print what a policy decides about status codes and outages: the meaning of each response
to the request for a robots.txt, what applies without a response, and for how long.

A server can answer 5xx for a missing page. With --not-found-pages, robots prints what that
flag of other commands changes: such a response counts as 404, but not under careful.

Without a name, robots prints a column for each policy. The tables contain the data that
the client uses. They are in Markdown; on a terminal, robots fits them to its width instead.`,
		Example: `  robots policy google
  robots policy`,
		ValidArgs:             names,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			policies, err := policiesNamed(args)
			if err != nil {
				return err
			}
			columns, _ := t.Size()
			return t.Print(func(out *bufio.Writer) error {
				if columns == 0 || columns >= widthOfAll {
					printPolicies(out, t.Palette(), columns, notFound, policies)
					return nil
				}
				for i := range policies {
					if i > 0 {
						out.WriteByte('\n')
					}
					printPolicies(out, t.Palette(), columns, notFound, policies[i:i+1])
				}
				return nil
			})
		},
	}
	defineNotFound(cmd.Flags(), &notFound)
	return cmd
}

// widthOfAll is the least width of a terminal on which a table has a column for each policy. On a
// narrower one, each policy has its own tables.
const widthOfAll = 76

// policyTables are the tables of all policies, in Markdown. The tests of package fetch compare
// them with the data that the client uses; "go generate ./fetch" writes them.
//
//go:embed policies.txt
var policyTables string

// policiesNamed returns the named policy, or all policies without a name.
func policiesNamed(args []string) ([]fetch.Policy, error) {
	names := policyNames()
	hint := "the policies are " + strings.Join(names, ", ")
	switch len(args) {
	case 0:
		return fetch.Policies(), nil
	case 1:
		var p fetch.Policy
		if err := p.UnmarshalText([]byte(args[0])); err != nil {
			if near := term.Closest(args[0], names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return nil, term.Errorf("there is no policy %q", args[0]).Hint(hint)
		}
		return []fetch.Policy{p}, nil
	default:
		return nil, term.Errorf("give one policy, or none for all").Hint(hint)
	}
}

// printPolicies prints the columns of policies: tables in Markdown, or, on a terminal, tables and
// paragraphs that fit it. The output keeps its error.
func printPolicies(out *bufio.Writer, palette term.Palette, columns int, notFound bool,
	policies []fetch.Policy) {
	for i, block := range strings.Split(strings.TrimSpace(policyTables), "\n\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		switch {
		case strings.HasPrefix(block, "|"):
			printTable(out, palette, columns, notFound, strings.Split(block, "\n"), policies)
		case columns == 0:
			out.WriteString(block + "\n")
		default:
			for _, line := range term.Wrap(block, min(columns, widestHelp), "") {
				out.WriteString(line + "\n")
			}
		}
	}
}

// printTable prints the columns of policies from the lines of a Markdown table, whose second line
// separates the header.
// printTable prints the columns of policies of a table. Without --not-found-pages, a "page not found" page
// does not matter.
func printTable(out *bufio.Writer, palette term.Palette, columns int, notFound bool, lines []string,
	policies []fetch.Policy) {
	config := table.Config{Format: table.Markdown, Palette: palette, Screen: columns}
	if columns > 0 {
		config.Format = table.Text
	}
	header := cellsOf(lines[0])
	shown := []int{0}
	for _, p := range policies {
		shown = append(shown, slices.Index(header, p.String()))
	}
	for n, i := range shown {
		least := max(len(header[i]), len("disallow"))
		if n == 0 {
			least = len("Content-Range")
		}
		config.Columns = append(config.Columns, table.Column{Name: header[i], Least: least, Wrap: true})
	}
	w := table.New(out, config)
	for _, line := range lines[2:] {
		cells := cellsOf(line)
		if name, ok := strings.CutSuffix(cells[0], ", with --"+notFoundFlag); ok && !notFound {
			cells = slices.Repeat([]string{"fault"}, len(cells))
			cells[0] = name + ", without --" + notFoundFlag
		}
		for _, i := range shown {
			w.Cell(cells[i])
		}
		_ = w.End()
	}
	_ = w.Flush()
}

func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
