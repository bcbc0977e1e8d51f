package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
	"github.com/kosterhq/robotstxt/lint"
)

// TestHeaders: RX107 names the crawler that all surfaces read in a header, if it is known.
func TestHeaders(t *testing.T) {
	for header, token := range surfaces.Headers() {
		if !strings.HasPrefix(header, "Mozilla/") || !strings.Contains(header, "(") {
			continue // other findings can fit
		}
		var messages []string
		for _, f := range lint.Inspect([]byte("User-agent: "+header+"\nDisallow: /\n"), lint.Config{Pedantic: true}).Findings {
			if f.Code == "RX107" {
				messages = append(messages, f.Message)
			}
		}
		if _, known := crawlers.Find(token); len(messages) != 1 || known && !strings.Contains(messages[0], token) {
			t.Errorf("%q: %q, want one about %q", header, messages, token)
		}
	}
}
