package fetch

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// namesMJ12 blocks MJ12bot, which Google's dialect reads as MJ.
const namesMJ12 = "User-agent: MJ12bot\nDisallow: /\n\nUser-agent: *\nDisallow: /star\n"

// TestReadings checks that each crawler reads the same file in its own dialect, with its
// documented fallbacks, unless Config.Dialect is set.
func TestReadings(t *testing.T) {
	const file = namesMJ12 + "Allow: /star/open\n\nUser-agent: Googlebot\nDisallow: /news\n"
	for _, test := range []struct {
		dialect *robotstxt.Dialect
		agents  []string
		path    string
		want    bool
	}{
		{nil, []string{"MJ12bot"}, "/", false},
		{nil, nil, "/", true},
		{nil, nil, "/star", false},
		{nil, nil, "/star/open", true}, // the longest rule decides
		{in(robotstxt.Koster1996), nil, "/star/open", false},
		{nil, []string{"Googlebot-News"}, "/news", false},
		{nil, []string{"AdsBot-Google"}, "/star", true},
		{nil, []string{"MJ12bot", "Googlebot"}, "/x", false},
		{nil, []string{"*"}, "/star", false},
		{in(robotstxt.Google), []string{"MJ12bot"}, "/", true},
		{in(robotstxt.Google), []string{"Sogou web spider"}, "/", true},
		{in(robotstxt.RFC9309), []string{"MJ12bot"}, "/", false},
	} {
		client := newTestClient(t, Config{Dialect: test.dialect, Network: Network{Transport: answering(200, file)}})
		for range 2 { // from the site, and from memory
			url := "https://foo.example" + test.path
			allowed, err := client.Allowed(t.Context(), url, test.agents...)
			d, err2 := client.Decide(t.Context(), url, test.agents...)
			r, err3 := client.Robots(t.Context(), url, test.agents...)
			if err != nil || err2 != nil || err3 != nil {
				t.Fatal(err, err2, err3)
			}
			agents := test.agents
			if agents == nil {
				agents = client.Agents()
			}
			if byRules := r.Rules(agents...).Allowed(url); allowed != test.want || d.Allowed != test.want ||
				byRules != test.want {
				t.Errorf("%v: Allowed %v, Decide %v, Rules %v, want %v", test, allowed, d.Allowed, byRules, test.want)
			}
			if r.Robots().Dialect() != d.Dialect {
				t.Errorf("%v: read as %v and %v", test, r.Robots().Dialect(), d.Dialect)
			}
		}
	}
}

// TestNoReading checks that there is no verdict for a crawler that no agent line can name.
func TestNoReading(t *testing.T) {
	site := new(oneSite)
	client := newTestClient(t, Config{Network: Network{Transport: site}})
	const url, spider = "https://foo.example/", "Sogou web spider"
	if allowed, err := client.Allowed(t.Context(), url, spider); allowed || err == nil ||
		!strings.Contains(err.Error(), spider) {
		t.Errorf("Allowed: %v, %v", allowed, err)
	}
	if d, err := client.Decide(t.Context(), url, spider); d.Allowed || err == nil {
		t.Errorf("Decide: %v, %v", d, err)
	}
	if _, err := client.Robots(t.Context(), url, spider); err == nil {
		t.Error("Robots returned no error")
	}
	if site.fetches != 0 {
		t.Errorf("%d requests that no answer needs", site.fetches)
	}
	client = newTestClient(t, Config{Network: Network{Transport: answering(404, "")}})
	r, err := client.Robots(t.Context(), url)
	if d := r.Rules(spider).Explain(url); err != nil || d.Allowed || d.Reason != robotstxt.ReasonNoFile {
		t.Errorf("Rules: %+v, %v", d, err)
	}
}

