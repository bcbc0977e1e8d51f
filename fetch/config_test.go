package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// TestConfigErrors checks that each invalid Config gives an error for its
// field.
func TestConfigErrors(t *testing.T) {
	for _, test := range []struct {
		field  string
		config fetch.Config
	}{
		{"UserAgent", fetch.Config{}},
		{"UserAgent", fetch.Config{UserAgent: " \t"}},
		{"UserAgent", fetch.Config{UserAgent: fetch.Me + "\r\nX-Evil: yes"}},
		{"UserAgent", fetch.Config{UserAgent: "Foo\x7FBot"}},
		{"Agents", fetch.Config{UserAgent: "(+https://foobot.example)"}},
		{"Agents", fetch.Config{UserAgent: fetch.Me, Agents: []string{"FooBot", ""}}},
		{"Agents", fetch.Config{UserAgent: fetch.Me, Agents: []string{"FooBot/1.0"}}},
		{"Agents", fetch.Config{UserAgent: fetch.Me, Agents: []string{"Foo#Bot", "Sogou web spider"}}},
		{"Agents", fetch.Config{UserAgent: fetch.Me, Agents: []string{"*"}}},
		{"Policy", fetch.Config{UserAgent: fetch.Me, Policy: 5}},
		{"Limits.MaxBody", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxBody: 500<<10 - 1}}},
		{"Limits.MaxBody", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxBody: -1}}},
		{"Limits.MaxRedirects", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxRedirects: 4}}},
		{"Limits.MaxRedirects", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxRedirects: -1}}},
		{"Limits.MaxMemory", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxMemory: 1<<20 - 1}}},
		{"Limits.MaxMemory", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxMemory: -1}}},
		{"Limits.StoreTimeout", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{StoreTimeout: -1}}},
		{"Limits.Timeout", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{Timeout: -1}}},
		{"Limits.DialTimeout", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{DialTimeout: -1}}},
		{"Limits.TLSTimeout", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{TLSTimeout: -1}}},
		{"Limits.FirstByteTimeout", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{FirstByteTimeout: -1}}},
		{"Limits.MaxFetchRate", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxFetchRate: -1}}},
		{"Limits.MaxFetchRate", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxFetchRate: math.NaN()}}},
		{"Limits.MaxFetchRate", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxFetchRate: 1e-10}}}, // its interval overflows
		{"Limits.MaxFetchRate", fetch.Config{UserAgent: fetch.Me, Limits: fetch.Limits{MaxFetchRate: 5e-324}}},
	} {
		_, err := fetch.New(test.config)
		var mistake *fetch.ConfigError
		if !errors.As(err, &mistake) || mistake.Field != test.field || !strings.HasPrefix(err.Error(), "fetch.Config."+test.field+": ") {
			t.Errorf("%+v: %v, want one about %s", test.config, err, test.field)
		}
	}
}

func TestAgents(t *testing.T) {
	for userAgent, want := range map[string]string{
		"FooBot":                          "FooBot",
		"FooBot/1.0":                      "FooBot",
		fetch.Me:                          "FooBot",
		"  FooBot/1.0":                    "FooBot",
		"Foo-Bot_x/1.0 (+mailto:a@b.org)": "Foo-Bot_x",
		"FooBot(x)":                       "FooBot",
		"Mozilla/5.0 (compatible; FooBot/1.0; +https://foobot.example)":                  "FooBot",
		"Mozilla/5.0 (compatible;FooBot)":                                                "FooBot",
		"Mozilla/5.0 (Compatible; FooBot/1.0)":                                           "FooBot",
		"Mozilla/5.0 (compatible; +https://foobot.example; FooBot/1.0)":                  "FooBot",
		"Mozilla/5.0 (compatible; bot@foobot.example; https://foobot.example; FooBot)":   "FooBot",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; FooBot/2.1; +x)": "FooBot",
		"Mozilla/5.0 (Linux; Android) Chrome/1.0 Safari/1.0 (compatible; FooBot/2.1)":    "FooBot",
		"BarBot/1.0 (incompatible; FooBot/1.0)":                                          "BarBot",
		"BarBot/1.0 compatible; FooBot/1.0":                                              "BarBot",
	} {
		client, err := fetch.New(fetch.Config{UserAgent: userAgent})
		if err != nil {
			t.Errorf("%q: %v", userAgent, err)
			continue
		}
		if got := client.Agents(); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q, want %q", userAgent, got, want)
		}
		client.Close()
	}
	mine := []string{"FooBot-News", "FooBot"}
	client := fetch.NewTestClient(t, fetch.Config{UserAgent: fetch.Me, Agents: mine})
	mine[0] = "Evil"
	client.Agents()[1] = "Evil"
	if got := client.Agents(); !slices.Equal(got, []string{"FooBot-News", "FooBot"}) {
		t.Errorf("%q", got)
	}
}

