package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestConsoleSessions: what docs/tool.md shows of the tool is what it prints.
func TestConsoleSessions(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("docs/tool.md")
	if err != nil {
		t.Fatal(err)
	}
	sessions := strings.Split(string(text), "\n```console\n$ go run ./cmd/robots ")[1:]
	if len(sessions) == 0 {
		t.Fatal("docs/tool.md shows no run of the tool")
	}
	for _, session := range sessions {
		session, _, _ = strings.Cut(session, "\n```\n")
		command, want, _ := strings.Cut(session, "\n")
		var stdout, stderr bytes.Buffer
		run(t.Context(), strings.Fields(command), os.Getenv, strings.NewReader(""), &stdout, &stderr)
		if got := strings.TrimSpace(stdout.String()); got != strings.TrimSpace(want) {
			t.Errorf("robots %s prints\n%s\nand docs/tool.md says\n%s\n%s", command, got, want, stderr.String())
		}
	}
}
