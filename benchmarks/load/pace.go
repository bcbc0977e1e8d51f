package main

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"
)

// pace is how requests are sent.
type pace struct {
	connections int
	clients     int     // addresses from which they come; 0 for the system's choice
	rate        float64 // requests a second; 0 sends the next request after each response
	length      time.Duration
	patience    time.Duration // after the end, for the last responses
	retries     int           // of a request that is refused or fails, a second later
}

// result is the result of a number of requests.
type result struct {
	latency latencies // of those that were answered
	counts  [failed + 1]int
	example error // the first answer that was not right
	took    time.Duration
}

func (r *result) add(other *result) {
	r.latency = append(r.latency, other.latency...)
	for i, n := range other.counts {
		r.counts[i] += n
	}
	r.example = cmp.Or(r.example, other.example)
	r.took = max(r.took, other.took)
}

func (r *result) total() (n int) {
	for _, count := range r.counts {
		n += count
	}
	return n
}

// latencies are how long requests took.
type latencies []time.Duration

// quantile returns the duration that a share of all does not exceed, 0 if there are none. It
// sorts them.
func (l latencies) quantile(share float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	slices.Sort(l)
	return l[min(int(share*float64(len(l))), len(l)-1)]
}

// run sends requests over connections, each of which takes the next requests of its own
// share. With a fixed rate, the latency of a request begins at the time at which it
// should have been sent: if the service is slow, the requests that wait for it count too.
func (p pace) run(address string, requests []request) *result {
	var all result
	var mu sync.Mutex
	var sending sync.WaitGroup
	began := time.Now()
	for i := range p.connections {
		sending.Go(func() {
			c := &client{address: address}
			if p.clients > 0 {
				c.local = &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%p.clients))}
			}
			one := p.connection(i, began, c, requests)
			mu.Lock()
			defer mu.Unlock()
			all.add(one)
		})
	}
	sending.Wait()
	return &all
}

// connection sends the requests of one connection.
func (p pace) connection(i int, began time.Time, c *client, requests []request) *result {
	defer c.close()
	r := &result{}
	var interval time.Duration
	if p.rate > 0 {
		interval = time.Duration(float64(time.Second) * float64(p.connections) / p.rate)
	}
	end := began.Add(p.length)
	deadline := end.Add(p.patience)
	intended := began.Add(interval * time.Duration(i) / time.Duration(p.connections))
	for n := i * 7919; intended.Before(end); n++ { // each at another place of the list
		if p.rate > 0 {
			time.Sleep(time.Until(intended))
		}
		got, err := c.send(&requests[n%len(requests)], deadline)
		for try := 0; (got == busy || got == failed) && try < p.retries; try++ {
			time.Sleep(time.Second)
			got, err = c.send(&requests[n%len(requests)], deadline)
		}
		now := time.Now()
		r.counts[got]++
		r.example = cmp.Or(r.example, err)
		if got == right || got == wrong {
			r.latency = append(r.latency, now.Sub(intended))
		}
		if intended = intended.Add(interval); p.rate == 0 {
			intended = now
		}
		if now.After(deadline) {
			break
		}
	}
	for ; p.rate > 0 && intended.Before(end); intended = intended.Add(interval) {
		r.counts[failed]++ // it was never sent
	}
	r.took = max(time.Since(began), p.length)
	return r
}

// err describes what went wrong, nil if nothing did.
func (r *result) err() error {
	if r.counts[right] == r.total() {
		return nil
	}
	err := fmt.Errorf("%d wrong, %d failed, %d refused", r.counts[wrong], r.counts[failed], r.counts[busy])
	if r.example != nil {
		err = fmt.Errorf("%w; for example: %w", err, r.example)
	}
	return err
}
