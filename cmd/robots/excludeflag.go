package main

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/files"
)

// excludeFlags leave files out of folders and patterns.
type excludeFlags struct{ exclude patternsFlag }

func (f *excludeFlags) define(cmd *cobra.Command) {
	cmd.Flags().Var(&f.exclude, "exclude", "leave out files and folders that match `PATTERN`, such as vendor or \"old/**\"; may be repeated")
	complete(cmd, "exclude", nil)
}

// patternsFlag is a list of patterns of files.
type patternsFlag []string

func (p *patternsFlag) String() string { return strings.Join(*p, " ") }

func (*patternsFlag) Type() string { return "pattern" }

func (p *patternsFlag) Set(text string) error {
	if !doublestar.ValidatePattern(text) {
		return files.Malformed(text)
	}
	*p = append(*p, text)
	return nil
}
