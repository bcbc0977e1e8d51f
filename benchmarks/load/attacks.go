package main

import (
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// attackRate is how many requests are sent in a second during an attack.
const attackRate = 500

// attacks measures requests during attacks.
func (r *run) attacks() error {
	r.print("## Attacks\n\n%d requests a second for one URL of a known site, over 16 connections that are kept open, while other clients occupy connections. "+
		"A client whose connection was closed opens another one within ten seconds.\n\n", attackRate)
	r.print("| attack | clients | connections open in the middle | opened in all | requests | right | refused | failed | p50 | p99 | slowest | service: cores | memory before, at most |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	list := requests(r.sites.all, 1, false)
	quiet := attack{name: "none"}
	for _, k := range append([]attack{quiet}, attacks...) {
		if !strings.Contains(k.name, r.attackName) {
			continue
		}
		if err := r.attack(&k, list); err != nil {
			return err
		}
	}
	r.print("\n")
	return nil
}

// attack measures one attack, with a new service.
func (r *run) attack(k *attack, list []request) error {
	s, err := r.startService()
	if err != nil {
		return err
	}
	defer s.stop()
	before := usageOf(s.process.Process.Pid)
	crowd, err := startCrowd(k, s.address)
	if err != nil {
		return err
	}
	time.Sleep(2 * rampUp) // until the burst of new connections is over
	var got *result
	var open, opened int
	middle := time.AfterFunc(r.length/2, func() { open, _ = crowd.connections() })
	used := during(s, func() { got = pace{16, attackRate, r.length, 10 * time.Second}.run(s.address, list) })
	middle.Stop()
	_, opened = crowd.connections()
	crowd.stop()
	total := 0
	for _, n := range got.counts {
		total += n
	}
	r.print("| %s | %d | %d | %d | %d | %d | %d | %d | %.2f ms | %.2f ms | %.1f ms | %.2f | %s, %s |\n", k.name, k.clients, open, opened, total,
		got.counts[right], got.counts[busy], got.counts[failed], milliseconds(got.latency.quantile(.5)), milliseconds(got.latency.quantile(.99)), milliseconds(got.latency.max),
		used.service.cpu.Seconds()/got.took.Seconds(), formatMB(before.resident), formatMB(used.service.peak))
	note("attack: %s: load average %s; %s", k.name, machine.LoadAverage(), got.trouble())
	if got.counts[wrong] > 0 || got.counts[right] < total*99/100 {
		r.bad = append(r.bad, k.name+": "+got.trouble())
	}
	return nil
}
