package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// writing returns the flags of each command that name a file to write: those whose help begins
// with "write", and whose value is a file.
func writing(t *testing.T) map[*cobra.Command][]string {
	t.Helper()
	found := map[*cobra.Command][]string{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			isOutput := strings.HasPrefix(name, "FILE") && strings.HasPrefix(usage, "write ") && f.Name != "into"
			if isOutput != slices.Contains(outputFileFlags, f.Name) {
				t.Errorf("%s --%s: outputFileFlags and the help differ: %q", cmd.Name(), f.Name, f.Usage)
			}
			if isOutput {
				found[cmd] = append(found[cmd], f.Name)
			}
		})
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot(&term.Terminal{In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer)}))
	return found
}

// TestOutputs gives each output flag of each command a file that is also an input, or a second
// output: by its name, another spelling, a link, a hard link, a pattern, a folder and a standard
// stream. The command refuses it and leaves the file as it is.
func TestOutputs(t *testing.T) {
	const text = "User-agent: *\nDisallow: /\n"
	all := writing(t)
	if len(all) < 5 {
		t.Errorf("only %d commands have outputs", len(all))
	}
	for cmd, flags := range all {
		folder := t.TempDir()
		in := filepath.Join(folder, "robots.txt")
		refused := func(want string, args ...string) {
			t.Helper()
			robots := exec.Command("robots", append(strings.Fields(cmd.CommandPath())[1:], args...)...)
			robots.Dir = folder
			var errs bytes.Buffer
			robots.Stderr = &errs
			for i, redirect := range args { // as a shell does
				if name, ok := strings.CutPrefix(redirect, "<"); ok {
					robots.Args = slices.Delete(robots.Args, len(robots.Args)-len(args)+i,
						len(robots.Args)-len(args)+i+1)
					f, err := os.Open(filepath.Join(folder, name))
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					robots.Stdin = f
				}
				if name, ok := strings.CutPrefix(redirect, ">"); ok {
					robots.Args = slices.Delete(robots.Args, len(robots.Args)-len(args)+i,
						len(robots.Args)-len(args)+i+1)
					f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE, 0o600)
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					robots.Stdout = f
				}
			}
			err := robots.Run()
			if robots.ProcessState.ExitCode() != 2 || !strings.Contains(errs.String(), want) {
				t.Errorf("%s %q: %v, %s", cmd.CommandPath(), args, err, &errs)
			}
			if now, err := os.ReadFile(in); err != nil || string(now) != text {
				t.Fatalf("%s %q: the input is %q, %v", cmd.CommandPath(), args, now, err)
			}
		}
		write(t, in, text)
		if err := os.Mkdir(filepath.Join(folder, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		for link, make := range map[string]func(old, new string) error{"symbolic": os.Symlink, "hard": os.Link} {
			if err := make(in, filepath.Join(folder, link)); err != nil {
				t.Skipf("NOT TESTED: no links: %v", err)
			}
		}
		for _, name := range flags {
			flag := "--" + name
			const input, twice = " would overwrite an input", " write to one file"
			refused(flag+input, flag, "robots.txt", "robots.txt")
			refused(flag+input, flag, in, "./x/../robots.txt")
			refused(flag+input, flag+"=symbolic", "robots.txt")
			refused(flag+input, flag+"=robots.txt", "hard")
			refused(flag+input, flag, "robots.txt", ".")
			refused(flag+input, flag, "robots.txt", "*.txt")
			refused(flag+input, flag, "robots.txt", "-", "<robots.txt")
			refused(flag+" and standard output"+twice, flag, "new", "x", ">new")
			for _, other := range flags {
				if other != name || cmd.Flags().Lookup(name).Value.Type() == "stringArray" {
					refused(twice, flag, "made.csv", "--"+other, "x/../made.csv")
					refused(twice, flag, "hard", "--"+other, "symbolic")
				}
			}
		}
	}
}
