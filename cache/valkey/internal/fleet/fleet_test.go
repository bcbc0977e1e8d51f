package fleet_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey/internal/valkeytest"
)

const (
	lease = 5 * time.Second // as in package fetch
	// calm is a timeout of the store that is long enough even for a busy
	// machine, because a slow store causes extra fetches, which the tests
	// count.
	calm = 5 * time.Second
)

var long = os.Getenv("ROBOTSTXT_LONG") != ""

// takeover is the longest delay by a lease that was not released.
func takeover() time.Duration {
	if long {
		return lease + 100*time.Millisecond
	}
	return lease + 2*time.Second // other tests run at the same time
}

// wants skips what cannot run here. In a short run scenarios run in parallel;
// in a long run each has the machine for itself.
func wants(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("NOT TESTED: on %s the loopback interface has one address, but this test needs many", runtime.GOOS)
	}
	if !long {
		t.Parallel()
	}
}

// TestStampede checks that eight processes, with a hundred concurrent callers
// for each of fifty origins, fetch each origin once.
func TestStampede(t *testing.T) {
	for _, tt := range []struct {
		name    string
		timeout time.Duration
	}{
		{"calm", calm},
		{"default", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.timeout == 0 && !long {
				t.Skip("NOT TESTED: extra fetches with the default timeout of the store; set ROBOTSTXT_LONG")
			}
			wants(t)
			const members, origins, callers = 8, 50, 100
			server := valkeytest.Start(t)
			f := startFleet(t, members, startSite(t, 100*time.Millisecond), tt.timeout, server.Addr())
			at := time.Now().Add(time.Second)
			for i := range members {
				for origin := 1; origin <= origins; origin++ {
					f.ask(i, question{origin, callers, at})
				}
			}
			got := f.figures()
			t.Logf("%d processes: %v", members, got)
			if got.questions != members*origins*callers || got.origins != origins {
				t.Errorf("%d questions about %d origins, want %d about %d", got.questions, got.origins, members*origins*callers, origins)
			}
			// Without an answer from the store in time, a process fetches by
			// itself.
			if tt.timeout == calm && got.fetches != origins {
				t.Errorf("%d fetches, want %d", got.fetches, origins)
			}
		})
	}
}

// TestHolderDies kills the process that has the leases during its fetches. The
// others must continue when the leases have expired, however many other keys
// expire on the server.
func TestHolderDies(t *testing.T) {
	for _, keys := range []int{0, 100_000, 1_000_000} {
		t.Run(fmt.Sprintf("keys=%d", keys), func(t *testing.T) {
			if keys > 0 && !long {
				t.Skipf("NOT TESTED: %d expiring keys; set ROBOTSTXT_LONG", keys)
			}
			wants(t)
			const members, origins, takes = 4, 40, 20 * time.Millisecond
			server := valkeytest.Start(t)
			for i := range keys / 100_000 {
				server.Do("EVAL", "for i = 1, 100000 do redis.call('SET', 'key:' .. ARGV[1] .. ':' .. i, 'value', 'PX', 1000 + i) end", "0", fmt.Sprint(i))
			}
			s := startSite(t, takes)
			s.blocks = func(member int) bool { return member == 0 }
			f := startFleet(t, members, s, calm, server.Addr())
			for origin := 1; origin <= origins; origin++ {
				f.ask(0, question{origin, 2, time.Now()})
			}
			waitUntil(t, "the holder fetches", func() bool {
				s.mu.Lock()
				defer s.mu.Unlock()
				return len(s.fetches) == origins
			})
			for i := 1; i < members; i++ {
				for origin := 1; origin <= origins; origin++ {
					f.ask(i, question{origin, 2, time.Now()})
				}
			}
			time.Sleep(time.Second)
			killed := time.Now()
			f.kill(0)
			got := f.figures()
			var latest time.Duration
			for origin := 1; origin <= origins; origin++ {
				visits := s.visits(origin)
				if len(visits) != 2 { // by the holder, and by one that took over
					t.Errorf("origin %d was fetched %d times, want 2", origin, len(visits))
					continue
				}
				if visits[1].at.Before(killed) {
					t.Errorf("origin %d was fetched while the holder had the lease", origin)
				}
				latest = max(latest, visits[1].at.Sub(killed))
			}
			t.Logf("kill -9 of the holder, %7d keys: %v; all taken over %v after it", keys, got, round(latest))
			if latest > takeover() {
				t.Errorf("taken over after %v, want %v at most", latest, takeover())
			}
		})
	}
}

func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(startTimeout); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain until %s", startTimeout, what)
		}
	}
}

const (
	originsPerSecond = 50 // origins, each by all members
	lag              = originsPerSecond
)

// stream requests new origins all the time: each from all members but one
// concurrently, and from the last one a second later, which the store should
// answer. It ends when done is closed.
func (f *fleet) stream(done <-chan struct{}) {
	ticker := time.NewTicker(time.Second / originsPerSecond)
	defer ticker.Stop()
	last := len(f.members) - 1
	origin := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-ticker.C:
			origin++
			at := time.Now().Add(20 * time.Millisecond)
			for i := range last {
				f.ask(i, question{origin, 2, at})
			}
			if origin > lag {
				f.ask(last, question{origin - lag, 2, at})
			}
		}
	}
	for late := max(1, origin-lag+1); late <= origin; late++ {
		<-ticker.C
		f.ask(last, question{late, 2, time.Now()})
	}
}

