package main

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/fetch"
)

func newPolicy(t *term.Terminal) *cobra.Command {
	names := policyNames()
	return &cobra.Command{
		Use:   "policy [" + strings.Join(names, "|") + "]",
		Short: "Print what a policy decides about status codes and outages",
		Long: `Print what a policy decides about status codes and outages: the meaning of each response
to the request for a robots.txt, what applies without a response, and for how long.

Without a name, robots prints all policies. The tables contain the data that the client
uses. They are in Markdown; on a terminal, robots fits them to its width instead.`,
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
				for i, p := range policies {
					if i > 0 {
						out.WriteByte('\n')
					}
					if columns == 0 {
						out.WriteString(p.Table())
					} else {
						printWrapped(out, t.Palette(), columns, p.Table())
					}
				}
				return nil
			})
		},
	}
}

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

// printWrapped prints Markdown paragraphs and tables so that they fit a terminal. The output
// keeps its error.
func printWrapped(out *bufio.Writer, palette term.Palette, columns int, markdown string) {
	for i, block := range strings.Split(strings.TrimSpace(markdown), "\n\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		if !strings.HasPrefix(block, "|") {
			for _, line := range term.Wrap(block, min(columns, widestHelp), "") {
				out.WriteString(line + "\n")
			}
			continue
		}
		printTable(out, palette, columns, strings.Split(block, "\n"))
	}
}

// printTable prints the lines of a Markdown table, whose second line separates the header.
func printTable(out *bufio.Writer, palette term.Palette, columns int, lines []string) {
	config := table.Config{Format: table.Text, Palette: palette, Screen: columns}
	for _, name := range cellsOf(lines[0]) {
		config.Columns = append(config.Columns, table.Column{Name: name, Least: len("Retry-After"), Wrap: true})
	}
	w := table.New(out, config)
	for _, line := range lines[2:] {
		for _, cell := range cellsOf(line) {
			w.Cell(cell)
		}
		_ = w.End()
	}
	_ = w.Flush()
}

// cellsOf returns the cells of a line of a Markdown table.
func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
