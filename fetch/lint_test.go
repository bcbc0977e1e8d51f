package fetch

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestLintAgrees checks the linter's table of statuses, which exists because
// the linter must not import this package. For each status of HTTP and FTP it
// must report what every policy does with a site that has no copy. The linter
// follows Google's page, so there are exceptions: Koster's draft disallows a
// forbidden site, the policy of RFC 9309 one with an undefined status, and the careful policy
// follows no specification.
func TestLintAgrees(t *testing.T) {
	for status := 100; status <= 999; status++ {
		for url, class := range map[string]class{
			"https://example.com/robots.txt": classOf(status),
			"ftp://example.com/robots.txt":   classIn(ftpStatuses, status),
		} {
			got := lintedEffect(t, url, status)
			for _, p := range Policies() {
				if p == CarefulPolicy {
					continue
				}
				want := effectOfClass(p, class)
				if p == KosterPolicy && class == classForbidden || p == RFC9309Policy && class == classUndefined {
					want = "allowed"
				}
				if got != want {
					t.Errorf("%s, status %d, policy %v: %s, but the linter says %s", url, status, p, want, got)
				}
			}
		}
	}
}

func effectOfClass(p Policy, c class) string {
	e := p.duringOutage(0, false)
	switch c {
	case classEmpty:
		return "empty"
	case classUnreachable:
	case classRedirect: // no target to follow
		e = p.effectOf(classUnavailable)
	default:
		e = p.effectOf(c)
	}
	return map[effect]string{effectFile: "obeyed", effectAllowAll: "allowed", effectDisallowAll: "disallowed"}[e]
}

func lintedEffect(t *testing.T, url string, status int) string {
	t.Helper()
	served := &lint.Served{URL: url, Status: status, ContentType: "text/plain; charset=utf-8"}
	for _, f := range lint.Check([]byte("User-agent: *\nDisallow: /a\n"), lint.Config{Served: served}) {
		if f.Code != "RX601" {
			continue
		}
		for words, effect := range map[string]string{"whole site as blocked": "disallowed", "file as empty": "empty", "if there were no file": "allowed"} {
			if strings.Contains(f.Message, words) {
				return effect
			}
		}
		t.Fatalf("no known effect: %s", f.Message)
	}
	return "obeyed"
}
