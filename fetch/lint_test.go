package fetch

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestLintAgrees: the linter has a table of what statuses mean, because it must
// not import this package. It says for each status of HTTP and FTP what every
// policy does with a site that has no copy, except that Koster's draft closes a
// site that is forbidden, while the linter follows Google's page.
func TestLintAgrees(t *testing.T) {
	for status := 100; status <= 999; status++ {
		ofFTP := classUnreachable
		for _, r := range ftpStatuses {
			if r.first <= status && status <= r.last {
				ofFTP = r.class
			}
		}
		for url, class := range map[string]class{
			"https://example.com/robots.txt": classOf(status),
			"ftp://example.com/robots.txt":   ofFTP,
		} {
			got := lintedEffect(t, url, status)
			for _, p := range Policies() {
				want := effectOfClass(p, class)
				if p == KosterPolicy && class == classForbidden {
					want = "allowed"
				}
				if got != want {
					t.Errorf("%s, status %d, policy %v: %s, but the linter says %s", url, status, p, want, got)
				}
			}
		}
	}
}

// effectOfClass is what a policy does with a class when it has no copy.
func effectOfClass(p Policy, c class) string {
	word := p.during(0, false)
	switch c {
	case classEmpty:
		return "empty"
	case classUnreachable:
	case classRedirect: // to nowhere
		word = p.settled(classUnavailable)
	default:
		word = p.settled(c)
	}
	return map[answer]string{answerFile: "obeyed", answerAllowAll: "allowed", answerDisallowAll: "disallowed"}[word]
}

// lintedEffect is what the linter says about a file with that status.
func lintedEffect(t *testing.T, url string, status int) string {
	t.Helper()
	served := &lint.Served{URL: url, Status: status, ContentType: "text/plain; charset=utf-8"}
	for _, f := range lint.Check([]byte("User-agent: *\nDisallow: /a\n"), lint.Config{Served: served}) {
		if f.Code != "RX601" {
			continue
		}
		for _, effect := range []string{"disallowed", "empty", "allowed"} {
			if strings.Contains(f.Message, effect) {
				return effect
			}
		}
		t.Fatalf("no known effect: %s", f.Message)
	}
	return "obeyed"
}
