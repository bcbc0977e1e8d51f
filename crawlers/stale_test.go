package crawlers_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
)

var failStale = flag.Bool("fail-stale", false, "let TestStale fail if an entry was not checked for 180 days")

const freshFor = 180 * 24 * time.Hour

// TestStale lists the entries with verified facts that were not compared with their sources for 180
// days. It fails only with -fail-stale, so that the tests of an old version still pass.
func TestStale(t *testing.T) {
	report := t.Logf
	if *failStale {
		report = t.Errorf
	}
	for _, line := range stale(slices.Collect(crawlers.All()), time.Now()) {
		report("%s", line)
	}
}

// TestStaleList checks the list for made-up entries and days.
func TestStaleList(t *testing.T) {
	list := []crawlers.Crawler{
		{Token: "New", Verified: []string{"obeys"}, Checked: "2026-06-01"},
		{Token: "Old", Verified: []string{"obeys"}, Checked: "2026-01-01"},
		{Token: "OldToo", Verified: []string{"obeys"}, Checked: "2025-01-01"},
		{Token: "NotVerified", Checked: "2025-01-01"},
		{Token: "Never", Checked: crawlers.Unknown},
	}
	got := stale(list, time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC))
	if want := []string{"OldToo: checked 2025-01-01, 546 days ago", "Old: checked 2026-01-01, 181 days ago"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// stale returns a line for each crawler with verified facts that was last checked more than 180
// days before now, the oldest first.
func stale(list []crawlers.Crawler, now time.Time) (lines []string) {
	slices.SortStableFunc(list, func(a, b crawlers.Crawler) int { return strings.Compare(a.Checked, b.Checked) })
	for _, c := range list {
		checked, err := time.Parse(time.DateOnly, c.Checked)
		if age := now.Sub(checked); len(c.Verified) > 0 && err == nil && age > freshFor {
			lines = append(lines, fmt.Sprintf("%s: checked %s, %d days ago", c.Token, c.Checked, int(age.Hours()/24)))
		}
	}
	return lines
}
