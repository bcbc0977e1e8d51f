package robotshttp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/robotshttp"
)

const noPrivate = "User-agent: foobot\nDisallow: /private\nUser-agent: barbot\nDisallow: /public\n"

func get(t *testing.T, client *http.Client, url string) (string, error) {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), nil
}

// disallowed requests a URL, which must be disallowed, and returns the decision and the error.
func disallowed(t *testing.T, client *http.Client, url string) (fetch.Decision, error) {
	t.Helper()
	_, err := get(t, client, url)
	var refused *robotshttp.DisallowedError
	if !errors.As(err, &refused) {
		t.Fatalf("got error %v, want a *DisallowedError", err)
	}
	return refused.Decision, err
}

func TestObey(t *testing.T) {
	s := newSite(t, noPrivate)
	client := &http.Client{Transport: &robotshttp.Transport{Client: newRobots(t, fetch.Config{})}}
	if text, err := get(t, client, s.URL+"/public?q=%7e#part"); err != nil || !strings.HasPrefix(text, "page") {
		t.Errorf("an allowed page: %q, %v", text, err)
	}
	d, err := disallowed(t, client, s.URL+"/private/é#part")
	if d.Line != 2 || d.Path != "/private/%C3%A9" || d.URL != s.URL+"/private/%C3%A9" || d.Result.Outcome != fetch.OutcomeRules {
		t.Errorf("decision %+v", d)
	}
	want := `Get "` + s.URL + `/private/%C3%A9#part": robots.txt of ` + s.URL + `: disallowed by line 2: Disallow "/private", length 8, group "FooBot" of line 1; path "/private/%C3%A9"`
	if err.Error() != want {
		t.Errorf("error\n%v, want\n%v", err, want)
	}
	if want := "GET /robots.txt, GET /public?q=%7e"; s.log() != want {
		t.Errorf("the site received %s, want %s", s.log(), want)
	}
}

func TestAgents(t *testing.T) {
	s := newSite(t, noPrivate)
	client := &http.Client{Transport: &robotshttp.Transport{Client: newRobots(t, fetch.Config{}), Agents: []string{"barbot"}}}
	if _, err := get(t, client, s.URL+"/private"); err != nil {
		t.Error(err)
	}
	if d, _ := disallowed(t, client, s.URL+"/public"); d.Agent != "barbot" || d.Line != 4 {
		t.Errorf("decision %+v", d)
	}
}

func TestRedirects(t *testing.T) {
	here, there := newSite(t, noPrivate), newSite(t, "User-agent: *\nDisallow: /secret\n")
	client := &http.Client{Transport: &robotshttp.Transport{Client: newRobots(t, fetch.Config{})}}
	if d, _ := disallowed(t, client, here.URL+"/to?/to?/private"); d.Line != 2 {
		t.Errorf("within an origin: %+v", d)
	}
	if want := "GET /robots.txt, GET /to?/to?/private, GET /to?/private"; here.log() != want {
		t.Errorf("the site received %s, want %s", here.log(), want)
	}
	// Another origin has its own rules.
	if text, err := get(t, client, here.URL+"/to?"+there.URL+"/private"); err != nil || text == "" {
		t.Errorf("to another origin: %q, %v", text, err)
	}
	if d, _ := disallowed(t, client, here.URL+"/to?"+there.URL+"/secret"); d.Result.Origin.String() != there.URL {
		t.Errorf("to another origin: %+v", d)
	}
	if want := "GET /robots.txt, GET /private"; there.log() != want {
		t.Errorf("the other site received %s, want %s", there.log(), want)
	}
}

