package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
	"github.com/kosterhq/robotstxt/origin"
)

const me = "FooBot/1.0 (+https://foobot.example/about)"

// TestConfigErrors checks that each invalid Config gives an error for its
// field.
func TestConfigErrors(t *testing.T) {
	for _, test := range []struct {
		field  string
		config Config
	}{
		{"UserAgent", Config{}},
		{"UserAgent", Config{UserAgent: " \t"}},
		{"UserAgent", Config{UserAgent: me + "\r\nX-Evil: yes"}},
		{"UserAgent", Config{UserAgent: "Foo\x7FBot"}},
		{"Agents", Config{UserAgent: "(+https://foobot.example)"}},
		{"Agents", Config{UserAgent: me, Agents: []string{"FooBot", ""}}},
		{"Agents", Config{UserAgent: me, Agents: []string{"FooBot/1.0"}}},
		{"Agents", Config{UserAgent: me, Agents: []string{"Foo#Bot", "Sogou web spider"}}},
		{"Agents", Config{UserAgent: me, Agents: []string{"*"}}},
		{"Policy", Config{UserAgent: me, Policy: 5}},
		{"Limits.MaxBody", Config{UserAgent: me, Limits: Limits{MaxBody: 500<<10 - 1}}},
		{"Limits.MaxBody", Config{UserAgent: me, Limits: Limits{MaxBody: -1}}},
		{"Limits.MaxRedirects", Config{UserAgent: me, Limits: Limits{MaxRedirects: 4}}},
		{"Limits.MaxRedirects", Config{UserAgent: me, Limits: Limits{MaxRedirects: -1}}},
		{"Limits.MaxMemory", Config{UserAgent: me, Limits: Limits{MaxMemory: 1<<20 - 1}}},
		{"Limits.MaxMemory", Config{UserAgent: me, Limits: Limits{MaxMemory: -1}}},
		{"Limits.StoreTimeout", Config{UserAgent: me, Limits: Limits{StoreTimeout: -1}}},
		{"Limits.Timeout", Config{UserAgent: me, Limits: Limits{Timeout: -1}}},
		{"Limits.DialTimeout", Config{UserAgent: me, Limits: Limits{DialTimeout: -1}}},
		{"Limits.TLSTimeout", Config{UserAgent: me, Limits: Limits{TLSTimeout: -1}}},
		{"Limits.FirstByteTimeout", Config{UserAgent: me, Limits: Limits{FirstByteTimeout: -1}}},
		{"Limits.MaxFetchRate", Config{UserAgent: me, Limits: Limits{MaxFetchRate: -1}}},
		{"Limits.MaxFetchRate", Config{UserAgent: me, Limits: Limits{MaxFetchRate: math.NaN()}}},
		{"Limits.MaxFetchRate", Config{UserAgent: me, Limits: Limits{MaxFetchRate: 1e-10}}}, // its interval overflows
		{"Limits.MaxFetchRate", Config{UserAgent: me, Limits: Limits{MaxFetchRate: 5e-324}}},
	} {
		_, err := New(test.config)
		var mistake *ConfigError
		if !errors.As(err, &mistake) || mistake.Field != test.field || !strings.HasPrefix(err.Error(), "fetch.Config."+test.field+": ") {
			t.Errorf("%+v: %v, want one about %s", test.config, err, test.field)
		}
	}
}

func TestConfigDefaults(t *testing.T) {
	got := newTestClient(t, Config{UserAgent: me}).config
	want := Config{UserAgent: me, Limits: Limits{
		MaxMemory: 256 << 20, MaxBody: 500 << 10, MaxRedirects: 5, MinRate: 512, MaxFetches: 256,
		Timeout: 30 * time.Second, DialTimeout: 10 * time.Second, TLSTimeout: 10 * time.Second,
		FirstByteTimeout: 15 * time.Second, StoreTimeout: 50 * time.Millisecond,
	}}
	got.Agents, got.Logger, got.Observe, got.Freshness.Clock = nil, nil, nil, nil
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v\nis not\n%+v", got, want)
	}
	given := Config{UserAgent: me, Limits: Limits{
		MaxMemory: 16 << 20, MaxBody: 1 << 20, MaxRedirects: 9, MinRate: -1, MaxFetches: -1, MaxFetchRate: 2.5,
		Timeout: 1, DialTimeout: 2, TLSTimeout: 3, FirstByteTimeout: 4, StoreTimeout: 5,
	}}
	got = newTestClient(t, given).config
	got.Agents, got.Logger, got.Observe, got.Freshness.Clock = nil, nil, nil, nil
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", given) {
		t.Errorf("%+v\nis not\n%+v", got, given)
	}
}

