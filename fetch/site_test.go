package fetch

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// TestSiteAnswersOnce checks that SiteAnswers is called once after each failed
// fetch, not for each question, and neither before 30 days nor for other policies.
func TestSiteAnswersOnce(t *testing.T) {
	for _, p := range Policies() {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int64
			site := &oneSite{err: errDown}
			client := newTestClient(t,
				Config{Policy: p, Network: Network{Transport: site},
					Freshness: Freshness{SiteAnswers: func(ctx context.Context, o origin.Origin) bool {
						asked.Add(1)
						if _, bounded := ctx.Deadline(); !bounded || o.Host() != "foo.example" {
							t.Errorf("%v, bounded %v", o, bounded)
						}
						time.Sleep(time.Second)
						return true
					}}})
			call := func() {
				var callers sync.WaitGroup
				for range 100 {
					callers.Go(func() {
						if _, err := client.Allowed(t.Context(), "https://foo.example/"); err != nil {
							t.Error(err)
						}
					})
				}
				callers.Wait()
			}
			for range 31 {
				if call(); asked.Load() > 0 {
					t.Fatal("asked too early")
				}
				time.Sleep(day)
			}
			before := site.fetches
			for range 3 {
				call()
				call()
				time.Sleep(2 * hour)
			}
			want := 0
			if p == GoogleLadderPolicy {
				if fetches := site.fetches - before; fetches != 3 {
					t.Errorf("%d fetches", fetches)
				}
				Expect(t, client, "https://foo.example/", "allow-all")
				want = 4 // one is for the attempt of that call
			}
			if asked.Load() != int64(want) {
				t.Errorf("%v: asked %d times, want %d", p, asked.Load(), want)
			}
		})
	}
}

// TestSiteAnswersHangs checks that a SiteAnswers that does not return delays no
// caller beyond its context, and the others by Limits.Timeout once.
func TestSiteAnswersHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		client := newTestClient(t, Config{Policy: GoogleLadderPolicy, Limits: Limits{Timeout: 10 * time.Second},
			Network:   Network{Transport: &oneSite{err: errDown}},
			Freshness: Freshness{SiteAnswers: func(context.Context, origin.Origin) bool { <-release; return true }}})
		defer close(release)
		for range 31 {
			_, _ = client.Allowed(t.Context(), "https://foo.example/")
			time.Sleep(day)
		}
		began := time.Now()
		hasty, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := client.Allowed(hasty, "https://foo.example/"); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		for range 2 {
			if ExpectAllowed(t, client, "https://foo.example/", false); time.Since(began) != 10*time.Second {
				t.Errorf("after %v", time.Since(began))
			}
		}
	})
}
