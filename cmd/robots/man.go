package main

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

func newMan(t *term.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "Print the manual page, in the format of the man command.",
		Example: "  robots man > /usr/local/share/man/man1/robots.1",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page := manPage{bufio.NewWriter(t.Out)}
			page.write(cmd.Root())
			return term.WriteError(page.out.Flush())
		},
	}
}

// manPage writes one page for all commands, from their definitions. Cobra's generator
// makes a page for each command and needs a Markdown and a YAML library.
type manPage struct{ out *bufio.Writer }

func (m manPage) write(root *cobra.Command) {
	fmt.Fprintf(m.out, ".TH %s 1 \"\" %s \"User Commands\"\n", strings.ToUpper(root.Name()), roff(root.Name()+" "+root.Version))
	fmt.Fprintf(m.out, ".SH NAME\n%s \\- %s\n", roff(root.Name()), roff(root.Short))
	m.out.WriteString(".SH SYNOPSIS\n")
	for _, cmd := range manCommands(root) {
		if !cmd.HasSubCommands() {
			fmt.Fprintf(m.out, ".B %s\n.br\n", roff(cmd.Parent().CommandPath()+" "+cmd.Use))
		}
	}
	m.out.WriteString(".SH DESCRIPTION\n")
	m.text(root.Long)
	m.out.WriteString(".SH OPTIONS\n")
	root.PersistentFlags().VisitAll(m.flag) // of all commands
	m.out.WriteString(".SH COMMANDS\n")
	for _, cmd := range manCommands(root) {
		fmt.Fprintf(m.out, ".SS %s\n", roff(strings.TrimPrefix(cmd.CommandPath(), root.CommandPath()+" ")))
		m.text(cmp.Or(cmd.Long, cmd.Short))
		cmd.LocalFlags().VisitAll(m.flag)
		m.example(cmd.Example)
	}
	m.out.WriteString(".SH EXAMPLES\n")
	m.example(root.Example)
}

// manCommands returns the commands that are described, each before its subcommands.
func manCommands(parent *cobra.Command) (commands []*cobra.Command) {
	for _, cmd := range parent.Commands() {
		if cmd.IsAvailableCommand() {
			commands = append(append(commands, cmd), manCommands(cmd)...)
		}
	}
	return commands
}

// text writes paragraphs, which are separated by empty lines.
func (m manPage) text(text string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		fmt.Fprintf(m.out, ".PP\n%s\n", roff(paragraph))
	}
}

// example writes lines without filling them.
func (m manPage) example(text string) {
	if text != "" {
		fmt.Fprintf(m.out, ".PP\n.nf\n%s\n.fi\n", roff(text))
	}
}

func (m manPage) flag(f *pflag.Flag) {
	if f.Hidden || f.Name == "help" {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
		usage += " (default " + f.DefValue + ")"
	}
	fmt.Fprintf(m.out, ".TP\n.B %s %s\n%s\n", roff(name), roff(value), roff(usage))
}

// roff escapes text for the formatter: backslashes and hyphens, and a dot or
// quote that would make a line a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