// TestAgentsOfDialect checks that an agent line must be able to contain the Agents: in
// Config.Dialect, or in the dialect in which the crawler reads.
func TestAgentsOfDialect(t *testing.T) {
	for _, test := range []struct {
		dialect *robotstxt.Dialect
		token   string
		hint    string // part of the error; empty if the token is valid
	}{
		{nil, "FooBot", ""},
		{nil, "MJ12bot", ""},
		{nil, "AI2Bot", ""},
		{nil, "Foo.Bot", ""},
		{nil, "Foo#Bot", "in any dialect: use a product token"},
		{nil, "Sogou web spider", "in any dialect: use a product token"},
		{nil, "*", "use a product token"},
		{in(robotstxt.Google), "MJ12bot", "in the google dialect: leave Dialect unset, or use a product token"},
		{in(robotstxt.RFC9309), "MJ12bot", ""},
		{in(robotstxt.Koster1996), "MJ12bot", ""},
		{in(robotstxt.Koster1996), "Foo(x)", "leave Dialect unset"},
		{in(robotstxt.RFC9309), "Foo#Bot", "use a product token"},
		{in(robotstxt.Google), "FooBot", ""},
	} {
		for _, config := range []Config{{UserAgent: me, Agents: []string{test.token}, Dialect: test.dialect}, {UserAgent: "Mozilla/5.0 (compatible; " + test.token + "/1.0; +https://foobot.example)", Dialect: test.dialect}} {
			if config.Agents == nil && strings.ContainsAny(test.token, "() *") {
				continue // no header has such a token
			}
			client, err := New(config)
			var wrong *ConfigError
			switch {
			case test.hint == "" && err != nil:
				t.Errorf("%v, %q: %v", test.dialect, test.token, err)
			case test.hint != "" && (!errors.As(err, &wrong) || wrong.Field != "Agents" || !strings.Contains(wrong.Problem, test.hint) || !strings.Contains(wrong.Problem, test.token)):
				t.Errorf("%v, %q: %v, want %q", test.dialect, test.token, err, test.hint)
			}
			if err == nil {
				client.Close()
			}
		}
	}
}

// TestAgentsOfChain checks that a chain is valid if an agent line can contain one of its
// tokens, and that the client then answers as for the same tokens in a call.
func TestAgentsOfChain(t *testing.T) {
	for _, test := range []struct {
		dialect *robotstxt.Dialect
		agents  []string
		want    robotstxt.Dialect
	}{
		{nil, []string{"Sogou web spider", "MJ12bot"}, robotstxt.RFC9309},
		{nil, []string{"Sogou web spider", "*"}, robotstxt.Google},
		{nil, []string{"Foo#Bot", "FooBot"}, robotstxt.Google},
		{nil, []string{"FooBot", "*"}, robotstxt.Google},
		{in(robotstxt.Google), []string{"MJ12bot", "FooBot"}, robotstxt.Google},
		{in(robotstxt.Koster1996), []string{"Foo(x)", "MJ12bot"}, robotstxt.Koster1996},
	} {
		client, err := New(Config{UserAgent: me, Agents: test.agents, Dialect: test.dialect})
		if err != nil {
			t.Errorf("%v, %q: %v", test.dialect, test.agents, err)
			continue
		}
		given, err := client.reading(test.agents)
		if own, _ := client.reading(nil); err != nil || own.Dialect != test.want || !reflect.DeepEqual(own, given) {
			t.Errorf("%v, %q: reading %+v, of a call %+v, %v, want %v", test.dialect, test.agents, own, given, err, test.want)
		}
	}
	for _, agents := range [][]string{{"MJ12bot"}, {"MJ12bot", "Sogou web spider"}} {
		if _, err := New(Config{UserAgent: me, Agents: agents, Dialect: in(robotstxt.Google)}); err == nil {
			t.Errorf("%q in dialect google is no error", agents)
		}
	}
}

