package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// kind is a kind of requests.
type kind struct {
	name string
	make func(all []*site) []request
}

var kinds = []kind{
	{"one URL of a known site", func(all []*site) []request { return requests(all, 1, false) }},
	{"one URL, with `body`", func(all []*site) []request { return requests(all, 1, true) }},
	{"ten URLs of a known site", func(all []*site) []request { return requests(all, 10, false) }},
}

// requests returns requests for n URLs of a site each, with or without its file.
func requests(all []*site, n int, body bool) (list []request) {
	for at := 0; at+n <= len(all[0].paths); at += n {
		for _, s := range all {
			var r request
			q := query{Agents: []string{agent}}
			if body {
				q.Body = string(s.body)
			}
			for _, path := range s.paths[at : at+n] {
				url := s.url + path
				q.URLs = append(q.URLs, url)
				if s.allows(agent, url) {
					r.allowed++
				} else {
					r.disallowed++
				}
			}
			r.text = apiRequest("check", q)
			list = append(list, r)
		}
	}
	return list
}

// warm lets the service fetch the files of sites.
func warm(s *service, known []*site) error {
	c := client{address: s.address}
	defer c.close()
	list := requests(known, 1, false)
	for i := range list[:min(len(list), 4*len(known))] {
		if got, err := c.send(&list[i], time.Now().Add(startTimeout)); got != right {
			return fmt.Errorf("the first request for a site: %v: %w", got, err)
		}
	}
	return nil
}

// requests measures requests: as many as possible, and at a fixed rate.
func (r *run) requests() error {
	s, err := r.startService(r.program, r.sites.all, privateFlags)
	if err != nil {
		return err
	}
	defer s.stop()
	r.print("## Requests\n\n`POST /v1/check`, one crawler, %d sites on loopback whose files the service knows, %d connections that are kept open.\n\n", len(r.sites.all), r.connections)
	r.print("| requests | sent | right answers/s | p50 | p99 | p99.9 | slowest | µs of the service for each | of the generator | other answers |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, k := range kinds {
		list := k.make(r.sites.all)
		best := r.row(s, k.name, list, 0)
		if s.hasEnded() {
			return errors.New("the service has ended")
		}
		rate := r.rate
		if best < rate {
			rate = best / 2
		}
		r.row(s, k.name, list, rate)
	}
	end := usageOf(s.process.Process.Pid)
	r.print("\nMemory of the service at the end: %s resident, at most %s.\n\n", formatMB(end.resident), formatMB(end.peak))
	return nil
}

// row measures the rounds of a row, and returns the median rate.
func (r *run) row(s *service, name string, list []request, rate float64) float64 {
	var perSecond, p50, p99, p999, service, generator spread
	var all result
	for round := range r.rounds {
		var got *result
		used := during(s, func() {
			got = pace{connections: r.connections, rate: rate, length: r.length, patience: 5 * time.Second}.run(s.address, list)
		})
		answered := got.counts[right] + got.counts[wrong]
		perSecond = append(perSecond, got.rate())
		p50, p99, p999 = append(p50, milliseconds(got.latency.quantile(.5))), append(p99, milliseconds(got.latency.quantile(.99))), append(p999, milliseconds(got.latency.quantile(.999)))
		service, generator = append(service, each(used.service.cpu, answered)), append(generator, each(used.generator.cpu, answered))
		all.add(got)
		note("%s, %s, round %d: %.0f/s, p99 %.2f ms, %.1f + %.1f µs, load average %s %s", name, sentAt(rate), round+1, got.rate(), p99[round], service[round], generator[round], machine.LoadAverage(), got.trouble())
	}
	r.print("| %s | %s | %s | %s ms | %s ms | %s ms | %.1f ms | %s | %s | %s |\n", name, sentAt(rate), perSecond.text("%.0f"), p50.text("%.2f"), p99.text("%.2f"), p999.text("%.2f"),
		milliseconds(all.latency.quantile(1)), service.text("%.1f"), generator.text("%.1f"), orNone(all.trouble()))
	if all.trouble() != "" {
		r.bad = append(r.bad, name+": "+all.trouble())
	}
	return perSecond.median()
}

func sentAt(rate float64) string {
	if rate == 0 {
		return "after each answer"
	}
	return fmt.Sprintf("%.0f/s", rate)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
