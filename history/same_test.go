package history_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/history"
)

// A file with a new comment each time is presumed between its observations, up to MaxGap apart. One
// with another meaning, another sitemap or use, or a longer gap is not, but the verdicts are if only they are equal.
func TestSameMeaning(t *testing.T) {
	s := open(t, t.TempDir()+"/history.db", history.Config{})
	const rules = "User-agent: *\nDisallow: /a\n"
	hour := 0
	for _, step := range []struct {
		body  string
		hours int // after the observation before
	}{
		{"# build 1\n" + rules, 0}, {"# build 2\n" + rules, 24}, {"# build 3\n" + rules, 37}, {"# build 4\n" + rules + "Disallow: /b\n", 1},
		{"# build 5\n" + rules + "Disallow: /b\nSitemap: https://shop.example/s.xml\n", 1},
		{"# build 6\n" + rules + "Disallow: /b\nContent-Signal: ai-train=no\nSitemap: https://shop.example/s.xml\n", 1},
	} {
		hour += step.hours
		o := history.Observation{Origin: site, Time: epoch.Add(time.Duration(hour) * time.Hour), Source: "client",
			Status: 200, Body: []byte(step.body)}
		if err := s.Add(context.Background(), o); err != nil {
			t.Fatal(err)
		}
	}
	for minutes, want := range map[int][2]history.Certainty{ // of the file and of its verdicts
		0: {history.Proved, history.Proved}, 12 * 60: {history.Presumed, history.Presumed},
		24 * 60: {history.Proved, history.Proved}, 40 * 60: {history.Possible, history.Possible},
		61*60 + 30: {history.Possible, history.Possible}, 62*60 + 30: {history.Possible, history.Presumed},
		63*60 + 30: {history.Possible, history.Presumed},
		9999:       {history.Unknown, history.Unknown},
	} {
		for range 2 { // the second time from memory
			got, err := s.At(context.Background(), site, epoch.Add(time.Duration(minutes)*time.Minute))
			if err != nil || got.Certainty != want[0] || got.Verdicts != want[1] {
				t.Errorf("after %d minutes: %s, verdicts %s (%v), want %s", minutes, got.Certainty, got.Verdicts, err, want)
			}
		}
	}
	spans, err := s.Window(context.Background(), site, epoch, epoch.Add(1000*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, span := range spans {
		text += fmt.Sprintf("%s %d, ", span.Certainty, span.Observations)
		if span.Verdicts != span.Certainty {
			text += fmt.Sprintf("(verdicts %s) ", span.Verdicts)
		}
	}
	if want := "proved 1, presumed 0, proved 1, possible 0, proved 1, possible 0, proved 1, possible 0, (verdicts presumed) proved 1, possible 0, (verdicts presumed) proved 1, unknown 0, "; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	changes, err := s.Changes(context.Background(), site)
	if err != nil || len(changes) != 5 {
		t.Errorf("%d changes (%v), want 5: other bytes are changes too", len(changes), err)
	}
}
