package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// widestHelp is the width of help on wide terminals, because longer lines are hard to
// read.
const widestHelp = 100

// helpOf returns the function that prints the help of a command: what it does, examples,
// the details, then its subcommands and flags. On a terminal, text is wrapped to its width.
func helpOf(t *term.Terminal) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, _ []string) {
		h := newHelpWriter(t, cmd.OutOrStdout())
		h.write(cmd)
		_ = h.out.Flush() // the writer of run keeps the error
	}
}

type helpWriter struct {
	out     *bufio.Writer
	width   int // 0 for text as it is
	palette term.Palette
}

func newHelpWriter(t *term.Terminal, to io.Writer) helpWriter {
	columns, _ := t.Size()
	return helpWriter{bufio.NewWriter(to), min(columns, widestHelp), t.Palette()}
}

func (h helpWriter) write(cmd *cobra.Command) {
	first, rest, _ := strings.Cut(strings.TrimSpace(cmd.Long), "\n\n")
	if first != sentence(cmd.Short) { // else it is printed already
		rest = strings.TrimSpace(cmd.Long)
	}
	h.paragraphs(sentence(cmd.Short))
	h.section("Usage")
	if !cmd.HasParent() {
		h.line("  " + cmd.UseLine() + " COMMAND")
		h.line("  " + cmd.UseLine() + " FILE|URL|HOST")
	} else {
		h.line("  " + cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() && cmd.HasParent() {
		h.line("  " + cmd.CommandPath() + " [command]")
	}
	if cmd.Example != "" {
		h.section("Examples")
		for line := range strings.SplitSeq(strings.TrimRight(cmd.Example, "\n"), "\n") {
			h.example(line)
		}
	}
	if rest != "" {
		h.section("Details")
		h.paragraphs(rest)
	}
	h.commands(cmd)
	h.flags("Flags", cmd.LocalFlags(), isNotNetwork)
	h.networkFlags(cmd)
	h.flags("Global Flags", cmd.InheritedFlags(), isNotNetwork)
	if cmd.HasAvailableSubCommands() {
		h.line("")
		h.paragraphs(`Use "` + cmd.CommandPath() + ` [command] --help" for more information about a command.`)
	}
}

func (h helpWriter) flags(title string, flags *pflag.FlagSet, shown func(*pflag.Flag) bool) {
	described := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if !shown(f) {
			return
		}
		plain := *f
		if text, ok := f.Value.(interface{ plain() pflag.Value }); ok {
			plain.Value = text.plain() // by whose type pflag omits defaults such as 0
		}
		described.AddFlag(&plain)
	})
	if usages := described.FlagUsagesWrapped(cmp.Or(h.width, widestHelp)); usages != "" {
		h.section(title)
		io.WriteString(h.out, usages)
	}
}

func sentence(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

func (h helpWriter) section(title string) {
	h.line("")
	h.line(h.palette.Paint(term.Bold, title+":"))
}

func (h helpWriter) line(text string) { io.WriteString(h.out, text+"\n") }

// example writes an example, which a shell understands if it is broken into lines.
func (h helpWriter) example(line string) {
	width := cmp.Or(h.width, widestHelp)
	if term.Width(line) <= width || strings.ContainsAny(line, `"'`) {
		h.line(line)
		return
	}
	h.line("  " + strings.Join(term.Wrap(line, width-len("   \\"), "    "), " \\\n  "))
}

// shownCommands returns the subcommands that help lists.
func shownCommands(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()),
		func(c *cobra.Command) bool { return !c.IsAvailableCommand() && c.Name() != "help" })
}

func (h helpWriter) commands(cmd *cobra.Command) {
	commands := shownCommands(cmd)
	widest := 0
	if len(commands) == 0 {
		return
	}
	for _, c := range commands {
		widest = max(widest, len(c.Name()))
	}
	h.section("Available Commands")
	for _, c := range commands {
		indent := strings.Repeat(" ", widest+4)
		for i, line := range term.Wrap(c.Short, max(0, h.width-len(indent)), "") {
			if i == 0 {
				h.line("  " + c.Name() + term.Pad(c.Name(), widest) + "  " + line)
			} else {
				h.line(indent + line)
			}
		}
	}
}

