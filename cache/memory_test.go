package cache_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

func TestMemory(t *testing.T) {
	cachetest.TestStore(t, func(*testing.T) cache.Store {
		return cache.NewMemory(cache.MemoryConfig{})
	})
}

func entry(data string) cache.Entry {
	now := time.Now()
	return cache.Entry{FetchedAt: now, Expires: now.Add(24 * time.Hour), Data: []byte(data)}
}

// mustPut puts e and reports whether it was stored.
func mustPut(tb testing.TB, m *cache.Memory, key string, e cache.Entry) bool {
	tb.Helper()
	stored, err := m.PutIfNewer(context.Background(), key, e)
	if err != nil {
		tb.Fatal(err)
	}
	return stored
}

func contains(tb testing.TB, m *cache.Memory, key string) bool {
	tb.Helper()
	_, err := m.Get(context.Background(), key)
	if err != nil && !errors.Is(err, cache.ErrNotFound) {
		tb.Fatal(err)
	}
	return err == nil
}

// TestMemoryStaysWithinBytes puts ten times as much as fits, in sizes from zero
// to the largest that is kept.
func TestMemoryStaysWithinBytes(t *testing.T) {
	const bound = 1 << 20
	m := cache.NewMemory(cache.MemoryConfig{MaxBytes: bound})
	put := 0
	for i := 0; put < 10*bound; i++ {
		size := i * 7919 % (bound / 9)
		put += size
		mustPut(t, m, fmt.Sprintf("https://%d.example", i), entry(strings.Repeat("x", size)))
		if got := m.Bytes(); got > bound {
			t.Fatalf("%d bytes after %d entries, bound %d", got, i+1, bound)
		}
	}
	if got := m.Bytes(); got < bound/2 {
		t.Errorf("%d bytes, bound %d", got, bound)
	}
	if m.Len() == 0 {
		t.Error("the store is empty")
	}
}

// TestMemoryKeepsWhatIsAskedFor checks that entries in frequent use stay while
// thousands of unused ones are put.
func TestMemoryKeepsWhatIsAskedFor(t *testing.T) {
	const wanted = 50
	m := cache.NewMemory(cache.MemoryConfig{MaxBytes: 1 << 20})
	body := strings.Repeat("Disallow: /x\n", 100)
	for i := range wanted {
		mustPut(t, m, fmt.Sprint("wanted ", i), entry(body))
	}
	hits, gets := 0, 0
	for i := range 5_000 {
		mustPut(t, m, fmt.Sprint("unwanted ", i), entry(body))
		gets++
		if contains(t, m, fmt.Sprint("wanted ", i%wanted)) {
			hits++
		}
	}
	if hits < gets*9/10 {
		t.Errorf("%d of %d gets found their entry", hits, gets)
	}
}

// TestMemoryTooBig checks that an entry over an eighth of the bound is not
// kept, and that it removes an older one.
func TestMemoryTooBig(t *testing.T) {
	m := cache.NewMemory(cache.MemoryConfig{MaxBytes: 80_000})
	base := time.Now()
	at := func(minute, size int) cache.Entry {
		fetched := base.Add(time.Duration(minute) * time.Minute)
		return cache.Entry{FetchedAt: fetched, Expires: base.Add(time.Hour), Data: make([]byte, size)}
	}
	for _, step := range []struct {
		minute, size int
		stored       bool
		len          int
	}{
		{0, 10_001, false, 0},
		{1, 9_000, true, 1},
		{1, 10_001, false, 1}, // as old as the present one
		{0, 10_001, false, 1},
		{2, 10_001, false, 0},
		{0, 0, true, 1},
		{2, 100 << 20, false, 0},
	} {
		if stored := mustPut(t, m, "key", at(step.minute, step.size)); stored != step.stored || m.Len() != step.len {
			t.Errorf("%+v: stored = %v, Len = %d", step, stored, m.Len())
		}
	}
	if got := m.Bytes(); got != 0 {
		t.Errorf("%d bytes in an empty store", got)
	}
	tiny := cache.NewMemory(cache.MemoryConfig{MaxBytes: 1})
	if mustPut(t, tiny, "key", at(0, 0)) || tiny.Bytes() != 0 {
		t.Error("a store of one byte keeps an entry")
	}
}

func TestMemoryDefault(t *testing.T) {
	for _, maxBytes := range []int64{0, -1} {
		m := cache.NewMemory(cache.MemoryConfig{MaxBytes: maxBytes})
		if !mustPut(t, m, "fits", entry(strings.Repeat("x", 8<<20-1000))) || mustPut(t, m, "does not", entry(strings.Repeat("x", 8<<20))) {
			t.Errorf("MaxBytes %d is not 64 MiB", maxBytes)
		}
	}
}

// TestMemoryFreesExpired checks that a Get of an expired entry frees its
// memory, and that expired entries without a Get do not displace others.
func TestMemoryFreesExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := cache.NewMemory(cache.MemoryConfig{MaxBytes: 1 << 20})
		for i := range 10 {
			e := entry("x")
			e.Expires = e.FetchedAt.Add(time.Duration(i+1) * time.Hour)
			mustPut(t, m, fmt.Sprint(i), e)
		}
		time.Sleep(5 * time.Hour) // exactly until the fifth entry expires
		for i := range 10 {
			if got, want := contains(t, m, fmt.Sprint(i)), i >= 5; got != want {
				t.Errorf("entry %d is present: %v", i, got)
			}
		}
		if got := m.Len(); got != 5 {
			t.Errorf("Len = %d, want 5", got)
		}
	})
}

