package serve_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/cache/disk"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// failing is a store that can fail or hang.
type failing struct {
	cache.Store
	state atomic.Value // "", "down" or "hangs"
	full  atomic.Bool  // writes fail
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

func (s *failing) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e cache.Entry) (bool, error) {
	if s.full.Load() {
		return false, errors.New("no space left on device")
	}
	return s.Store.PutIfUnchanged(ctx, key, seen, e)
}

// TestStoreState: /readyz and the metric have the state of the store, and the service stays
// ready without it.
func TestStoreState(t *testing.T) {
	t.Parallel()
	store := &failing{Store: new(cachetest.Memory), hung: make(chan struct{})}
	store.state.Store("down")
	s := start(t, newSite(t, serveShop), func(c *serve.Config) { c.Store = store })
	// The state is at most a second old.
	until := func(want, metric string) {
		t.Helper()
		var body, metrics string
		for range serve.Patience / (100 * time.Millisecond) {
			var status int
			status, body, _ = send(t, http.MethodGet, s.admin+"/readyz", "")
			if status != http.StatusOK {
				t.Fatalf("%s: status %d", want, status)
			}
			_, metrics, _ = send(t, http.MethodGet, s.admin+"/metrics", "")
			if body == "ok\nstore: "+want+"\n" && strings.Contains(metrics, "\nrobots_store_up "+metric+"\n") {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Errorf("want %s; /readyz says %q, and the metric %s is missing", want, body, metric)
	}
	until("unreachable", "0")
	store.state.Store("")
	until("ok", "1")
	store.full.Store(true) // it answers all reads
	if status, answer := s.post("check", `{"agents":["FooBot"],"urls":["http://shop.example/"]}`); status != http.StatusOK || !strings.Contains(answer, `"allowed"`) {
		t.Errorf("with a full store: %d %s", status, answer)
	}
	until("unwritable", "0")
	store.full.Store(false)
	s.post("check", `{"agents":["FooBot"],"urls":["http://tea.example/"]}`)
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

// TestFullDisk: a store on a full disk is not ok, however often it is read, and the log has one
// line about it from the store and one from the client.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: mount -t tmpfs: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	log := &lockedBuffer{}
	logger := slog.New(slog.NewJSONHandler(log, nil))
	store, err := disk.Open(t.Context(), disk.Config{Dir: folder, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := os.WriteFile(filepath.Join(folder, "filler"), make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	s := start(t, newSite(t, serveShop), func(c *serve.Config) {
		c.Store, c.Logger, c.UserAgent = store, logger, "ShopBot/1.0 (+https://shop.example)"
	})
	for n := range 100 {
		s.want(http.StatusOK, "check", fmt.Sprintf(`{"agents":["FooBot"],"urls":["http://shop%d.example/"]}`, n), `"allowed"`)
	}
	if status, body, _ := send(t, http.MethodGet, s.admin+"/readyz", ""); status != http.StatusOK || body != "ok\nstore: unwritable\n" {
		t.Errorf("%d %q", status, body)
	}
	if _, body, _ := send(t, http.MethodGet, s.admin+"/metrics", ""); !strings.Contains(body, "\nrobots_store_up 0\n") {
		t.Error("the metric says that the store works")
	}
	if lines := strings.Count(log.String(), "\n"); lines != 2 {
		t.Errorf("%d lines in the log, want 2:\n%s", lines, log.String())
	}
}