func TestAgents(t *testing.T) {
	for userAgent, want := range map[string]string{
		"FooBot":                          "FooBot",
		"FooBot/1.0":                      "FooBot",
		me:                                "FooBot",
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
		client, err := New(Config{UserAgent: userAgent})
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
	client := newTestClient(t, Config{UserAgent: me, Agents: mine})
	mine[0] = "Evil"
	client.Agents()[1] = "Evil"
	if got := client.Agents(); !slices.Equal(got, []string{"FooBot-News", "FooBot"}) {
		t.Errorf("%q", got)
	}
}

// TestAgentsOfHeaders checks that a client without Agents obeys the token that all surfaces read
// in its header, and that a header that names no crawler is an error.
func TestAgentsOfHeaders(t *testing.T) {
	for header, want := range surfaces.Headers() {
		client, err := New(Config{UserAgent: header})
		if err == nil {
			if got := client.Agents(); !slices.Equal(got, []string{want}) {
				t.Errorf("%q: %q, want %q", header, got, want)
			}
			client.Close()
			continue
		}
		var mistake *ConfigError
		errors.As(err, &mistake)
		blank, nameable := strings.TrimSpace(header) == "", want == "" || !strings.Contains(want, " ")
		if mistake == nil || blank != (mistake.Field == "UserAgent") || nameable != (want == "") ||
			!blank && want == "" && mistake.Problem != fmt.Sprintf("is empty, and UserAgent %q names no crawler: set Agents, or begin UserAgent with your product, such as %q", header, exampleUserAgent) {
			t.Errorf("%q: %v, want %q", header, err, want)
		}
	}
	const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
	if got := newTestClient(t, Config{UserAgent: browser, Agents: []string{"FooBot"}}).Agents(); !slices.Equal(got, []string{"FooBot"}) {
		t.Errorf("Agents are %q, not those that were set", got)
	}
}

// TestAgentsWarning checks that New warns of a header that contains none of the Agents.
func TestAgentsWarning(t *testing.T) {
	for _, test := range []struct {
		userAgent string
		agents    []string
		want      int
	}{
		{me, nil, 0}, {me, []string{"foobot"}, 0}, {me, []string{"FooBot-News", "FooBot"}, 0}, {me, []string{"BarBot"}, 1},
		{"Mozilla/5.0 (X11; Linux; +https://foo.example)", []string{"FooBot"}, 1},
		{"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com)", nil, 0},
	} {
		var log bytes.Buffer
		newTestClient(t, Config{UserAgent: test.userAgent, Agents: test.agents, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if got := strings.Count(log.String(), "contains none of the Agents"); got != test.want {
			t.Errorf("%q, %q: %d warnings, want %d: %s", test.userAgent, test.agents, got, test.want, log.String())
		}
	}
}

func TestContactWarning(t *testing.T) {
	for userAgent, want := range map[string]int{
		"FooBot/1.0": 1, "FooBot/1.0 (see my page)": 1, me: 0, "FooBot/1.0 (bot@foobot.example)": 0,
	} {
		var log bytes.Buffer
		client := newTestClient(t, Config{UserAgent: userAgent, Logger: slog.New(slog.NewTextHandler(&log, nil)), Network: Network{Transport: answering(200, theFile)}})
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
		client := newTestClient(t, Config{Network: Network{Transport: answering(200, theFile)}, KeepBodies: keep})
		for i, want := range []string{theFile, map[bool]string{true: theFile}[keep]} {
			if r := Expect(t, client, "https://foo.example/"); string(r.Body()) != want || r.Bytes != len(theFile) || r.Robots() == nil {
				t.Errorf("keep %v, call %d: %q", keep, i, r.Body())
			}
		}
	}
}

// TestNoCache checks that every call fetches, and that the store is not used.
func TestNoCache(t *testing.T) {
	site := &oneSite{body: theFile}
	client := newTestClient(t, Config{Freshness: Freshness{NoCache: true}, Store: failingStore{t: t}, Network: Network{Transport: site}})
	for range 5 {
		Expect(t, client, "https://foo.example/", "network")
	}
	if site.fetches != 5 {
		t.Errorf("%d fetches", site.fetches)
	}
}

// TestClose checks that the call that waits and all calls of a closed client return
// ErrClosed, without a request, a call of the store or an event.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []string
		client := newTestClient(t, Config{Store: failingStore{t: t, onlyAfterClose: true}, Observe: func(e Event) { events = append(events, e.Kind) }, Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == "foo.example" {
				return respond(r, 200, theFile), nil
			}
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}})
		Expect(t, client, "https://foo.example/")
		waiting := make(chan error)
		go func() {
			_, err := client.Robots(t.Context(), "https://slow.example/")
			waiting <- err
		}()
		synctest.Wait()
		events = nil
		client.Close()
		client.Close()
		if err := <-waiting; err != ErrClosed {
			t.Errorf("the waiting call returns %v", err)
		}
		for _, url := range []string{"https://foo.example/", "https://other.example/", "no URL"} {
			for name, err := range errorsOfCalls(t, client, url) {
				if err != ErrClosed {
					t.Errorf("%s, %s: %v", name, url, err)
				}
			}
		}
		if events != nil {
			t.Errorf("%v", events)
		}
	})
}

