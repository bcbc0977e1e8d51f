package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

func newVersion(t *term.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of this program and of its data",
		Example: `  robots version`,
		Long: `Print the versions of this program and of its data.

The first line shows the version, the commit and the Go version of this program. It has a
commit only if you built the program in a checkout. The version is "devel" under "go run",
or if "go build" did not find the checkout. The other lines show the date of the known
crawlers, and the specifications that define the answers.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(t.Out, "robots %s\ncrawlers %s\nrobots.txt: %s\npermission: %s\n",
				build().long(), crawlers.Version(), protocolTexts, strings.Join(permission.Versions(), "; "))
			return term.WriteError(err)
		},
	}
}

// protocolTexts are the specifications of the dialects. docs/disagreements.md
// compares them.
const protocolTexts = "Google's parser and documentation; RFC 9309 of September 2022; Koster's 1996 draft-11-15"

type buildFacts struct {
	version string // in the form of Go modules, or devel
	commit  string // empty if unknown
	golang  string
}

const devel = "devel"

var build = sync.OnceValue(func() buildFacts {
	info, _ := debug.ReadBuildInfo()
	return factsOf(info)
})

func factsOf(info *debug.BuildInfo) buildFacts {
	if info == nil {
		return buildFacts{version: devel}
	}
	facts := buildFacts{version: info.Main.Version, golang: info.GoVersion}
	if facts.version == "" || facts.version == "(devel)" {
		facts.version = devel
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			facts.commit = setting.Value
		}
	}
	return facts
}

// long returns all facts in one line, such as
// "v0.1.0 (commit 0123456789ab, go1.26.8)".
func (b buildFacts) long() string {
	var origin []string
	if b.commit != "" {
		origin = append(origin, "commit "+b.commit[:min(len(b.commit), 12)])
	}
	if b.golang != "" {
		origin = append(origin, b.golang)
	}
	if len(origin) == 0 {
		return b.version
	}
	return b.version + " (" + strings.Join(origin, ", ") + ")"
}
