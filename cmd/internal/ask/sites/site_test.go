package sites

import (
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// TestAge: the age of a file is measured when the run begins; a file of the run has none.
func TestAge(t *testing.T) {
	began := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for fetched, want := range map[time.Duration]int{-90 * time.Minute: 5400, -1500 * time.Millisecond: 1, 0: 0,
		time.Minute: 0} {
		ruling := RuleSite(&fetch.Result{FetchedAt: began.Add(fetched)}, began, nil, nil)
		if ruling.Site.Age != want {
			t.Errorf("fetched %v from the beginning: age %d, want %d", fetched, ruling.Site.Age, want)
		}
	}
}