// TestZeroClient checks that all calls of a client that New has not made say so.
func TestZeroClient(t *testing.T) {
	for _, client := range []*Client{nil, {}} {
		for name, err := range errorsOfCalls(t, client, "https://foo.example/") {
			if err != errNotNew {
				t.Errorf("%s: %v", name, err)
			}
		}
		client.Close()
	}
}

// errorsOfCalls calls each method of a client that returns an error, and returns the errors
// by name.
func errorsOfCalls(t *testing.T, client *Client, url string) map[string]error {
	t.Helper()
	o, _ := origin.Of(url) // the zero Origin if it has none
	arguments := []any{t.Context(), url, o, int64(1 << 20), iter.Seq[string](slices.Values([]string{url}))}
	found := map[string]error{}
	for i, c := 0, reflect.ValueOf(client); i < c.NumMethod(); i++ {
		name, method := c.Type().Method(i).Name, c.Method(i)
		kind := method.Type()
		if n := kind.NumOut(); n == 0 || kind.Out(n-1) != reflect.TypeFor[error]() {
			continue
		}
		var in []reflect.Value
		for k := range kind.NumIn() {
			if k == kind.NumIn()-1 && kind.IsVariadic() {
				continue
			}
			known := slices.IndexFunc(arguments, func(a any) bool { return reflect.TypeOf(a).AssignableTo(kind.In(k)) })
			if known < 0 {
				t.Fatalf("%s: an argument of type %v is needed here", name, kind.In(k))
			}
			in = append(in, reflect.ValueOf(arguments[known]))
		}
		out := method.Call(in)
		found[name], _ = out[len(out)-1].Interface().(error)
	}
	if len(found) < 8 {
		t.Fatalf("only %d methods were found: %v", len(found), found)
	}
	return found
}

func TestMisuse(t *testing.T) {
	client := newTestClient(t, Config{Network: Network{Transport: answering(200, theFile)}})
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
			client := newTestClient(t, Config{Freshness: Freshness{Revalidate: revalidate}, Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				isConditional := r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != ""
				if isConditional {
					conditional++
				}
				switch {
				case moved && r.URL.Path == "/robots.txt":
					return respond(r, 302, "", "Location", "/new.txt"), nil
				case r.URL.Path == "/new.txt" && isConditional:
					t.Error("the request for the new file has the validators of the old one")
				case isConditional:
					if r.Header.Get("If-None-Match") != `"1"` || r.Header.Get("If-Modified-Since") != "Sun, 01 Nov 2026 12:00:00 GMT" {
						t.Errorf("%v", r.Header)
					}
					return respond(r, 304, ""), nil
				}
				return respond(r, 200, theFile, "ETag", `"1"`, "Last-Modified", "Sun, 01 Nov 2026 12:00:00 GMT", "Cache-Control", "max-age=3600"), nil
			})}})
			call := func() *Result {
				r := Expect(t, client, "https://foo.example/", "rules", "network")
				if r.Status != 200 || !r.FetchedAt.Equal(time.Now()) {
					t.Errorf("%+v", r)
				}
				return r
			}
			for range 3 {
				// The max-age of the copy still applies.
				if r := call(); r.FreshUntil.Sub(r.FetchedAt) != hour || r.Robots() == nil {
					t.Errorf("%+v", r)
				}
				time.Sleep(2 * hour)
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

// TestObserve checks that each event is reported once.
func TestObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var got []string
		var status atomic.Int64
		status.Store(200)
		client := newTestClient(t, Config{Observe: func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			if e.Origin.String() != "https://foo.example" || (e.Err != nil) != (e.Kind == eventFailed) {
				t.Errorf("%+v", e)
			}
			got = append(got, e.Kind)
		}, Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return respond(r, int(status.Load()), theFile), nil
		})}})
		for _, wait := range []time.Duration{0, 23 * hour, 2 * hour, 23*hour + 30*time.Minute} {
			time.Sleep(wait)
			Expect(t, client, "https://foo.example/")
			time.Sleep(time.Minute)
			status.Store(500)
		}
		want := "miss fetched hit refresh failed miss failed miss failed"
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}
