package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// program is another front end, without a command line: it asks URLs over sites,
// then lints the file of each site, and prints JSON. It uses nothing of package
// main.
func program(ctx context.Context, out io.Writer, agents string, urls []string) error {
	crawlers, err := answer.ParseCrawlers(agents)
	if err != nil {
		return err
	}
	client, err := fetch.New(fetch.Config{
		UserAgent: "program (+https://shop.example)", Agents: []string{"program"}, KeepBodies: true,
		Network: fetch.Network{Trusts: func(origin.Origin) bool { return true }}, // the URLs are the user's
	})
	if err != nil {
		return err
	}
	defer client.Close()
	list := func(yield func(string, error) bool) {
		for _, url := range urls {
			if !yield(url, nil) {
				return
			}
		}
	}
	question := sites.Question{Crawlers: crawlers, Client: client}
	var rulings []*answer.Ruling
	for visit, err := range question.Visits(ctx, sites.URLs{All: list}) {
		if err != nil {
			return err
		}
		for i := range crawlers {
			if err := term.PrintJSON(out, visit.Answer(i)); err != nil {
				return err
			}
		}
		if !slices.Contains(rulings, visit.Ruling) {
			rulings = append(rulings, visit.Ruling)
		}
	}
	for _, s := range rulings {
		found := lint.Inspect(s.File.Text, lint.Config{URL: s.Site.RobotsURL})
		if err := term.PrintJSON(out, report.WireFindings(s.Site.RobotsURL, lint.Google, found)); err != nil {
			return err
		}
	}
	return nil
}

// TestProgram: another front end needs nothing of package main, and prints what
// the tool prints.
func TestProgram(t *testing.T) {
	bodies := []string{
		"User-agent: *\nDisallow: /cart\nDisallow: cart\n",
		"User-agent: FooBot\nDisallow: /\xff\nSitemap: /map.xml\n",
		"User-agent: Other\nNoindex: /a\nAllow\n",
	}
	var urls, robots []string
	for _, body := range bodies {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, body)
		}))
		defer server.Close()
		urls = append(urls, server.URL+"/cart", server.URL+"/\xff")
		robots = append(robots, server.URL+"/robots.txt")
	}
	var got strings.Builder
	if err := program(t.Context(), &got, "FooBot,BarBot:Other", urls); err != nil {
		t.Fatal(err)
	}
	_, answers, stderr := runTool(t, append([]string{"check", "--json", "--cache", "none", "--exact-agent", "--agent", "FooBot,BarBot:Other"}, urls...)...)
	_, findings, more := runTool(t, append([]string{"lint", "--format", "json"}, robots...)...)
	fetchedAt := regexp.MustCompile(`"fetched_at":"[^"]+",`) // not the same in two runs
	if want := answers + findings; fetchedAt.ReplaceAllString(got.String(), "") != fetchedAt.ReplaceAllString(want, "") ||
		strings.Count(want, "\n") != 15 || !strings.Contains(want, `"raw":`) || !strings.Contains(want, `"code":`) {
		t.Errorf("the program prints\n%s\nand the tool\n%s%s%s", got.String(), want, stderr, more)
	}
}
