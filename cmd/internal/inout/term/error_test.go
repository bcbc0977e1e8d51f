package term_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func TestClosest(t *testing.T) {
	names := []string{"agent", "dialect", "file", "json", "limit", "quiet", "urls"}
	for misspelt, want := range map[string]string{
		"agnet": "agent", "agents": "agent", "user-agent": "", "dial": "dialect", "url": "urls",
		"flie": "file", "": "", "x": "", "completely": "",
	} {
		if got := term.Closest(misspelt, names); got != want {
			t.Errorf("Closest(%q) = %q, want %q", misspelt, got, want)
		}
	}
}
