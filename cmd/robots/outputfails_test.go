package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// fullDisk is an output on a full disk.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// runOnFullDisk runs the tool with an output that fails, and returns the exit status and the
// messages.
func runOnFullDisk(t *testing.T, stdin string, args ...string) (code int, stderr string) {
	t.Helper()
	var messages strings.Builder
	in := iotest.OneByteReader(strings.NewReader(stdin))
	code = run(t.Context(), args, func(string) string { return "" }, in, fullDisk{}, &messages)
	return code, messages.String()
}

// TestOutputFails: whatever describes the tool has status 2 if it cannot be printed.
func TestOutputFails(t *testing.T) {
	calls := [][]string{
		{"--version"}, {"version"}, {"man"}, {"policy"}, {"crawlers"}, {"help", networkTopic}, {"__complete", ""}, {"audit", "--schema", "table"},
		{"visits", "--schema", "table"}, {"lint", "--explain", "RX101"},
	}
	for _, cmd := range allCommands() {
		path := strings.Fields(cmd.CommandPath())[1:]
		calls = append(calls, append(path[:len(path):len(path)], "--help"), append([]string{"help"}, path...))
		if cmd.HasParent() && cmd.Parent().Name() == "completion" {
			calls = append(calls, path)
		}
		if cmd.HasParent() && cmd.IsAvailableCommand() {
			calls = append(calls, append([]string{"man"}, path...))
		}
	}
	for _, call := range calls {
		if code, messages := runOnFullDisk(t, "", call...); code != exitUnknown || strings.Count(messages, "cannot write the output: no space left on device") != 1 {
			t.Errorf("robots %q ends with %d: %s", call, code, messages)
		}
	}
}

// TestSuccessIsTrue: a command says that it has changed a file only after it has.
func TestSuccessIsTrue(t *testing.T) {
	const body = "user-agent:*\ndisalow:/cart\ndisallow:/cart\n"
	file := filepath.Join(t.TempDir(), "robots.txt")
	write(t, file, body)
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	for _, call := range [][]string{
		{"fmt"}, {"lint", "--fix"}, {"lint", "--fix=all"}, {"generate", "--no", "ai-training", "--into"}, {"generate", "--no", "ai-training", "--json", "--into"},
		{"minimize"},
	} {
		for _, name := range []string{file, "-"} {
			code, messages := runOnFullDisk(t, body, append(call, name)...)
			if code != exitUnknown || !strings.Contains(messages, "cannot write ") {
				t.Errorf("robots %q %s ends with %d: %s", call, name, code, messages)
			}
			for _, success := range []string{"formatted", "fixed", "written;", "removed", "proved"} {
				if strings.Contains(messages, success) {
					t.Errorf("robots %q %s writes nothing, but says: %s", call, name, messages)
				}
			}
		}
	}
	if text := read(t, file); text != body {
		t.Errorf("the file is %q", text)
	}
}

// TestProxyVariables: an invalid proxy in the environment is an error, as an invalid --proxy.
func TestProxyVariables(t *testing.T) {
	names := []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"}
	for _, name := range names {
		t.Setenv(name, "")
	}
	if err := checkProxyVariables(); err != nil {
		t.Error(err)
	}
	for _, name := range names {
		for _, valid := range []string{"http://proxy.example:3128", "proxy.example", "proxy.example:3128", "socks5://proxy.example:1080", "https://user:secret@proxy.example"} {
			t.Setenv(name, valid)
			if err := checkProxyVariables(); err != nil {
				t.Errorf("%s=%s: %v", name, valid, err)
			}
		}
		for _, invalid := range []string{"ftp://user:secret@proxy.example", "http://", "://secret", "http://proxy.example:secret", "%zz", "http://[::1", " "} {
			t.Setenv(name, invalid)
			err := checkProxyVariables()
			if err == nil || !strings.Contains(err.Error(), name) || term.HintOf(err) == "" ||
				strings.Contains(err.Error(), "secret") {
				t.Errorf("%s=%s: %v", name, invalid, err)
			}
			for _, call := range [][]string{{"check", "--agent", "a", "http://shop.example/"}, {"fetch", "http://shop.example"}, {"serve"}, {"visits", "lists", t.TempDir()}} {
				if code, _, messages := runTool(t, call...); code != exitUnknown || !strings.Contains(messages, name+" is not the URL of a proxy") {
					t.Errorf("with %s=%s, robots %q ends with %d: %s", name, invalid, call, code, messages)
				}
			}
		}
		file := filepath.Join(t.TempDir(), "robots.txt")
		write(t, file, "")
		if code, _, messages := runTool(t, "check", "--file", file, "--agent", "a", "/"); code != exitAllowed {
			t.Errorf("without a request, %s has status %d: %s", name, code, messages)
		}
		t.Setenv(name, "")
	}
}
