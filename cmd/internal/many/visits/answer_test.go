package visits_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/crawlers"
)

// answered returns the result and the screen for a log.
func answered(t *testing.T, change func(*visits.Config), lines ...string) (found *wire.Visits, screen string) {
	t.Helper()
	c := visits.Config{
		Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -30), Lists: newLists(t), Note: t.Logf,
		Problem: func(err error) { t.Error(err) },
	}
	if change != nil {
		change(&c)
	}
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", strings.Join(lines, ""))})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, found)
	var b strings.Builder
	if err := visits.WriteText(&b, found); err != nil {
		t.Fatal(err)
	}
	return found, b.String()
}

// TestAnswer: the screen begins with who disobeyed, with the share of AI crawlers, and with what is missing.
func TestAnswer(t *testing.T) {
	complete := func(c *visits.Config) {
		c.LogsSince, c.Stated = monday.AddDate(0, 0, -30), []string{"the logs are complete\x1b"}
	}
	person := strings.Replace(at(0, "GPTBot", "/", 200), "GPTBot", "Nobody", 1)
	for name, test := range map[string]struct {
		change func(*visits.Config)
		lines  []string
		want   string
	}{
		"somebody": {complete, []string{at(0, "GPTBot", "/private/1", 200), at(0, "GPTBot", "/private/2", 200), at(0, "CCBot", "/private/1", 200), person},
			"2 of 2 crawlers disobeyed: GPTBot 2 visits, CCBot 1\nIn AI crawlers' names: 50% of requests, 50% of bytes\nLists: last read on 10 January\nStated: the logs are complete\\x1b\n\nshop.example,"},
		"nobody":    {complete, []string{at(0, "GPTBot", "/x", 200)}, "No crawler disobeyed\nIn AI crawlers' names: 100% of requests, 100% of bytes\nLists: last read on 10 January\nStated:"},
		"no lists":  {func(c *visits.Config) { complete(c); c.Lists = nil }, []string{at(0, "GPTBot", "/private/1", 200)}, "No crawler is shown to have disobeyed\n"},
		"too late":  {nil, []string{at(0, "GPTBot", "/private/1", 200)}, "No crawler is shown to have disobeyed\nIn AI crawlers' names: 100% of requests, 100% of bytes\n1 visit might have:\n  logs begin too late 1: give logs from 7 November 08:50; --logs-since states\n    from when on the logs have all requests\n"},
		"an outage": {complete, []string{strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 503), "GPTBot", "Nobody", 1), at(0, "GPTBot", "/private/1", 200)}, "No crawler is shown to have disobeyed\nIn AI crawlers' names: 50% of requests, 50% of bytes\n1 visit might have:\n  robots.txt failed or was empty 1 (line 1 of access.log): give --no-site-cache\n    only if neither a CDN nor any other cache answers for your site; a wrong\n    statement accuses crawlers that obeyed\n"},
		"refused":   {complete, []string{at(-time.Hour, "GPTBot", "/robots.txt", 403), at(0, "GPTBot", "/private/1", 200)}, "No crawler is shown to have disobeyed\nIn AI crawlers' names: 100% of requests, 100% of bytes\n1 visit might have:\n  robots.txt was refused 1 (line 1 of access.log): for later visits, let\n    crawlers fetch robots.txt, unless the crawler's own requests were malformed"},
		"two sites": {func(c *visits.Config) {
			complete(c)
			c.Sites = append(c.Sites, mustOrigin("https://blog.example"))
		}, []string{hostless(at(0, "GPTBot", "/private/1", 200))}, "No crawler is shown to have disobeyed\nIn AI crawlers' names: 100% of requests, 100% of bytes\n1 visit might have:\n  perhaps to another site 1: for later visits, log the requested host\nLists:"},
		"no site":        {func(c *visits.Config) { complete(c); noSite(c) }, []string{hostless(at(0, "GPTBot", "/private/1", 200))}, "No crawler is shown to have disobeyed\nIn AI crawlers' names: 100% of requests, 100% of bytes\n1 visit might have:\n  perhaps to another site 1: a single --site states that the server has no other\n    site, if no line of the log has a host; for later visits, log the requested\n    host\n"},
		"only a file":    {func(c *visits.Config) { c.Since = time.Time{} }, []string{at(0, "GPTBot", "/private/1", 200), person}, "In AI crawlers' names: 50% of requests, 50% of bytes\nLists: last read on 10 January\n\nshop.example"},
		"a false sender": {complete, []string{at(0, "GPTBot", "/x", 200), strings.Replace(at(0, "GPTBot", "/private/1", 200), "11.1.0.7", "11.77.0.7", 1)}, "No crawler is shown to have disobeyed\nIn AI crawlers' names: 100% of requests, 100% of bytes\nLists: last read on 10 January\nStated:"},
	} {
		_, screen := answered(t, test.change, test.lines...)
		if !strings.HasPrefix(screen, test.want) {
			t.Errorf("%s: the screen is\n%s\nwithout\n%s", name, screen, test.want)
		}
	}
}

