package fleet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fetchTimeout is how long a replica waits for a site, and for another replica that fetches from it.
const fetchTimeout = 10 * time.Second

// lengthOf returns the length of a long run in an environment variable, or short if it is not set.
func lengthOf(t *testing.T, variable string, short time.Duration) (length time.Duration, set bool) {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		return short, false
	}
	length, err := time.ParseDuration(value)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return length, true
}

// load sends requests to the replicas and compares the answers with the site.
type load struct {
	t        *testing.T
	site     *site
	replicas []*replica
	client   *http.Client
	asking   sync.WaitGroup
	underWay atomic.Int64 // requests

	phases
}

// phases are the parts of a run. The last one is the present one.
type phases struct {
	mu  sync.Mutex
	all []*phase
}

// phase is a part of a run, and what its requests came to.
type phase struct {
	name         string
	began, ended time.Time
	requests,
	retried, // another replica had to be asked
	failed, // no replica answered
	wrong,
	excused int // wrong, but this process had not run for a while, see clock
	unknown int // without a verdict
	took    []time.Duration
	example string // of a request that failed, or a wrong answer
}

// begin ends the present phase and begins the next one.
func (p *phases) begin(name string, at time.Time) {
	if len(p.all) > 0 {
		p.end(at)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, &phase{name: name, began: at})
}

// end ends the present phase.
func (p *phases) end(at time.Time) { p.present().ended = at }

func (p *phases) present() *phase {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[len(p.all)-1]
}

// quantile returns the time within which a share of the requests was answered.
func (p *phase) quantile(share float64) time.Duration {
	if len(p.took) == 0 {
		return 0
	}
	slices.Sort(p.took)
	return p.took[int(share*float64(len(p.took)-1))].Round(100 * time.Microsecond)
}

// begin ends the present phase and begins the next one.
func (l *load) begin(name string) { l.phases.begin(name, l.site.clock.now()) }

// end ends the present phase.
func (l *load) end() { l.phases.end(l.site.clock.now()) }

// startLoad starts replicas that share a store, and a site for them, for which they wait for timeout.
func startLoad(t *testing.T, replicas int, store string, timeout time.Duration, config siteConfig) *load {
	t.Helper()
	s := startSite(t, newClock(1, timeout/4, 6*timeout), config)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	go s.clock.watch(ctx)
	started := startReplicas(t, replicas, store, "--timeout", timeout.String())
	return &load{t: t, site: s, replicas: started, client: client(timeout)}
}

// during sends requests at a fixed rate while f runs, see atRate, and waits for the answers.
func (l *load) during(rate float64, send func(n int, intended time.Time), f func()) {
	defer func() { // also when f ends the test
		l.asking.Wait()
		l.end()
	}()
	atRate(rate, send, f)
}

// atRate calls send at a fixed rate while f runs, however long a call took. Its arguments are
// the number of calls before and the time at which it should begin.
func atRate(rate float64, send func(n int, intended time.Time), f func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	defer func() { // also when f ends the test
		close(done)
		<-ended
	}()
	go func() {
		defer close(ended)
		interval := time.Duration(float64(time.Second) / rate)
		for n, intended := 0, time.Now(); ; n, intended = n+1, intended.Add(interval) {
			select {
			case <-time.After(time.Until(intended)):
				send(n, intended)
			case <-done:
				return
			}
		}
	}()
	f()
}

// ask sends a request about an origin to a replica in the background.
func (l *load) ask(replica, origin int, intended time.Time) {
	p := l.present()
	l.underWay.Add(1)
	l.asking.Go(func() {
		defer l.underWay.Add(-1)
		time.Sleep(time.Until(intended))
		l.compare(p, l.site.origins[origin], replica, intended)
	})
}

// compare sends a request to a replica, and to the others if it does not answer, and judges
// the answer.
func (l *load) compare(p *phase, o *siteOrigin, replica int, intended time.Time) {
	query, err := json.Marshal(map[string]any{"agents": []string{"FleetBot"}, "urls": o.urls()})
	if err != nil {
		panic(err) // these types have no error
	}
	tries := 0
	var answer *response
	from := l.site.clock.now()
	for ; tries < 2*len(l.replicas) && answer == nil; tries++ {
		from = l.site.clock.now()
		answer, err = l.askOne(l.replicas[(replica+tries)%len(l.replicas)], query)
	}
	to, took := l.site.clock.now(), time.Since(intended)
	problem, stalled := "", false
	if answer != nil {
		problem = o.problem(answer, from, to)
		if problem != "" {
			stalled = l.site.clock.isStalled()
		}
	}
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
	p.took = append(p.took, took)
	if len(answer.Answers) > 0 && answer.Answers[0].Verdict == "unknown" {
		p.unknown++
	}
	if stalled {
		p.excused++
	} else if problem != "" {
		if p.wrong++; p.wrong <= 3 {
			l.t.Logf("%s: %s, fails %v: %s: %+v", p.name, o.url, o.fault != nil, problem, answer)
		}
	}
}

// askOne sends a request to a replica.
func (l *load) askOne(r *replica, query []byte) (*response, error) {
	text, err := post(l.client, r.address, string(query))
	if err != nil {
		return nil, err
	}
	var answer response
	return &answer, json.Unmarshal([]byte(text), &answer)
}

// post sends a query to a replica or a proxy. A status other than 200 is an error.
func post(client *http.Client, address, query string) (text string, err error) {
	response, err := client.Post("http://"+address+"/v1/check", "application/json", strings.NewReader(query))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %.300s", response.StatusCode, body)
	}
	return string(body), err
}

// table returns the figures of all phases.
func (l *load) table() string {
	var b bytes.Buffer
	fmt.Fprintln(&b, "| event | seconds | requests | sent again | failed | wrong | excused | unknown | p50 | p99 | slowest | fetches | extra | most for a site |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, p := range l.all {
		f := l.site.count(p.began, p.ended)
		fmt.Fprintf(&b, "| %s | %.0f | %d | %d | %d | %d | %d | %d | %v | %v | %v | %d | %d | %d |\n", p.name, p.ended.Sub(p.began).Seconds(),
			p.requests, p.retried, p.failed, p.wrong, p.excused, p.unknown,
			p.quantile(.5), p.quantile(.99), p.quantile(1), f.all, f.extra, f.most)
	}
	from, to := l.all[0].began, l.present().ended
	due := l.site.origins[0].lifetime() * 9 / 10
	fmt.Fprintf(&b, "\nSites that do not fail: %.3f fetches for each site and period of %v.\n",
		l.site.count(from, to).healthy/max(1, float64(to.Sub(from))/float64(due)), due)
	return b.String()
}

// check fails the test if a figure is not as it must be.
func (l *load) check() {
	l.t.Helper()
	for _, p := range l.all {
		if p.wrong > 0 || p.failed > 0 || p.requests == 0 {
			l.t.Errorf("%s: %d requests, %d wrong verdicts, %d failed", p.name, p.requests, p.wrong, p.failed)
		}
	}
	l.site.check(l.t)
}
