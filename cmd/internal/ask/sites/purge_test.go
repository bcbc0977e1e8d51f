package sites_test

import (
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// TestPurgeNotes removes sites from a cache. Each purge leaves a note for the programs
// that share it, which does not count as a site.
func TestPurgeNotes(t *testing.T) {
	s, err := disk.Open(t.Context(), disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Now()
	var origins []origin.Origin
	for _, url := range []string{"https://a.example", "https://b.example", "https://c.example"} {
		o, err := origin.Of(url)
		if err != nil {
			t.Fatal(err)
		}
		origins = append(origins, o)
		if _, err := s.PutIfNewer(t.Context(), o.String(),
			cache.Entry{FetchedAt: now, Expires: now.Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	noted := time.Time{}
	check := func(what string, n int64, err error, want int64) {
		t.Helper()
		if n != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", what, n, err, want)
		}
		note, err := s.Get(t.Context(), fetch.PurgeKey)
		if err != nil || !note.FetchedAt.After(noted) {
			t.Errorf("%s: no new note: %v", what, err)
		}
		noted = note.FetchedAt
	}
	n, err := sites.Purge(t.Context(), s, origins[0])
	check("one", n, err, 1)
	n, err = sites.Purge(t.Context(), s, origins[:2]...)
	check("two, one of them known", n, err, 1)
	if n, err := sites.PurgeExpired(t.Context(), s); n != 0 || err != nil {
		t.Errorf("expired: %d, %v; want none", n, err)
	}
	n, err = sites.PurgeAll(t.Context(), s)
	check("all", n, err, 1)
	n, err = sites.PurgeAll(t.Context(), s)
	check("all again", n, err, 0)
}