// paragraphs writes text. On a terminal, paragraphs are wrapped, except those with
// indented lines, such as sessions and tables.
func (h helpWriter) paragraphs(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			h.line("")
		}
		if h.width == 0 || strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			h.line(paragraph)
			continue
		}
		for _, line := range term.Wrap(paragraph, h.width, "") {
			h.line(line)
		}
	}
}

func newMan(t *term.Terminal) *cobra.Command {
	folder := ""
	cmd := &cobra.Command{
		Use:   "man [flags] [COMMAND]",
		Short: "Print the manual page",
		Long: `Print the manual page of all commands, or of one COMMAND, in the format of the man
command. --dir writes a page for each command instead: robots.1, robots-check.1 and so
on.`,
		Example: `  robots man >/usr/local/share/man/man1/robots.1
  robots man --dir /usr/local/share/man/man1
  robots man check | man -l -`,
		ValidArgsFunction: func(
			cmd *cobra.Command, args []string, _ string,
		) (names []string, _ cobra.ShellCompDirective) {
			for _, c := range manCommands(cmd.Root()) {
				if len(args) == 0 && c.Parent() == cmd.Root() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return printManual(t, cmd.Root(), args, folder) },
	}
	cmd.Flags().StringVar(&folder, "dir", "", "write a page for each command into `FOLDER`")
	complete(cmd, "dir", nil)
	return cmd
}

func printManual(t *term.Terminal, root *cobra.Command, args []string, folder string) error {
	page := manPage{bufio.NewWriter(t.Out)}
	switch {
	case folder != "" && len(args) > 0:
		return term.Errorf("--dir writes the pages of all commands").Hint("omit one of them")
	case folder != "":
		return writePages(root, folder)
	case len(args) == 0:
		page.write(root)
	default:
		cmd, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 || cmd == root {
			return unknownCommand(root, args)
		}
		page.writeOne(cmd)
	}
	return term.WriteError(page.out.Flush())
}

func writePages(root *cobra.Command, folder string) error {
	for _, cmd := range append(manCommands(root), root) {
		err := files.Write(filepath.Join(folder, pageName(cmd)+".1"), func(to io.Writer) error {
			page := manPage{bufio.NewWriter(to)}
			if cmd == root {
				page.write(root)
			} else {
				page.writeOne(cmd)
			}
			return page.out.Flush()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pageName returns the name of a command's page, such as robots-cache-show.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage writes pages from the definitions of commands. Cobra's generator needs a
// Markdown and a YAML library.
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
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if isNotNetwork(f) {
				m.flag(f)
			}
		})
		if names := networkFlagsOf(cmd); len(names) > 0 {
			fmt.Fprintf(m.out, ".PP\nNetwork flags: %s\n", roff(strings.Join(names, ", ")))
		}
		m.example(cmd.Example)
	}
	m.out.WriteString(".SH NETWORK FLAGS\n")
	m.text(networkLong)
	networkFlags().VisitAll(m.flag)
	m.out.WriteString(".SH EXAMPLES\n")
	m.example(root.Example)
}

func (m manPage) writeOne(cmd *cobra.Command) {
	fmt.Fprintf(m.out, ".TH %s 1 \"\" %s \"User Commands\"\n", roff(strings.ToUpper(pageName(cmd))), roff(cmd.Root().Name()+" "+cmd.Root().Version))
	fmt.Fprintf(m.out, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(pageName(cmd)), roff(cmd.Short), roff(cmd.Parent().CommandPath()+" "+cmd.Use))
	if cmd.Example != "" {
		m.out.WriteString(".SH EXAMPLES\n")
		m.example(cmd.Example)
	}
	m.out.WriteString(".SH DESCRIPTION\n")
	m.text(cmp.Or(cmd.Long, cmd.Short))
	m.out.WriteString(".SH OPTIONS\n")
	cmd.LocalFlags().VisitAll(m.flag)
	cmd.Root().PersistentFlags().VisitAll(m.flag)
	m.out.WriteString(".SH SEE ALSO\n")
	others := []string{cmd.Parent().CommandPath()}
	for _, c := range manCommands(cmd) {
		others = append(others, c.CommandPath())
	}
	for i, other := range others {
		others[i] = roff(strings.ReplaceAll(other, " ", "-")) + "(1)"
	}
	m.out.WriteString(strings.Join(others, ", ") + "\n")
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