// TestMightHave: only a visit of a verified sender that a file which might apply does not allow might have disobeyed,
// whatever is missing first.
func TestMightHave(t *testing.T) {
	disallowed, allowed := at(0, "GPTBot", "/private/1", 200), at(0, "GPTBot", "/tea", 200)
	sender := func(line string) string { return strings.Replace(line, "11.1.0.7", "11.77.0.7", 1) }
	person := strings.NewReplacer("GPTBot/1.0", "ChatGPT-User/1.0", "11.1.0.7", "11.5.0.7").Replace(disallowed)
	large := func(line string) string { return strings.Replace(line, " 200 5 ", " 200 100000000 ", 1) }
	escaped := func(line string) string {
		return strings.NewReplacer("private", `\x70rivate`, "tea", `te\x61`).Replace(line)
	}
	twoSites := func(c *visits.Config) { c.Sites = append(c.Sites, mustOrigin("https://blog.example")) }
	late := func(c *visits.Config) { c.LogsSince = time.Time{} }
	of := func(change func(string) string, lines ...string) (all []string) {
		for _, line := range lines {
			all = append(all, change(line))
		}
		return all
	}
	for why, test := range map[string]struct {
		change func(*visits.Config)
		lines  []string
		want   int64
	}{
		"site":       {twoSites, of(hostless, disallowed, allowed, sender(disallowed), person), 1},
		"slow":       {nil, of(large, disallowed, allowed, sender(disallowed), person), 1},
		"decoded":    {nil, of(escaped, disallowed, allowed, sender(disallowed), person), 1},
		"logs-begin": {late, []string{disallowed, allowed, sender(disallowed), person}, 1},
	} {
		found, screen := answered(t, func(c *visits.Config) {
			c.LogsSince = monday.AddDate(0, 0, -30)
			if test.change != nil {
				test.change(c)
			}
		}, test.lines...)
		n := int64(0)
		for _, w := range found.Withheld {
			if w.Why == why {
				n += w.Visits
			}
		}
		if n != test.want || len(found.Withheld) > 1 {
			t.Errorf("%s: %+v, want %d of one reason\n%s", why, found.Withheld, test.want, screen)
		}
	}
}

// TestScreenOfSites: if several sites are judged, the screen shows where a crawler disobeyed, and a line as proof.
func TestScreenOfSites(t *testing.T) {
	blog := func(line string) string { return strings.Replace(line, "shop.", "blog.", 1) }
	_, screen := answered(t, func(c *visits.Config) {
		c.LogsSince = monday.AddDate(0, 0, -30)
		c.Sites = append(c.Sites, mustOrigin("https://blog.example"))
	}, at(0, "GPTBot", "/x", 200), blog(at(0, "GPTBot", "/x", 200)),
		blog(at(time.Hour, "GPTBot", "/private/1", 200)))
	for _, want := range []string{
		"\n  sites: blog.example 2, of which 1 disobeyed; shop.example 1\n",
		"\n  first proof: line 3 of access.log, 9 Nov 10:00, GET /private/1\n",
	} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}

