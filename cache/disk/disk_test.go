package disk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/cache/disk"
)

func TestContract(t *testing.T) {
	cachetest.TestStore(t, func(t *testing.T) cache.Store {
		return open(t, disk.Config{Dir: t.TempDir(), MaxBytes: 16 << 20})
	})
}

func TestMany(t *testing.T) {
	cachetest.TestManyGetter(t, func(t *testing.T) cachetest.ManyStore {
		return open(t, disk.Config{Dir: t.TempDir()})
	})
}

func TestLeases(t *testing.T) {
	cachetest.TestLeaser(t, func(t *testing.T) cachetest.LeasingStore { return open(t, disk.Config{Dir: t.TempDir()}) })
}

// TestLeasesOfSeveral checks that stores with separate connections, as those of
// several processes, share their leases.
func TestLeasesOfSeveral(t *testing.T) {
	cachetest.TestLeaser(t, func(t *testing.T) cachetest.LeasingStore {
		dir := t.TempDir()
		return &alternating{Store: open(t, disk.Config{Dir: dir}), other: open(t, disk.Config{Dir: dir})}
	})
}

// alternating acquires leases from each of two stores in turn.
type alternating struct {
	*disk.Store
	other *disk.Store
	calls atomic.Uint32
}

func (a *alternating) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	if a.calls.Add(1)%2 == 0 {
		return a.other.Acquire(ctx, key, ttl)
	}
	return a.Store.Acquire(ctx, key, ttl)
}

// TestLeaseFromTheFuture checks that a clock that was set back does not leave a
// lease that lasts for as long as the clock was wrong.
func TestLeaseFromTheFuture(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	if _, err := s.Acquire(t.Context(), origin(0), time.Minute); err != nil {
		t.Fatal(err)
	}
	edit(t, dir, "UPDATE leases SET since = since + 1000000000000000, until = until + 1000000000000000")
	if _, err := s.Acquire(t.Context(), origin(0), time.Minute); err != nil {
		t.Error(err)
	}
}

// longTests reports whether the tests may take minutes.
func longTests() bool { return os.Getenv("ROBOTSTXT_LONG") != "" }

// open opens a store that must not be degraded, and closes it at the end of the
// test.
func open(t testing.TB, cfg disk.Config) *disk.Store {
	t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	s, err := disk.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Degraded(); err != nil {
		t.Fatal(err)
	}
	return s
}

// log counts the messages of a store.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *log) warnings() int { return strings.Count(l.String(), "level=WARN") }

// lines are the lines of the test files. A file of 1 KB made of them compresses
// to two fifths, like real ones of that size.
var lines = sync.OnceValue(func() []string {
	words := strings.Fields("admin search cart checkout account login wp-admin wp-content plugins cgi-bin tmp " +
		"private users profile tags feed print share ajax api static media images css js includes modules themes " +
		"filter sort page product category shop blog news archive download upload trackback comments xmlrpc assets " +
		"docs help about contact terms privacy user node add edit delete register logout password forgot wishlist")
	agents := strings.Fields("Googlebot Bingbot GPTBot CCBot AhrefsBot SemrushBot MJ12bot DotBot Yandex Baiduspider ClaudeBot")
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return words[r.IntN(len(words))] }
	lines := make([]string, 4096)
	for i := range lines {
		switch r.IntN(12) {
		case 0:
			lines[i] = "\nUser-agent: " + agents[r.IntN(len(agents))] + "\n"
		case 1:
			lines[i] = "Allow: /" + word() + "/" + word() + ".php\n"
		case 2:
			lines[i] = "Disallow: /*?" + word() + "=*\n"
		case 3:
			lines[i] = fmt.Sprintf("Disallow: /%s-%d/\n", word(), r.IntN(1000))
		default:
			lines[i] = "Disallow: /" + word() + "/" + word() + "/\n"
		}
	}
	return lines
})

// body returns the file of an origin at a time, of at least n bytes. It is a
// function of these, so that every process can check what it reads.
func body(key string, fetchedAt time.Time, n int) []byte {
	h := fnv.New64a()
	h.Write([]byte(key))
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(fetchedAt.UnixNano())))
	b := fmt.Appendf(make([]byte, 0, n+200), "# %s at %d\n\nUser-agent: *\n", key, fetchedAt.UnixNano())
	for pool := lines(); len(b) < n; {
		b = append(b, pool[r.IntN(len(pool))]...)
	}
	return fmt.Appendf(b, "Sitemap: %s/sitemap.xml\n", key)
}

// size returns the size of an origin's file: around 1 KB for most, and many
// pages of the database for one in a hundred.
func size(key string) int {
	h := fnv.New32a()
	h.Write([]byte(key))
	if n := int(h.Sum32() % 1000); n >= 10 {
		return n * 2
	}
	return 60_000
}

func origin(i int) string { return fmt.Sprintf("https://www.site-%d.example:443", i) }

