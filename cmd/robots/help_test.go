package main

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

var (
	quotedCall = regexp.MustCompile(`"(robots [^"]*)"`)
	otherCall  = regexp.MustCompile(`\$\([^)]*\)`) // of another program
	flagName   = regexp.MustCompile(`--([a-z][a-z0-9-]*)`)
	goName     = regexp.MustCompile(`\b[A-Z][a-z]+[a-zA-Z]*\.[A-Z][a-z]+|\b[a-z]+\.[A-Z][a-z]+[a-zA-Z]*\(?`)
)

// allCommands returns the root and every command below it.
func allCommands() (commands []*cobra.Command) {
	root := newRoot(&term.Terminal{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard,
		Getenv: func(string) string { return "" }})
	root.InitDefaultVersionFlag()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		commands = append(commands, cmd)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
	return commands
}

// TestCommandsAlone: a run defines only its command if that is the first argument, with the same help as among all.
func TestCommandsAlone(t *testing.T) {
	noVariable := func(string) string { return "" }
	for _, c := range commands {
		var alone, among bytes.Buffer
		root := newRootFor(&term.Terminal{Out: &alone, Err: &alone, Getenv: noVariable}, []string{c.name})
		root.SetArgs([]string{c.name, "--help"})
		whole := newRoot(&term.Terminal{Out: &among, Err: &among, Getenv: noVariable})
		whole.SetArgs([]string{c.name, "--help"})
		if n := len(root.Commands()); c.name != manual && n != 2 { // and completion
			t.Errorf("for %s, %d commands are defined", c.name, n)
		}
		err := errors.Join(root.Execute(), whole.Execute())
		if err != nil || alone.String() != among.String() || !strings.Contains(alone.String(), "\n  robots "+c.name) {
			t.Errorf("%s: %v\n%s\namong all\n%s", c.name, err, &alone, &among)
		}
	}
}

// TestHelpNamesExistingFlags: each flag that the help of a command mentions is a
// flag of that command, or of the command in quotes with it, as in "robots check
// --json".
func TestHelpNamesExistingFlags(t *testing.T) {
	checked := 0
	check := func(of *cobra.Command, in *cobra.Command, text string) {
		for _, found := range flagName.FindAllStringSubmatch(text, -1) {
			checked++
			if of.Flags().Lookup(found[1]) == nil && of.InheritedFlags().Lookup(found[1]) == nil {
				t.Errorf("the help of %q mentions --%s, which %q does not have", in.CommandPath(), found[1], of.CommandPath())
			}
		}
	}
	for _, cmd := range allCommands() {
		texts := []string{cmd.Use, cmd.Short, cmd.Long}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { texts = append(texts, f.Usage) })
		for _, text := range texts {
			text = otherCall.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")
			for _, call := range quotedCall.FindAllStringSubmatch(text, -1) {
				check(calledCommand(t, cmd, call[1]), cmd, call[1])
			}
			check(cmd, cmd, quotedCall.ReplaceAllString(text, ""))
		}
		for line := range strings.Lines(cmd.Example) {
			for call := range strings.SplitSeq(line, "|") {
				if strings.HasPrefix(strings.TrimSpace(call), "robots ") {
					check(calledCommand(t, cmd, call), cmd, call)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d mentions of flags were found", checked)
	}
}

// TestHelpOfLimit: --limit none is for files, so only the help of commands that read
// files mentions it.
func TestHelpOfLimit(t *testing.T) {
	found := 0
	for _, cmd := range allCommands() {
		limit := cmd.Flags().Lookup("limit")
		if limit == nil {
			continue
		}
		found++
		readsFiles := cmd.Flags().Lookup("file") != nil || strings.Contains(cmd.Use, "FILE") || strings.Contains(cmd.Use, "OLD NEW")
		if strings.Contains(limit.Usage, `"none"`) != readsFiles {
			t.Errorf("the help of %q about --limit is %q", cmd.CommandPath(), limit.Usage)
		}
	}
	if found < 5 {
		t.Errorf("only %d commands have --limit", found)
	}
}

// calledCommand returns the command of a call such as "robots cache show X".
func calledCommand(t *testing.T, in *cobra.Command, call string) *cobra.Command {
	t.Helper()
	called, _, err := in.Root().Find(withOverview(in.Root(), strings.Fields(call)[1:]))
	if err != nil {
		t.Errorf("the help of %q calls %q: %v", in.CommandPath(), call, err)
		return in
	}
	return called
}

// TestHelpHasNoGoNames: a user need not know the source code.
func TestHelpHasNoGoNames(t *testing.T) {
	for _, cmd := range allCommands() {
		texts := []string{cmd.Short, cmd.Long}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { texts = append(texts, f.Usage) })
		for _, text := range texts {
			if found := goName.FindString(text); found != "" {
				t.Errorf("the help of %q has %q", cmd.CommandPath(), found)
			}
		}
	}
	_, tables, _ := runTool(t, "policy")
	if found := goName.FindString(tables); found != "" {
		t.Errorf("robots policy prints %q", found)
	}
}
