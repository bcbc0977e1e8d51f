package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

// outputFileFlags are the flags that name a file to write. Flags such as --into, which replace the file
// that they read, are not among them.
var outputFileFlags = []string{"out", "crawlers-out", "bodies-out", "changes-out", "hits-out", "report", "junit", "atom"}

// separateOutputs refuses a command line on which an output is an input or a second output, before
// anything is opened. Every argument, and every text of a flag that is not an output, counts as an
// input if there is such a file.
func separateOutputs(cmd *cobra.Command, args []string) error {
	var outputs, inputs []files.Named
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			named := files.Named{Role: "--" + f.Name, Name: value}
			if slices.Contains(outputFileFlags, f.Name) {
				outputs = append(outputs, named)
				continue
			}
			named.Name = strings.TrimPrefix(value, "@")
			inputs = append(inputs, named)
		}
	})
	if len(outputs) == 0 {
		return nil
	}
	for _, arg := range args {
		inputs = append(inputs, files.Named{Role: "an argument", Name: arg})
	}
	if f, ok := cmd.InOrStdin().(*os.File); ok {
		inputs = append(inputs, files.Named{Role: "standard input", Open: f})
	}
	out := cmd.OutOrStdout()
	if checked, ok := out.(*checkedWriter); ok { // between cobra and the file
		out = checked.to
	}
	if f, ok := out.(*os.File); ok {
		outputs = append(outputs, files.Named{Role: "standard output", Name: "standard output", Open: f})
	}
	return files.Separate(outputs, inputs)
}
