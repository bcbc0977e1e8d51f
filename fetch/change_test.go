package fetch

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// TestOnChange leads a site through several states. Each step says which
// properties are different, with both digests, outcomes and statuses.
func TestOnChange(t *testing.T) {
	const other = "User-agent: *\nDisallow: /\n"
	synctest.Test(t, func(t *testing.T) {
		var changes []Change
		site := new(oneSite)
		client := newTestClient(t,
			Config{OnChange: func(c Change) { changes = append(changes, c) }, Network: Network{Transport: site}})
		for i, step := range []struct {
			status        int
			body          string
			err           error
			what          string // "" for no change
			before, after string
			outcome       Outcome
		}{
			{200, theFile, nil, "", "", "", OutcomeRules}, // nothing was known
			{200, theFile, nil, "", "", "", OutcomeRules},
			{200, other, nil, "file", digest(theFile), digest(other), OutcomeRules},
			{404, "", nil, "file,outcome", digest(other), "", OutcomeAllowAll},
			{503, "", nil, "outcome,source,reachability", "", "", OutcomeDisallowAll},
			{500, "", nil, "", "", "", OutcomeDisallowAll},
			{0, "", dialling(syscall.EMFILE), "", "", "", OutcomeLocal},
			{200, other, nil, "file,outcome,source,reachability", "", digest(other), OutcomeRules},
			{0, "", dialling(syscall.EMFILE), "", "", "", OutcomeLocal},
			{200, other, nil, "", "", "", OutcomeRules},
			{0, "", errDown, "outcome,source,reachability", digest(other), digest(other), OutcomeDisallowAll},
		} {
			site.status, site.body, site.err, changes = step.status, step.body, step.err, nil
			r := Expect(t, client, "https://foo.example/", string(step.outcome))
			switch {
			case step.what == "" && len(changes) > 0:
				t.Errorf("step %d: %v", i, changes)
			case step.what != "" && len(changes) != 1:
				t.Errorf("step %d: %d changes", i, len(changes))
			case step.what != "":
				c := changes[0]
				if strings.Join(c.What, ",") != step.what || c.Before.Digest != step.before ||
					c.After.Digest != step.after || c.After.Outcome != step.outcome ||
					c.After.Status != step.status || c.After.Reason != r.Reason || !c.At.Equal(time.Now()) ||
					c.Origin != r.Origin || !c.Before.CheckedAt.Before(c.At) {
					t.Errorf("step %d: %v: %+v", i, c.What, c)
				}
			}
			time.Sleep(25 * hour)
		}
	})
}

// TestOnChangeByStore checks that a client reports what another process has found.
func TestOnChangeByStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(cachetest.Memory)
		var changes []string
		site := &oneSite{body: theFile}
		client := newTestClient(t,
			Config{Store: store, Network: Network{Transport: site},
				OnChange: func(c Change) { changes = append(changes, c.What...) }})
		other := newTestClient(t, Config{Store: store, Network: Network{Transport: site}})
		for range 3 {
			for _, c := range []*Client{other, client} {
				Expect(t, c, "https://foo.example/")
			}
			site.body += "Disallow: /x\n"
			time.Sleep(25 * hour)
		}
		if !slices.Equal(changes, []string{"file", "file"}) {
			t.Errorf("%v", changes)
		}
	})
}

// TestOnChangeOfRedirectTarget checks that the new file of an origin is reported if the
// fetch of another origin has found it.
func TestOnChangeOfRedirectTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := theFile
		var changes []Change
		client := newTestClient(t,
			Config{OnChange: func(c Change) { changes = append(changes, c) },
				Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.URL.Host == "foo.example" {
						return respond(r, 301, "", "Location", "https://www.foo.example/robots.txt"), nil
					}
					return respond(r, 200, body), nil
				})}})
		get := func(url string, changed ...string) {
			t.Helper()
			changes = nil
			Expect(t, client, url, "rules")
			var got []string
			for _, c := range changes {
				got = append(got, c.Origin.String()+" "+strings.Join(c.What, ","))
				if c.Before.Digest != digest(theFile) || c.After.Digest != digest(body) || !c.At.Equal(time.Now()) {
					t.Errorf("%+v", c)
				}
			}
			if !slices.Equal(got, changed) {
				t.Errorf("%s: %q, want %q", url, got, changed)
			}
		}
		get("https://foo.example/") // nothing was known of either
		time.Sleep(25 * hour)
		get("https://foo.example/") // the same file
		body += "Disallow: /x\n"
		time.Sleep(25 * hour)
		get("https://foo.example/", "https://www.foo.example file", "https://foo.example file")
		get("https://www.foo.example/")
	})
}

