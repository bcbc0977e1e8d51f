package valkey_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// load puts and gets ever newer entries of some keys until it is stopped, and
// checks that each result is an entry that was put under its key.
type load struct {
	store           *valkey.Store
	timeout         time.Duration // of the store
	running         sync.WaitGroup
	ended           atomic.Bool
	answers, errors atomic.Int64
	lost, regressed atomic.Int64 // since the last report; both are allowed
	longest         atomic.Int64
}

func startLoad(t *testing.T, s *valkey.Store, timeout time.Duration) *load {
	l := &load{store: s, timeout: timeout}
	for i := range 24 {
		key := anywhere(i)
		l.running.Go(func() { l.run(t, key) })
	}
	t.Cleanup(l.end)
	return l
}

// anywhere returns keys on all nodes. The checksum that distributes keys is
// linear, so keys that differ only in a digit may all be on one node.
func anywhere(i int) string { return fmt.Sprintf("https://%d.example:443", i*7919) }

func (l *load) run(t *testing.T, key string) {
	var newest time.Time
	for n := 0; !l.ended.Load(); n++ {
		e := entry(time.Duration(n)*time.Second, "")
		e.Data = fmt.Append(nil, key, " ", e.FetchedAt.UnixNano())
		l.note(func() error {
			stored, err := l.store.PutIfNewer(t.Context(), key, e)
			if err == nil && stored {
				newest = e.FetchedAt
			}
			return err
		})
		l.note(func() error {
			got, err := l.store.Get(t.Context(), key)
			switch {
			case errors.Is(err, cache.ErrNotFound):
				l.lost.Add(1)
				return nil
			case err != nil:
				return err
			case string(got.Data) != fmt.Sprint(key, " ", got.FetchedAt.UnixNano()):
				t.Errorf("Get(%s) fetched at %d returns %q", key, got.FetchedAt.UnixNano(), got.Data)
			case got.FetchedAt.Before(newest):
				l.regressed.Add(1)
			}
			return nil
		})
		time.Sleep(5 * time.Millisecond)
	}
}

func (l *load) note(call func() error) {
	var err error
	took := int64(timed(func() { err = call() }))
	if took > l.longest.Load() {
		l.longest.Store(took)
	}
	if err != nil {
		l.errors.Add(1)
	} else {
		l.answers.Add(1)
	}
}

func (l *load) end() {
	l.ended.Store(true)
	l.running.Wait()
}

// report waits for an answer, logs the counts and resets them.
func (l *load) report(t *testing.T, what string) {
	t.Helper()
	eventually(t, aWhile, func() error {
		if l.answers.Load() == 0 {
			return fmt.Errorf("%s: no answers", what)
		}
		return nil
	})
	answers, slow := l.answers.Swap(0), time.Duration(l.longest.Swap(0))
	t.Logf("%s: %d answers, %d calls without one, %d entries lost, %d gone back in time, slowest call %v",
		what, answers, l.errors.Swap(0), l.lost.Swap(0), l.regressed.Swap(0), slow.Round(time.Microsecond))
	if slow > l.timeout+late {
		t.Errorf("%s: a call took %v", what, slow)
	}
}

// allAnswered waits until the store answers for keys of all nodes.
func allAnswered(t *testing.T, s *valkey.Store) {
	t.Helper()
	eventually(t, aWhile, func() error {
		for i := range 64 {
			if _, err := s.Get(t.Context(), anywhere(i)); err != nil && !errors.Is(err, cache.ErrNotFound) {
				return err
			}
		}
		return nil
	})
}

// withoutFailovers are arguments of a Cluster whose nodes wait for a slow one: a busy machine
// does not answer each within a second.
var withoutFailovers = []string{"--cluster-node-timeout", "20000"}