// TestAgentsWarning checks that New warns of a header that contains none of the Agents.
func TestAgentsWarning(t *testing.T) {
	for _, test := range []struct {
		userAgent string
		agents    []string
		want      int
	}{
		{fetch.Me, nil, 0}, {fetch.Me, []string{"foobot"}, 0}, {fetch.Me, []string{"FooBot-News", "FooBot"}, 0}, {fetch.Me, []string{"BarBot"}, 1},
		{"Mozilla/5.0 (X11; Linux; +https://foo.example)", []string{"FooBot"}, 1},
		{"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com)", nil, 0},
	} {
		var log bytes.Buffer
		fetch.NewTestClient(t,
			fetch.Config{UserAgent: test.userAgent, Agents: test.agents,
				Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if got := strings.Count(log.String(), "contains none of the Agents"); got != test.want {
			t.Errorf("%q, %q: %d warnings, want %d: %s", test.userAgent, test.agents, got, test.want, log.String())
		}
	}
}

func TestContactWarning(t *testing.T) {
	for userAgent, want := range map[string]int{
		"FooBot/1.0": 1, "FooBot/1.0 (see my page)": 1, fetch.Me: 0, "FooBot/1.0 (bot@foobot.example)": 0,
	} {
		var log bytes.Buffer
		client := fetch.NewTestClient(t,
			fetch.Config{UserAgent: userAgent, Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Network: fetch.Network{Transport: fetch.Answering(200, fetch.TheFile)}})
		for range 3 {
			if _, err := client.Allowed(t.Context(), "https://foo.example/"); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Count(log.String(), "level=WARN"); got != want {
			t.Errorf("%q: %d warnings, want %d: %s", userAgent, got, want, log.String())
		}
	}
}

// TestKeepBodies checks that the body is available after a fetch, and later
// only with KeepBodies.
func TestKeepBodies(t *testing.T) {
	for _, keep := range []bool{false, true} {
		client := fetch.NewTestClient(t,
			fetch.Config{Network: fetch.Network{Transport: fetch.Answering(200, fetch.TheFile)}, KeepBodies: keep})
		for i, want := range []string{fetch.TheFile, map[bool]string{true: fetch.TheFile}[keep]} {
			if r := fetch.Expect(t, client, "https://foo.example/"); string(r.Body()) != want || r.Bytes != len(fetch.TheFile) || r.Robots() == nil {
				t.Errorf("keep %v, call %d: %q", keep, i, r.Body())
			}
		}
	}
}

func TestMisuse(t *testing.T) {
	client := fetch.NewTestClient(t,
		fetch.Config{Network: fetch.Network{Transport: fetch.Answering(200, fetch.TheFile)}})
	for _, url := range []string{"", "/x", "mailto:a@b.example", "https://", "http://[::1"} {
		var wrong *origin.Error
		if _, err := client.Robots(t.Context(), url); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", url, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Decide(ended, "https://foo.example/"); err != context.Canceled {
		t.Error(err)
	}
}

// TestRevalidate checks that validators are sent only to the URL they come
// from, and that a 304 refreshes the copy.
func TestRevalidate(t *testing.T) {
	for _, revalidate := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			moved, conditional := false, 0
			client := fetch.NewTestClient(t,
				fetch.Config{Freshness: fetch.Freshness{Revalidate: revalidate},
					Network: fetch.Network{Transport: fetch.RoundTrip(func(r *http.Request) (*http.Response, error) {
						isConditional := r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != ""
						if isConditional {
							conditional++
						}
						switch {
						case moved && r.URL.Path == "/robots.txt":
							return fetch.Respond(r, 302, "", "Location", "/new.txt"), nil
						case r.URL.Path == "/new.txt" && isConditional:
							t.Error("the request for the new file has the validators of the old one")
						case isConditional:
							if r.Header.Get("If-None-Match") != `"1"` || r.Header.Get("If-Modified-Since") != "Sun, 01 Nov 2026 12:00:00 GMT" {
								t.Errorf("%v", r.Header)
							}
							return fetch.Respond(r, 304, ""), nil
						}
						return fetch.Respond(r, 200, fetch.TheFile, "ETag", `"1"`, "Last-Modified", "Sun, 01 Nov 2026 12:00:00 GMT", "Cache-Control", "max-age=3600"), nil
					})}})
			call := func() *fetch.Result {
				r := fetch.Expect(t, client, "https://foo.example/", "rules", "network")
				if r.Status != 200 || !r.FetchedAt.Equal(time.Now()) {
					t.Errorf("%+v", r)
				}
				return r
			}
			for range 3 {
				// The max-age of the copy still applies.
				if r := call(); r.FreshUntil.Sub(r.FetchedAt) != fetch.Hour || r.Robots() == nil {
					t.Errorf("%+v", r)
				}
				time.Sleep(2 * fetch.Hour)
			}
			moved = true
			if r := call(); len(r.Hops) != 1 {
				t.Errorf("%+v", r)
			}
			if want := map[bool]int{false: 0, true: 3}[revalidate]; conditional != want {
				t.Errorf("revalidate %v: %d conditional requests, want %d", revalidate, conditional, want)
			}
		})
	}
}
