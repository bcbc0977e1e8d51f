package compare_test

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/semdiff"
)

// TestClosedForAI checks that robots ai calls what a group blocks closed, for every
// purpose and every crawler that the group names. Those that no line can name are unknown.
func TestClosedForAI(t *testing.T) {
	for _, purpose := range crawlers.Purposes() {
		purposes := []crawlers.Purpose{purpose}
		selected := crawlers.Select(crawlers.Selection{Purposes: purposes})
		text, err := compare.Blocklist(t.Context(), compare.BlocklistConfig{Crawlers: selected, Title: "test"})
		if err != nil {
			t.Fatalf("%s: %v", purpose, err)
		}
		ruling := answer.RuleFile(answer.NewFile(text), nil, nil)
		view, err := aiview.New(t.Context(), "robots.txt", ruling, aiview.Config{Purposes: purposes})
		if err != nil {
			t.Fatal(err)
		}
		_, unnamed := compare.Nameable(selected)
		n := 0
		for _, a := range view.Purposes {
			n += len(a.Agents)
			want := semdiff.ExtentClosed
			if a.Unread {
				want = semdiff.ExtentUnknown
			}
			if slices.ContainsFunc(unnamed, func(c crawlers.Crawler) bool { return c.Token == a.Agents[0] }) && !a.Unread {
				want = semdiff.ExtentOpen // it falls back to another crawler
			}
			if a.Access != want {
				t.Errorf("%s: %s for %q, want %s", purpose, a.Access, a.Agents, want)
			}
		}
		if n != len(selected) {
			t.Errorf("%s: %d crawlers, want %d", purpose, n, len(selected))
		}
	}
}
