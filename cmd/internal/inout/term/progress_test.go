package term

import (
	"testing"
	"time"
)

// TestProgressLine: the rate and the time that is left appear once they mean something.
func TestProgressLine(t *testing.T) {
	for _, test := range []struct {
		progress *Progress
		elapsed  time.Duration
		want     string
	}{
		{&Progress{urls: 1, fetched: 1, underWay: 1, share: 0.5}, time.Second, "[##########----------]  50%  URLs 1, sites 1, under way 1"},
		{&Progress{urls: 50, fetched: 3, unreached: 1, share: 0.25}, 10 * time.Second, "[#####---------------]  25%  URLs 50, sites 3, under way 0, unreachable 1, 5.0/s, 30s left"},
		{&Progress{urls: 50_000, share: 0.1}, 20 * time.Minute, "[##------------------]  10%  URLs 50000, sites 0, under way 0, 42/s, 3h0m left"},
		{&Progress{urls: 3, share: -1}, 10 * time.Second, "URLs 3, sites 0, under way 0, 0.3/s"},
		{&Progress{files: func() Done { return Done{Files: 12_000, Share: 0.5} }}, 10 * time.Second, "[##########----------]  50%  files 12,000, 1200/s, 10s left"},
		{&Progress{files: func() Done { return Done{Files: 12_000, Share: 0.6, Bytes: 80_000_000, Earlier: Earlier{2000, 0.2}} }}, 10 * time.Second, "[############--------]  60%  files 12,000, 80 MB, 1000/s, 8.0 MB/s, 10s left"},
		{&Progress{files: func() Done { return Done{Files: 5, Share: -1, Bytes: 250_000} }}, time.Second, "files 5, 0.2 MB"},
		{&Progress{files: func() Done { return Done{Files: 7, Share: -1} }}, time.Second, "files 7"},
		{&Progress{share: 0}, 10 * time.Second, "[--------------------]   0%  URLs 0, sites 0, under way 0, 0.0/s"},
		{&Progress{urls: 9, share: 1.5}, 3 * time.Second, "[####################] 100%  URLs 9, sites 0, under way 0, 3.0/s, 0s left"},
	} {
		if got := test.progress.line(test.elapsed); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