// during runs fault during a stream of questions, some time after its start and
// some time before its end.
func (f *fleet) during(fault func()) figures {
	f.t.Helper()
	while := 1500 * time.Millisecond
	if long {
		while = 4 * time.Second
	}
	func() {
		done, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			f.stream(done)
		}()
		defer func() { // also when fault ends the test
			close(done)
			<-ended
		}()
		time.Sleep(while)
		fault()
		time.Sleep(while)
	}()
	got := f.figures()
	f.t.Logf("%-48s %v", f.t.Name(), got)
	// A lease may remain if the server was down when it should have been
	// released.
	if limit := takeover() + time.Second; got.slowest.Took > limit {
		f.t.Errorf("a decision took %v, want %v at most", got.slowest.Took, limit)
	}
	return got
}

// TestServerFaults checks that faults of the server cause extra fetches, but at
// most one per process and origin.
func TestServerFaults(t *testing.T) {
	stop := 3 * time.Second
	if long {
		stop = 10 * time.Second
	}
	for _, tt := range []struct {
		name    string
		trouble bool // whether every member should notice
		fault   func(*valkeytest.Server)
	}{
		{"none", false, nil},
		{"FLUSHALL", false, (*valkeytest.Server).Flush},
		{"restart", true, func(s *valkeytest.Server) {
			s.Kill()
			time.Sleep(time.Second)
			s.Restart()
		}},
		{"SIGSTOP", true, func(s *valkeytest.Server) {
			s.Stop()
			time.Sleep(stop)
			s.Cont()
		}},
		{"slow", false, func(s *valkeytest.Server) {
			for began := time.Now(); time.Since(began) < stop; {
				s.Do("DEBUG", "SLEEP", "0.2") // the server answers no command during that time
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.fault == nil {
				if !long {
					t.Skip("NOT TESTED: the scenario without a fault, for comparison; set ROBOTSTXT_LONG")
				}
				tt.fault = func(*valkeytest.Server) {}
			}
			wants(t)
			const members = 4
			server := valkeytest.Start(t)
			f := startFleet(t, members, startSite(t, 10*time.Millisecond), 0, server.Addr())
			got := f.during(func() { tt.fault(server) })
			if tt.trouble && got.troubles < members {
				t.Errorf("%d members report that the store was unavailable, want %d", got.troubles, members)
			}
		})
	}
}

// TestClusterFaults checks faults of a part of a Cluster.
func TestClusterFaults(t *testing.T) {
	if !long {
		t.Skip("NOT TESTED: failovers of a Cluster; set ROBOTSTXT_LONG")
	}
	for _, tt := range []struct {
		name  string
		fault func(*testing.T, *valkeytest.Cluster)
	}{
		{"primary killed", func(_ *testing.T, c *valkeytest.Cluster) {
			c.Primaries[0].Kill()
			time.Sleep(6 * time.Second)
		}},
		{"primary killed, replica stopped before", func(_ *testing.T, c *valkeytest.Cluster) {
			c.Replicas[0].Stop()
			time.Sleep(700 * time.Millisecond)
			c.Primaries[0].Kill()
			c.Replicas[0].Cont()
			time.Sleep(6 * time.Second)
		}},
		{"primary killed during resync", func(t *testing.T, c *valkeytest.Cluster) {
			c.Primaries[0].Do("DEBUG", "POPULATE", "100000")
			c.Primaries[0].Do("CONFIG", "SET", "rdb-key-save-delay", "1000") // microseconds: it takes minutes
			c.Replicas[0].Restart()
			syncing := func() bool {
				return strings.Contains(c.Replicas[0].Do("INFO", "replication").(string), "master_link_status:down")
			}
			waitUntil(t, "the replica is in resync", syncing)
			time.Sleep(time.Second)
			if !syncing() {
				t.Error("the resynchronisation ended too early")
			}
			c.Primaries[0].Kill()
			time.Sleep(10 * time.Second)
		}},
		{"primary stopped", func(_ *testing.T, c *valkeytest.Cluster) {
			c.Primaries[0].Stop()
			time.Sleep(10 * time.Second)
			c.Primaries[0].Cont()
		}},
		{"shard killed", func(_ *testing.T, c *valkeytest.Cluster) {
			c.Primaries[0].Kill()
			c.Replicas[0].Kill()
			time.Sleep(10 * time.Second)
		}},
		{"shard stopped", func(_ *testing.T, c *valkeytest.Cluster) {
			c.Primaries[0].Stop()
			c.Replicas[0].Stop()
			time.Sleep(10 * time.Second)
			c.Primaries[0].Cont()
			c.Replicas[0].Cont()
		}},
		{"all killed and started again", func(_ *testing.T, c *valkeytest.Cluster) {
			c.Kill()
			time.Sleep(time.Second)
			c.Restart()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wants(t)
			// Without the file of its first synchronisation, a restarted
			// replica needs a full one.
			// With full coverage required, a lost shard would make the others
			// refuse all keys, see docs/operations.md.
			cluster := valkeytest.StartCluster(t, "--rdb-del-sync-files", "yes", "--cluster-require-full-coverage", "no")
			f := startFleet(t, 4, startSite(t, 10*time.Millisecond), 0, cluster.Addrs()...)
			f.during(func() { tt.fault(t, cluster) })
		})
	}
}
