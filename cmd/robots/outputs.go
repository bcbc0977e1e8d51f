package main

import (
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// outputFileFlags are the flags that name a file to write. Flags such as --into, which replace the file
// that they read, are not among them.
var outputFileFlags = []string{"out", "crawlers-out", "bodies-out", "changes-out", "hits-out", "addresses-out", "report", "junit", "atom"}

// separateOutputs refuses a command line on which an output is an input or a second output, before
// anything is opened. Every argument, and every text of a flag that is not an output, counts as an
// input if there is such a file.
func separateOutputs(cmd *cobra.Command, args []string) error {
	outputs, inputs := namedByFlags(cmd.Flags())
	if len(outputs) == 0 {
		return nil // the shell may have made a file that is named like a site: fetch shop.example >shop.example
	}
	for _, arg := range args {
		inputs = append(inputs, files.Named{Role: "an argument", Name: arg})
	}
	if f, ok := cmd.InOrStdin().(*os.File); ok {
		inputs = append(inputs, files.Named{Role: "standard input", Open: f})
	}
	return files.Separate(append(outputs, standardOutput(cmd.OutOrStdout())...), slices.Values(inputs))
}

// namedByFlags returns the outputs that the given flags name, and the texts of the others as inputs.
func namedByFlags(flags *pflag.FlagSet) (outputs, inputs []files.Named) {
	flags.Visit(func(f *pflag.Flag) {
		for _, value := range valuesOf(f) {
			named := files.Named{Role: "--" + f.Name, Name: value}
			if slices.Contains(outputFileFlags, f.Name) {
				outputs = append(outputs, named)
				continue
			}
			named.Name = strings.TrimPrefix(value, "@")
			inputs = append(inputs, named)
		}
	})
	return outputs, inputs
}

func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

func standardOutput(out io.Writer) []files.Named {
	if checked, ok := out.(*checkedWriter); ok { // between cobra and the file
		out = checked.to
	}
	if f, ok := out.(*os.File); ok {
		return []files.Named{{Role: "standard output", Name: "standard output", Open: f}}
	}
	return nil
}

// separateFound is separateOutputs for the files that a command found because of its arguments:
// in folders, lists and other files. The command calls it before it writes.
func separateFound(flags *pflag.FlagSet, t *term.Terminal, found iter.Seq[string]) error {
	outputs, _ := namedByFlags(flags)
	return files.Separate(append(outputs, standardOutput(t.Out)...), func(yield func(files.Named) bool) {
		for name := range found {
			if !yield(files.Named{Role: "the inputs", Name: name}) {
				return
			}
		}
	})
}
