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
	// calm is a timeout for the store that even a machine with more to do keeps
	// to. A store that is slow costs fetches, where a test counts them.
	calm = 5 * time.Second
)

var long = os.Getenv("ROBOTSTXT_LONG") != ""

// takeover is how long a lease may hold up others that nobody gives back.
func takeover() time.Duration {
	if long {
		return lease + 100*time.Millisecond
	}
	return lease + 2*time.Second // other tests run beside this one
}

// wants skips what cannot run here, and in a short run lets scenarios run side
// by side; in a long one, each is to have the machine for itself.
func wants(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("NOT TESTED: on %s the loopback interface has one address, and this wants many", runtime.GOOS)
	}
	if !long {
		t.Parallel()
	}
}

// TestStampede: eight processes with a hundred callers for each of fifty
// origins, all at once, and each origin is fetched once.
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
				t.Skip("NOT TESTED: what the default timeout of the store costs; set ROBOTSTXT_LONG")
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
			// Without an answer from the store in time, a process is on its own.
			if tt.timeout == calm && got.fetches != origins {
				t.Errorf("%d fetches, want %d", got.fetches, origins)
			}
		})
	}
}

// TestHolderDies: the process that holds the leases is killed while its fetches
// are under way. The others go on when the leases have run out, however many
// keys the server has to let expire beside them.
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
			s.holds = func(member int) bool { return member == 0 }
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
				if len(visits) != 2 { // of the holder, and of one who took over
					t.Errorf("origin %d was fetched %d times, want 2", origin, len(visits))
					continue
				}
				if visits[1].at.Before(killed) {
					t.Errorf("origin %d was fetched beside the holder", origin)
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
			t.Fatalf("for %v it did not come true that %s", startTimeout, what)
		}
	}
}

const (
	askedPerSecond = 50 // origins, each by all members
	lag            = askedPerSecond
)

// stream asks new origins all the time: each by all members but one at the same
// instant, and by the last one a second later, which is for the store to
// answer. It ends when done is closed.
func (f *fleet) stream(done <-chan struct{}) {
	ticker := time.NewTicker(time.Second / askedPerSecond)
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

// during runs fault under a stream of questions, a while after its start and a
// while before its end.
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
	// A lease may be left over, if the server was away when it was to be given
	// back.
	if limit := takeover() + time.Second; got.slowest.Took > limit {
		f.t.Errorf("a decision took %v, want %v at most", got.slowest.Took, limit)
	}
	return got
}

// TestServerFaults: what happens to the server costs fetches, and no process
// more than one for each origin.
func TestServerFaults(t *testing.T) {
	stop := 3 * time.Second
	if long {
		stop = 10 * time.Second
	}
	for _, tt := range []struct {
		name    string
		trouble bool // notices each member
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
				s.Do("DEBUG", "SLEEP", "0.2") // no command is answered meanwhile
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.fault == nil {
				if !long {
					t.Skip("NOT TESTED: what there is without a fault, for comparison; set ROBOTSTXT_LONG")
				}
				tt.fault = func(*valkeytest.Server) {}
			}
			wants(t)
			const members = 4
			server := valkeytest.Start(t)
			f := startFleet(t, members, startSite(t, 10*time.Millisecond), 0, server.Addr())
			got := f.during(func() { tt.fault(server) })
			if tt.trouble && got.troubles < members {
				t.Errorf("%d members say that the store was in trouble, want all %d", got.troubles, members)
			}
		})
	}
}

// TestClusterFaults: the same where a part of a Cluster goes.
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
				t.Error("the resync was over too soon")
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
			// Without the file of its first sync, a replica that restarts wants
			// a whole one.
			// With full coverage required, a lost shard would make the others
			// refuse all keys; docs/operations.md says so.
			cluster := valkeytest.StartCluster(t, "--rdb-del-sync-files", "yes", "--cluster-require-full-coverage", "no")
			f := startFleet(t, 4, startSite(t, 10*time.Millisecond), 0, cluster.Addrs()...)
			f.during(func() { tt.fault(t, cluster) })
		})
	}
}
