package fetch

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt"
)

type world struct {
	redirects, via int // the status of the redirects
	status         int
	location       string // of the last response
	body           string
}

func (w world) String() string {
	return fmt.Sprintf("%d × %d, then %d with Location %q and %d bytes", w.redirects, w.via, w.status, w.location, len(w.body))
}

func (w world) RoundTrip(r *http.Request) (*http.Response, error) {
	var n int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d.txt", &n); err != nil && r.URL.Path != "/robots.txt" {
		return respond(r, 200, theFile), nil // the target of the last Location
	}
	if n < w.redirects {
		return respond(r, w.via, "", "Location", fmt.Sprintf("/%d.txt", n+1)), nil
	}
	if w.location != "" {
		return respond(r, w.status, w.body, "Location", w.location), nil
	}
	return respond(r, w.status, w.body), nil
}

func worlds() (all []world) {
	const page = "<!DOCTYPE html><title>Checking your browser</title>"
	for _, r := range statuses {
		for status := r.first; status <= r.last; status++ {
			if status > r.first && status < r.last && os.Getenv("ROBOTSTXT_LONG") == "" {
				continue
			}
			all = append(all, world{status: status, body: theFile}, world{status: status, location: "/moved.txt", body: theFile})
		}
	}
	for redirects := range 22 {
		// The limits of the configurations are 5, 7, 9 and 20.
		if !slices.Contains([]int{0, 5, 6, 7, 8, 9, 10, 20, 21}, redirects) && os.Getenv("ROBOTSTXT_LONG") == "" {
			continue
		}
		for _, status := range []int{200, 204, 404, 403, 503, 300, 302} {
			all = append(all, world{redirects: redirects, via: 302, status: status, body: theFile})
		}
		all = append(all, world{redirects: redirects, via: 302, status: 200, body: page},
			world{redirects: redirects, via: 300, status: 200, body: theFile},
			world{redirects: redirects, via: 302, status: 300, location: "/moved.txt"})
	}
	long := strings.Repeat("# a comment\n", robotstxt.DefaultBodyLimit/12)
	return append(all, world{status: 200, body: page}, world{status: 200, body: "\x1F\x8B\x08\x00"}, world{status: 200},
		world{status: 200, body: long + long + theFile}, world{status: 200, body: strings.Repeat("# a comment\n", 10) + theFile})
}

func onTerms() (all []Config) {
	for _, p := range Policies() {
		all = append(all, Config{Policy: p})
	}
	return append(all,
		Config{Limits: Limits{MaxRedirects: 9}}, Config{Policy: KosterPolicy, Limits: Limits{MaxRedirects: 7}},
		Config{Limits: Limits{MaxBody: 2 * robotstxt.DefaultBodyLimit}},
		Config{Policy: CarefulPolicy, Limits: Limits{MaxBody: 4 * robotstxt.DefaultBodyLimit}})
}

// answerIn returns what a new client on some terms says in a world, with a store that may
// have an entry, and the entries of the store afterwards.
func answerIn(t *testing.T, w world, config Config, store *testStore) string {
	config.Store, config.Network.Transport = store, w
	client := newTestClient(t, config)
	defer client.Close()
	r := Expect(t, client, "https://foo.example/")
	private, _ := client.Allowed(t.Context(), "https://foo.example/private/x")
	public, _ := client.Allowed(t.Context(), "https://foo.example/public")
	return fmt.Sprint(r.Outcome, r.Status, r.URL, r.Hops, r.Truncated, private, public)
}

// TestStoreOfOtherTerms: in a world that stays the same, a client's answer with a store that a
// client on other terms has filled is its answer alone.
func TestStoreOfOtherTerms(t *testing.T) {
	pairs := 0
	for _, w := range worlds() {
		synctest.Test(t, func(t *testing.T) { // in which no call of a store is too slow
			configs := onTerms()
			alone := make([]string, len(configs))
			filled := make([]*testStore, len(configs))
			for i, config := range configs {
				filled[i] = newTestStore()
				alone[i] = answerIn(t, w, config, filled[i])
			}
			for a, config := range configs {
				for b := range configs {
					store := newTestStore()
					maps.Copy(store.entries, filled[b].entries)
					if got := answerIn(t, w, config, store); got != alone[a] {
						t.Errorf("%v: %v %+v after %v %+v:\n%s, alone\n%s", w, config.Policy, config.Limits, configs[b].Policy, configs[b].Limits, got, alone[a])
					}
					pairs++
				}
			}
		})
	}
	t.Logf("%d pairs", pairs)
}

