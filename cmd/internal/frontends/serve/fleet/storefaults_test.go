package fleet_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

const (
	lease = 5 * time.Second // as in package fetch
	// calm is a timeout that is long enough even for a busy machine. A replica that
	// waits in vain for the store, or for the replica that fetches, fetches by
	// itself, and the tests count fetches.
	calm = time.Minute
)

var long = os.Getenv("ROBOTSTXT_LONG") != ""

// takeover is the longest delay by a lease that was not released.
const takeover = lease + 100*time.Millisecond

// inParallel lets tests run in parallel in a short run. In a long run each has the machine for
// itself: only then the tests judge times, and requests that were too slow.
func inParallel(t *testing.T) {
	if !long {
		t.Parallel()
	}
}

func startFleet(t *testing.T, replicas, origins int, timeout time.Duration, blocks func(int) bool,
	addresses ...string) *load {
	t.Helper()
	store := "valkey://" + strings.Join(addresses, ",")
	if timeout > 0 {
		store += "?timeout=" + timeout.String()
	}
	l := startLoad(t, replicas, store, calm, siteConfig{size: origins, takes: 50 * time.Millisecond, blocks: blocks})
	l.begin(t.Name())
	return l
}

// TestStampede checks that eight processes, with five concurrent callers for each origin, fetch
// each origin once.
func TestStampede(t *testing.T) {
	inParallel(t)
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
			inParallel(t)
			const replicas, callers = 8, 5
			origins := 15
			if long {
				origins = 50
			}
			l := startFleet(t, replicas, origins, tt.timeout, nil, valkeytest.Start(t).Addr())
			at := time.Now().Add(time.Second)
			for n := range replicas * origins * callers {
				l.ask(n%replicas, n/replicas%origins, at)
			}
			l.finish(0)
			// Without an answer from the store in time, a process fetches by itself.
			if got := int(l.site.fetches.Load()); got < origins || tt.timeout == calm && got != origins {
				t.Errorf("%d fetches, want %d", got, origins)
			}
		})
	}
}

// TestHolderDies kills the process that has the leases during its fetches. The
// others must continue when the leases have expired, however many other keys
// expire on the server.
func TestHolderDies(t *testing.T) {
	inParallel(t)
	for _, keys := range []int{0, 100_000, 1_000_000} {
		t.Run(fmt.Sprintf("keys=%d", keys), func(t *testing.T) {
			if keys > 0 && !long {
				t.Skipf("NOT TESTED: %d expiring keys; set ROBOTSTXT_LONG", keys)
			}
			inParallel(t)
			const replicas = 4
			origins := 15
			if long {
				origins = 40
			}
			server := valkeytest.Start(t)
			for i := range keys / 100_000 {
				server.Do("EVAL", "for i = 1, 100000 do redis.call('SET', 'key:' .. ARGV[1] .. ':' .. i, 'value', 'PX', 1000 + i) end", "0", fmt.Sprint(i))
			}
			l := startFleet(t, replicas, origins, calm, func(client int) bool { return client == 0 }, server.Addr())
			for n := range 2 * origins {
				l.ask(0, n/2, time.Now())
			}
			valkeytest.WaitUntil(t, "the holder fetches", func() bool { return int(l.site.fetches.Load()) == origins })
			for n := range 2 * (replicas - 1) * origins {
				l.ask(1+n%(replicas-1), n%origins, time.Now())
			}
			time.Sleep(time.Second)
			killed := l.site.clock.now()
			l.replicas[0].kill()
			l.finish(2 * origins)
			var latest time.Duration
			for _, o := range l.site.origins {
				if len(o.attempts) != 2 { // by the holder, and by one that took over
					t.Errorf("origin %d was fetched %d times, want 2", o.id, len(o.attempts))
					continue
				}
				if o.attempts[1].began.Before(killed) {
					t.Errorf("origin %d was fetched while the holder had the lease", o.id)
				}
				latest = max(latest, o.attempts[1].began.Sub(killed))
			}
			t.Logf("kill -9 of the holder, %d keys: all taken over %v after it", keys, latest)
			if long && latest > takeover {
				t.Errorf("taken over after %v, want %v at most", latest, takeover)
			}
		})
	}
}

