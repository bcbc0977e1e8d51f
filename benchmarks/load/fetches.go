package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// newSites is how many sites the service fetches from in a round, with an address in
// 127.0.0.0/8 each. Most systems have only one address there.
const newSites = 20_000

// fetches measures streams about sites that the service does not know.
func (r *run) fetches() error {
	if runtime.GOOS != "linux" {
		note("fetches are not measured: on %s the loopback interface has one address", runtime.GOOS)
		return nil
	}
	file := corpus.Generated(corpus.DefaultSeed).Small().Largest() // of 600 bytes
	l, err := listenLoopback()
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{"text/plain"}
		_, _ = w.Write(file.Bytes) // the service may have closed the connection
	})}
	defer server.Close()
	go func() { _ = server.Serve(l) }() // ends with Close
	r.print("## Fetches\n\nA stream with a URL of each of %d sites, whose files of %d bytes the service fetches over HTTP.\n\n", newSites, len(file.Bytes))
	r.print("| sites/s | µs of the service for each | of the generator and the sites | bytes of memory for each | other answers |\n|---|---|---|---|---|\n")
	var perSecond, service, generator, memory spread
	var wrong error
	for round := range r.rounds {
		got, used, before, err := r.fetchAll(file, l.Addr().(*net.TCPAddr).Port, round)
		if err != nil {
			return err
		}
		perSecond = append(perSecond, float64(got.verdicts)/got.took.Seconds())
		service = append(service, each(used.service.cpu, got.verdicts))
		generator = append(generator, each(used.generator.cpu, got.verdicts))
		memory = append(memory, float64(used.service.resident-before.resident)/float64(max(got.verdicts, 1)))
		wrong = errors.Join(wrong, got.err)
		note("fetches, round %d: %.0f/s, %.0f + %.0f µs, load average %s", round+1, perSecond[round], service[round], generator[round], machine.LoadAverage())
	}
	trouble := "none"
	if wrong != nil {
		trouble = wrong.Error()
		r.bad = append(r.bad, "fetches: "+trouble)
	}
	r.print("| %s | %s | %s | %s | %s |\n\n", perSecond.text("%.0f"), service.text("%.0f"), generator.text("%.0f"), memory.text("%.0f"), trouble)
	return nil
}

// fetchAll lets a new service fetch from all sites.
func (r *run) fetchAll(file corpus.File, port, round int) (got *streamResult, used measured, before usage, err error) {
	s, err := r.startService(r.program, r.sites.all, privateFlags)
	if err != nil {
		return nil, used, before, err
	}
	defer s.stop()
	robots := robotstxt.Parse(file.Bytes)
	all := make([]*site, newSites)
	for i := range all {
		url := fmt.Sprintf("http://127.%d.%d.%d:%d", 10+round, i>>8, i&255, port)
		all[i] = &site{url, file.Bytes, robots, file.Paths[:1]}
	}
	before = usageOf(s.process.Process.Pid)
	// A length of 0 sends every line once.
	used = during(s, func() { got = streaming{streams: 1, crawlers: 1, output: "answers"}.run(s.address, all) })
	return got, used, before, nil
}
