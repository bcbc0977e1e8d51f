package valkey_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

const (
	origin = "https://example.com:443"

	// patient is a timeout for tests that do not measure time. A busy machine
	// may not answer within 50 ms.
	patient = 20 * time.Second

	// short is a timeout for tests whose server goes away and comes back: the time
	// for which their calls wait in vain. A server that is there answers within
	// it, also on a busy machine.
	short = time.Second

	// aWhile is the limit for operations that take some milliseconds, or a few
	// attempts of a store, on an idle machine. A passing test does not wait for
	// it.
	aWhile = time.Minute

	// away and back are parts of the lines that a store logs.
	away, back = "is unavailable", "is available again"
)

// TestMain runs many tests at the same time, because they wait for servers most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// long reports whether tests may take minutes.
var long = os.Getenv("ROBOTSTXT_LONG") != ""

var prefixes atomic.Int64

// newPrefix separates the keys of tests that share a server.
func newPrefix() string { return fmt.Sprintf("test%d:", prefixes.Add(1)) }

// open opens a store, and waits until it has connected.
func open(t testing.TB, cfg valkey.Config) *valkey.Store {
	t.Helper()
	s := openAtOnce(t, cfg)
	eventually(t, aWhile, func() error {
		if s.Stats().Trouble {
			return errors.New("the store is not connected")
		}
		return nil
	})
	return s
}

// openAtOnce opens a store whose server may be down.
func openAtOnce(t testing.TB, cfg valkey.Config) *valkey.Store {
	t.Helper()
	if cfg.Prefix == "" {
		cfg.Prefix = newPrefix()
	}
	s, err := valkey.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// start starts a server, and opens a store on it for a test that does not measure time.
func start(t testing.TB, prefix string) (*valkeytest.Server, *valkey.Store) {
	t.Helper()
	server := valkeytest.Start(t)
	return server, open(t, valkey.Config{Addresses: []string{server.Addr()}, Timeout: patient, Prefix: prefix})
}

// entry returns an entry that was fetched at the offset after one hour ago.
func entry(offset time.Duration, text string) cache.Entry {
	fetched := time.Now().Add(offset - time.Hour).Round(0)
	return cache.Entry{FetchedAt: fetched, Expires: fetched.Add(24 * time.Hour), Data: []byte(text)}
}

func put(t testing.TB, s cache.Store, key string, e cache.Entry) {
	t.Helper()
	if stored, err := s.PutIfNewer(t.Context(), key, e); err != nil || !stored {
		t.Fatalf("PutIfNewer(%q) = %v, %v; want true", key, stored, err)
	}
}

func wantText(t testing.TB, s cache.Store, key, text string) {
	t.Helper()
	if e, err := s.Get(t.Context(), key); err != nil || string(e.Data) != text {
		t.Errorf("Get(%q) = %q, %v; want %q", key, e.Data, err, text)
	}
}

func wantAbsent(t testing.TB, s cache.Store, key string) {
	t.Helper()
	if e, err := s.Get(t.Context(), key); !errors.Is(err, cache.ErrNotFound) {
		t.Errorf("Get(%q) = %q, %v; want ErrNotFound", key, e.Data, err)
	}
}

// eventually repeats a function until it returns no error.
func eventually(t testing.TB, within time.Duration, try func() error) {
	t.Helper()
	started := time.Now()
	err := try()
	for ; err != nil; err = try() {
		if time.Since(started) > within {
			t.Fatalf("after %v: %v", within, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("%s after %v", t.Name(), time.Since(started).Round(time.Millisecond))
}

// stalled is for how long, in total, this process did not run although it could. The
// limits of calls are about the store, and not about a machine that is too busy for it.
var stalled = func() *atomic.Int64 {
	total := new(atomic.Int64)
	go func() {
		const step = 10 * time.Millisecond
		for {
			began := time.Now()
			time.Sleep(step)
			if over := time.Since(began) - step; over > step {
				total.Add(int64(over))
			}
		}
	}()
	return total
}()

// timed returns how long f took, without the time for which the process was stalled.
func timed(f func()) time.Duration {
	started, before := time.Now(), stalled.Load()
	f()
	return time.Since(started) - time.Duration(stalled.Load()-before)
}

// question is one call of a store.
type question struct {
	name string
	call func(ctx context.Context, s *valkey.Store, key string) error
}

var questions = []question{
	{"Get", func(ctx context.Context, s *valkey.Store, key string) error {
		_, err := s.Get(ctx, key)
		return err
	}},
	{"PutIfNewer", func(ctx context.Context, s *valkey.Store, key string) error {
		_, err := s.PutIfNewer(ctx, key, entry(time.Minute, "put"))
		return err
	}},
	{"Delete", func(ctx context.Context, s *valkey.Store, key string) error { return s.Delete(ctx, key) }},
	{"Acquire", func(ctx context.Context, s *valkey.Store, key string) error {
		_, err := s.Acquire(ctx, key, time.Second)
		return err
	}},
}

// log collects the lines of a store.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(p))
	return len(p), nil
}

// want checks how many lines contain each text.
func (l *log) want(t *testing.T, inTrouble, isBack int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	all := strings.Join(l.lines, "")
	if a, b := strings.Count(all, away), strings.Count(all, back); a != inTrouble || b != isBack {
		t.Errorf("%d lines say that the store %s and %d that it %s, want %d and %d:\n%s", a, away, b, back, inTrouble, isBack, all)
	}
}
