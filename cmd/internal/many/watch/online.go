package watch

import (
	"context"
	"sync"
	"time"
)

// Online tells from the answers of hosts whether the network of this machine works. A
// site that does not respond proves nothing if no other host responds either.
//
// Most of the latest fetches must not have failed: if more than half of the last
// latestHosts hosts did not respond, this machine's network is the likely cause.
type Online struct {
	// Probe asks hosts that are not watched, for runs that watch few hosts. It reports
	// whether one answers. nil means that there are no such hosts.
	Probe func(context.Context) bool

	mu      sync.Mutex
	latest  []hostAnswer // of different hosts, the newest last
	probed  time.Time
	answers bool // of the last probe
}

type hostAnswer struct {
	host string
	ok   bool
	at   time.Time
}

const (
	latestHosts   = 32
	answeredFor   = 5 * time.Minute // the time for which an answer shows that the network works
	probeInterval = 30 * time.Second
)

// Note records whether a host has responded.
func (n *Online) Note(host string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.latest {
		if n.latest[i].host == host {
			n.latest = append(n.latest[:i], n.latest[i+1:]...)
			break
		}
	}
	n.latest = append(n.latest, hostAnswer{host, ok, time.Now()})
	if len(n.latest) > latestHosts {
		n.latest = n.latest[1:]
	}
}

// Without reports whether other hosts than the given one answer.
func (n *Online) Without(ctx context.Context, host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	others := 0
	ok := 0
	for _, a := range n.latest {
		if a.host != host && time.Since(a.at) < answeredFor {
			others++
			if a.ok {
				ok++
			}
		}
	}
	if ok > 0 {
		return 2*ok >= others
	}
	if others > 1 || n.Probe == nil {
		return false
	}
	if time.Since(n.probed) > probeInterval {
		n.answers = n.Probe(ctx)
		n.probed = time.Now()
	}
	return n.answers
}
