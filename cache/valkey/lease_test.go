package valkey_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

func acquire(t testing.TB, s cache.Leaser, key string, ttl time.Duration) cache.Lease {
	t.Helper()
	l, err := s.Acquire(t.Context(), key, ttl)
	if err != nil {
		t.Fatalf("Acquire(%q): %v", key, err)
	}
	return l
}

func wantLeased(t testing.TB, s cache.Leaser, key string) {
	t.Helper()
	if _, err := s.Acquire(t.Context(), key, time.Minute); !errors.Is(err, cache.ErrLeased) {
		t.Errorf("Acquire(%q): err = %v, want ErrLeased", key, err)
	}
}

// TestLeaseEnds renews a lease for a longer and then for a shorter time, after
// which it ends.
func TestLeaseEnds(t *testing.T) {
	server, s := start(t, "p:")
	l := acquire(t, s, origin, time.Minute)
	if err := l.Renew(t.Context(), time.Hour); err != nil {
		t.Fatalf("Renew: %v", err)
	}
	if left := server.Do("PTTL", "p:{"+origin+"}:l").(int64); left <= time.Minute.Milliseconds() {
		t.Errorf("a lease of a minute that was renewed for an hour ends in %d ms", left)
	}
	const ttl = 300 * time.Millisecond
	started := time.Now()
	if err := l.Renew(t.Context(), ttl); err != nil {
		t.Fatalf("Renew: %v", err)
	}
	eventually(t, aWhile, func() error {
		_, err := s.Acquire(t.Context(), origin, time.Minute)
		return err
	})
	// The server's clock counts whole milliseconds.
	if lasted := time.Since(started); lasted < ttl-time.Millisecond {
		t.Errorf("the lease ended %v after it was renewed for %v", lasted, ttl)
	}
	if err := l.Renew(t.Context(), ttl); !errors.Is(err, cache.ErrLeased) {
		t.Errorf("Renew of a lease that ended: err = %v, want ErrLeased", err)
	}
}

// TestTakeover lets the holder of a lease disappear while others wait, in
// servers with few and with many expiring keys. A server that notifies waiters
// of an expired key may find it minutes late among many.
func TestTakeover(t *testing.T) {
	t.Parallel()
	counts := []int{0, 100_000}
	if long {
		counts = append(counts, 1_000_000)
	}
	for _, n := range counts {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			server := valkeytest.Start(t)
			fill(server, n)
			late := takeover(t, server)
			t.Logf("with %d keys a lease of 1 s was taken over %v after its end", n, late)
			if late > aWhile {
				t.Errorf("a lease was taken over %v after its end", late)
			}
		})
	}
}

// fill puts keys that expire within ten minutes.
func fill(server *valkeytest.Server, n int) {
	const each = 50_000
	for i := 0; i < n; i += each {
		server.Do("EVAL", `for i = ARGV[1], ARGV[2] do
			redis.call('SET', 'filler:' .. i, 'x', 'PX', 1000 + math.random(600000))
		end`, "0", fmt.Sprint(i+1), fmt.Sprint(min(i+each, n)))
	}
}

// takeover returns how late the first of several waiting callers gets a lease
// whose holder has disappeared.
func takeover(t *testing.T, server *valkeytest.Server) time.Duration {
	const ttl = time.Second
	cfg := valkey.Config{Addresses: []string{server.Addr()}, Timeout: patient, Prefix: newPrefix()}
	holder := open(t, cfg)
	started := time.Now()
	acquire(t, holder, origin, ttl)
	answered := time.Now()
	_ = holder.Close()

	var taken atomic.Int64
	var waiting sync.WaitGroup
	for range 8 {
		s := open(t, cfg)
		waiting.Go(func() {
			for taken.Load() == 0 {
				_, err := s.Acquire(t.Context(), origin, time.Minute)
				if err == nil {
					if !taken.CompareAndSwap(0, time.Now().UnixNano()) {
						t.Error("two callers took over the lease")
					}
					return
				}
				if !errors.Is(err, cache.ErrLeased) {
					t.Error(err)
					return
				}
				time.Sleep(20 * time.Millisecond) // each caller polls
			}
		})
	}
	waiting.Wait()
	at := time.Unix(0, taken.Load())
	if at.Before(started.Add(ttl)) {
		t.Errorf("the lease was taken over %v before its end", started.Add(ttl).Sub(at))
	}
	return at.Sub(answered.Add(ttl))
}