// TestOnChangeWithSiteAnswers checks that repeated attempts are no changes while
// SiteAnswers says the same.
func TestOnChangeWithSiteAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes []string
		client := newTestClient(t, Config{Policy: GoogleLadderPolicy, Freshness: Freshness{SiteAnswers: hookOf(true)},
			OnChange: func(c Change) { changes = append(changes, c.What...) },
			Network:  Network{Transport: &oneSite{err: errDown}}})
		for range 40 {
			_, _ = client.Robots(t.Context(), "https://foo.example/")
			time.Sleep(day)
		}
		// without a copy: closed for 12 hours, then open; OnChange compares at the time of an attempt
		if len(changes) > 0 {
			t.Errorf("%v", changes)
		}
	})
}

// TestOnFetch checks what is known at the end of a fetch.
func TestOnFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var fetches []*Stored
		client := newTestClient(t, Config{Limits: Limits{MaxFetches: 1}, OnFetch: func(s *Stored) {
			mu.Lock()
			defer mu.Unlock()
			fetches = append(fetches, s)
		}, Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			switch {
			case r.URL.Host == "down.example":
				return respond(r, 503, ""), nil
			case r.URL.Path == "/robots.txt":
				return respond(r, 302, "", "Location", "/real.txt"), nil
			}
			return respond(r, 200, theFile, "Content-Type", "text/plain"), nil
		})}})
		var callers sync.WaitGroup
		for _, host := range []string{"foo.example", "down.example"} {
			callers.Go(func() { _, _ = client.Robots(t.Context(), "https://"+host+"/") })
			synctest.Wait()
		}
		callers.Wait()
		if len(fetches) != 2 {
			t.Fatalf("%+v", fetches)
		}
		s := fetches[0]
		if a := s.Answer; s.Kind != eventFetched || s.Fault != nil || a == nil || a.Status != 200 ||
			len(a.Hops) != 1 || string(a.Body) != theFile ||
			a.URL != "https://foo.example/real.txt" || s.Bytes != len(theFile) || s.Header.Get("Content-Type") == "" ||
			s.Outcome != OutcomeRules || s.Reason != reasonFile || s.Took != 2*time.Second || s.Waited != 0 ||
			!s.CheckedAt.Equal(time.Now().Add(-time.Second)) {
			t.Errorf("%+v %+v", s, s.Answer)
		}
		s = fetches[1]
		if s.Kind != eventFailed || s.Answer != nil || s.Fault == nil || s.Fault.Status != 503 ||
			s.Fault.Kind != kindStatus ||
			s.Outcome != OutcomeDisallowAll || s.Reason != reasonStatus || s.Took != time.Second ||
			s.Waited != 2*time.Second {
			t.Errorf("%+v %+v", s, s.Fault)
		}
	})
}

// TestOnFetchKeepsFacts checks that a Stored has the body although memory does not keep it, that
// a file that has not changed still has one, that a fault has the answer before beside it, and that
// local trouble is reported as such.
func TestOnFetchKeepsFacts(t *testing.T) {
	for _, revalidate := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var got []*Stored
			var trouble error
			client := newTestClient(t, Config{
				Freshness: Freshness{Revalidate: revalidate}, OnFetch: func(s *Stored) { got = append(got, s) },
				Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.Header.Get("If-None-Match") != "" {
						return respond(r, 304, "", "ETag", `"1"`), trouble
					}
					return respond(r, 200, theFile, "ETag", `"1"`), trouble
				})},
			})
			for i, step := range []struct {
				trouble error
				kind    string
				outcome Outcome
			}{
				{nil, eventFetched, OutcomeRules},
				{nil, eventFetched, OutcomeRules},
				{errDown, eventFailed, OutcomeDisallowAll},
				{os.NewSyscallError("socket", syscall.EMFILE), eventLocal, OutcomeLocal},
			} {
				trouble = step.trouble
				Expect(t, client, "https://foo.example/")
				if len(got) != i+1 {
					t.Fatalf("%d fetches were reported, want %d", len(got), i+1)
				}
				s := got[i]
				if s.Kind != step.kind || s.Outcome != step.outcome || s.Answer == nil ||
					s.Fault == nil && string(s.Answer.Body) != theFile || !s.CheckedAt.Equal(time.Now()) ||
					(s.Fault == nil) != (step.kind == eventFetched) ||
					(s.Bytes == 0) != (i == 1 && revalidate || i > 1) {
					t.Errorf("revalidate %v, step %d: %+v, answer %+v, fault %+v", revalidate, i, s, s.Answer, s.Fault)
				}
				if step.kind == eventLocal && s.Fault.Kind != kindLocal {
					t.Errorf("%+v", s.Fault)
				}
				time.Sleep(25 * hour)
			}
		})
	}
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
