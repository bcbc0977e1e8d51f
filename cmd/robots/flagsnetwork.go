package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// networkTopic is the topic of help about the flags that most commands share because they fetch
// from sites. The help of a command only names them.
const (
	networkTopic = "network"
	networkShort = "The flags of commands that fetch from sites"
)

const networkLong = `Commands that fetch from sites have these flags. A command's help names the ones that it has.

By default, commands that show what a site serves now (ai, diff, fetch, lint, overview, test)
have no cache, and the other commands keep robots.txt files in your cache directory.

robots connects to public addresses only. It trusts the hosts that you name on the command
line, but not hosts in lists and redirects: --allow-private and --allow-range add addresses.`

// ofNetwork is the annotation of a flag that the topic describes.
const ofNetwork = "network"

func markNetwork(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, ofNetwork, nil); err != nil {
			panic(err) // the flag is not defined
		}
	}
}

func isNotNetwork(f *pflag.Flag) bool {
	_, marked := f.Annotations[ofNetwork]
	return !marked
}

func networkFlags() *pflag.FlagSet {
	cmd := new(cobra.Command)
	new(fetchFlags).define(cmd)
	return cmd.Flags()
}

// networkFlagsOf returns the network flags of a command, such as --proxy.
func networkFlagsOf(cmd *cobra.Command) (names []string) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !isNotNetwork(f) && !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

func (h helpWriter) networkFlags(cmd *cobra.Command) {
	names := networkFlagsOf(cmd)
	if len(names) == 0 {
		return
	}
	text := `see "robots help ` + networkTopic + `" for ` + strings.Join(names, ", ")
	for _, line := range term.Wrap(text, max(0, h.width-len("      ")), "") {
		h.line("      " + line)
	}
}

func writeNetworkHelp(t *term.Terminal, cmd *cobra.Command) {
	h := newHelpWriter(t, cmd.OutOrStdout())
	h.paragraphs(networkLong)
	h.flags("Flags", networkFlags(), func(*pflag.Flag) bool { return true })
	_ = h.out.Flush() // the writer of run keeps the error
}