// TestSecondDialect checks that a file is fetched once for two dialects if its bytes are
// in memory or in the store, and otherwise once more, and that later files are parsed in
// both at once.
func TestSecondDialect(t *testing.T) {
	for name, test := range map[string]struct {
		config Config
		want   int // fetches of the first site
	}{
		"memory":     {Config{}, 2},
		"bodies":     {Config{KeepBodies: true}, 1},
		"store":      {Config{Store: new(cachetest.Memory)}, 1},
		"conditions": {Config{Freshness: Freshness{Revalidate: true}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			fetches := map[string]int{}
			test.config.Network.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				fetches[r.URL.Host]++
				if r.Header.Get("If-None-Match") != "" {
					return respond(r, 304, ""), nil
				}
				return respond(r, 200, namesMJ12, "ETag", `"x"`), nil
			})
			client := newTestClient(t, test.config)
			ask := func(host string) {
				t.Helper()
				for range 3 {
					foo, err := client.Allowed(t.Context(), "https://"+host+"/")
					mj12, err2 := client.Allowed(t.Context(), "https://"+host+"/", "MJ12bot")
					if !foo || mj12 || err != nil || err2 != nil {
						t.Fatalf("%s: %v, %v, %v, %v", host, foo, mj12, err, err2)
					}
				}
			}
			ask("one.example")
			ask("two.example")
			if fetches["one.example"] != test.want || fetches["two.example"] != 1 {
				t.Errorf("%d and %d fetches, want %d and 1", fetches["one.example"], fetches["two.example"], test.want)
			}
		})
	}
}

// TestWeightOfForms checks that both forms of a file count for MaxMemory.
func TestWeightOfForms(t *testing.T) {
	client := newTestClient(t,
		Config{KeepBodies: true, Network: Network{Transport: answering(200, strings.Repeat(namesMJ12, 100))}})
	weigh := func(agents ...string) (weight uint32, size int) {
		r, err := client.Robots(t.Context(), "https://foo.example/", agents...)
		if err != nil {
			t.Fatal(err)
		}
		return client.inMemory(r.Origin).weight(), r.Robots().Size()
	}
	one, _ := weigh()
	both, size := weigh("MJ12bot")
	if both != one+uint32(size) {
		t.Errorf("weights %d and %d, want %d more", one, both, size)
	}
	if again, _ := weigh(); again != both {
		t.Errorf("weight %d, want %d", again, both)
	}
}

// TestSecondDialectInOutage checks that a question in a new dialect, while the site is
// down and only a parsed copy is in memory, makes no further requests and gets no
// permission.
func TestSecondDialectInOutage(t *testing.T) {
	now, site := wallClock(), &oneSite{body: namesMJ12}
	client := newTestClient(t, Config{
		Policy:    RFC9309Policy, // the copy applies while the site is down
		Freshness: Freshness{Clock: func() time.Time { return now }},
		Network:   Network{Transport: site},
	})
	allowed := func(agents ...string) bool {
		t.Helper()
		ok, err := client.Allowed(context.Background(), "https://foo.example/", agents...)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !allowed() {
		t.Error("FooBot is disallowed")
	}
	now, site.status = now.Add(25*time.Hour), 500
	if !allowed() || allowed("MJ12bot") || allowed("Foo2Bot") || !allowed() || site.fetches != 2 {
		t.Errorf("FooBot is disallowed, or another crawler is allowed, or %d fetches", site.fetches)
	}
	r, err := client.Robots(context.Background(), "https://foo.example/", "MJ12bot")
	if err != nil || !strings.Contains(r.Rules("MJ12bot").Explain("/").Agent+r.Detail, "copy") {
		t.Errorf("%+v, %v", r, err)
	}
	now, site.status = now.Add(time.Hour), 200
	if allowed("MJ12bot") || !allowed("Foo2Bot") || site.fetches != 3 {
		t.Errorf("the answers after the outage are wrong, or %d fetches", site.fetches)
	}
}

func in(d robotstxt.Dialect) *robotstxt.Dialect { return &d }
