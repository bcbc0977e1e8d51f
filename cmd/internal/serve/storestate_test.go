package serve_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/cmd/internal/serve"
)

// failing is a store that can fail or hang.
type failing struct {
	cache.Store
	state atomic.Value // "", "down" or "hangs"
	hung  chan struct{}
}

func (s *failing) Get(ctx context.Context, key string) (cache.Entry, error) {
	switch s.state.Load() {
	case "down":
		return cache.Entry{}, errors.New("connection refused to 10.0.0.1:6379")
	case "hangs":
		<-s.hung
	}
	return s.Store.Get(ctx, key)
}

// TestStoreState: /readyz and the metric have the state of the store, and the service stays
// ready without it.
func TestStoreState(t *testing.T) {
	store := &failing{Store: new(cachetest.Memory), hung: make(chan struct{})}
	store.state.Store("down")
	s := start(t, nil, func(c *serve.Config) { c.Store = store })
	// The state is at most a second old.
	until := func(want, metric string) {
		t.Helper()
		var body, metrics string
		for range 100 {
			var status int
			if status, body, _ = send(t, http.MethodGet, s.admin+"/readyz", ""); status != http.StatusOK {
				t.Fatalf("%s: status %d", want, status)
			}
			if _, metrics, _ = send(t, http.MethodGet, s.admin+"/metrics", ""); body == "ok\nstore: "+want+"\n" && strings.Contains(metrics, "\nrobots_store_up "+metric+"\n") {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Errorf("want %s; /readyz says %q, and the metric %s is missing", want, body, metric)
	}
	until("unreachable", "0")
	store.state.Store("")
	until("ok", "1")
	store.state.Store("hangs") // and ignores its context
	until("unreachable", "0")
	store.state.Store("")
	close(store.hung)
	until("ok", "1")
}

// TestNoStore: without a store there is no metric about it.
func TestNoStore(t *testing.T) {
	s := start(t, nil, nil)
	if status, body, _ := send(t, http.MethodGet, s.admin+"/readyz", ""); status != http.StatusOK || body != "ok\nstore: none\n" {
		t.Errorf("%d %q", status, body)
	}
	if _, body, _ := send(t, http.MethodGet, s.admin+"/metrics", ""); strings.Contains(body, "robots_store_up") {
		t.Error("there is a metric of the store")
	}
}
