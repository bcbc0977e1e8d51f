package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

func TestSuppression(t *testing.T) {
	for _, c := range []struct {
		name, body, want string
	}{
		{"of a code", "Host: h # robots-lint: ignore RX501\n", ""},
		{"by name", "Host: h # robots-lint: ignore retired-directive\n", ""},
		{"of several codes", "Host: h # robots-lint: ignore RX502, rx501,RX505\n", "1:31-36 RX519 info, 1:44-49 RX519 info"},
		{"of all", "Crawl-delay: x # robots-lint: ignore\n", ""},
		{"behind a comment", "Host: h # main # robots-lint: ignore RX501 # since 2012\n", ""},
		{"of another line", "Host: h\nRobot-version: 2 # robots-lint: ignore RX501\n", "1:1-5 RX501 info"},
		{"of the next line", "# robots-lint: ignore RX501\nHost: h\nHost: h\n", "3:1-5 RX501 info"},
		{"behind comments", "# robots-lint: ignore RX501\n# a word\n# robots-lint: ignore RX518\nCrawl-delay: 5\nHost: h\n", "1:23-28 RX519 info, 5:1-5 RX501 info"},
		{"of an empty line", "# robots-lint: ignore\n\nHost: h\n", "1:16-22 RX519 info, 3:1-5 RX501 info"},
		{"of nothing", "# robots-lint: ignore RX501", "1:23-28 RX519 info"},
		{"of the file", "Host: h\nNoindex: /\n\n# robots-lint: ignore-file RX501\nCrawl-delay: 5\n", "5:1-12 RX518 warning"},
		{"of all in the file", "Host: h\nCrawl-delay: x\n# robots-lint: ignore-file\n", ""},
		{"twice", "Host: h # robots-lint: ignore RX501 RX501\n", "1:37-42 RX519 info"},
		{"unknown code", "Host: h # robots-lint: ignore RX999\n", "1:1-5 RX501 info, 1:31-36 RX519 info"},
		{"unknown order", "Host: h # robots-lint: skip RX501\n", "1:1-5 RX501 info, 1:11-28 RX519 info"},
		{"no order", "Host: h # robots-lint:\n", "1:1-5 RX501 info, 1:11-23 RX519 info"},
		{"in words", "Host: h # see robots-lint: ignore RX501\n", "1:1-5 RX501 info"},
		{"of suppressions", "# robots-lint: ignore RX501, RX519\nSitemap: https://h.e/s\n", ""},
		{"not by a comment for all", "Sitemap: https://h.e/s # robots-lint: ignore\n", "1:39-45 RX519 info"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := placesBeyond(c.body, nowhere); got != c.want {
				t.Errorf("%q:\ngot  %s\nwant %s", c.body, got, c.want)
			}
		})
	}
}

// TestSuppressionOfWhatIsOff: a code that is off here may be on elsewhere.
func TestSuppressionOfWhatIsOff(t *testing.T) {
	off := lint.Config{Severities: map[lint.Code]lint.Severity{"RX501": lint.Off}}
	if got := placesBeyond("Host: h # robots-lint: ignore RX501\n", off); got != "" {
		t.Error(got)
	}
}

// TestManySuppressions: their number times the findings would not end.
func TestManySuppressions(t *testing.T) {
	const n = 12_000 // the file is read whole
	body := strings.Repeat("# robots-lint: ignore RX501\n", n) + strings.Repeat("Noindex: /\n", n)
	count := map[lint.Code]int{}
	for _, f := range lint.Check([]byte(body), lint.Config{MaxFindings: -1, MaxPerCode: -1}) {
		count[f.Code]++
	}
	if count["RX501"] != n-1 || count["RX519"] != n-1 {
		t.Errorf("%v, want all but one of %d", count, n)
	}
}