func newEntry(key string, fetchedAt time.Time) cache.Entry {
	return cache.Entry{FetchedAt: fetchedAt, Expires: fetchedAt.Add(30 * 24 * time.Hour),
		Data: body(key, fetchedAt, size(key))}
}

// wrong returns an error if an entry that Get returned for key is wrong.
func wrong(key string, got cache.Entry) error {
	want := newEntry(key, got.FetchedAt)
	if !got.Expires.Equal(want.Expires) {
		return fmt.Errorf("%s: expires %v, want %v", key, got.Expires, want.Expires)
	}
	if !bytes.Equal(got.Data, want.Data) {
		return fmt.Errorf("%s of %v: wrong data of %d bytes, want %d", key, got.FetchedAt, len(got.Data), len(want.Data))
	}
	return nil
}

// put puts entries for the origins from first up to end, many concurrently.
func put(t testing.TB, s *disk.Store, first, end int, fetchedAt time.Time) {
	t.Helper()
	each(t, first, end, func(i int) error {
		stored, err := s.PutIfNewer(context.Background(), origin(i), newEntry(origin(i), fetchedAt))
		if err == nil && !stored {
			err = errors.New("not stored")
		}
		return err
	})
}

// putExpired puts entries that have expired when it returns, and returns the
// time at which they were fetched. If a busy machine takes longer to put them
// than they last, it repeats with twice the time.
func putExpired(t testing.TB, s *disk.Store, first, end int) (fetchedAt time.Time) {
	t.Helper()
	for life := 200 * time.Millisecond; ; life *= 2 {
		fetchedAt = time.Now()
		expires := fetchedAt.Add(life)
		var tooLate atomic.Bool
		each(t, first, end, func(i int) error {
			e := newEntry(origin(i), fetchedAt)
			e.Expires = expires
			stored, err := s.PutIfNewer(context.Background(), origin(i), e)
			if !stored {
				tooLate.Store(true)
			}
			return err
		})
		time.Sleep(time.Until(expires))
		if !tooLate.Load() {
			return fetchedAt
		}
	}
}

// each calls do for the numbers from first up to end, 4096 concurrently.
func each(t testing.TB, first, end int, do func(i int) error) {
	t.Helper()
	var wg sync.WaitGroup
	numbers := make(chan int, 1024)
	for range min(4096, end-first) {
		wg.Go(func() {
			for i := range numbers {
				if err := do(i); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	for i := first; i < end && !t.Failed(); i++ {
		numbers <- i
	}
	close(numbers)
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// present returns how many of the origins from first up to end have an entry.
// Each entry must be correct.
func present(t testing.TB, s *disk.Store, first, end int) int {
	t.Helper()
	n := 0
	for i := first; i < end; i++ {
		e, err := s.Get(context.Background(), origin(i))
		if errors.Is(err, cache.ErrNotFound) {
			continue
		}
		if err == nil {
			err = wrong(origin(i), e)
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestClosed(t *testing.T) {
	s := open(t, disk.Config{Dir: t.TempDir()})
	ctx := t.Context()
	put(t, s, 0, 1, time.Now())
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	_, get := s.Get(ctx, origin(0))
	_, put := s.PutIfNewer(ctx, origin(0), newEntry(origin(0), time.Now()))
	_, purge := s.PurgeAll(ctx)
	_, stats := s.Stats(ctx)
	for i, err := range []error{get, put, s.Delete(ctx, origin(0)), purge, stats} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("call %d after Close: %v, want os.ErrClosed", i, err)
		}
	}
}

// TestCloseWhilePutting closes a store that is busy. Every acknowledged put
// must be there afterwards.
func TestCloseWhilePutting(t *testing.T) {
	dir, start := t.TempDir(), time.Now()
	s := open(t, disk.Config{Dir: dir})
	var wg sync.WaitGroup
	var acked sync.Map
	for i := range 64 {
		wg.Go(func() {
			for n := i; ; n += 64 {
				_, err := s.PutIfNewer(context.Background(), origin(n), newEntry(origin(n), start))
				if err != nil {
					if !errors.Is(err, os.ErrClosed) {
						t.Error(err)
					}
					return
				}
				acked.Store(n, true)
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	s.Close()
	wg.Wait()
	s, n := open(t, disk.Config{Dir: dir}), 0
	acked.Range(func(i, _ any) bool {
		n++
		if present(t, s, i.(int), i.(int)+1) != 1 {
			t.Errorf("put %d was acknowledged but is lost", i)
		}
		return true
	})
	t.Logf("%d puts were acknowledged", n)
}

func TestRemovedDirectory(t *testing.T) {
	dir := t.TempDir() + "/cache"
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	put(t, s, 10, 20, time.Now()) // acknowledged only after it is in the file at the path
	if n := present(t, open(t, disk.Config{Dir: dir}), 0, 20); n != 10 {
		t.Errorf("%d entries, want the 10 that were put afterwards", n)
	}
	if n := present(t, s, 0, 20); n != 10 {
		t.Errorf("%d entries in the store that has put them, want 10", n)
	}
}