// TestCareful: under the careful policy only evidence allows, and a copy is of use for a day
// after its fetch.
func TestCareful(t *testing.T) {
	const page = "<!DOCTYPE html><title>Checking your browser</title>"
	for _, test := range []struct {
		w    world
		want Outcome
		says string
	}{
		{world{status: 200, body: theFile}, OutcomeRules, "HTTP status 200"},
		{world{status: 200}, OutcomeRules, "HTTP status 200"},
		{world{status: 204}, OutcomeRules, "HTTP status 204"},
		{world{status: 200, body: strings.Repeat("# a comment\n", robotstxt.DefaultBodyLimit/6) + theFile}, OutcomeRules, "HTTP status 200"},
		{world{redirects: 2, via: 301, status: 200, body: theFile}, OutcomeRules, "HTTP status 200"},
		{world{redirects: 2, via: 301, status: 200, body: page}, OutcomeDisallowAll, "a web page instead of a robots.txt"},
		{world{status: 200, body: page}, OutcomeDisallowAll, "a web page instead of a robots.txt"},
		{world{status: 200, body: page + strings.Repeat(" ", robotstxt.DefaultBodyLimit)}, OutcomeDisallowAll, "a first line that is longer than the limit"},
		{world{status: 200, body: strings.Repeat("\n", 2000) + page}, OutcomeDisallowAll, "a web page instead of a robots.txt"},
		{world{status: 200, body: page + "\n" + theFile}, OutcomeRules, "HTTP status 200"},
		{world{status: 200, body: "\xFF\xFEU\x00s\x00"}, OutcomeDisallowAll, "a body that is not text"},
		{world{status: 404, body: page}, OutcomeAllowAll, "HTTP status 404"},
		{world{status: 410}, OutcomeAllowAll, "HTTP status 410"},
		{world{status: 202, body: page}, OutcomeDisallowAll, "a web page instead of a robots.txt"},
		{world{status: 403, body: page}, OutcomeDisallowAll, "HTTP status 403"},
		{world{status: 451}, OutcomeDisallowAll, "HTTP status 451"},
		{world{status: 302}, OutcomeDisallowAll, "HTTP status 302: without a usable Location"},
		{world{redirects: 6, via: 302, status: 200, body: theFile}, OutcomeDisallowAll, "HTTP status 302: after 5 redirects"},
	} {
		client := newTestClient(t,
			Config{Policy: CarefulPolicy, NotFoundPage: LooksNotFound, Network: Network{Transport: test.w}})
		if r := Expect(t, client, "https://foo.example/"); r.Outcome != test.want || !strings.Contains(r.Detail, test.says) {
			t.Errorf("%v: %v, %q", test.w, r.Outcome, r.Detail)
		}
		client.Close()
	}
	synctest.Test(t, func(t *testing.T) {
		status := 200
		client := newTestClient(t,
			Config{Policy: CarefulPolicy,
				Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					return respond(r, status, theFile, "Cache-Control", "max-age=600"), nil
				})}})
		defer client.Close()
		Expect(t, client, "https://foo.example/")
		status = 403
		time.Sleep(24*hour - time.Second)
		if r := Expect(t, client, "https://foo.example/"); r.Outcome != OutcomeRules || r.Source != SourceStale {
			t.Errorf("before a day has passed: %v, %v", r.Outcome, r.Source)
		}
		time.Sleep(time.Second)
		if r := Expect(t, client, "https://foo.example/"); r.Outcome != OutcomeDisallowAll || r.Source != SourceAssumed {
			t.Errorf("after a day: %v, %v", r.Outcome, r.Source)
		}
	})
}

