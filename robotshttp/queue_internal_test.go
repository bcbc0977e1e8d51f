package robotshttp

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func numbered(i int) string { return fmt.Sprintf("host-%d.example", i) }

// TestQueuesExpire checks that of 100,000 origins only those with a current
// delay are kept.
func TestQueuesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var qs queues
		most := 0
		for i := range 100_000 {
			sent, _, err := qs.wait(t.Context(), numbered(i), 2*time.Second, limits{queues: defaultMaxQueues})
			if err != nil {
				t.Fatal(err)
			}
			sent.returned()
			most = max(most, len(qs.byName))
			time.Sleep(time.Millisecond)
		}
		if most > 2001 { // those of two seconds
			t.Errorf("%d origins kept", most)
		}
		if len(qs.byName) != qs.byUse.Len() {
			t.Errorf("%d in the map, %d in the list", len(qs.byName), qs.byUse.Len())
		}
		if _, _, err := qs.wait(t.Context(), numbered(-1), 0, limits{queues: defaultMaxQueues}); err != nil ||
			qs.find(numbered(-1)) != nil {
			t.Error("an origin without a delay is kept")
		}
	})
}

// TestQueuesLimit checks the limit, and that origins with waiting requests are
// kept.
func TestQueuesLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var qs queues
		const limit = 10
		busy := numbered(0)
		ctx, cancel := context.WithCancel(t.Context())
		for range 2 {
			go func() {
				sent, _, _ := qs.wait(ctx, busy, time.Hour, limits{queues: limit})
				sent.returned()
			}()
			synctest.Wait()
		}
		for i := range 100 {
			qs.block(numbered(1+i), time.Now().Add(time.Minute), limits{queues: limit})
		}
		if n := len(qs.byName); n > limit+1 {
			t.Errorf("%d origins kept, want %d at most", n, limit+1)
		}
		if qs.find(busy) == nil || qs.find(numbered(100)) == nil {
			t.Error("an origin with waiting requests was removed")
		}
		cancel()
		synctest.Wait()
		for i := range 100 {
			qs.block(numbered(1000+i), time.Now().Add(time.Minute), limits{queues: limit})
			qs.find(numbered(1000)) // used again and again
		}
		if qs.find(numbered(1000)) == nil {
			t.Error("recently used origins were removed before others")
		}
		if n := len(qs.byName); n != limit || qs.find(busy) != nil {
			t.Errorf("%d origins kept, want %d without the busy ones", n, limit)
		}
	})
}

// TestQueueSize checks the size that Transport.MaxQueues documents.
func TestQueueSize(t *testing.T) {
	const origins = 20_000
	var qs queues
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range origins {
		sent, _, err := qs.wait(t.Context(), numbered(i), time.Hour, limits{queues: origins})
		if err != nil {
			t.Fatal(err)
		}
		sent.returned()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	size := (after.HeapAlloc - before.HeapAlloc) / origins
	t.Logf("%d bytes per origin", size)
	if size > 350 {
		t.Errorf("%d bytes per origin", size)
	}
	runtime.KeepAlive(&qs)
}
