package replicas_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	fetchTimeout = 10 * time.Second
	patience     = 3 * fetchTimeout // of a caller
)

// load sends requests at a fixed rate, whatever becomes of the ones before.
type load struct {
	t        *testing.T
	site     *site
	replicas []*replica
	client   *http.Client
	stalled  atomic.Int64 // the last time at which this process did not run, in nanoseconds

	mu     sync.Mutex
	phases []*phase // the last one is the present one
}

// phase is a part of a run, and what its requests came to.
type phase struct {
	name         string
	began, ended time.Time
	requests,
	retried, // another replica had to be asked
	failed, // no replica answered
	wrong,
	excused int // wrong, but this process had not run for a while
	unknown int // without a verdict
	took    []time.Duration
}

// begin ends the present phase and begins the next one.
func (l *load) begin(name string) {
	if len(l.phases) > 0 {
		l.end()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phases = append(l.phases, &phase{name: name, began: time.Now()})
}

// end ends the present phase.
func (l *load) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phases[len(l.phases)-1].ended = time.Now()
}

// run sends requests until done is closed, and waits for the answers.
func (l *load) run(rate float64, done <-chan struct{}) {
	var asking sync.WaitGroup
	defer asking.Wait()
	interval := time.Duration(float64(time.Second) / rate)
	asking.Go(func() { l.watch(done) })
	first := rand.Perm(len(l.site.origins)) // each origin once, then any
	for n, intended := 0, time.Now(); ; n, intended = n+1, intended.Add(interval) {
		select {
		case <-time.After(time.Until(intended)):
		case <-done:
			return
		}
		o := l.site.origins[rand.IntN(len(l.site.origins))]
		if n < len(first) {
			o = l.site.origins[first[n]]
		}
		l.mu.Lock()
		p := l.phases[len(l.phases)-1]
		l.mu.Unlock()
		asking.Go(func() { l.ask(p, o, intended) })
	}
}

// watch records when this process does not run, because the machine is busy: then healthy
// sites, which are in this process, do not answer in time.
func (l *load) watch(done <-chan struct{}) {
	for last := time.Now(); ; last = time.Now() {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-done:
			return
		}
		if time.Since(last) > fetchTimeout/4 {
			l.stalled.Store(time.Now().UnixNano())
		}
	}
}

// ask sends a request to a replica, and to the others if it does not answer.
func (l *load) ask(p *phase, o *siteOrigin, intended time.Time) {
	query, err := json.Marshal(map[string]any{"agents": []string{"FleetBot"}, "urls": o.urls()})
	if err != nil {
		panic(err) // these types have no error
	}
	at, tries := rand.IntN(len(l.replicas)), 0
	var answer *response
	from := time.Now()
	for ; tries < 2*len(l.replicas) && answer == nil; tries++ {
		from = time.Now()
		answer, err = l.askOne(l.replicas[(at+tries)%len(l.replicas)], query)
	}
	to := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	p.requests++
	if tries > 1 {
		p.retried++
	}
	if answer == nil {
		if p.failed++; p.failed <= 3 {
			l.t.Logf("%s: %s: no answer: %v", p.name, o.url, err)
		}
		return
	}
	p.took = append(p.took, to.Sub(intended))
	if len(answer.Answers) > 0 && answer.Answers[0].Verdict == "unknown" {
		p.unknown++
	}
	if problem := o.problem(answer, from, to); problem != "" {
		if to.UnixNano()-l.stalled.Load() < int64(time.Minute) {
			p.excused++
			return
		}
		if p.wrong++; p.wrong <= 3 {
			l.t.Logf("%s: %s, fails %v: %s: %+v", p.name, o.url, o.fault != nil, problem, answer)
		}
	}
}

// askOne sends a request to a replica.
func (l *load) askOne(r *replica, query []byte) (*response, error) {
	got, err := l.client.Post("http://"+r.address+"/v1/check", "application/json", bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, err
	}
	if got.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %s", got.StatusCode, text)
	}
	var answer response
	return &answer, json.Unmarshal(text, &answer)
}

// table returns the figures of all phases.
func (l *load) table() string {
	var b bytes.Buffer
	fmt.Fprintln(&b, "| event | seconds | requests | sent again | failed | wrong | excused | unknown | p50 | p99 | slowest | fetches | extra | most for a site |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, p := range l.phases {
		slices.Sort(p.took)
		at := func(share float64) time.Duration {
			if len(p.took) == 0 {
				return 0
			}
			return p.took[min(int(share*float64(len(p.took))), len(p.took)-1)].Round(100 * time.Microsecond)
		}
		f := l.site.fetches(p.began, p.ended)
		fmt.Fprintf(&b, "| %s | %.0f | %d | %d | %d | %d | %d | %d | %v | %v | %v | %d | %d | %d |\n", p.name, p.ended.Sub(p.began).Seconds(),
			p.requests, p.retried, p.failed, p.wrong, p.excused, p.unknown, at(.5), at(.99), at(1), f.all, f.extra, f.most)
	}
	from, to := l.phases[0].began, l.phases[len(l.phases)-1].ended
	healthy := l.site.healthyFetches(from, to)
	fmt.Fprintf(&b, "\nSites that do not fail: %.3f fetches for each site and period of %v.\n", healthy/max(1, float64(to.Sub(from))/float64(dueAfterAnswer)), dueAfterAnswer)
	return b.String()
}
