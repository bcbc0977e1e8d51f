package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestConsoleSessions: what the documents show of the tool is what it prints.
func TestConsoleSessions(t *testing.T) {
	t.Chdir("../..")
	for name, before := range map[string]string{
		"README.md":    "\n```sh\ngo run ./cmd/robots ",
		"docs/tool.md": "\n```console\n$ go run ./cmd/robots ",
	} {
		text := read(t, name)
		sessions := strings.Split(text, before)[1:]
		if len(sessions) == 0 {
			t.Fatalf("%s shows no run of the tool", name)
		}
		for _, session := range sessions {
			command, output, _ := strings.Cut(session, "\n")
			if name == "README.md" { // where the output is a block of its own
				_, output, _ = strings.Cut(output, "\n```console\n")
			}
			output, _, _ = strings.Cut(output, "\n```\n")
			var stdout, stderr bytes.Buffer
			arguments := strings.Fields(strings.ReplaceAll(command, "'", ""))
			run(t.Context(), arguments, os.Getenv, strings.NewReader(""), &stdout, &stderr)
			if got := strings.TrimSpace(stdout.String()); got != strings.TrimSpace(output) {
				t.Errorf("robots %s prints\n%s\nand %s says\n%s\n%s", command, got, name, output, stderr.String())
			}
		}
	}
}
