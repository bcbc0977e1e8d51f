package valkeytest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// slots is the number of hash slots of a Cluster.
const slots = 1 << 14

// Cluster is three primaries with one replica each, all on this machine.
type Cluster struct {
	// Primaries and Replicas are the roles at the start. Replicas[i] is the
	// replica of Primaries[i] until a failover.
	Primaries, Replicas [3]*Server

	t testing.TB
}

// StartCluster starts a Cluster in which a node counts as failed after a second
// without an answer. It ends with the test.
func StartCluster(t testing.TB, arguments ...string) *Cluster {
	t.Helper()
	find(t) // may skip, which is allowed only in the goroutine of the test
	arguments = append([]string{
		"--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--repl-ping-replica-period", "1",
		"--repl-diskless-sync-delay", "0", "--cluster-allow-replica-migration", "no",
	}, arguments...)
	c := &Cluster{t: t}
	var starting sync.WaitGroup
	for i := range c.Primaries {
		starting.Go(func() { c.Primaries[i] = Start(t, arguments...) })
		starting.Go(func() { c.Replicas[i] = Start(t, arguments...) })
	}
	starting.Wait()
	if t.Failed() {
		t.FailNow()
	}
	c.join()
	c.replicate()
	return c
}

// join assigns all slots to the primaries, and waits until all nodes know each other.
func (c *Cluster) join() {
	c.t.Helper()
	for i, primary := range c.Primaries {
		first, last := i*slots/len(c.Primaries), (i+1)*slots/len(c.Primaries)-1
		primary.Do("CLUSTER", "ADDSLOTSRANGE", fmt.Sprint(first), fmt.Sprint(last))
		primary.Do("CLUSTER", "SET-CONFIG-EPOCH", fmt.Sprint(i+1))
	}
	polls := 0
	WaitUntil(c.t, "all nodes know each other", func() bool {
		if polls++; polls%100 == 1 { // a node forgets one that it has not met in time
			c.meet()
		}
		for _, node := range c.Nodes() {
			if !strings.Contains(node.Do("CLUSTER", "INFO").(string), fmt.Sprintf("cluster_known_nodes:%d\r", len(c.Nodes()))) {
				return false
			}
		}
		return true
	})
}

func (c *Cluster) meet() {
	c.t.Helper()
	for _, node := range c.Nodes()[1:] {
		bus := node.Do("CONFIG", "GET", "cluster-port").([]any)[1].(string)
		c.Primaries[0].Do("CLUSTER", "MEET", "127.0.0.1", fmt.Sprint(node.port), bus)
	}
}

func (c *Cluster) replicate() {
	c.t.Helper()
	for i, replica := range c.Replicas {
		id := c.Primaries[i].Do("CLUSTER", "MYID").(string)
		WaitUntil(c.t, "a replica knows its primary", func() bool {
			_, err := replica.do("CLUSTER", "REPLICATE", id)
			return err == nil
		})
	}
	c.WaitUntilWhole()
}

// WaitUntilWhole waits until all nodes report that the Cluster is complete, and all
// replicas are synchronised.
func (c *Cluster) WaitUntilWhole() {
	c.t.Helper()
	WaitUntil(c.t, "the Cluster is whole", func() bool {
		for _, node := range c.Nodes() {
			if !node.isFine(len(c.Nodes())) {
				return false
			}
		}
		return true
	})
}

func (s *Server) isFine(nodes int) bool {
	info, err := s.do("CLUSTER", "INFO")
	if err != nil || !strings.Contains(info.(string), "cluster_state:ok") {
		return false
	}
	replication, err := s.do("INFO", "replication")
	if err != nil || strings.Contains(replication.(string), "master_link_status:down") {
		return false
	}
	known, err := s.do("CLUSTER", "NODES")
	return err == nil && strings.Count(known.(string), " connected") == nodes && !strings.Contains(known.(string), "fail")
}

// Nodes returns primaries and replicas.
func (c *Cluster) Nodes() []*Server { return append(c.Primaries[:], c.Replicas[:]...) }

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() (addrs []string) {
	for _, node := range c.Nodes() {
		addrs = append(addrs, node.Addr())
	}
	return addrs
}

// Kill ends all nodes.
func (c *Cluster) Kill() {
	for _, node := range c.Nodes() {
		node.Kill()
	}
}

// Restart starts all nodes again, empty, and waits until the Cluster is whole.
func (c *Cluster) Restart() {
	c.t.Helper()
	for _, node := range c.Nodes() {
		node.Restart()
	}
	c.WaitUntilWhole()
}

// Flush deletes all keys, on the nodes that are primaries now.
func (c *Cluster) Flush() {
	c.t.Helper()
	for _, node := range c.Nodes() {
		if strings.Contains(node.Do("INFO", "replication").(string), "role:master") {
			node.Flush()
		}
	}
}
