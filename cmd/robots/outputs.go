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

// siteCommands are the commands whose arguments never name a file.
var siteCommands = strings.Fields("check explain fetch history permit watch crawlers policy list stats purge show man help version completion")

// separateOutputs refuses a command line on which an output is an input or a second output, before
// anything is opened. Standard output and standard error are outputs too if they are regular files, as in
// "lint x >>x".
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
	outputs = append(outputs, standardStreams(cmd.OutOrStdout(), cmd.ErrOrStderr())...)
	return files.Separate(outputs, slices.Values(inputs))
}

// namedByFlags returns the outputs and the inputs that the given flags name, and the folders that flags name
// if they are not given.
func namedByFlags(flags *pflag.FlagSet) (outputs, inputs []files.Named) {
	flags.VisitAll(func(f *pflag.Flag) {
		value, hasKind := f.Value.(interface{ flagKind() flagKind })
		if !hasKind {
			return // a switch
		}
		kind := value.flagKind()
		named := files.Named{Role: "--" + f.Name, Keeps: kind.keeps}
		switch {
		case f.Changed && kind.file != nil:
			for _, text := range valuesOf(f) {
				named.Name = kind.file(text)
				if kind.isOutput {
					outputs = append(outputs, named)
				} else {
					inputs = append(inputs, named)
				}
			}
		case !f.Changed && kind.standard != nil:
			named.Role, named.Name = "the default of "+named.Role, kind.standard(f.Value.String())
			inputs = append(inputs, named)
		}
	})
	return outputs, inputs
}

// standardStreams returns the standard output and the standard error that are files. They can be the same, as in
// "robots … >log 2>&1".
func standardStreams(out, errs io.Writer) (streams []files.Named) {
	if checked, ok := out.(*checkedWriter); ok { // between cobra and the file
		out = checked.to
	}
	for _, stream := range []struct {
		role string
		to   io.Writer
	}{{"standard output", out}, {"standard error", errs}} {
		if f, ok := stream.to.(*os.File); ok {
			streams = append(streams, files.Named{Role: stream.role, Open: f})
		}
	}
	return streams
}

// separateFound is separateOutputs for the files that a command found because of its arguments:
// in folders, lists and other files. The command calls it before it writes. Without flags, the standard
// streams are its only outputs.
func separateFound(flags *pflag.FlagSet, t *term.Terminal, found iter.Seq[string]) error {
	var outputs []files.Named
	if flags != nil {
		outputs, _ = namedByFlags(flags)
	}
	return files.Separate(append(outputs, standardStreams(t.Out, t.Err)...), func(yield func(files.Named) bool) {
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
