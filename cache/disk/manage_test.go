package disk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/disk"
)

func TestManage(t *testing.T) {
	dir, ctx, now := t.TempDir(), t.Context(), time.Now()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 3000, now)
	later := putExpired(t, s, 3000, 3100)
	var bytes int64

	seen := map[string]bool{}
	for info, err := range s.Entries(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[info.Key] {
			t.Errorf("%s twice", info.Key)
		}
		seen[info.Key] = true
		bytes += info.Size
		if want := size(info.Key); !info.FetchedAt.Equal(now) && !info.FetchedAt.Equal(later) ||
			info.Size < int64(want) || info.Stored > info.Size {
			t.Errorf("%+v, want a size of at least %d", info, want)
		}
	}
	before, err := s.Stats(ctx)
	if len(seen) != 3100 || before.Entries != 3100 || before.Expired != 100 || before.Bytes != bytes ||
		before.Quarantined != 0 || err != nil {
		t.Errorf("%d entries were listed, with %d bytes; %+v, %v", len(seen), bytes, before, err)
	}
	if n, err := s.PurgeExpired(ctx); n != 100 || err != nil {
		t.Errorf("PurgeExpired: %d, %v, want 100", n, err)
	}
	if n := present(t, s, 0, 3100); n != 3000 {
		t.Errorf("%d entries remain, want 3000", n)
	}
	if n, err := s.PurgeAll(ctx); n != 3000 || err != nil {
		t.Errorf("PurgeAll: %d, %v, want 3000", n, err)
	}
	after, err := s.Stats(ctx)
	if after.Entries != 0 || after.FileBytes > 64<<10 || before.FileBytes < 1<<20 || err != nil {
		t.Errorf("before %+v, after %+v, %v", before, after, err)
	}
}

// TestEntriesMeanwhile changes a store during an iteration. Each entry that is
// present all the time must appear once, even if it is replaced.
func TestEntriesMeanwhile(t *testing.T) {
	s, now := open(t, disk.Config{Dir: t.TempDir()}), time.Now()
	put(t, s, 0, 500, now)
	seen, n := map[string]int{}, 0
	for info, err := range s.Entries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		seen[info.Key]++
		if n++; n%10 == 0 {
			put(t, s, n/2, n/2+5, now.Add(time.Duration(n)))
			put(t, s, 500+n, 501+n, now)
		}
	}
	for i := range 500 {
		if seen[origin(i)] != 1 {
			t.Errorf("%s was listed %d times", origin(i), seen[origin(i)])
		}
	}
}

func TestEntriesEnds(t *testing.T) {
	s := open(t, disk.Config{Dir: t.TempDir()})
	put(t, s, 0, 200, time.Now())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var last error
	for _, err := range s.Entries(ctx) {
		if n++; n == 10 {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) || n > 150 {
		t.Errorf("%d entries, then %v", n, last)
	}
	for range s.Entries(t.Context()) {
		break
	}
}
