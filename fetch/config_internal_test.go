package fetch

import (
	"errors"
	"fmt"
	"iter"
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
			case test.hint != "" && (!errors.As(err, &wrong) || wrong.Field != "Agents" ||
				!strings.Contains(wrong.Problem, test.hint) || !strings.Contains(wrong.Problem, test.token)):
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

// TestAgentsOfHeaders checks that a client without Agents obeys the token that all surfaces read
// in its header, and that a header that names no crawler is an error.
func TestAgentsOfHeaders(t *testing.T) {
	for header, want := range surfaces.Declared() {
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
	if got := newTestClient(t, Config{UserAgent: browser, Agents: []string{"FooBot"}}).Agents(); !slices.Equal(got,
		[]string{"FooBot"}) {
		t.Errorf("Agents are %q, not those that were set", got)
	}
}

// TestNoCache checks that every call fetches, and that the store is not used.
func TestNoCache(t *testing.T) {
	site := &oneSite{body: theFile}
	client := newTestClient(t, Config{Freshness: Freshness{NoCache: true}, Store: failingStore{t: t},
		Network: Network{Transport: site}})
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
		client := newTestClient(t,
			Config{Store: failingStore{t: t, onlyAfterClose: true},
				Observe: func(e Event) { events = append(events, e.Kind) },
				Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
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
	arguments := []any{t.Context(), url, o, http.Header{}, int64(1 << 20),
		iter.Seq[string](slices.Values([]string{url}))}
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