// finish waits for the answers and checks the figures. Only so many requests may have been sent
// to a second replica in a long run, unless the machine was busy.
func (l *load) finish(retried int) {
	l.t.Helper()
	l.asking.Wait()
	l.end()
	l.t.Logf("%d replicas:\n%s", len(l.replicas), l.table())
	l.check()
	for _, p := range l.all {
		if long && p.retried > retried && !l.site.clock.isStalled() {
			l.t.Errorf("%s: %d requests were sent again, want %d at most", p.name, p.retried, retried)
		}
	}
}

// withNewOrigins runs fault while requests arrive, some time after the first and before the
// last: rate times a second for a new origin at all replicas but the last one, and at that for the
// one of a second ago, which the store should know. In a short run a busy machine gets fewer: replicas that have no
// processor for seconds read a site's answer too late, and call the site too slow.
func (l *load) withNewOrigins(fault func()) {
	l.t.Helper()
	rate, while := 15, 1500*time.Millisecond
	if long {
		rate, while = 50, 4*time.Second
	}
	last := len(l.replicas) - 1
	l.during(float64(rate), func(n int, intended time.Time) {
		if !long && l.underWay.Load() > int64(rate*last) { // those of a second
			return
		}
		n = min(n, len(l.site.origins)-1)
		for i := range last {
			l.ask(i, n, intended)
		}
		if n >= rate {
			l.ask(last, n-rate, intended)
		}
	}, func() {
		time.Sleep(while)
		fault()
		time.Sleep(while)
	})
	l.finish(0)
	// A lease may remain if the server was down when it should have been released.
	limit := takeover + time.Second
	for _, p := range l.all {
		if slowest := slices.Max(p.took); long && slowest > limit {
			l.t.Errorf("%s: a decision took %v, want %v at most", p.name, slowest, limit)
		}
	}
}

// TestServerFaults checks that faults of the server cause extra fetches, but at
// most one per process and origin.
func TestServerFaults(t *testing.T) {
	inParallel(t)
	stop := 3 * time.Second
	if long {
		stop = 10 * time.Second
	}
	for _, tt := range []struct {
		name  string
		fault func(*valkeytest.Server)
	}{
		{"none", nil},
		{"FLUSHALL", (*valkeytest.Server).Flush},
		{"restart", func(s *valkeytest.Server) {
			s.Kill()
			time.Sleep(time.Second)
			s.Restart()
		}},
		{"SIGSTOP", func(s *valkeytest.Server) {
			s.Stop()
			time.Sleep(stop)
			s.Cont()
		}},
		{"slow", func(s *valkeytest.Server) {
			for began := time.Now(); time.Since(began) < stop; {
				s.Do("DEBUG", "SLEEP", "0.2") // the server answers no command during that time
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "FLUSHALL" && !long {
				t.Skip("NOT TESTED: an emptied server, as after a restart; set ROBOTSTXT_LONG")
			}
			if tt.fault == nil {
				if !long {
					t.Skip("NOT TESTED: the scenario without a fault, for comparison; set ROBOTSTXT_LONG")
				}
				tt.fault = func(*valkeytest.Server) {}
			}
			inParallel(t)
			server := valkeytest.Start(t)
			startFleet(t, 4, 2000, 0, nil, server.Addr()).withNewOrigins(func() { tt.fault(server) })
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
			valkeytest.WaitUntil(t, "the replica is in resync", syncing)
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
			inParallel(t)
			// Without the file of its first synchronisation, a restarted
			// replica needs a full one.
			// With full coverage required, a lost shard would make the others
			// refuse all keys, see docs/operations.md.
			cluster := valkeytest.StartCluster(t, "--rdb-del-sync-files", "yes", "--cluster-require-full-coverage", "no")
			startFleet(t, 4, 2000, 0, nil, cluster.Addrs()...).withNewOrigins(func() { tt.fault(t, cluster) })
		})
	}
}
