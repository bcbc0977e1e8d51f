package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestServeLogJSON: with --log json every line on standard error is an object, also notes,
// warnings of the store, and the error of a service that cannot start.
func TestServeLogJSON(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	write(t, folder, "no folder")
	var log bytes.Buffer
	cmd := exec.Command("robots", "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--cache", folder, "--log", "json")
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	response, err := http.Get(address + "openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	occupied := exec.Command("robots", "serve", "--listen", strings.Trim(strings.TrimPrefix(address, "http://"), "/"), "--admin", "none", "--cache", "none", "--log", "json")
	occupied.Stdout = os.Stderr
	refused := logged(t, mustFail(t, occupied))
	if len(refused) != 1 || refused[0].Level != "ERROR" || !strings.HasPrefix(refused[0].Msg, "cannot listen: ") ||
		!strings.HasPrefix(refused[0].Hint, "another program") {
		t.Errorf("%+v", refused)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		_ = cmd.Process.Kill()
		t.Skipf("NOT TESTED: no Ctrl-C on this system: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	levels := map[string]string{}
	for _, line := range logged(t, log.String()) {
		name, _, _ := strings.Cut(line.Msg, " ")
		levels[name] = line.Level
	}
	if levels["health"] != "INFO" || levels["the"] != "WARN" || levels["request"] != "INFO" {
		t.Errorf("the log is\n%s", log.String())
	}
}

// TestServeEscapesAddresses: an address that is not valid controls no terminal and begins no line.
func TestServeEscapesAddresses(t *testing.T) {
	text := mustFail(t, exec.Command("robots", "serve", "--cache", "none", "--admin", "none", "--listen", "x\r\n::y\x1b[31m\u202e"))
	if strings.ContainsAny(text, "\r\x1b\u202e") || strings.Contains(text, "\n::") || !strings.Contains(text, `x\r\n::y`) {
		t.Errorf("%q", text)
	}
}

// mustFail returns what a command that fails prints as errors.
func mustFail(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitUnknown {
		t.Fatalf("%v: %s", err, &text)
	}
	return text.String()
}

type logLine struct{ Time, Level, Msg, Hint string }

// logged returns the lines of a log, all of which must be objects.
func logged(t *testing.T, text string) (lines []logLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l logLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Time == "" || l.Msg == "" {
			t.Fatalf("%v: %q", err, line)
		}
		lines = append(lines, l)
	}
	return lines
}
