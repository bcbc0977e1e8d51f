package permission

import (
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestPolicyTokens: the table has the tokens of package crawlers that control how pages are used.
func TestPolicyTokens(t *testing.T) {
	known := map[string]bool{}
	for _, row := range policyTokens {
		known[row.token] = true
		if c, _ := crawlers.Find(row.token); c.Operator != row.operator {
			t.Errorf("%s is of %q", row.token, c.Operator)
		}
	}
	for _, c := range crawlers.Select(crawlers.Selection{}) {
		if c.Control != known[c.Token] {
			t.Errorf("%s: control is %v, but it is in the table: %v", c.Token, c.Control, known[c.Token])
		}
	}
}
