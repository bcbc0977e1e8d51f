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
	for _, name := range []string{"README.md", "docs/tool.md"} {
		testSessions(t, name)
	}
}

func testSessions(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sessions := strings.Split(string(text), "\n```console\n$ go run ./cmd/robots ")[1:]
	if len(sessions) == 0 {
		t.Fatalf("%s shows no run of the tool", name)
	}
	for _, session := range sessions {
		session, _, _ = strings.Cut(session, "\n```\n")
		command, want, _ := strings.Cut(session, "\n")
		var stdout, stderr bytes.Buffer
		run(t.Context(), strings.Fields(command), os.Getenv, strings.NewReader(""), &stdout, &stderr)
		if got := strings.TrimSpace(stdout.String()); got != strings.TrimSpace(want) {
			t.Errorf("robots %s prints\n%s\nand %s says\n%s\n%s", command, got, name, want, stderr.String())
		}
	}
}
