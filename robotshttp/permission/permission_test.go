package permission_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	facts "github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/robotshttp"
	"github.com/kosterhq/robotstxt/robotshttp/permission"
)

// newSite serves a robots.txt with a status, and pages with a field.
func newSite(t testing.TB, status int) *httptest.Server {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(status)
			fmt.Fprint(w, "User-agent: *\nDisallow: /private/\nContent-Usage: search=y, train-ai=y\n\nUser-agent: MJ12bot\nContent-Usage: search=n\nAllow: /\n")
			return
		}
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/page", http.StatusFound)
			return
		}
		w.Header().Add("Content-Usage", "train-ai=n")
	}))
	t.Cleanup(site.Close)
	return site
}

// get fetches a URL through a transport.
func get(t testing.TB, transport *robotshttp.Transport, url string) *http.Response {
	t.Helper()
	robots, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example/about)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(robots.Close)
	transport.Client = robots
	response, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response
}

// verdicts returns the verdicts of an answer by purpose, with a question mark if provisional.
func verdicts(answers []facts.Answer) map[string]string {
	got := map[string]string{}
	for _, a := range answers {
		got[string(a.Purpose)] = string(a.Verdict)
		if a.Provisional {
			got[string(a.Purpose)] += "?"
		}
	}
	return got
}

func TestOf(t *testing.T) {
	site := newSite(t, http.StatusOK)
	kept := &robotshttp.Transport{KeepResult: true}
	for _, c := range []struct {
		name      string
		transport *robotshttp.Transport
		url       string
		token     string
		want      map[string]string
	}{
		{"off", &robotshttp.Transport{}, site.URL + "/page", "FooBot", map[string]string{"fetch": "unknown", "search": "unknown", "ai-training": "disallowed"}},
		{"kept", kept, site.URL + "/page", "FooBot", map[string]string{"fetch": "allowed", "search": "allowed?", "ai-training": "disallowed"}},
		{"redirected", kept, site.URL + "/moved", "FooBot", map[string]string{"fetch": "allowed", "search": "allowed?", "ai-training": "disallowed"}},
		{"another dialect", kept, site.URL + "/page", "MJ12bot", map[string]string{"fetch": "allowed", "search": "disallowed"}},
	} {
		answers := permission.Of(get(t, c.transport, c.url), c.token)
		got := verdicts(answers)
		for purpose, want := range c.want {
			if got[purpose] != want {
				t.Errorf("%s: %s: got %s, want %s", c.name, purpose, got[purpose], want)
			}
		}
		if want := site.URL + "/page"; answers[0].URL != want {
			t.Errorf("%s: the answers are about %s", c.name, answers[0].URL)
		}
	}
}

// TestStatuses: without a file fetching is allowed; if the file is unreachable, uses are provisional.
func TestStatuses(t *testing.T) {
	obeysNothing := func(*http.Request, fetch.Decision) error { return nil }
	for status, want := range map[int][2]string{404: {"allowed", ""}, 500: {"disallowed", "robots.txt: unreachable"}} {
		response := get(t, &robotshttp.Transport{KeepResult: true, Judge: obeysNothing}, newSite(t, status).URL+"/page")
		answer := permission.Of(response, "FooBot")[0]
		missing := ""
		if len(answer.Missing) > 0 {
			missing = answer.Missing[0]
		}
		if got := [2]string{string(answer.Verdict), missing}; got != want {
			t.Errorf("%d: %v, want %v", status, got, want)
		}
	}
}

// TestBare: a response without a request or header is answered.
func TestBare(t *testing.T) {
	for _, a := range permission.Of(&http.Response{}) {
		if a.Verdict != facts.Unknown {
			t.Errorf("%+v", a)
		}
	}
}

// TestAllocations bounds what Of costs for the header of a response.
func TestAllocations(t *testing.T) {
	response := get(t, &robotshttp.Transport{KeepResult: true}, newSite(t, http.StatusOK).URL+"/page")
	if n := testing.AllocsPerRun(100, func() { permission.Of(response, "FooBot") }); n > 85 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOf(b *testing.B) {
	response := get(b, &robotshttp.Transport{KeepResult: true}, newSite(b, http.StatusOK).URL+"/page")
	b.ReportAllocs()
	for b.Loop() {
		permission.Of(response, "FooBot")
	}
}

func ExampleOf() {
	response := &http.Response{Header: http.Header{"X-Robots-Tag": {"noai"}}}
	for _, answer := range permission.Of(response, "FooBot") {
		if answer.Purpose == "ai-training" {
			fmt.Println(answer.Verdict, "because of", answer.Reasons[0].Text)
		}
	}
	// Output: disallowed because of noai
}
