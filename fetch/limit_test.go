package fetch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// busySite answers after a second, and records the order of the fetches and how
// many were under way at once.
type busySite struct {
	mu        sync.Mutex
	order     []string
	starts    []time.Time
	now, most int
}

func (s *busySite) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.order, s.starts = append(s.order, r.URL.Host), append(s.starts, time.Now())
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	time.Sleep(time.Second)
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	return respond(r, 200, theFile), nil
}

// TestMaxFetches checks that no more fetches than MaxFetches are under way, that
// they begin in the order of their calls, and that many callers of one origin wait
// once.
func TestMaxFetches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &busySite{}
		client := newTestClient(t, Config{Network: Network{Transport: site}, Limits: Limits{MaxFetches: 3}})
		var callers sync.WaitGroup
		var want []string
		began := time.Now()
		for i := range 30 {
			host := fmt.Sprintf("host%02d.example", i)
			want = append(want, host)
			for range 5 {
				callers.Go(func() {
					Expect(t, client, "https://"+host+"/", "rules")
				})
			}
			synctest.Wait() // so that the order of the calls is known
		}
		callers.Wait()
		// Of those that begin at one moment the order is that of the scheduler.
		for i := 0; i < len(site.order); i += 3 {
			slices.Sort(site.order[i : i+3])
		}
		if site.most != 3 || !slices.Equal(site.order, want) || time.Since(began) != 10*time.Second {
			t.Errorf("%d at once, %v, in %v", site.most, site.order, time.Since(began))
		}
	})
}

// TestMaxFetchesAndClose checks that waiting calls end when the client is closed.
func TestMaxFetchesAndClose(t *testing.T) {
	for _, config := range []Config{{Limits: Limits{MaxFetches: 1}}, {Limits: Limits{MaxFetchRate: 0.001}},
		{Limits: Limits{MaxFetchRate: minFetchRate}}} {
		synctest.Test(t, func(t *testing.T) {
			config.Network.Transport = &busySite{}
			client := newTestClient(t, config)
			var callers sync.WaitGroup
			for i := range 10 {
				callers.Go(func() {
					_, err := client.Robots(t.Context(), fmt.Sprintf("https://host%d.example/", i))
					if err != nil && !errors.Is(err, ErrClosed) {
						t.Error(err)
					}
				})
			}
			synctest.Wait()
			client.Close()
			callers.Wait()
			if rate := client.limits.rate; rate != nil && rate.every < 1000*time.Second {
				t.Errorf("a fetch every %v", rate.every)
			}
			// Slots that were waited for are free again.
			if config.Limits.MaxFetches == 1 && !client.limits.slots.TryAcquire(1) {
				t.Error("a slot is lost")
			}
		})
	}
}

// TestMaxFetchesAndCancelledCalls cancels calls for 1,000 slow sites. Those whose fetch
// has not begun must not delay another site.
func TestMaxFetchesAndCancelledCalls(t *testing.T) {
	for _, test := range []struct {
		config  Config
		fetches int
		wait    time.Duration // of the other site
	}{
		{Config{Limits: Limits{MaxFetches: 4}}, 4 + 1, 28 * time.Second}, // until the four have ended
		{Config{Limits: Limits{MaxFetches: -1, MaxFetchRate: 0.1}}, 2 + 1, 18 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			var fetches atomic.Int64
			test.config.Network.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				fetches.Add(1)
				if r.URL.Host != "idle.example" {
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				return respond(r, 200, theFile), nil
			})
			client := newTestClient(t, test.config)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			for i := range 1000 {
				go func() {
					if _, err := client.Robots(ctx, fmt.Sprintf("https://slow%d.example/", i)); !errors.Is(err, context.DeadlineExceeded) {
						t.Error(err)
					}
				}()
			}
			time.Sleep(2 * time.Second)
			began := time.Now()
			Expect(t, client, "https://idle.example/", "rules")
			if waited := time.Since(began); waited != test.wait || fetches.Load() != int64(test.fetches) {
				t.Errorf("waited %v, want %v; %d fetches, want %d", waited, test.wait, fetches.Load(), test.fetches)
			}
			if len(client.callers.byOrigin) != 0 {
				t.Errorf("%d callers are still counted", len(client.callers.byOrigin))
			}
		})
	}
}

// TestMaxFetchesReadsTheStoreAgain checks that a fetch that had to wait is not made
// if another process has stored the answer meanwhile.
func TestMaxFetchesReadsTheStoreAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site, store := &busySite{}, new(cachetest.Memory)
		slow := roundTrip(func(r *http.Request) (*http.Response, error) {
			time.Sleep(2 * time.Second)
			return site.RoundTrip(r)
		})
		first := newTestClient(t,
			Config{Network: Network{Transport: slow}, Store: store, Limits: Limits{MaxFetches: 1}})
		second := newTestClient(t, Config{Network: Network{Transport: &busySite{}}, Store: store})
		var callers sync.WaitGroup
		for i, client := range []*Client{first, second, first} {
			callers.Go(func() {
				url := []string{"https://one.example/", "https://two.example/", "https://two.example/"}[i]
				Expect(t, client, url, "rules")
			})
			synctest.Wait()
		}
		callers.Wait()
		if len(site.order) != 1 {
			t.Errorf("%v", site.order)
		}
	})
}

// TestMaxFetchRate counts the fetches that begin in a second.
func TestMaxFetchRate(t *testing.T) {
	for _, rate := range []float64{0.5, 1, 10, 100} {
		synctest.Test(t, func(t *testing.T) {
			site := &busySite{}
			client := newTestClient(t, Config{Network: Network{Transport: site}, Limits: Limits{MaxFetchRate: rate}})
			time.Sleep(time.Hour) // an idle hour gives no credit
			began := time.Now()
			var callers sync.WaitGroup
			const calls = 300
			for i := range calls {
				callers.Go(func() {
					Expect(t, client, fmt.Sprintf("https://host%d.example/", i))
				})
			}
			callers.Wait()
			slices.SortFunc(site.starts, time.Time.Compare)
			burst := math.Max(rate, 1)
			for i, at := range site.starts {
				if most := burst + rate*at.Sub(began).Seconds(); float64(i+1) > most+0.001 {
					t.Fatalf("%v: %d fetches began within %v", rate, i+1, at.Sub(began))
				}
			}
			if took, least := site.starts[calls-1].Sub(began).Seconds(),
				(calls-burst)/rate; math.Abs(took-least) > 1/rate {
				t.Errorf("%v: %v seconds, want %v", rate, took, least)
			}
		})
	}
}
