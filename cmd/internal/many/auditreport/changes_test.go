package auditreport_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
)

// A crawl without the crawler has no share.
func TestFromTo(t *testing.T) {
	crawl := func(crawler string, closed, open int) *audit.Summary {
		return &audit.Summary{Crawlers: map[string]*audit.CrawlerCount{crawler: {Reading: "google",
			Tally: audit.Tally{Treatments: audit.Treatments{audit.ClosedByName: closed, audit.FullyOpen: open}}}}}
	}
	for _, c := range []struct {
		crawls []*audit.Summary
		want   string
	}{
		{[]*audit.Summary{crawl("GPTBot", 1, 3), crawl("GPTBot", 1, 1)}, "25.0% → 50.0%"},
		{[]*audit.Summary{crawl("CCBot", 1, 3), crawl("GPTBot", 1, 1)}, "– → 50.0%"},
		{[]*audit.Summary{crawl("GPTBot", 1, 3), crawl("GPTBot", 1, 1), crawl("CCBot", 1, 1)}, "25.0% → –"},
		{[]*audit.Summary{crawl("CCBot", 1, 3), crawl("GPTBot", 1, 1), crawl("CCBot", 1, 1)}, ""},
	} {
		closed := func(c *audit.CrawlerCount) int { return c.Closed() }
		all := func(c *audit.CrawlerCount) int { return c.Sum() }
		if got := auditreport.FromTo(c.crawls, "GPTBot", closed, all); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
