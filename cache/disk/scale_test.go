package disk_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

// TestScale reports the bytes and the time that a million entries of 1 KB take.
// It checks the bytes but not the rates, which depend on the machine.
func TestScale(t *testing.T) {
	n := 2_000
	if longTests() {
		n = 1_000_000
	}
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir, MaxBytes: 4 << 30})
	fill := func(what string, fetchedAt time.Time) {
		began, cpu := time.Now(), cpuTime()
		each(t, 0, n, func(i int) error {
			_, err := s.PutIfNewer(context.Background(), origin(i), kilobyte(i, fetchedAt))
			return err
		})
		rate(t, what, n, began, cpu)
	}
	heap := watchHeap()
	start := time.Now()
	fill("puts of new keys", start)
	log := fileSize(t, dir, "-wal")
	perEntry := bytesPerEntry(t, s)
	t.Logf("%d bytes on disk for an entry, and %d MiB for the log before it was written back", perEntry, log>>20)
	for _, routines := range []int{1, 2, 8} {
		gets(t, s, n, min(n*2, 200_000), routines, start)
	}
	fill("puts that replace all", start.Add(24*time.Hour))
	replaced := bytesPerEntry(t, s)
	t.Logf("%d bytes on disk for an entry after all were replaced", replaced)
	t.Logf("Go heap: %d MiB at most; resident, most ever: %s", heap()>>20, resident())
	if perEntry > 900 || replaced > 900 {
		t.Error("want at most 900 bytes on disk for an entry")
	}
	began := time.Now()
	s.Close()
	t.Logf("closed in %v", time.Since(began))
	began = time.Now()
	s = open(t, disk.Config{Dir: dir, MaxBytes: 4 << 30})
	t.Logf("opened in %v", time.Since(began))
}

// kilobyte returns an entry with a file of 1 KB.
func kilobyte(i int, fetchedAt time.Time) cache.Entry {
	return cache.Entry{FetchedAt: fetchedAt, Expires: fetchedAt.Add(24 * time.Hour),
		Data: body(origin(i), fetchedAt, 1000)}
}

// bytesPerEntry writes the log back into the database before it counts.
func bytesPerEntry(t *testing.T, s *disk.Store) int64 {
	t.Helper()
	_, err := s.PurgeExpired(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", stats)
	return stats.FileBytes / stats.Entries
}

func rate(t *testing.T, what string, n int, began time.Time, cpu time.Duration) {
	took := time.Since(began)
	t.Logf("%s: %.0f/s, %.1f µs of processor time each, the making of the files included", what,
		float64(n)/took.Seconds(), float64((cpuTime()-cpu).Nanoseconds())/1e3/float64(n))
}

// gets gets random entries from several goroutines, and checks some of them.
func gets(t *testing.T, s *disk.Store, keys, n, routines int, at time.Time) {
	t.Helper()
	var wg sync.WaitGroup
	var wrong atomic.Value
	began, cpu := time.Now(), cpuTime()
	for range routines {
		wg.Go(func() {
			for round := range n / routines {
				i := rand.IntN(keys)
				e, err := s.Get(context.Background(), origin(i))
				if err == nil && round%64 == 0 && string(e.Data) != string(kilobyte(i, at).Data) {
					err = errors.New("wrong data")
				}
				if err != nil {
					wrong.Store(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := wrong.Load(); err != nil {
		t.Fatal(err)
	}
	rate(t, fmt.Sprintf("gets by %d goroutines", routines), n, began, cpu)
}

// watchHeap returns a function that stops the measurement and returns the
// largest size of the heap.
func watchHeap() func() uint64 {
	end, most := make(chan struct{}), make(chan uint64)
	go func() {
		var m runtime.MemStats
		var n uint64
		for tick := time.Tick(100 * time.Millisecond); ; {
			select {
			case <-tick:
				runtime.ReadMemStats(&m)
				n = max(n, m.HeapInuse)
			case <-end:
				most <- n
				return
			}
		}
	}()
	return func() uint64 { close(end); return <-most }
}

// resident returns the resident memory of this process as the system reports
// it.
func resident() string {
	status, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return "unknown"
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(line)
}
