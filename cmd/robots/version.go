package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

func newVersion(t *term.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the Go version of this program",
		Long: `Print the version, the commit and the Go version of this program.

The commit is known if the program was built in a checkout. The version is
"devel" under "go run", and if the checkout was unknown to "go build".`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(t.Out, "robots %s\n", build().long())
			return term.WriteError(err)
		},
	}
}

// buildFacts is what the Go tool wrote into the program.
type buildFacts struct {
	version string // as Go modules have it, or devel
	commit  string // empty if unknown
	golang  string
}

const devel = "devel"

func build() buildFacts {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return buildFacts{version: devel}
	}
	return factsOf(info)
}

func factsOf(info *debug.BuildInfo) buildFacts {
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
