package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

const (
	members = 4
	callers = 200

	maxMemory = 32 << 20 // of a client, enough for all origins
	// moreMemory is what everything else may need: connections, responses under
	// way, the records of the test.
	moreMemory = 192 << 20

	// maxExtra is the share of fetches that another client had made already while
	// the store works. A flight that began before may still be without a lease.
	maxExtra = 0.01

	storeTimeout = 2 * time.Second

	// patience is how long a client waits for a site. The sites run in this process:
	// on a busy machine, healthy ones exceed the client's default timeouts.
	patience = time.Minute
)

// member is a client of the fleet with its own connection to the store.
type member struct {
	id     int
	policy fetch.Policy
	client *fetch.Client
	store  *valkey.Store
	closed atomic.Bool
}

// soak is the state of one run.
type soak struct {
	t       *testing.T
	clock   *clock
	site    *site
	server  *valkeytest.Server
	members [members]atomic.Pointer[member]
	lastID  int

	ctx      context.Context // of all calls
	stop     context.CancelFunc
	running  sync.WaitGroup
	finished [callers]atomic.Int64 // calls of each caller

	calls, cancelled, wrong, excused, storeFailures atomic.Int64
	counts                                          map[string]int // of chaos
	maxHeap                                         uint64
}

// TestSoak runs for ROBOTSTXT_SOAK, for example "1h", as .ci/run does for half a minute. It counts
// instead of measuring time, so that it does not fail on a busy machine:
//
//   - no wrong decision: every result equals the model, and no site is closed that has
//     not failed itself, whatever happens to other sites, the store and the clock
//   - one fetch for an origin and period: for each client always, and for the fleet
//     while the store works
//   - goroutines, descriptors and memory return to where they were, and memory stays
//     within its bound
func TestSoak(t *testing.T) {
	length, set := lengthOf(t, "ROBOTSTXT_SOAK", 0)
	if !set {
		t.Skip("NOT TESTED: a fleet of clients while sites, the store and the clock fail; set ROBOTSTXT_SOAK")
	}
	const origins = 2000
	server := valkeytest.Start(t)
	before := measure()
	t.Run("run", func(t *testing.T) { newSoak(t, server, origins).run(length) })
	t.Logf("before: %v", before)
	var after usage
	for range 200 { // connections end by themselves
		after = measure()
		if after.within(before) {
			t.Logf("after: %v", after)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("after: %v, before: %v\n%s", after, before, stacks[:runtime.Stack(stacks, true)])
}

func newSoak(t *testing.T, server *valkeytest.Server, origins int) *soak {
	s := &soak{t: t, clock: newClock(rate, 5*time.Second, 4*patience), server: server, counts: map[string]int{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	t.Cleanup(s.stop)
	s.site = startSite(t, s.clock, siteConfig{
		size: origins, failing: 40 * time.Hour, evicts: func(client int) bool { return client%members == members-1 },
	})
	for i := range s.members {
		s.members[i].Store(s.newMember(i))
	}
	return s
}

// newMember opens the client of a place in the fleet. The last one has little memory.
func (s *soak) newMember(place int) *member {
	m := &member{id: s.lastID*members + place, policy: []fetch.Policy{fetch.GooglePolicy, fetch.RFC9309Policy}[place%2]}
	s.lastID++
	var err error
	m.store, err = valkey.Open(s.t.Context(), valkey.Config{
		Addresses: []string{s.server.Addr()}, Timeout: storeTimeout, Observe: s.observeStore,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	memory := int64(maxMemory)
	if s.site.evicts(m.id) {
		memory = 16 * robotstxt.DefaultBodyLimit // the minimum
	}
	m.client, err = fetch.New(fetch.Config{
		UserAgent: userAgent(m.id), Policy: m.policy,
		Store: m.store, Network: fetch.Network{AllowPrivate: true}, Freshness: fetch.Freshness{Clock: s.clock.now},
		Limits: fetch.Limits{
			StoreTimeout: storeTimeout, MaxMemory: memory, MinRate: -1,
			Timeout: 2 * patience, DialTimeout: patience, FirstByteTimeout: patience,
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

func (s *soak) observeStore(e valkey.Event) {
	if e.Err == nil || errors.Is(e.Err, cache.ErrNotFound) || errors.Is(e.Err, cache.ErrLeased) {
		return
	}
	s.storeFailures.Add(1)
	if epoch := s.site.epoch.Load(); epoch != 0 {
		s.site.mu.Lock()
		s.site.epochs[epoch].storeFailures++
		s.site.mu.Unlock()
	}
}

func (m *member) close() {
	m.closed.Store(true)
	m.client.Close()
	_ = m.store.Close()
}

// run plays chaos while callers ask, and reports the counts.
func (s *soak) run(length time.Duration) {
	for i := range callers {
		s.running.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			for s.ctx.Err() == nil {
				s.ask(r)
				s.finished[i].Add(1)
				time.Sleep(time.Duration(r.Int64N(int64(40 * time.Millisecond))))
			}
		})
	}
	s.running.Go(func() { s.clock.watch(s.ctx) })
	began := time.Now()
	r := rand.New(rand.NewPCG(4, 5))
	for n, logged := 0, began; time.Since(began) < length; n++ {
		s.disturb(n, r)
		s.settle(int64(n+1), length-time.Since(began))
		if time.Since(logged) > time.Minute {
			logged = time.Now()
			s.t.Logf("%v: %s", time.Since(began).Round(time.Second), s.figures())
		}
	}
	s.stop()
	s.running.Wait()
	for i := range s.members {
		s.members[i].Load().close()
	}
	s.t.Logf("%v, %v of the clock: %s", time.Since(began).Round(time.Second), s.clock.now().Sub(s.clock.base).Round(time.Hour), s.figures())
	s.verdict()
}

// ask makes one call and checks its result.
func (s *soak) ask(r *rand.Rand) {
	m := s.members[r.IntN(members)].Load()
	o := s.site.origins[r.IntN(len(s.site.origins))]
	deadline := 3 * time.Second
	switch n := r.IntN(20); {
	case n < 8:
		deadline = time.Duration(r.Int64N(int64(20 * time.Millisecond)))
	case n < 19:
		deadline = 200 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(s.ctx, deadline)
	defer cancel()
	var result *fetch.Result
	var err error
	allowed := true
	during := s.clock.during(func() {
		if o.fault == nil && r.IntN(2) == 0 {
			allowed, err = m.client.Allowed(ctx, o.page())
			return
		}
		result, err = m.client.Robots(ctx, o.page())
	})
	s.calls.Add(1)
	switch {
	case err != nil && (ctx.Err() != nil && errors.Is(err, ctx.Err()) || errors.Is(err, fetch.ErrClosed) &&
		m.closed.Load()):
		s.cancelled.Add(1)
	case err != nil:
		s.fail("origin %d: %v", o.id, err)
	case !allowed:
		result, err = m.client.Robots(s.ctx, o.page()) // in memory, most likely
		s.fail("origin %d, %v, client %d: disallowed: %+v, %v", o.id, m.policy, m.id, result, err)
	case result != nil:
		if problem := o.resultProblem(m.policy, result, during); problem != "" {
			s.fail("origin %d, %v, client %d: %s: %+v", o.id, m.policy, m.id, problem, result)
		}
	}
}

// fail reports a wrong decision, but not thousands of them, and none after a stall.
func (s *soak) fail(format string, args ...any) {
	if s.clock.isStalled() {
		s.excused.Add(1)
		return
	}
	if s.wrong.Add(1) <= 10 {
		s.t.Errorf(format, args...)
	}
}

// disturb does the next thing that a fleet must survive.
func (s *soak) disturb(n int, r *rand.Rand) {
	part := func(from, to time.Duration) time.Duration { return from + time.Duration(r.Int64N(int64(to-from))) }
	name := []string{"restart of the server", "jump forward", "replaced client", "jump back", "stopped server", "emptied server", "long jump"}[n%7]
	switch name {
	case "restart of the server":
		s.server.Kill()
		time.Sleep(part(0, 2*time.Second))
		s.server.Restart()
	case "stopped server":
		s.server.Stop()
		time.Sleep(part(0, 4*time.Second))
		s.server.Cont()
	case "emptied server":
		s.server.Flush()
	case "jump forward":
		s.clock.jump(part(time.Minute, 26*time.Hour))
	case "jump back":
		s.clock.jump(-part(time.Minute, 3*time.Hour))
	case "long jump":
		s.clock.jump(part(day, 35*day))
	case "replaced client":
		place := r.IntN(members)
		old := s.members[place].Swap(s.newMember(place))
		old.close()
	}
	s.counts[name]++
}

// settle waits until every client can use the store and no call from before is under
// way. Then it lets an epoch pass in which the fleet must fetch once.
func (s *soak) settle(epoch int64, left time.Duration) {
	for i := range s.members {
		for {
			stats := s.members[i].Load().store.Stats()
			_, err := s.members[i].Load().store.Get(s.t.Context(), "settle")
			if !stats.Trouble && errors.Is(err, cache.ErrNotFound) {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	deadline := time.Now().Add(max(left, 0))
	var finished [callers]int64
	for i := range callers {
		finished[i] = s.finished[i].Load()
	}
	for i := range callers {
		for s.finished[i].Load() == finished[i] && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
	}
	time.Sleep(min(max(left, 0), time.Second)) // flights whose callers have gone
	s.site.mu.Lock()
	s.site.epochs[epoch] = &epochCount{}
	s.site.mu.Unlock()
	s.site.epoch.Store(epoch)
	for range 4 {
		time.Sleep(min(max(left, 0), time.Second))
		s.maxHeap = max(s.maxHeap, heap())
	}
	s.site.epoch.Store(0)
}

// figures returns the counts in one line.
func (s *soak) figures() string {
	fetches, extra, epochs := s.inEpochs()
	return fmt.Sprintf("%d calls, %d cancelled, %d wrong, %d excused by stalls, %d fetches, %d too early, %d in %d calm epochs with %d extra, %d failed store calls, heap at most %d MiB, %v",
		s.calls.Load(), s.cancelled.Load(), s.wrong.Load(), s.excused.Load(), s.site.fetches.Load(),
		s.site.tooEarly.Load(), fetches, epochs, extra,
		s.storeFailures.Load(), s.maxHeap>>20, s.counts)
}

// inEpochs sums the epochs in which no call of the store failed.
func (s *soak) inEpochs() (fetches, extra int64, epochs int) {
	s.site.mu.Lock()
	defer s.site.mu.Unlock()
	for _, e := range s.site.epochs {
		if e.storeFailures == 0 {
			fetches, extra, epochs = fetches+e.fetches, extra+e.extra, epochs+1
		}
	}
	return fetches, extra, epochs
}

func (s *soak) verdict() {
	if n := s.wrong.Load(); n > 0 {
		s.t.Errorf("%d wrong decisions", n)
	}
	s.site.check(s.t)
	if fetches, extra, _ := s.inEpochs(); float64(extra) > maxExtra*float64(fetches)+5 {
		s.t.Errorf("%d of %d fetches had been made by another client while the store worked", extra, fetches)
	}
	if limit := uint64(members*maxMemory + moreMemory); s.maxHeap > limit {
		s.t.Errorf("the heap had %d MiB, want at most %d", s.maxHeap>>20, limit>>20)
	}
	if s.calls.Load() == s.cancelled.Load() {
		s.t.Error("no call was completed")
	}
}

// usage is what the process uses.
type usage struct{ goroutines, descriptors, heapMiB int }

func measure() usage {
	heap := heap()
	files, _ := os.ReadDir("/proc/self/fd")
	return usage{runtime.NumGoroutine(), len(files), int(heap >> 20)}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// within reports whether u has returned to before. The encoders and tables that are
// made on first use stay.
func (u usage) within(before usage) bool {
	return u.goroutines <= before.goroutines && u.descriptors <= before.descriptors && u.heapMiB <= before.heapMiB+32
}

func (u usage) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors, heap %d MiB", u.goroutines, u.descriptors, u.heapMiB)
}
