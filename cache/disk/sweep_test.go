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

// TestSweep puts several times as much as fits. The database must always stay
// within its bound, and the newest entries must remain.
func TestSweep(t *testing.T) {
	const maxBytes, n = 2 << 20, 6_000
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir, MaxBytes: maxBytes})
	for i := 0; i < n; i += 300 {
		put(t, s, i, i+300, time.Now())
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
	t.Logf("%d entries of %d bytes each fit into %d bytes", stats.Entries, stats.Bytes/stats.Entries, maxBytes)
	// Entries of one call of put come in any order, so the newest by their
	// number are not exactly the newest in the store.
	newest := int(stats.Entries) * 3 / 4
	if n := present(t, s, n-newest, n); n < newest*9/10 {
		t.Errorf("of the newest %d entries %d are present", newest, n)
	}
}

// TestSweepFetchedAgain puts some entries, then others, and then the first ones
// again, like origins in use. The repeated ones are then newer than the others.
func TestSweepFetchedAgain(t *testing.T) {
	s, now := open(t, disk.Config{Dir: t.TempDir(), MaxBytes: 1 << 20}), time.Now()
	put(t, s, 0, 50, now)
	put(t, s, 100, 600, now)
	put(t, s, 0, 50, now.Add(1))
	put(t, s, 600, 1650, now) // about 1200 fit
	if n := present(t, s, 0, 50); n != 50 {
		t.Errorf("%d of the 50 entries that were put again are present", n)
	}
	if n := present(t, s, 100, 600); n > 400 {
		t.Errorf("%d of the 500 entries before them are present", n)
	}
}

// TestSweepToSmallerBound opens a store whose database is much larger than the
// new bound.
func TestSweepToSmallerBound(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 4000, time.Now())
	s.Close()
	before := fileSize(t, dir, "")
	const maxBytes = 1 << 20
	s = open(t, disk.Config{Dir: dir, MaxBytes: maxBytes})
	for i := range 20 {
		put(t, s, 4000+i*50, 4050+i*50, time.Now())
	}
	if _, err := s.PurgeExpired(t.Context()); err != nil { // shrinks the file
		t.Fatal(err)
	}
	if after := fileSize(t, dir, ""); after > maxBytes || before < 2*maxBytes {
		t.Errorf("the database has %d bytes, %d before, want at most %d", after, before, maxBytes)
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
		t.Errorf("%d of the oldest 100 entries are present, although others had expired", n)
	}
	if stats, err := s.Stats(t.Context()); stats.Entries > 1500 || err != nil {
		t.Errorf("%+v, %v: expired entries are still present", stats, err)
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
			t.Errorf("%d bytes, older: stored %v, %v, or the newer entry is absent", len(data), stored, err)
		}
		if stored, err := s.PutIfNewer(ctx, origin(1), big); stored || err != nil || present(t, s, 1, 2) != 0 {
			t.Errorf("%d bytes: stored %v, %v, or the older entry is still present", len(data), stored, err)
		}
	}
}
