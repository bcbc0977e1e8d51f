package answer_test

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
)

// TestOutlineNames: crawlers have the names that are in the file, each once, although Google's parser reads only
// the beginning of some.
func TestOutlineNames(t *testing.T) {
	body := "User-agent: AI2Bot\nUser-agent: 360Spider\nDisallow: /\n\nUser-agent: ai2bot\nUser-agent:\nUser-agent: *\nDisallow: /a\n"
	o := answer.RuleFile(answer.NewFile([]byte(body)), nil, nil).Outline()
	if want := []string{"AI2Bot", "360Spider", "*"}; !slices.Equal(o.Agents, want) {
		t.Errorf("got %q, want %q", o.Agents, want)
	}
}
