package valkey_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// body returns a file of about 1 KB, similar to real ones and different for
// each number.
func body(i int) []byte {
	random := rand.New(rand.NewPCG(uint64(i), 1))
	words := []string{"admin", "search", "cart", "checkout", "login", "account", "wp-admin", "tag", "feed", "api", "print", "tmp", "shop", "news"}
	b := []byte("# robots.txt of site " + strconv.Itoa(i) + "\nUser-agent: *\n")
	for len(b) < 930 {
		b = fmt.Appendf(b, "Disallow: /%s/%s%d/\n", words[random.IntN(len(words))], words[random.IntN(len(words))], random.IntN(1000))
	}
	return fmt.Appendf(b, "Sitemap: https://%d.example/sitemap.xml\n", i)
}

func benchmark(b *testing.B, parallel int, run func(s *valkey.Store, i int) error) {
	_, s := start(b, "")
	for i := range keys {
		put(b, s, numbered(i), entry(0, string(body(i))))
	}
	var n atomic.Int64
	b.SetParallelism(parallel)
	b.ReportAllocs()
	b.ResetTimer()
	if parallel == 0 {
		for i := range b.N {
			if err := run(s, i); err != nil {
				b.Fatal(err)
			}
		}
	} else {
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				if err := run(s, int(n.Add(1))); err != nil {
					b.Error(err)
				}
			}
		})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

const keys = 1000

func numbered(i int) string { return fmt.Sprintf("https://%d.example:443", i%keys) }

func BenchmarkStore(b *testing.B) {
	get := func(s *valkey.Store, i int) error {
		_, err := s.Get(b.Context(), numbered(i))
		return err
	}
	texts := make([]string, keys)
	for i := range texts {
		texts[i] = string(body(i))
	}
	put := func(s *valkey.Store, i int) error {
		_, err := s.PutIfNewer(b.Context(), numbered(i), entry(time.Duration(i)*time.Millisecond, texts[i%keys]))
		return err
	}
	lease := func(s *valkey.Store, i int) error {
		l, err := s.Acquire(b.Context(), fmt.Sprint(i), time.Minute)
		if err != nil {
			return err
		}
		return l.Release(b.Context())
	}
	for _, c := range []struct {
		name     string
		parallel int
		run      func(*valkey.Store, int) error
	}{
		{"Get/1", 0, get}, {"Get/64", 32, get},
		{"Put/1", 0, put}, {"Put/64", 32, put},
		{"Lease/1", 0, lease}, {"Lease/64", 32, lease},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, c.parallel, c.run) })
	}
}

// TestBytesPerEntry measures the memory of an entry on the server, including
// its key and the server's tables.
func TestBytesPerEntry(t *testing.T) {
	n := 5000
	if long {
		n = 200_000
	}
	server, s := start(t, "robotstxt:")
	before := usedMemory(t, server)
	var total, next atomic.Int64
	var callers sync.WaitGroup
	for range 64 {
		callers.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				text := body(int(i))
				total.Add(int64(len(text)))
				if _, err := s.PutIfNewer(t.Context(), fmt.Sprintf("https://www.site-%d.example:443", i), cache.Entry{
					FetchedAt: time.Now(), Expires: time.Now().Add(time.Hour), Data: text,
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	each := float64(usedMemory(t, server)-before) / float64(n)
	t.Logf("%d entries of %d bytes take up %.0f bytes each in the server", n, int(total.Load())/n, each)
	if each > 1000 {
		t.Errorf("%.0f bytes, more than the data", each)
	}
}

func usedMemory(t *testing.T, server *valkeytest.Server) (n int) {
	t.Helper()
	for line := range strings.Lines(server.Do("INFO", "memory").(string)) {
		if text, found := strings.CutPrefix(line, "used_memory:"); found {
			n, _ = strconv.Atoi(strings.TrimSpace(text)) // 0 fails the test
		}
	}
	return n
}
