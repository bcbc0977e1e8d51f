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
		if row.token == "" && (row.star != crawlers.Unknown || row.operator != "") {
			t.Errorf("%+v: of a token that no text spells nothing is known", row)
		}
	}
	for _, c := range crawlers.Select(crawlers.Selection{}) {
		if c.Control != known[c.Token] {
			t.Errorf("%s: control is %v, but it is in the table: %v", c.Token, c.Control, known[c.Token])
		}
	}
}

// TestSharedToken: what becomes of the shared training signal once its token is known. As long as
// no text says whether "*" applies, only a group with the token says something.
func TestSharedToken(t *testing.T) {
	row := policyToken{token: "train", star: crawlers.Unknown, purposes: []crawlers.Purpose{aiTraining}}
	for text, want := range map[string]int{
		"User-agent: *\nDisallow: /\n":                                0,
		"User-agent: *\nAllow: /\n\nUser-agent: train\nDisallow: /\n": 1,
	} {
		e := evaluation{q: Ask("https://example.com/a", "AnyBot"), s: &Sources{Robots: NewRobots("", []byte(text))}}
		if e.readToken(&row); len(e.stated) != want {
			t.Errorf("%q: %+v", text, e.stated)
		}
	}
}
