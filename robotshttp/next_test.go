package robotshttp_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestNextIsKept: a request that is made at once starts when Next has said, whatever the file
// asks for, whichever pauses the site has asked for, and however many requests wait before it.
func TestNextIsKept(t *testing.T) {
	for _, lines := range []string{"Disallow:", "Crawl-delay: 2", "Crawl-delay: 0.5", "Request-rate: 1/10", "Request-rate: 3/10", "Crawl-delay: 1\nRequest-rate: 2/30"} {
		for seed := range uint64(20) {
			random := rand.New(rand.NewPCG(seed, 1))
			inWorld(t, siteA(lines), func(t *testing.T, w *world) {
				w.answer = busy
				w.get(t, a+"/first") // the file is known from here on
				for step := range 15 {
					time.Sleep(time.Duration(random.IntN(6000)) * time.Millisecond)
					if random.IntN(5) == 0 {
						w.get(t, a+"/busy")
					}
					var waiting sync.WaitGroup
					for i := range random.IntN(4) {
						waiting.Go(func() { w.get(t, fmt.Sprintf("%s/waiting/%d", a, i)) })
						synctest.Wait()
					}
					next, err := w.transport.Next(t.Context(), a+"/x")
					if err != nil {
						t.Fatal(err)
					}
					if next.IsZero() {
						next = time.Now()
					}
					var started time.Time
					w.answer = func(r *http.Request) *http.Response {
						if r.URL.Path == "/asked" {
							started = time.Now()
						}
						return busy(r)
					}
					w.get(t, a+"/asked")
					if !started.Equal(next) {
						t.Errorf("%q, seed %d, step %d: started %v after what Next said", lines, seed, step, started.Sub(next))
					}
					waiting.Wait()
				}
			})
		}
	}
}
