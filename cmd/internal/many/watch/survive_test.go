package watch_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
)

// TestSurvives: a panic at one site, whose file is read before, is an error of this site, which
// keeps its state. The run goes on, and the new "Disallow: /" of another site is reported.
func TestSurvives(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	w.set("b.example", shop)
	p, out := newPasses(t, w, "a.example", "b.example")
	p.want(out, 0)
	w.set("b.example", closed)
	client := p.fetch
	store := openStore(t, p.folder)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	seen := map[string]watch.Sighting{}
	_, err := watch.Run(ctx, watch.Config{
		Store: store, Online: &watch.Online{}, Reader: &watch.Reader{}, Every: time.Hour, Confirm: 0, Concurrency: 2,
		Outputs: p.outputs,
		Sites:   sitesOf(p.hosts...), Now: func() time.Time { return p.now.Add(24 * time.Hour) },
		Fetch: func(ctx context.Context, url string) (*fetch.Result, error) {
			if strings.Contains(url, "a.example") {
				var lines []string
				_ = lines[len(url)]
			}
			return client(ctx, url)
		},
		Fault: func(err error) { t.Error(err) },
		Saw: func(s watch.Sighting) {
			mu.Lock()
			defer mu.Unlock()
			seen[s.Site] = s
			if len(seen) == 2 {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := out.take(); len(got) != 1 || !strings.HasPrefix(got[0], "http://b.example closes the whole site") {
		t.Errorf("reported %q", got)
	}
	failed := seen["http://a.example"]
	if failed.Step != watch.Unknown || term.TraceOf(failed.Err) == "" || failed.State[watch.RulesPart].Reported == nil ||
		!failed.Due.After(p.now.Add(24*time.Hour)) {
		t.Errorf("%+v", failed)
	}
}