// TestShareOfTime: the share of AI crawlers is of the requests that are counted, and of all crawlers.
func TestShareOfTime(t *testing.T) {
	person := func(offset time.Duration) string {
		return strings.Replace(at(offset, "GPTBot", "/", 200), "GPTBot", "Nobody", 1)
	}
	lines := []string{
		at(-48*time.Hour, "GPTBot", "/", 200), person(0), person(time.Hour), person(2 * time.Hour),
		at(3*time.Hour, "GPTBot", "/", 200),
	}
	for want, change := range map[string]func(*visits.Config){
		"40% of requests, 40% of bytes": func(*visits.Config) {},
		"25% of requests, 25% of bytes": func(c *visits.Config) { c.From = day },
		"50% of requests, 50% of bytes": func(c *visits.Config) { c.Before = day.Add(time.Minute) },
	} {
		found, screen := answered(t, change, lines...)
		if !strings.Contains(screen, "In AI crawlers' names: "+want+"\n") {
			t.Errorf("%+v, and the screen lacks %s:\n%s", found.Share, want, screen)
		}
		crawler, _ := answered(t, func(c *visits.Config) {
			change(c)
			c.Selects = func(c *crawlers.Crawler) bool { return c.Token == "CCBot" }
		}, lines...)
		if *crawler.Share != *found.Share {
			t.Errorf("with another crawler selected: %+v, not %+v", crawler.Share, found.Share)
		}
	}
	c := visits.Config{Note: t.Logf, Problem: func(err error) { t.Error(err) }}
	text := strings.Join(lines, "")
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("a.log", text), logOf("b.log", text+person(4*time.Hour))})
	if err != nil || found.Share != nil {
		t.Errorf("of logs with the same lines: %+v, %v", found.Share, err)
	}
}

// TestGroups: the groups of a crawler add up to its visits, and days are in their order.
func TestGroups(t *testing.T) {
	lines := []string{at(0, "GPTBot", "/private/1?a=b", 200), at(-24*time.Hour, "GPTBot", "/private/2", 404), at(0, "GPTBot", "/tea", 200)}
	for by, want := range map[visits.By]string{
		visits.ByDay: "2026-11-08 1 1, 2026-11-09 2 1", visits.BySection: "/private/ 2 2, /tea 1 0", visits.ByStatus: "200 2 1, 404 1 1", visits.BySite: "https://shop.example 3 2", visits.NoGroups: "",
	} {
		found, screen := answered(t, func(c *visits.Config) { c.By = by }, lines...)
		var got []string
		for _, g := range found.Crawlers[0].Groups {
			got = append(got, fmt.Sprintf("%s %d %d", g.Name, g.Visits, g.Disallowed))
			if !strings.Contains(screen, "  "+g.Name+"  ") {
				t.Errorf("%s: the screen lacks %s:\n%s", by, g.Name, screen)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", by, got, want)
		}
	}
}

// TestListGaps: the answer names the days of visits on which a list of a crawler that came was not read.
func TestListGaps(t *testing.T) {
	visit := func(days ...int) (lines []string) {
		for _, day := range days {
			lines = append(lines, at(time.Duration(day)*24*time.Hour, "GPTBot", "/x", 200))
		}
		return lines
	}
	for name, test := range map[string]struct {
		lines []string
		gaps  int
		want  string
	}{
		"every day":      {visit(0, 1, 3), 0, "Lists: read daily, last on 10 January\n"},
		"one day":        {visit(0), 0, "Lists: last read on 10 January\n"},
		"after the last": {visit(60, 62, 63, 64, 66, 70, 71, 80), 6, "Lists: last read on 10 January; none on 11 to 12 January 2027, 14 January 2027, 18 to 19 January 2027, and 1 other day\n"},
	} {
		found, screen := answered(t, nil, test.lines...)
		if len(found.ListGaps) != test.gaps || !strings.Contains(strings.ReplaceAll(screen, "\n  ", " "), test.want) {
			t.Errorf("%s: %q, and the screen is\n%s", name, found.ListGaps, screen)
		}
	}
	found, _ := answered(t, func(c *visits.Config) { c.Lists = nil }, visit(0, 1)...)
	if len(found.ListGaps) > 0 {
		t.Errorf("without lists: %q", found.ListGaps)
	}
}
