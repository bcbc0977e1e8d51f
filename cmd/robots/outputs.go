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
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// outputFileFlags are the flags that name a file to write. Flags such as --into, which replace the file
// that they read, are not among them.
var outputFileFlags = []string{"out", "crawlers-out", "bodies-out", "changes-out", "hits-out", "addresses-out", "report", "junit", "atom"}

// keptFolders are the flags that name a folder in which robots keeps files, and which of these it reads.
// A history's folder can have other files too, because a service may have one folder to write to.
var keptFolders = map[string]func(base string) bool{
	"lists": everyFile,
	"cache": everyFile,
	"history": func(base string) bool {
		return strings.HasPrefix(base, historyFile) || strings.HasPrefix(base, watch.FileName)
	},
}

func everyFile(string) bool { return true }

// siteCommands are the commands whose arguments never name a file.
var siteCommands = strings.Fields("check explain fetch history permit watch crawlers policy list stats purge show man help version completion")

// separateOutputs refuses a command line on which an output is an input or a second output, before
// anything is opened. Standard output is an output too if it is a regular file, as in "lint x >>x".
func separateOutputs(cmd *cobra.Command, args []string) error {
	outputs, inputs := namedByFlags(cmd.Flags())
	// A shell makes a file that is named like the site: fetch shop.example >shop.example
	if len(outputs) > 0 || !slices.Contains(siteCommands, cmd.Name()) {
		for _, arg := range args {
			inputs = append(inputs, files.Named{Role: "an argument", Name: arg})
		}
	}
	if f, ok := cmd.InOrStdin().(*os.File); ok {
		inputs = append(inputs, files.Named{Role: "standard input", Open: f})
	}
	return files.Separate(append(outputs, standardOutput(cmd.OutOrStdout())...), slices.Values(inputs))
}

// namedByFlags returns the outputs and the inputs that the given flags name.
func namedByFlags(flags *pflag.FlagSet) (outputs, inputs []files.Named) {
	flags.Visit(func(f *pflag.Flag) {
		for _, value := range valuesOf(f) {
			named := files.Named{Role: "--" + f.Name, Name: value, Keeps: keptFolders[f.Name]}
			at, isAt := strings.CutPrefix(value, "@")
			switch {
			case slices.Contains(outputFileFlags, f.Name):
				outputs = append(outputs, named)
			case isAt:
				named.Name = at
				inputs = append(inputs, named)
			case namesFile(f):
				inputs = append(inputs, named)
			}
		}
	})
	return outputs, inputs
}

// namesFile reports whether the value of a flag names a file or a folder, by its help. Other values,
// such as hosts, may be the names of files by chance.
func namesFile(f *pflag.Flag) bool {
	name, usage := pflag.UnquoteUsage(f)
	return slices.ContainsFunc([]string{"FILE", "DIR", "FOLDER", "CSV"}, func(what string) bool { return strings.Contains(name, what) }) ||
		strings.Contains(usage, "in a file")
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
// in folders, lists and other files. The command calls it before it writes. Without flags, standard
// output is its only output.
func separateFound(flags *pflag.FlagSet, t *term.Terminal, found iter.Seq[string]) error {
	var outputs []files.Named
	if flags != nil {
		outputs, _ = namedByFlags(flags)
	}
	return files.Separate(append(outputs, standardOutput(t.Out)...), func(yield func(files.Named) bool) {
		for name := range found {
			if !yield(files.Named{Role: "the inputs", Name: name}) {
				return
			}
		}
	})
}

// yields returns the names of a search. Its errors are reported when the files are read.
func yields(found iter.Seq2[string, error]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name, err := range found {
			if err == nil && !yield(name) {
				return
			}
		}
	}
}
