package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// patching are the commands with --diff that print a unified diff, with what each needs to change
// the file robots.txt.
var patching = map[string][]string{
	"fmt":      {"robots.txt"},
	"lint":     {"--fix=all", "robots.txt"},
	"generate": {"--no", "ai-training", "--into", "robots.txt"},
	"minimize": {"robots.txt"},
}

// TestPatch: no unified diff writes a control of the file into a pipe, from which a CI server reads
// commands, but a regular file gets the bytes. Through a pipe, patch makes the same file as the
// command does, even if lines end in CRLF and contain tabs.
func TestPatch(t *testing.T) {
	for _, cmd := range newRoot(&term.Terminal{In: strings.NewReader(""), Out: new(bytes.Buffer),
		Err: new(bytes.Buffer)}).Commands() {
		if isUnified(cmd) != (patching[cmd.Name()] != nil) {
			t.Errorf("%s --diff is not tested", cmd.Name())
		}
	}
	const honest = "\tUser-agent:  *\t# \u00fc\r\nDisallow:/a\r\n\r\n\r\nDisallow: /a\r\nallow: /b\t\r\n"
	const hostile = honest + "Disallow: /a\r::stop-commands::x\r\n# \x1b[2J\r\r\n#\x0b::error::x\n \t::set-output name=x::y\r\nDisallow: /a\n"
	for name, args := range patching {
		folder := t.TempDir()
		file := filepath.Join(folder, "robots.txt")
		run := func(stdout *os.File, args ...string) string {
			t.Helper()
			cmd := exec.Command("robots", append([]string{name}, args...)...)
			var out, errs bytes.Buffer
			cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &errs
			if stdout != nil {
				cmd.Stdout = stdout
			}
			_ = cmd.Run() // its status depends on the file
			if cmd.ProcessState.ExitCode() > 1 {
				t.Errorf("%s: %s", name, &errs)
			}
			return out.String()
		}
		write(t, file, hostile)
		diff := run(nil, append([]string{"--diff"}, args...)...)
		if diff == "" {
			t.Errorf("%s changes nothing", name)
		}
		for line := range strings.Lines(strings.ReplaceAll(diff, "\r\n", "\n")) {
			if strings.ContainsAny(line, "\r\x1b\x0b") || strings.HasPrefix(strings.TrimLeft(line, " \t"), "::") {
				t.Errorf("%s prints %q into a pipe", name, line)
			}
		}
		into, err := os.Create(filepath.Join(folder, "patch"))
		if err != nil {
			t.Fatal(err)
		}
		run(into, append([]string{"--diff"}, args...)...)
		into.Close()
		if raw := read(t, into.Name()); strings.Contains(diff, "stop-commands") && !strings.Contains(raw, "\r::stop-commands") {
			t.Errorf("%s writes into a file\n%q", name, raw)
		}

		if _, err := exec.LookPath("patch"); err != nil {
			continue
		}
		write(t, file, honest)
		patch := exec.Command("patch", "--binary", "-p1")
		patch.Dir, patch.Stdin = folder, strings.NewReader(run(nil, append([]string{"--diff"}, args...)...))
		if out, err := patch.CombinedOutput(); err != nil {
			t.Errorf("%s: patch: %v, %s", name, err, out)
		}
		patched := read(t, file)
		write(t, file, honest)
		made := run(nil, args...)
		if name != "minimize" { // which prints the file
			made = read(t, file)
		}
		if patched != made {
			t.Errorf("%s: patch makes\n%q, the command\n%q", name, patched, made)
		}
	}
}

// isUnified reports whether a command has a flag --diff that prints a unified diff.
func isUnified(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup("diff")
	return f != nil && strings.Contains(f.Usage, "unified diff")
}
