package watch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/semdiff"
)

// TestGroups: a site is in the group of its most serious change. Groups are in the order of their
// gravity, then of their size, and a group of sites with different words has an example.
func TestGroups(t *testing.T) {
	var events []wire.WatchEvent
	add := func(site string, gravity wire.WatchGravity, kind wire.WatchKind, size semdiff.Size, text string) {
		change := wire.WatchChange{Kind: kind, Gravity: gravity, Size: size, Text: text}
		less := wire.WatchChange{Kind: wire.WatchLines, Gravity: wire.GravityLow, Text: "Crawl-delay: added 5"}
		events = append(events, wire.WatchEvent{Site: site, At: time.Unix(0, 0), Gravity: gravity,
			Changes: []wire.WatchChange{change, less}})
	}
	for i := range 5 {
		add(fmt.Sprintf("https://c%d.example", 4-i), wire.GravityMedium, wire.WatchCloses, semdiff.SizeSome, fmt.Sprintf("closes /%d for GPTBot", i))
	}
	add("https://b.example", wire.GravityLow, wire.WatchSitemaps, "", "Sitemap: added x")
	add("https://e.example", wire.GravityLow, wire.WatchSitemaps, "", "Sitemap: added x")
	for i := range 3 {
		add(fmt.Sprintf("https://a%d.example", i), wire.GravityCritical, wire.WatchCloses, semdiff.SizeMost, "closes all but /a for Googlebot")
	}
	add("https://d.example", wire.GravityCritical, wire.WatchCloses, semdiff.SizeAll, "closes the whole site for Googlebot")
	add("https://d.example", wire.GravityHigh, wire.WatchOpens, semdiff.SizeAll, "opens the whole site for GPTBot") // an earlier event
	want := []string{
		"critical closes most 3 [https://a0.example https://a1.example https://a2.example] 3 sites close all but /a for Googlebot",
		"critical closes all 1 [https://d.example] 1 site closes the whole site for Googlebot",
		"medium closes some 5 [https://c0.example https://c1.example https://c2.example] 5 sites close paths, for example https://c0.example closes /4 for GPTBot",
		"low sitemaps  2 [https://b.example https://e.example] 2 sites: Sitemap: added x",
	}
	for range 3 {
		var got []string
		for _, g := range watch.Groups(events) {
			got = append(got, fmt.Sprint(g.Gravity, " ", g.Kind, " ", g.Size, " ", g.Sites, " ", g.Examples, " ", g.Text))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		slices.Reverse(events)
	}
}
