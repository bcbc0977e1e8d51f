package compare_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

const (
	before = `User-agent: *
Disallow: /a
User-agent: Googlebot
Disallow: /b
User-agent: AdsBot-Google
Disallow: /c
`
	after = `User-agent: *
Disallow: /a
Disallow: /x
User-agent: Googlebot
User-agent: Googlebot-Image
Disallow: /b
`
)

func run(t *testing.T, q compare.Question) *compare.Result {
	t.Helper()
	r, err := compare.Run(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Crawlers are compared as their operators document them: Googlebot-Image has the
// rules of Googlebot where no group names it, and groups for "*" do not apply to
// AdsBot-Google.
func TestRunDocumented(t *testing.T) {
	r := run(t, compare.Question{Old: []byte(before), New: []byte(after)})
	want := []wire.PathChange{
		{Agents: []string{"*"}, Effect: wire.Closes, NewLine: 3, Witness: "/x"},
		{Agents: []string{"AdsBot-Google"}, Effect: wire.Opens, OldLine: 6, Witness: "/c"},
	}
	if !reflect.DeepEqual(r.Changes, want) || r.Equal || r.Undecided || !r.Complete {
		t.Errorf("got %+v", r.Comparison)
	}
	if !r.Does(wire.Opens) || !r.Does(wire.Closes) {
		t.Error("it opens and closes")
	}
}

// The witness of a change is a URL that was given, the first one, and otherwise has no empty
// segments unless a rule has them. The given URLs of each change are counted, however many of
// its crawlers they change for.
func TestWitness(t *testing.T) {
	q := compare.Question{New: []byte("User-agent: *\nDisallow: /shoes/*/page/\nDisallow: /cart\nDisallow: /*//feed\nDisallow: /x/x/x\n"), Old: []byte("User-agent: Googlebot\nDisallow: /z\n")}
	r := run(t, q)
	witnesses := func() (found []string) {
		var all []wire.PathChange
		for _, row := range r.Rows {
			all = append(all, row.Changes...)
		}
		if !reflect.DeepEqual(r.Changes, all) {
			t.Errorf("the changes are %+v, those of the rows %+v", r.Changes, all)
		}
		for _, c := range r.Rows[0].Changes {
			found = append(found, c.Witness)
		}
		return found
	}
	if want := []string{"/shoes/x/page/", "/cart", "///feed", "/x/x/x"}; !reflect.DeepEqual(witnesses(), want) {
		t.Errorf("got %q, want %q", witnesses(), want)
	}
	for _, url := range []string{"/open", "https://shop.example/cart/1?a=%c3", "https://shop.example/cart/2", "/shoes/red/page/1", "https://shop.example/cart/1?a=%c3"} {
		r.Judge(url)
	}
	if want := []string{"/shoes/red/page/1", "/cart/1?a=%c3", "///feed", "/x/x/x"}; !reflect.DeepEqual(witnesses(), want) {
		t.Errorf("got %q, want %q", witnesses(), want)
	}
	var counts []int
	for _, c := range r.Rows[0].Changes {
		counts = append(counts, c.URLs)
	}
	if want := []int{1, 3, 0, 0}; !reflect.DeepEqual(counts, want) {
		t.Errorf("%d URLs change, want %d", counts, want)
	}
	r = run(t, compare.Question{New: []byte("User-agent: Googlebot\nUser-agent: Bingbot\nDisallow: /x\n")})
	r.Judge("/x")
	if c := r.Changes[0]; len(c.Agents) < 2 || c.URLs != 1 {
		t.Errorf("%d URLs change for %q", c.URLs, c.Agents)
	}
}

// What is selected alone counts: for equality, for other lines, for URLs.
func TestRunSelected(t *testing.T) {
	q := compare.Question{Old: []byte(before), New: []byte(after + "Crawl-delay: 5\n")}
	q.Crawlers = []answer.Crawler{answer.NewCrawler("BingBot"), answer.NewCrawler("Googlebot")}
	r := run(t, q)
	for _, url := range []string{"/x", "https://shop.example/b", "/c", "x"} {
		r.Judge(url)
	}
	if want := []wire.Flip{{URL: "/x", Agents: []string{"BingBot"}, Effect: wire.Closes}}; !reflect.DeepEqual(r.Flips, want) ||
		r.URLs != 4 {
		t.Errorf("flips: got %+v of %d", r.Flips, r.URLs)
	}
	want := []wire.OtherDifference{{Kind: "Crawl-delay", Agents: []string{"Googlebot"}, Old: []string{}, New: []string{"5"}}}
	if !reflect.DeepEqual(r.Other, want) {
		t.Errorf("other: got %+v", r.Other)
	}
	q.Crawlers = q.Crawlers[1:]
	r = run(t, q)
	if !r.Equal || r.Does(wire.Closes) {
		t.Errorf("Googlebot: got %+v", r.Comparison)
	}
}

// A crawler that is selected twice is compared and listed once.
func TestRunTwice(t *testing.T) {
	bingbot := answer.NewCrawler([]string{"BingBot"}...)
	r := run(t, compare.Question{Old: []byte(before), New: []byte(after), Crawlers: []answer.Crawler{bingbot, bingbot}})
	r.Judge("/x")
	if want := []wire.Flip{{URL: "/x", Agents: []string{"BingBot"}, Effect: wire.Closes}}; !reflect.DeepEqual(r.Flips, want) {
		t.Errorf("flips: got %+v", r.Flips)
	}
}

// Crawlers with equal changes in several groups of readers share a row, and other lines that differ
// for both are listed once.
func TestRunReadings(t *testing.T) {
	q := compare.Question{
		Old: []byte("User-agent: *\nDisallow: /a\nSitemap: https://e.com/a\n"),
		New: []byte("User-agent: *\nDisallow: /b\nCrawl-delay: 5\n"),
	}
	q.Crawlers = []answer.Crawler{answer.NewCrawler("Googlebot"), answer.NewCrawler("MJ12bot")}
	both := []string{"Googlebot", "MJ12bot"}
	r := run(t, q)
	if len(r.Rows) != 1 || !reflect.DeepEqual(r.Rows[0].Agents, both) || len(r.Readings) != 1 {
		t.Errorf("rows: got %+v, readings %+v", r.Rows, r.Readings)
	}
	want := []wire.OtherDifference{
		{Kind: "Sitemap", Agents: []string{}, Old: []string{"https://e.com/a"}, New: []string{}},
		{Kind: "Crawl-delay", Agents: both, Old: []string{}, New: []string{"5"}},
	}
	if !reflect.DeepEqual(r.Other, want) {
		t.Errorf("other: got %+v", r.Other)
	}
}

// No list is null, whatever is compared.
func TestRunLists(t *testing.T) {
	empty := []byte(nil)
	for _, q := range []compare.Question{{Old: empty, New: empty}, {Old: empty, New: []byte(after)}} {
		text, err := json.Marshal(run(t, q).Comparison)
		if err != nil || strings.Contains(string(text), "null") {
			t.Errorf("got %s, %v", text, err)
		}
	}
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := compare.Run(ctx, compare.Question{Old: []byte(before), New: []byte(after)}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// TestNames: a line names one crawler, also if a dialect reads only the beginning of its name, and that
// beginning is a crawler only if it is a known one.
func TestNames(t *testing.T) {
	google := &[2]robotstxt.Dialect{robotstxt.Google, robotstxt.Google}
	for _, c := range []struct {
		old, new string
		dialects *[2]robotstxt.Dialect
		want     string
	}{
		{"User-agent: AI2Bot\nDisallow: /a", "User-agent: AI2Bot\nDisallow: /b", nil, "* AI2Bot"},
		{"User-agent: AI2Bot\nDisallow: /a\nUser-agent: AI3Bot\nDisallow: /b", "User-agent: AI2Bot\nDisallow: /\nUser-agent: AI3Bot\nDisallow: /c", nil, "* AI2Bot AI3Bot"},
		{"User-agent: AI2Bot\nDisallow: /a", "User-agent: AI2Bot\nDisallow: /b", google, "* AI2Bot"},
		{"User-agent: AI2Bot\nDisallow: /a", "User-agent: ai\nDisallow: /b", nil, "* AI AI2Bot"},
		{"User-agent: Googlebot2\nDisallow: /a", "User-agent: Googlebot2\nDisallow: /", nil, "* Googlebot Googlebot2"},
		{"User-agent: Googlebot2\nDisallow: /a", "User-agent: Googlebot2\nDisallow: /", google, "* Googlebot"},
		{"User-agent: 80legs\nDisallow: /a\nUser-agent: 360Spider\nDisallow: /b", "User-agent: 80legs\nDisallow: /", nil, "* 80legs 360Spider"},
		{"User-agent: 80legs\nDisallow: /a", "User-agent: 80legs\nDisallow: /", google, "* 80legs"},
		{"User-agent: AI2Bot\nDisallow: /a\nUser-agent: AI3Bot\nDisallow: /b", "User-agent: AI2Bot\nDisallow: /", google, "* AI2Bot AI3Bot"},
		{"User-agent: 80legs\nUser-agent: 008\nDisallow: /a", "User-agent: 80legs\nDisallow: /", google, "* 80legs 008"},
		{"User-agent: archive.org_bot\nDisallow: /a", "User-agent: Mail.RU_Bot\nDisallow: /", nil, "* archive.org_bot Mail.RU_Bot"},
		{"User-agent:\nDisallow: /a", "User-agent:\nDisallow: /", nil, "*"},
		{"User-agent: 80legs\nDisallow: /a", "User-agent:\nDisallow: /", nil, "* 80legs"},
	} {
		r := run(t, compare.Question{Old: []byte(c.old), New: []byte(c.new), Dialects: c.dialects})
		if got := strings.Join(r.Agents, " "); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.old, c.new, got, c.want)
		}
		seen := make(map[string]bool)
		for _, row := range r.Rows {
			for _, agent := range row.Agents {
				if seen[agent] {
					t.Errorf("%q to %q: %s is in several rows", c.old, c.new, agent)
				}
				seen[agent] = true
			}
		}
	}
}
