package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/origin"
)

// TestInvalidate checks that the next call fetches, and that no copy is left, in
// memory or in the store.
func TestInvalidate(t *testing.T) {
	site, store := &perOrigin{}, new(cachetest.Memory)
	client := newTestClient(t, Config{Network: Network{Transport: site}, Store: store})
	for want := int64(1); want <= 3; want++ {
		for range 2 {
			Expect(t, client, "https://foo.example/x", "rules")
		}
		if fetches, _ := site.total(); fetches != want {
			t.Errorf("%d fetches, want %d", fetches, want)
		}
		if err := client.Invalidate(t.Context(), "https://foo.example/y"); err != nil {
			t.Error(err)
		}
		if _, err := store.Get(t.Context(), "https://foo.example"); !errors.Is(err, cache.ErrNotFound) {
			t.Errorf("the store has an entry: %v", err)
		}
	}
	site.answer = func(*http.Request) (*http.Response, error) { return nil, errDown }
	Expect(t, client, "https://foo.example/", "disallow-all")
	if err := client.Invalidate(t.Context(), "https://unknown.example/"); err != nil {
		t.Error(err)
	}
	var wrong *origin.Error
	if err := client.Invalidate(t.Context(), "mailto:x"); !errors.As(err, &wrong) {
		t.Error(err)
	}
	down := newTestClient(t, Config{Network: Network{Transport: site}, Store: undeletable{store}})
	if err := down.Invalidate(t.Context(), "https://foo.example/"); !errors.Is(err, errDown) {
		t.Error(err)
	}
}

// TestInvalidateDuringFetch invalidates an origin while a fetch is under way. If it fails,
// it must not put the copy back that it began with; if it succeeds, its answer stays.
func TestInvalidateDuringFetch(t *testing.T) {
	for _, all := range []bool{false, true} {
		for _, status := range []int{200, 503} {
			synctest.Test(t, func(t *testing.T) {
				store, answer := new(cachetest.Memory), 200
				site := &perOrigin{delay: time.Second,
					answer: func(r *http.Request) (*http.Response, error) { return respond(r, answer, theFile), nil }}
				client := newTestClient(t,
					Config{Network: Network{Transport: site}, Store: store, Policy: RFC9309Policy, KeepBodies: true})
				const url = "https://foo.example/"
				Expect(t, client, url)
				answer = status
				time.Sleep(25 * hour)
				var caller sync.WaitGroup
				caller.Go(func() { _, _ = client.Robots(t.Context(), url) })
				time.Sleep(time.Second / 2)
				if all {
					client.forgetAll()
				} else if err := client.Invalidate(t.Context(), url); err != nil {
					t.Error(err)
				}
				caller.Wait()
				_, err := store.Get(t.Context(), "https://foo.example")
				if kept := status == 200; kept != (err == nil) || kept != (client.inMemory(mustOrigin(t, url)) != nil) {
					t.Errorf("all %v, status %d: store %v, memory %v", all, status, err, client.inMemory(mustOrigin(t, url)))
				}
				Expect(t, client, url, map[int]string{200: "memory", 503: "assumed"}[status])
			})
		}
	}
}

type undeletable struct{ cache.Store }

func (undeletable) Delete(context.Context, string) error { return errDown }

// TestRefresh checks that Refresh fetches a fresh file and during the back-off,
// keeps a copy, and shares one fetch with concurrent callers.
func TestRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &perOrigin{delay: time.Second}
		client := newTestClient(t, Config{Network: Network{Transport: site}, Store: new(cachetest.Memory),
			Policy: RFC9309Policy})
		const url = "https://foo.example/x"
		refresh := func(outcome Outcome, source Source) {
			t.Helper()
			time.Sleep(time.Second)
			before, _ := site.total()
			var callers sync.WaitGroup
			for range 10 {
				callers.Go(func() {
					r, err := client.Refresh(t.Context(), url)
					if err != nil || r.Outcome != outcome || r.Source != source {
						t.Errorf("%+v, %v", r, err)
					}
				})
			}
			callers.Wait()
			// Those that call after the first fetch has begun share a second one.
			if after, _ := site.total(); after-before < 1 || after-before > 2 {
				t.Errorf("%d fetches", after-before)
			}
		}
		refresh(OutcomeRules, SourceNetwork)
		refresh(OutcomeRules, SourceNetwork)
		site.answer = func(*http.Request) (*http.Response, error) { return nil, errDown }
		refresh(OutcomeRules, SourceNetwork) // failed; the copy is fresh
		time.Sleep(25 * hour)
		refresh(OutcomeRules, SourceStale)
		refresh(OutcomeRules, SourceStale) // the back-off has not ended
		site.answer = nil
		refresh(OutcomeRules, SourceNetwork)
		Expect(t, client, url, "memory")

		// One that begins during a fetch does not take an answer from before it.
		site.answer = func(r *http.Request) (*http.Response, error) { return respond(r, 404, ""), nil }
		var callers sync.WaitGroup
		for i := range 2 {
			callers.Go(func() {
				time.Sleep(time.Duration(i) * time.Second / 2)
				if r, err := client.Refresh(t.Context(), url); err != nil || r.Outcome != OutcomeAllowAll {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
		callers.Wait()

		ended, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := client.Refresh(ended, url); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		client.demands.Range(func(o, _ any) bool {
			t.Errorf("a demand is left for %v", o)
			return true
		})
		client.Close()
		if _, err := client.Refresh(t.Context(), url); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

// TestPrefetch checks that each origin is fetched once, no more at a time than
// MaxFetches, and that a wrong URL does not stop the others.
func TestPrefetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &busySite{}
		client := newTestClient(t, Config{Network: Network{Transport: site}, Limits: Limits{MaxFetches: 7}})
		var urls []string
		for i := range 210 {
			urls = append(urls, fmt.Sprintf("https://host%d.example/%d", i%70, i))
		}
		urls = slices.Insert(urls, 3, "mailto:x")
		var wrong *origin.Error
		began := time.Now()
		if err := client.Prefetch(t.Context(), slices.Values(urls)); !errors.As(err, &wrong) {
			t.Error(err)
		}
		if len(site.order) != 70 || site.most != 7 || time.Since(began) != 10*time.Second {
			t.Errorf("%d fetches, %d at once, in %v", len(site.order), site.most, time.Since(began))
		}
		if err := client.Prefetch(t.Context(), slices.Values(urls[4:])); err != nil || len(site.order) != 70 {
			t.Errorf("%v, %d fetches", err, len(site.order))
		}
		ended, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		more := func(yield func(string) bool) {
			for i := 0; yield(fmt.Sprintf("https://more%d.example/", i)); i++ {
			}
		}
		if err := client.Prefetch(ended, more); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		client.Close()
		if err := client.Prefetch(t.Context(), more); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		time.Sleep(time.Minute) // the fetches end
	})
}
