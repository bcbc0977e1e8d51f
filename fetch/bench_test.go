package fetch

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

const typicalFile = `# robots.txt of a shop

User-agent: *
Disallow: /cgi-bin/
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php
Disallow: /checkout/
Disallow: /cart/
Disallow: /my-account/
Disallow: /search
Disallow: /*?sort=
Disallow: /*?filter=
Disallow: /*/feed/
Disallow: /preview/*.html$
Crawl-delay: 10

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: AhrefsBot
Crawl-delay: 30
Disallow: /tag/
Disallow: /author/

User-agent: FooBot
Disallow: /private/
Disallow: /tmp/*.pdf$
Allow: /private/press/

Sitemap: https://shop.example/sitemap.xml
Sitemap: https://shop.example/news/sitemap.xml
`

const benchURL = "https://shop.example/teas/green?sort=price"

// BenchmarkHit measures a call that is answered from memory.
func BenchmarkHit(b *testing.B) {
	client := newTestClient(b, Config{Network: Network{Transport: answering(200, typicalFile)}})
	ctx := context.Background()
	if _, err := client.Allowed(ctx, benchURL); err != nil {
		b.Fatal(err)
	}
	allowed := func() { _, _ = client.Allowed(ctx, benchURL) }
	decide := func() { _, _ = client.Decide(ctx, benchURL) }
	for _, bench := range []struct {
		name string
		call func()
	}{{"Allowed", allowed}, {"Decide", decide}} {
		b.Run(bench.name+"/serial", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.call()
			}
		})
		b.Run(bench.name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					bench.call()
				}
			})
		})
	}
}

// TestMillionOrigins fills the memory of a client by fetching, and compares its
// accounted size with the size of the heap.
func TestMillionOrigins(t *testing.T) {
	origins, bound := 1_000_000, int64(64<<20)
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		origins, bound = 12_000, 8<<20
	}
	fill := func(name string, maxMemory int64) {
		before := heap()
		client := newTestClient(t,
			Config{Limits: Limits{MaxMemory: maxMemory}, Network: Network{Transport: answering(200, typicalFile)}})
		began := time.Now()
		call(t, client, origins)
		took := time.Since(began)
		used, said, entries := heap()-before, int64(client.memory.WeightedSize()), client.memory.EstimatedSize()
		t.Logf("%s: %d origins called in %v, %d in memory; heap %d MiB, %d bytes an entry; accounted %d MiB, %d bytes an entry",
			name, origins, took.Round(time.Millisecond), entries, used>>20, used/int64(entries), said>>20,
			said/int64(entries))
		// Up to half of the accounted size is for the index, which is built on
		// use.
		if used > said*13/10 || said > used*2 {
			t.Errorf("%s: %d bytes are accounted, %d are used", name, said, used)
		}
		if maxMemory == bound && entries >= origins {
			t.Errorf("%s: all %d origins are in memory", name, entries)
		}
		if used > maxMemory*13/10 {
			t.Errorf("%s: MaxMemory is %d, and %d are used", name, maxMemory, used)
		}
		runtime.KeepAlive(client)
	}
	fill("all fit", 8<<30)
	fill("bounded", bound)
}

func call(t *testing.T, client *Client, origins int) {
	t.Helper()
	var wg sync.WaitGroup
	const askers = 8
	for asker := range askers {
		wg.Go(func() {
			for i := asker; i < origins; i += askers {
				allowed, err := client.Allowed(context.Background(), fmt.Sprintf("https://www.shop-%07d.example/private/", i))
				if err != nil || allowed {
					t.Errorf("origin %d: %v, %v", i, allowed, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