func TestCluster(t *testing.T) {
	t.Parallel()
	cluster, log := valkeytest.StartCluster(t, withoutFailovers...), &log{}
	t.Run("Contract", func(t *testing.T) {
		cachetest.TestStore(t, func(t *testing.T) cache.Store {
			return open(t, valkey.Config{Addresses: cluster.Addrs(), Timeout: patient})
		})
	})

	t.Run("PurgeAll", func(t *testing.T) {
		s := open(t, valkey.Config{Addresses: cluster.Addrs(), Timeout: patient})
		for i := range 100 {
			put(t, s, fmt.Sprint(i), entry(0, "text"))
		}
		if n, err := s.PurgeAll(t.Context()); n != 100 || err != nil {
			t.Errorf("PurgeAll = %d, %v", n, err)
		}
		for i := range 100 {
			wantAbsent(t, s, fmt.Sprint(i))
		}
	})

	for _, node := range cluster.Nodes() {
		node.Do("CONFIG", "SET", "cluster-node-timeout", "1000")
	}
	s := open(t, valkey.Config{Addresses: cluster.Addrs()[:2], Timeout: short, Logger: log.logger()})
	l := startLoad(t, s, short)
	time.Sleep(300 * time.Millisecond)
	l.report(t, "all is well")

	cluster.Primaries[0].Kill()
	time.Sleep(700 * time.Millisecond) // no replica was promoted yet
	l.report(t, "one of three primaries was killed, and two thirds of the keys are as before")
	allAnswered(t, s)
	l.report(t, "until the replica took over")

	cluster.Primaries[0].Restart()
	cluster.WaitUntilWhole()
	allAnswered(t, s)
	l.report(t, "it came back as a replica")

	cluster.Flush()
	time.Sleep(200 * time.Millisecond)
	l.report(t, "flushed")

	cluster.Kill()
	time.Sleep(300 * time.Millisecond)
	l.errors.Store(0)
	cluster.Restart()
	allAnswered(t, s)
	time.Sleep(200 * time.Millisecond)
	l.report(t, "all were killed and restarted")
	l.end()
	works(t, s)
}

// TestClusterShardLost loses one of three shards. The store must refuse its
// keys soon, and must still send all commands for the other shards.
func TestClusterShardLost(t *testing.T) {
	t.Parallel()
	cluster := valkeytest.StartCluster(t, append(withoutFailovers, "--cluster-require-full-coverage", "no")...)
	s := open(t, valkey.Config{Addresses: cluster.Addrs(), Timeout: patient})
	var lost, others []string
	for i := 0; len(lost) < 100 || len(others) < 100; i++ {
		key := anywhere(i)
		switch slot := cluster.Primaries[1].Do("CLUSTER", "KEYSLOT", key).(int64); {
		case slot < 5<<10: // five ranges, each with its own breaker
			lost = append(lost, key)
		case slot >= 6<<10: // the sixth range is on two shards
			others = append(others, key)
		}
	}
	allAnswered(t, s)
	cluster.Primaries[0].Kill()
	cluster.Replicas[0].Kill()
	eventually(t, aWhile, func() error {
		before := s.Stats().Refused
		for _, key := range lost {
			if _, err := s.Get(t.Context(), key); !errors.Is(err, valkey.ErrUnavailable) {
				t.Fatalf("Get of a lost key: err = %v, want ErrUnavailable", err)
			}
		}
		if n := s.Stats().Refused - before; n < uint64(len(lost)) {
			return fmt.Errorf("%d of %d lost keys were refused", n, len(lost))
		}
		return nil
	})
	refused := s.Stats().Refused
	for _, key := range others {
		wantAbsent(t, s, key)
	}
	if n := s.Stats().Refused - refused; n != 0 {
		t.Errorf("%d keys of other shards were refused", n)
	}
}

// TestClusterPrimaryStopped suspends a primary until its replica takes over.
// When it resumes, the store must not use it as a primary.
func TestClusterPrimaryStopped(t *testing.T) {
	if !long {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	cluster := valkeytest.StartCluster(t)
	s := open(t, valkey.Config{Addresses: cluster.Addrs()})
	l := startLoad(t, s, defaultTimeout)
	for i, primary := range cluster.Primaries {
		primary.Stop()
		time.Sleep(10 * time.Second)
		l.report(t, fmt.Sprintf("primary %d was stopped for 10 s", i))
		primary.Cont()
		cluster.WaitUntilWhole()
		allAnswered(t, s)
		l.report(t, "it came back")
	}
}

// TestClusterFailovers kills primaries, one of them during the
// resynchronisation of its replica.
func TestClusterFailovers(t *testing.T) {
	if !long {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	cluster := valkeytest.StartCluster(t)
	s := open(t, valkey.Config{Addresses: cluster.Addrs()})
	l := startLoad(t, s, defaultTimeout)
	for round := range 6 {
		nodes := [2]*valkeytest.Server{cluster.Primaries[round%3], cluster.Replicas[round%3]}
		primary, replica := nodes[round/3], nodes[1-round/3]
		if round == 1 || round == 4 {
			replica.Stop()
			time.Sleep(500 * time.Millisecond)
			replica.Cont()
		}
		primary.Kill()
		started := time.Now()
		allAnswered(t, s)
		l.report(t, fmt.Sprintf("failover %d took %v", round, time.Since(started).Round(time.Millisecond)))
		primary.Restart()
		cluster.WaitUntilWhole()
	}
}