// TestMemoryConcurrent puts, gets and deletes concurrently in a store that is
// too small, so that evictions run all the time.
func TestMemoryConcurrent(t *testing.T) {
	const bound = 256 << 10
	m := cache.NewMemory(cache.MemoryConfig{MaxBytes: bound})
	var running sync.WaitGroup
	var wrong atomic.Int64
	for g := range 16 {
		running.Go(func() {
			for i := range 500 {
				key := fmt.Sprint((i*(g+3) + g) % 500)
				if i%20 == 0 {
					_ = m.Delete(t.Context(), key)
				}
				_, _ = m.PutIfNewer(t.Context(), key, entry(strings.Repeat(key+" ", 500)))
				if got, err := m.Get(t.Context(), key); err == nil && !strings.HasPrefix(string(got.Data), key+" ") {
					wrong.Add(1)
				}
			}
		})
	}
	running.Wait()
	if n := wrong.Load(); n != 0 {
		t.Errorf("%d gets returned the entry of another key", n)
	}
	if got := m.Bytes(); got > bound {
		t.Errorf("%d bytes, bound %d", got, bound)
	}
}

// TestMemoryBytesAreReal compares the size that the store reports with the
// memory that the process needs, with space left and full.
func TestMemoryBytesAreReal(t *testing.T) {
	for _, tt := range []struct{ put, size, maxBytes int }{
		{10_000, 0, 1 << 30}, {10_000, 200, 1 << 30}, {10_000, 2000, 1 << 30}, {10_000, 2000, 8 << 20},
	} {
		needs, says := overhead(t, tt.put, tt.size, tt.maxBytes)
		t.Logf("%+v: needs %.0f bytes an entry next to key and data, counts %.0f", tt, needs, says)
		if total := float64(tt.size) + says; needs-says > total*5/100 || says-needs > total*15/100 {
			t.Errorf("%+v: needs %.0f bytes an entry next to key and data, counts %.0f", tt, needs, says)
		}
	}
}

// overhead puts entries of the given size. It returns the overhead of an entry
// in memory, and the overhead that the store counts.
func overhead(tb testing.TB, put, size, maxBytes int) (needs, says float64) {
	tb.Helper()
	const keyFormat = "https://www.%07d.example.com:443"
	data := strings.Repeat("x", size)
	before := heap()
	m := cache.NewMemory(cache.MemoryConfig{MaxBytes: int64(maxBytes)})
	for i := range put {
		mustPut(tb, m, fmt.Sprintf(keyFormat, i), entry(data))
	}
	n, bytes, grown := float64(m.Len()), float64(m.Bytes()), float64(heap()-before)
	runtime.KeepAlive(m)
	payload := float64(len(fmt.Sprintf(keyFormat, 0)) + size)
	return grown/n - payload, bytes/n - payload
}

// TestMemoryKeysAreCopies puts keys that are parts of large strings.
func TestMemoryKeysAreCopies(t *testing.T) {
	m := cache.NewMemory(cache.MemoryConfig{})
	before := heap()
	for i := range 100 {
		page := fmt.Sprintf("https://%d.example%s", i, strings.Repeat(" ", 100_000))
		mustPut(t, m, strings.TrimSpace(page), entry("x"))
	}
	if grown := heap() - before; grown > 1_000_000 {
		t.Errorf("100 short keys need %d bytes", grown)
	}
	runtime.KeepAlive(m)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestMemoryGetDoesNotAllocate(t *testing.T) {
	m := cache.NewMemory(cache.MemoryConfig{})
	mustPut(t, m, "key", entry("data"))
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { _, _ = m.Get(ctx, "key") }); n != 0 {
		t.Errorf("Get allocates %v times", n)
	}
}

// BenchmarkMemoryOverhead reports bytes, not times.
func BenchmarkMemoryOverhead(b *testing.B) {
	for _, size := range []int{0, 200, 2000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				needs, says := overhead(b, 100_000, size, 1<<30)
				b.ReportMetric(needs, "needed-B/entry")
				b.ReportMetric(says, "counted-B/entry")
			}
		})
	}
}

func BenchmarkMemory(b *testing.B) {
	const n = 1 << 16
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("https://www.%07d.example.com:443", i)
	}
	for name, maxBytes := range map[string]int64{"roomy": 1 << 30, "full": 16 << 20} {
		m := cache.NewMemory(cache.MemoryConfig{MaxBytes: maxBytes})
		for _, k := range keys {
			mustPut(b, m, k, entry(strings.Repeat("x", 1000)))
		}
		b.Run("Get/"+name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					_, _ = m.Get(b.Context(), keys[i*7919%n])
				}
			})
		})
		b.Run("PutIfNewer/"+name, func(b *testing.B) {
			b.ReportAllocs()
			data := make([]byte, 1000)
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					now := time.Now()
					_, _ = m.PutIfNewer(b.Context(), keys[i*7919%n], cache.Entry{FetchedAt: now, Expires: now.Add(time.Hour), Data: data})
				}
			})
		})
	}
}
