package main

import (
	"errors"
	"fmt"
	"time"
)

// kinds are the kinds of requests.
var kinds = []struct {
	name string
	urls int // each of the same site
	body bool
}{
	{"one URL of a known site", 1, false},
	{"one URL, with `body`", 1, true},
	{"ten URLs of a known site", 10, false},
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
func (s *service) warm(known []*site) error {
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
	s, err := r.startService(r.sites, privateFlags)
	if err != nil {
		return err
	}
	defer s.stop()
	r.print("## Requests\n\n`POST /v1/check`, one crawler, %d sites on loopback whose files the service knows, %d connections that are kept open.\n\n", len(r.sites), r.connections)
	r.print("| requests | sent | right answers/s | p50 | p99 | p99.9 | slowest | µs of the service for each | of the generator | other answers |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, k := range kinds {
		list := requests(r.sites, k.urls, k.body)
		best := r.requestRow(s, k.name, "after each answer", list, 0)
		if s.hasEnded() {
			return errors.New("the service has ended")
		}
		rate := r.rate
		if best < rate {
			rate = best / 2
		}
		r.requestRow(s, k.name, fmt.Sprintf("%.0f/s", rate), list, rate)
	}
	r.memory(s)
	return nil
}

// requestRow measures a row, and returns the median rate.
func (r *run) requestRow(s *service, name, sent string, list []request, rate float64) float64 {
	latency, cpu := median("%.2f", " ms"), median("%.1f", "")
	columns := []column{median("%.0f", ""), latency, latency, latency, greatest("%.1f ms"), cpu, cpu}
	var all result
	figures := r.row(name+" | "+sent, columns, func(int) ([]float64, error) {
		var got *result
		service, generator := during(s, func() {
			got = pace{connections: r.connections, rate: rate, length: r.length, patience: 5 * time.Second}.run(s.address, list)
		})
		figures := []float64{float64(got.counts[right]) / got.took.Seconds()}
		for _, share := range []float64{.5, .99, .999, 1} {
			figures = append(figures, milliseconds(got.latency.quantile(share)))
		}
		all.add(got)
		answered := got.counts[right] + got.counts[wrong]
		return append(figures, service.each(answered), generator.each(answered)), all.err()
	})
	return figures[0].median()
}
