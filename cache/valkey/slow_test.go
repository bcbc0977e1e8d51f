package valkey_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// reopening is the least time between two openings of a breaker: its pause, and
// the time over which it spreads its probes.
const reopening = time.Second + 4*50*time.Millisecond

// TestSlow uses a server that answers for a moment every 200 ms, so that some
// commands succeed. The store must not alternate between available and
// unavailable. Once is usual; the bound is valid on any machine.
func TestSlow(t *testing.T) {
	t.Parallel()
	server, log := valkeytest.Start(t), &log{}
	s := open(t, valkey.Config{Addresses: []string{server.Addr()}, Logger: log.logger()})
	works(t, s)
	lasting := 3 * time.Second
	if long {
		lasting = 10 * time.Second
	}
	var callers sync.WaitGroup
	stop := make(chan struct{})
	callers.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
			callers.Go(func() {
				_, _ = s.Get(t.Context(), fmt.Sprintf("https://%d.example:443", n)) // counted
			})
		}
	})
	began := time.Now()
	for time.Since(began) < lasting {
		server.Do("DEBUG", "SLEEP", "0.2") // the server answers no command during that time
	}
	stats, took := s.Stats(), time.Since(began)
	close(stop)
	callers.Wait()
	t.Logf("a slow server for %v: %+v", took, stats)
	if stats.Failures == 0 || stats.Troubles == 0 {
		t.Error("the server was not slow")
	}
	if most := 1 + uint64(took/reopening); stats.Troubles > most {
		t.Errorf("the store became unavailable %d times in %v, want at most %d", stats.Troubles, took, most)
	}
	works(t, s)
}
