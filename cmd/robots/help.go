package main

import (
	"bufio"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// widestHelp is the width of help on wide terminals, because longer lines are hard to
// read.
const widestHelp = 100

// helpOf returns the function that prints the help of a command: what it does, examples,
// the details, then its subcommands and flags. On a terminal, text is wrapped to its width.
func helpOf(t *term.Terminal) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, _ []string) {
		columns, _ := t.Size()
		h := helpWriter{bufio.NewWriter(cmd.OutOrStdout()), min(columns, widestHelp), t.Palette()}
		h.write(cmd)
		_ = h.out.Flush() // there is nobody to tell
	}
}

type helpWriter struct {
	out     *bufio.Writer
	width   int // 0 for text as it is
	palette term.Palette
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
	for _, flags := range []struct{ title, usages string }{
		{"Flags", cmd.LocalFlags().FlagUsagesWrapped(h.width)},
		{"Global Flags", cmd.InheritedFlags().FlagUsagesWrapped(h.width)},
	} {
		if flags.usages != "" {
			h.section(flags.title)
			io.WriteString(h.out, flags.usages)
		}
	}
	if cmd.HasAvailableSubCommands() {
		h.line("")
		h.paragraphs(`Use "` + cmd.CommandPath() + ` [command] --help" for more information about a command.`)
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
	if h.width == 0 || term.Width(line) <= h.width || strings.ContainsAny(line, `"'`) {
		h.line(line)
		return
	}
	h.line("  " + strings.Join(term.Wrap(line, h.width-len("   \\"), "    "), " \\\n  "))
}

// commands lists the subcommands.
func (h helpWriter) commands(cmd *cobra.Command) {
	widest := 0
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			widest = max(widest, len(c.Name()))
		}
	}
	if widest == 0 {
		return
	}
	h.section("Available Commands")
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() && c.Name() != "help" {
			continue
		}
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
