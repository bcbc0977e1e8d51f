package serve_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
)

// TestDocs runs the commands of docs/http-api.md. They must succeed, and print what the
// document shows after them.
func TestDocs(t *testing.T) {
	for _, program := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	text, err := os.ReadFile("../../../../docs/http-api.md")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, newSite(t, serveShop), nil)
	ran := 0
	for _, block := range strings.Split(string(text), "\n```sh\n")[1:] {
		script, rest, _ := strings.Cut(block, "\n```\n")
		want, shown := strings.CutPrefix(rest, "\n```json\n")
		want, _, _ = strings.Cut(want, "\n```\n")
		output, err := exec.CommandContext(t.Context(), "sh", "-ec", strings.ReplaceAll(script, "http://127.0.0.1:8070", s.url)).CombinedOutput()
		got := strings.TrimSpace(string(output))
		if err != nil {
			t.Errorf("%s\nfails: %v: %s", script, err, got)
		}
		if shown && got != want {
			t.Errorf("%s\nprints\n%s\nand the document says\n%s", script, got, want)
		}
		for value := json.NewDecoder(strings.NewReader(got)); value.More(); ran++ {
			var result struct {
				Schema, Status int
				Answers        []json.RawMessage
			}
			if err := value.Decode(&result); err != nil || result.Schema != 1 && !shown {
				t.Errorf("%s\nprints %v\n%s", script, err, got)
				break
			}
		}
	}
	if ran < 15 {
		t.Errorf("only %d results", ran)
	}
}

// TestCodes: the codes of problems in the source are those of the document.
func TestCodes(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, code := range []calls.Code{calls.CodeMalformed, calls.CodeUnknown, calls.CodeInvalid, calls.CodeLimit,
		calls.CodeInternal} {
		found[string(code)] = true
	}
	call := regexp.MustCompile(`\b(?:(?:problem|busy)\(http\.Status\w+,|code\w+ +=) "([^"]+)"`)
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range call.FindAllStringSubmatch(string(source), -1) {
			found[match[1]] = true
		}
	}
	text, err := os.ReadFile("../../../../docs/http-api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| status | codes |")
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string]bool{}
	for _, match := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(table, -1) {
		documented[match[1]] = true
		if !found[match[1]] {
			t.Errorf("docs/http-api.md has the code %s, which the service does not have", match[1])
		}
	}
	for code := range found {
		if !documented[code] {
			t.Errorf("docs/http-api.md lacks the code %s", code)
		}
	}
	if len(found) < 20 {
		t.Errorf("only %d codes were found", len(found))
	}
}