// TestFaultsOfOtherTerms: what a client on other terms takes for a fault does not lengthen an
// outage, and its fault is shared only if a fetch would have had it too.
func TestFaultsOfOtherTerms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status, store := 403, newTestStore()
		transport := roundTrip(func(r *http.Request) (*http.Response,
			error) {
			return respond(r, status, theFile), nil
		})
		careful := newTestClient(t, Config{Policy: CarefulPolicy, Store: store, Network: Network{Transport: transport}})
		defer careful.Close()
		for began := time.Now(); time.Since(began) < 31*day; time.Sleep(90 * time.Minute) {
			Expect(t, careful, "https://foo.example/")
		}
		status = 500
		Expect(t, careful, "https://foo.example/")
		for _, p := range []Policy{GooglePolicy, RFC9309Policy, GoogleLadderPolicy} {
			client := newTestClient(t, Config{Policy: p, Store: store, Network: Network{Transport: transport}})
			if r := Expect(t, client, "https://foo.example/"); r.Outcome != OutcomeDisallowAll {
				t.Errorf("%v: %v, %v: 31 days of 403 are no outage", p, r.Outcome, r.Reason)
			}
			client.Close()
		}
		stored, err := ReadEntry(store.entries[fooKey])
		if err != nil || stored.Result(GooglePolicy, time.Now()).Outcome != OutcomeDisallowAll {
			t.Errorf("an entry, %v: %v", err, stored.Result(GooglePolicy, time.Now()).Outcome)
		}
	})
	const missing = "<!DOCTYPE html><title>404 Not Found</title><h1>404 Not Found</h1>"
	for _, test := range []struct {
		name    string
		w       world
		a, b    Config
		fetches int // of b
	}{
		{"a web page, careful both", world{status: 200, body: missing}, Config{Policy: CarefulPolicy}, Config{Policy: CarefulPolicy}, 0},
		{"a web page, google first", world{status: 200, body: missing}, Config{}, Config{Policy: CarefulPolicy}, 1},
		{"the page of a 404 is known to the second only", world{status: 500, body: missing}, Config{}, Config{NotFoundPage: LooksNotFound}, 1},
		{"the page of a 404 is known to both", world{status: 500, body: "Out of memory"}, Config{NotFoundPage: LooksNotFound}, Config{NotFoundPage: LooksNotFound}, 0},
	} {
		store, fetches := newTestStore(), 0
		for _, config := range []Config{test.a, test.b} {
			fetches = 0
			config.Store, config.Network.Transport = store, roundTrip(func(r *http.Request) (*http.Response, error) {
				fetches++
				return test.w.RoundTrip(r)
			})
			client := newTestClient(t, config)
			Expect(t, client, "https://foo.example/")
			client.Close()
		}
		if fetches != test.fetches {
			t.Errorf("%s: %d fetches, want %d", test.name, fetches, test.fetches)
		}
	}
}

// TestCopyOfOtherTerms: a client that reads a stored copy in another way does not replace it
// with its own reading when the site is down.
func TestCopyOfOtherTerms(t *testing.T) {
	long := strings.Repeat("# a comment\n", robotstxt.DefaultBodyLimit/10) + theFile
	large := Limits{MaxBody: 2 * robotstxt.DefaultBodyLimit}
	for _, test := range []struct {
		w    world
		a, b Config
	}{
		{world{status: 200, body: long}, Config{Policy: RFC9309Policy, Limits: large}, Config{Policy: RFC9309Policy}},
		{world{status: 200, body: long}, Config{Policy: RFC9309Policy}, Config{Policy: RFC9309Policy, Limits: large}},
		{world{redirects: 7, via: 302, status: 200, body: theFile}, Config{Policy: RFC9309Policy, Limits: Limits{MaxRedirects: 9}}, Config{Policy: RFC9309Policy}},
	} {
		synctest.Test(t, func(t *testing.T) {
			store, up := newTestStore(), true
			ask := func(config Config) *Result {
				config.Store, config.Network.Transport = store,
					roundTrip(func(r *http.Request) (*http.Response, error) {
						if !up {
							return respond(r, 500, ""), nil
						}
						return test.w.RoundTrip(r)
					})
				client := newTestClient(t, config)
				defer client.Close()
				return Expect(t, client, "https://foo.example/")
			}
			before := ask(test.a)
			time.Sleep(25 * hour)
			up = false
			ask(test.b)
			time.Sleep(2 * hour)
			if r := ask(test.a); r.Source != SourceStale || r.Bytes != before.Bytes {
				t.Errorf("%v: %v, %d bytes, want the copy of %d", test.w, r.Source, r.Bytes, before.Bytes)
			}
		})
	}
}

// TestFlightPanics: a panic in a flight is the error of its callers, and the next call works.
func TestFlightPanics(t *testing.T) {
	faults := []func(){func() { panic("a faulty hook") }, func() { (*oneSite)(nil).fetches++ }}
	client := newTestClient(t, Config{Network: Network{Transport: &oneSite{body: theFile}}, OnFetch: func(*Stored) {
		if len(faults) > 0 {
			fault := faults[0]
			faults = faults[1:]
			fault()
		}
	}})
	defer client.Close()
	const prefix = "fetch: internal error at https://foo.example/robots.txt"
	for _, want := range []string{prefix + ": a faulty hook", prefix} {
		if _, err := client.Robots(t.Context(), "https://foo.example/"); err == nil || err.Error() != want {
			t.Errorf("a panic: %v, want %s", err, want)
		}
	}
	if r := Expect(t, client, "https://bar.example/"); r.Outcome != OutcomeRules {
		t.Errorf("after it: %v", r.Outcome)
	}
}