func TestReportOnly(t *testing.T) {
	s := newSite(t, noPrivate)
	var seen []string
	client := &http.Client{Transport: &robotshttp.Transport{
		Client:     newRobots(t, fetch.Config{}),
		Judge:      robotshttp.ReportOnly,
		OnDecision: func(r *http.Request, d fetch.Decision) { seen = append(seen, r.URL.Path+" "+d.String()) },
	}}
	for _, path := range []string{"/private", "/public", "/robots.txt"} {
		if _, err := get(t, client, s.URL+path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if len(seen) != 2 || !strings.HasPrefix(seen[0], "/private disallowed") || !strings.HasPrefix(seen[1], "/public allowed") {
		t.Errorf("seen %q", seen)
	}
}

func TestJudge(t *testing.T) {
	s := newSite(t, noPrivate)
	errTooDull := errors.New("too dull")
	seen := 0
	client := &http.Client{Transport: &robotshttp.Transport{
		Client:     newRobots(t, fetch.Config{}),
		OnDecision: func(*http.Request, fetch.Decision) { seen++ },
		Judge: func(r *http.Request, d fetch.Decision) error {
			if r.Header.Get("Urgent") != "" {
				return nil
			}
			if r.URL.Path == "/dull" {
				return errTooDull
			}
			return robotshttp.Obey(r, d)
		},
	}}
	if _, err := get(t, client, s.URL+"/dull"); !errors.Is(err, errTooDull) {
		t.Error(err)
	}
	disallowed(t, client, s.URL+"/private")
	request, _ := http.NewRequest(http.MethodGet, s.URL+"/private", nil)
	request.Header.Set("Urgent", "yes")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if seen != 3 {
		t.Errorf("%d decisions seen, want 3", seen)
	}
}

// TestUnreachable checks that the decision contains the fault if robots.txt is
// unreachable, and that the fault is not the error of the request.
func TestUnreachable(t *testing.T) {
	s := newSite(t, "")
	s.status = http.StatusServiceUnavailable
	client := &http.Client{Transport: &robotshttp.Transport{Client: newRobots(t, fetch.Config{})}}
	d, err := disallowed(t, client, s.URL+"/public")
	if d.Line != 0 || d.Reason != robotstxt.ReasonNoFile || d.Result.Outcome != fetch.OutcomeDisallowAll ||
		d.Result.Status != 503 || d.Result.Err == nil {
		t.Errorf("decision %+v with result %+v", d, d.Result)
	}
	if !strings.Contains(err.Error(), "unreachable") || !strings.Contains(err.Error(), "503") {
		t.Errorf("error %v", err)
	}
	if s.log() != "GET /robots.txt" {
		t.Errorf("the site received %s", s.log())
	}
}

// TestRefusal checks that a refused request is unchanged and its body closed.
func TestRefusal(t *testing.T) {
	s := newSite(t, noPrivate)
	robots := newRobots(t, fetch.Config{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name      string
		transport *robotshttp.Transport
		ctx       context.Context
		url       string
		is        func(error) bool
	}{
		{"disallowed", &robotshttp.Transport{Client: robots}, t.Context(), s.URL + "/private", is[*robotshttp.DisallowedError]},
		{"no client", &robotshttp.Transport{}, t.Context(), s.URL + "/public", func(err error) bool { return strings.Contains(err.Error(), "Transport.Client") }},
		{"no origin", &robotshttp.Transport{Client: robots}, t.Context(), "http://a..b/", is[*origin.Error]},
		{"ended", &robotshttp.Transport{Client: robots}, ended, s.URL + "/public", func(err error) bool { return err == context.Canceled }},
	} {
		b := newBody("form")
		request, err := http.NewRequestWithContext(test.ctx, http.MethodPost, test.url, b)
		if err != nil {
			t.Fatal(err)
		}
		response, err := test.transport.RoundTrip(request)
		if response != nil || err == nil || !test.is(err) || !b.closed {
			t.Errorf("%s: response %v, error %v, body closed %v", test.name, response, err, b.closed)
		}
	}
	if s.log() != "GET /robots.txt" {
		t.Errorf("the site received %s", s.log())
	}
}

func is[E error](err error) bool {
	return errors.As(err, new(E))
}

// TestNotJudged checks that these requests go to Base without a fetch of
// robots.txt.
func TestNotJudged(t *testing.T) {
	robots := newRobots(t,
		fetch.Config{Network: fetch.Network{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			t.Errorf("fetched %v", r.URL)
			return answer(404, nil, ""), nil
		})}})
	errBase := errors.New("base")
	transport := &robotshttp.Transport{Client: robots,
		Base: roundTripper(func(*http.Request) (*http.Response, error) { return nil, errBase })}
	for _, u := range []*url.URL{
		nil,
		{Scheme: "http", Path: "/no-host"},
		{Scheme: "http", Host: "a.example", Path: "/robots.txt"},
		{Scheme: "http", Host: "a.example", Path: "/robots.txt", Fragment: "part"},
		{Scheme: "http", Host: "A.example:80", Opaque: "/robots.txt"},
		{Scheme: "file", Path: "/etc/passwd"},
		{Scheme: "gopher", Host: "a.example", Path: "/private"},
		{Scheme: "mailto", Opaque: "a@a.example"},
	} {
		if _, err := transport.RoundTrip(&http.Request{URL: u}); err != errBase {
			t.Errorf("%v: %v", u, err)
		}
	}
}

// TestSentURL checks that the URL of a decision is the one that is sent.
func TestSentURL(t *testing.T) {
	robots := newRobots(t,
		fetch.Config{Network: fetch.Network{Transport: roundTripper(func(*http.Request) (*http.Response,
			error) {
			return answer(404, nil, ""), nil
		})}})
	for _, test := range []struct {
		url  url.URL
		want string
	}{
		{url.URL{Scheme: "http", Host: "a.example"}, "http://a.example/"},
		{url.URL{Scheme: "https", Host: "a.example:8443", Path: "/a b", RawQuery: "b=2&a=1", Fragment: "f"}, "https://a.example:8443/a%20b?b=2&a=1"},
		{url.URL{Scheme: "http", Host: "a.example", Path: "/a/b", RawPath: "/a%2Fb"}, "http://a.example/a%2Fb"},
		{url.URL{Scheme: "http", Host: "a.example", Path: "/robots.txt", ForceQuery: true}, "http://a.example/robots.txt?"},
		{url.URL{Scheme: "http", Host: "a.example", Path: "/", User: url.UserPassword("name", "secret")}, "http://a.example/"},
		{url.URL{Scheme: "http", Host: "a.example", Opaque: "/a%2Fb", RawQuery: "q"}, "http://a.example/a%2Fb?q"},
		{url.URL{Scheme: "http", Host: "a.example", Opaque: "//a.example/a%2Fb"}, "http://a.example/a%2Fb"},
		{url.URL{Scheme: "http", Host: "a.example", Path: "*"}, "http://a.example/*"},
		{url.URL{Scheme: "HTTP", Host: "a.example", Path: "/x"}, "http://a.example/x"},
	} {
		got := ""
		transport := &robotshttp.Transport{
			Client:     robots,
			Base:       roundTripper(func(*http.Request) (*http.Response, error) { return answer(200, nil, ""), nil }),
			OnDecision: func(_ *http.Request, d fetch.Decision) { got = d.URL },
		}
		if _, err := transport.RoundTrip(&http.Request{Method: http.MethodGet, URL: &test.url}); err != nil ||
			got != test.want {
			t.Errorf("%+v: decided %q, %v; want %q", test.url, got, err, test.want)
		}
	}
}
