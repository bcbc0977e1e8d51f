package fleet_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// TestReplicas runs four replicas with a Cluster of three primaries and three replicas, and
// sites of which three in ten fail in 35 ways, while requests arrive at a fixed rate. In each
// phase something else is killed. A phase lasts for ROBOTSTXT_FLEET, for example "1m", or
// for 3 seconds with fewer sites.
//
// It checks that no verdict is wrong and no request fails, because its client asks another
// replica. A verdict is right if the origin has served that version of its file within the
// time for which it is fresh; "unknown" and closed are right only for a site that has failed.
// The fetches are counted and not limited.
func TestReplicas(t *testing.T) {
	origins, rate := 400, 150.0
	length, set := lengthOf(t, "ROBOTSTXT_FLEET", 3*time.Second)
	if set {
		origins, rate = 2000, 400
	} else if !long {
		t.Skip("NOT TESTED: replicas of the service; set ROBOTSTXT_LONG, or ROBOTSTXT_FLEET to the length of a phase")
	}
	// See docs/operations.md for the setting.
	cluster := valkeytest.StartCluster(t, "--cluster-require-full-coverage", "no")
	l := startLoad(t, 4, "valkey://"+strings.Join(cluster.Addrs(), ",")+"?timeout=500ms", fetchTimeout,
		siteConfig{size: origins, failing: time.Minute, maxAge: 5 * time.Minute, changes: length / 2})
	l.begin("start: all sites are new")
	first := rand.Perm(origins) // each origin once, then any
	l.during(rate, func(n int, intended time.Time) {
		origin := rand.IntN(origins)
		if n < len(first) {
			origin = first[n]
		}
		l.ask(rand.IntN(len(l.replicas)), origin, intended)
	}, func() {
		time.Sleep(max(length, time.Duration(float64(origins)/rate*float64(time.Second))))
		l.disturb(cluster, length)
	})
	t.Logf("four replicas, %d sites, %v requests a second:\n%s", origins, rate, l.table())
	l.check()
}

// disturb runs the phases.
func (l *load) disturb(cluster *valkeytest.Cluster, length time.Duration) {
	l.begin("nothing")
	time.Sleep(length)

	l.begin("kill -9 of a replica, restarted in the middle")
	l.replicas[0].kill()
	time.Sleep(length / 2)
	l.replicas[0].start()
	time.Sleep(length / 2)

	l.begin("kill -9 of a primary")
	cluster.Primaries[0].Kill()
	time.Sleep(length)

	l.begin("the primary is started again")
	cluster.Primaries[0].Restart()
	cluster.WaitUntilWhole()
	time.Sleep(length / 2)

	l.begin("kill -9 of all nodes")
	cluster.Kill()
	time.Sleep(length)

	l.begin("all nodes are started again, empty")
	cluster.Restart()
	time.Sleep(length)

	l.begin("kill -9 of all replicas, one after the other")
	for _, r := range l.replicas {
		r.kill()
		time.Sleep(length / 8)
		r.start()
		time.Sleep(length / 8)
	}

	l.begin("nothing")
	time.Sleep(length)
}
