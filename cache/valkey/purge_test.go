package valkey_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// TestPurgeAll deletes the entries of one prefix, and no other keys.
func TestPurgeAll(t *testing.T) {
	server := valkeytest.Start(t)
	cfg := valkey.Config{Addresses: []string{server.Addr()}, Timeout: patient}
	cfg.Prefix = "p[1]*:"
	s := open(t, cfg)
	cfg.Prefix = "p1:"
	other := open(t, cfg)
	const n = 1500 // more than one page
	for i := range n {
		put(t, s, fmt.Sprint(i), entry(0, "text"))
	}
	put(t, other, origin, entry(0, "other"))
	acquire(t, s, origin, time.Minute)
	server.Do("SET", "p[1]*:foreign", "x")
	if deleted, err := s.PurgeAll(t.Context()); deleted != n || err != nil {
		t.Errorf("PurgeAll = %d, %v; want %d", deleted, err, n)
	}
	wantAbsent(t, s, "7")
	wantText(t, other, origin, "other")
	wantLeased(t, s, origin)
	if size := server.Do("DBSIZE"); size != int64(3) {
		t.Errorf("%v keys, want 3", size)
	}
	if deleted, err := s.PurgeAll(t.Context()); deleted != 0 || err != nil {
		t.Errorf("PurgeAll again = %d, %v", deleted, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.PurgeAll(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
	server.Kill()
	ctx, cancel = context.WithTimeout(t.Context(), patient)
	defer cancel()
	if _, err := other.PurgeAll(ctx); !errors.Is(err, valkey.ErrUnavailable) {
		t.Errorf("without a server: %v", err)
	}
}
