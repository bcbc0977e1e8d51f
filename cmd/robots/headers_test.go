package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
)

// TestHeaders: --agent, the HTTP API and expectations read a User-Agent header for the same
// product token, except for its case, and all refuse a header that names no crawler.
func TestHeaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for header, want := range surfaces.Declared() {
		if header == "*" {
			continue // any crawler that no group names
		}
		status, stdout, stderr := runTool(t, "check", "--exact-agent", "--file", file, "--agent", header, "--json", "/")
		var answer struct{ Agent string }
		if err := json.Unmarshal([]byte(stdout), &answer); !strings.EqualFold(answer.Agent, want) ||
			(err == nil) != (want != "") ||
			want == "" && (status != 2 || !strings.Contains(stderr, "names no crawler") && !strings.Contains(stderr, "empty")) {
			t.Errorf("--agent %q: %s%s, want %q", header, stdout, stderr, want)
		}
		selection := calls.Selection{Agents: []string{header}}
		selected, err := selection.Crawlers(calls.Limits{})
		if (err == nil) != (want != "") ||
			err == nil && (len(selected) != 1 || !strings.EqualFold(selected[0].Tokens[0], want)) {
			t.Errorf("the API reads %q as %v, %v; want %q", header, selected, err, want)
		}
		header = strings.TrimSpace(header)
		if header == "" {
			continue // agents of no tokens
		}
		suite := (&expect.Runner{}).Suite("x.robots-test", []byte("robots: https://foo.example\nagents: "+header+"\nallow: /\n"))
		if (suite.Err == nil) != (want != "") || suite.Err == nil && !strings.EqualFold(suite.Checks[0].Agents[0], want) {
			t.Errorf("expectations read %q as %v, %v; want %q", header, suite.Checks, suite.Err, want)
		}
	}
}
