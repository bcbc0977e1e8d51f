package watch_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// observe returns what a fetch of a simulated site finds some minutes after start.
func (site *simulated) observe(m int) watch.Observation {
	n := int(site.fetches.Add(1))
	f := ordinary
	f.nonceIn, f.nonce = site.nonce, n
	site.serve(&f, m-site.event, n)
	o := watch.Observation{At: start.Add(time.Duration(m) * time.Minute)}
	switch {
	case f.status == http.StatusNotFound:
		o.Served = watch.Served{Outcome: wire.OutcomeAllowAll, Status: f.status}
	case f.status != 0:
		o.Served = watch.Served{Fault: wire.FaultStatus, FaultStatus: f.status, Closed: wire.OutcomeDisallowAll}
	default:
		o.Served = *served(f.String())
	}
	return o
}

// watchEvery fetches a site whenever it is due, some days long, and returns its events.
func (site *simulated) watchEvery(t *testing.T, every time.Duration, days int) (events []wire.WatchEvent) {
	var states watch.States
	r := &watch.Reader{}
	for m := 0; m < days*24*60; {
		next, step, event, err := r.Judge(t.Context(), states, site.observe(m), watch.DefaultConfirm)
		if err != nil {
			t.Fatal(err)
		}
		if event != nil {
			events = append(events, *event)
		}
		states = next
		m = int(states.Due(step, every, watch.DefaultConfirm).Sub(start).Minutes())
	}
	return events
}

// TestOneFetch: a part that changes at every fetch does not make the site be fetched more often than once an
// interval. That a rule or a use changes at every fetch is known after two early fetches.
func TestOneFetch(t *testing.T) {
	t.Parallel()
	for nonce, early := range map[string]int64{"": 0, "sitemaps": 0, "lines": 0, "uses": 2, "rules": 2} {
		site := &simulated{nonce: nonce, behaviour: behaviours["steady"]}
		const days = 40
		events := site.watchEvery(t, 6*time.Hour, days)
		if n := site.fetches.Load(); n < days*4 || n > days*4+early {
			t.Errorf("a nonce in %q: %d fetches in %d days", nonce, n, days)
		}
		want := min(len(nonce), 1)
		if len(events) != want {
			t.Errorf("a nonce in %q: %d events", nonce, len(events))
			for i := range events {
				t.Logf("%v %q", events[i].At, texts(events[i].Changes))
			}
		}
	}
}

// TestAsFast: a change is told ten minutes after the fetch that first finds it, whatever changes at every fetch, and a
// serious one too if lines of the last report come and go.
func TestAsFast(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"closes", "gptbot", "path", "removed", "signal", "license"} {
		for _, nonce := range append(slices.Sorted(maps.Keys(noisy)), "pool") {
			site := &simulated{name: name, nonce: nonce, behaviour: behaviours[name], event: 2*24*60 + 1}
			if name == "removed" {
				site.behaviour = behaviour{serve: after(func(f *simFile) { f.rules = "" }), real: behaviours["path"].real}
			}
			if nonce == "pool" && !site.real[0].grave {
				continue
			}
			isTold := false
			for _, e := range site.watchEvery(t, 6*time.Hour, 4) {
				isGrave := e.Gravity == wire.GravityCritical || e.Gravity == wire.GravityHigh
				if e.At.Before(start.Add(time.Duration(site.event)*time.Minute)) || nonce == "pool" && !isGrave {
					continue
				}
				isTold = true
				if late := e.At.Sub(e.Since); late != watch.DefaultConfirm {
					t.Errorf("%s, a nonce in %q: told after %v: %q", name, nonce, late, texts(e.Changes))
				}
			}
			if !isTold {
				t.Errorf("%s, a nonce in %q: not told", name, nonce)
			}
		}
	}
}

// TestFaultLimit: a site that is down every other two hours has a report of that, of its end, and one that it failed
// again. After a day without a fault the next one is reported after an hour.
func TestFaultLimit(t *testing.T) {
	const calm = 6 * 24 * 60
	site := &simulated{event: 1, behaviour: behaviour{serve: func(f *simFile, m, n int) {
		if m >= 0 && m < calm || m > calm+2*24*60 {
			behaviours["down every other two hours"].serve(f, m, n)
		}
	}}}
	var got []string
	for _, e := range site.watchEvery(t, time.Hour, 9) {
		got = append(got, strings.Join(texts(e.Changes), "; "))
	}
	all := strings.Join(got, "\n")
	if len(got) != 5 || strings.Count(all, "which closes the whole site") != 2 || strings.Count(all, "answers again") != 2 ||
		!strings.Contains(all, "failed again, 6 times (status 503)") {
		t.Errorf("%d events:\n%s", len(got), all)
	}
}

// month says how many of 1,000 sites behave in some way in a month. The others are steady or change a comment.
var month = map[string]int{
	"path": 60, "gptbot": 25, "sitemap": 40, "delay": 6, "signal": 12, "license": 2, "closes": 3, "opens": 3,
	"closes for six hours": 2, "rolled back": 10, "everything": 2, "gone": 4, "gone for": 4, "web page": 3, "restart": 60,
	"outage": 30, "every other 503": 5, "bad answers": 20, "two bad answers of eight": 20, "two files": 4, "two sitemaps": 4,
	"daily sitemap": 2, "order": 20, "build comment": 100,
}

// TestMonth counts what a person who watches 1,000 sites every six hours gets in a month, or 100 sites.
func TestMonth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1000))
	const days = 30
	share := 10
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		share = 1
	}
	sites, watched := 0, 0
	counts := make(map[string]int)
	gravities := make(map[wire.WatchGravity]int)
	behave := func(name, nonce string) {
		site := &simulated{name: name, nonce: nonce, behaviour: behaviours[name]}
		site.event = 60 + random.IntN((days-2)*24*60)
		events := site.watchEvery(t, 6*time.Hour, days)
		for i := range events {
			gravities[events[i].Gravity]++
		}
		counts[strings.TrimSpace(name+" "+nonce)] += len(events)
		watched += int(site.fetches.Load())
		sites++
	}
	for _, name := range slices.Sorted(maps.Keys(month)) {
		for range (month[name] + share - 1) / share {
			behave(name, "")
		}
	}
	for nonce, n := range map[string]int{"sitemaps": 8, "lines": 2, "uses": 2, "rules": 3} {
		for range (n + share - 1) / share {
			behave("steady", nonce)
		}
	}
	for sites < 1000/share {
		behave("steady", "")
	}
	total := 0
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		total += counts[name]
		if counts[name] > 0 {
			lines = append(lines, fmt.Sprintf("%d %s", counts[name], name))
		}
	}
	t.Logf("%d sites, %d fetches, %d events %v: %s", sites, watched, total, gravities, strings.Join(lines, ", "))
	for _, name := range []string{"steady", "rolled back", "restart", "every other 503", "bad answers", "order", "build comment"} {
		if counts[name] > 0 {
			t.Errorf("%s: %d events", name, counts[name])
		}
	}
	if total > sites {
		t.Errorf("%d events of %d sites", total, sites)
	}
}
