package disk_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

func fileSize(t *testing.T, dir, ending string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, disk.FileName+ending))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestSweep puts several times as much as there is room for. The database stays
// within its bound all the time, and the youngest entries stay in it.
func TestSweep(t *testing.T) {
	const maxBytes, n = 2 << 20, 10_000
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir, MaxBytes: maxBytes})
	for i := 0; i < n; i += 2000 {
		put(t, s, i, i+2000, time.Now())
		if size := fileSize(t, dir, ""); size > maxBytes {
			t.Errorf("the database has %d bytes, want at most %d", size, maxBytes)
		}
		if size := fileSize(t, dir, "-wal"); size > maxBytes {
			t.Errorf("the log has %d bytes, want at most %d", size, maxBytes)
		}
	}
	stats, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d entries of %d bytes each have room in %d bytes", stats.Entries, stats.Bytes/stats.Entries, maxBytes)
	// Those of one call of put come in any order, so the youngest by their number
	// are not quite the youngest in the store.
	youngest := int(stats.Entries) * 3 / 4
	if n := present(t, s, n-youngest, n); n < youngest*9/10 {
		t.Errorf("of the youngest %d entries %d are there", youngest, n)
	}
}

// TestSweepFetchedAgain puts some entries, others, and the first ones again, as
// happens with origins that are in use. They are younger than the others then.
func TestSweepFetchedAgain(t *testing.T) {
	s, now := open(t, disk.Config{Dir: t.TempDir(), MaxBytes: 1 << 20}), time.Now()
	put(t, s, 0, 50, now)
	put(t, s, 100, 600, now)
	put(t, s, 0, 50, now.Add(1))
	put(t, s, 600, 1650, now) // room is for 1200 or so
	if n := present(t, s, 0, 50); n != 50 {
		t.Errorf("%d of the 50 entries that were put again are there", n)
	}
	if n := present(t, s, 100, 600); n > 400 {
		t.Errorf("%d of the 500 entries before them are there", n)
	}
}

// TestSweepToSmallerBound opens a store with a bound that it exceeds by far.
func TestSweepToSmallerBound(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 8000, time.Now())
	s.Close()
	before := fileSize(t, dir, "")
	const maxBytes = 2 << 20
	s = open(t, disk.Config{Dir: dir, MaxBytes: maxBytes})
	for i := range 20 {
		put(t, s, 8000+i*100, 8100+i*100, time.Now())
	}
	if _, err := s.PurgeExpired(t.Context()); err != nil { // cuts off what is not used
		t.Fatal(err)
	}
	if after := fileSize(t, dir, ""); after > maxBytes || before < 2*maxBytes {
		t.Errorf("the database has %d bytes, had %d, want at most %d", after, before, maxBytes)
	}
}

func TestSweepExpiredFirst(t *testing.T) {
	const maxBytes = 2 << 20
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir, MaxBytes: maxBytes})
	put(t, s, 0, 100, time.Now())
	putExpired(t, s, 100, 2000)
	put(t, s, 2000, 3000, time.Now())
	if n := present(t, s, 0, 100); n != 100 {
		t.Errorf("%d of the oldest 100 entries are there, although others had expired", n)
	}
	if stats, err := s.Stats(t.Context()); stats.Entries > 1500 || err != nil {
		t.Errorf("%+v, %v: expired entries are still there", stats, err)
	}
}

func TestTooBig(t *testing.T) {
	s := open(t, disk.Config{Dir: t.TempDir(), MaxBytes: 1 << 20})
	ctx, now := t.Context(), time.Now()
	put(t, s, 0, 1, now)
	noise := make([]byte, 200<<10)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for _, data := range [][]byte{make([]byte, 16<<20+1), noise} {
		put(t, s, 1, 2, now)
		big := cache.Entry{FetchedAt: now.Add(time.Second), Expires: now.Add(time.Hour), Data: data}
		older := big
		older.FetchedAt = now.Add(-time.Second)
		if stored, err := s.PutIfNewer(ctx, origin(1), older); stored || err != nil || present(t, s, 1, 2) != 1 {
			t.Errorf("%d bytes, older: stored %v, %v, or the newer entry is gone", len(data), stored, err)
		}
		if stored, err := s.PutIfNewer(ctx, origin(1), big); stored || err != nil || present(t, s, 1, 2) != 0 {
			t.Errorf("%d bytes: stored %v, %v, or the older entry is still there", len(data), stored, err)
		}
	}
}
