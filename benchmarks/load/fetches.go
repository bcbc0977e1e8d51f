package main

import (
	"errors"
	"fmt"
	"net"
	"runtime"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
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
	defer l.Close()
	serveFile(l, file.Bytes)
	r.print("## Fetches\n\nA stream with a URL of each of %d sites, whose files of %d bytes the service fetches over HTTP.\n\n", newSites, len(file.Bytes))
	r.print("| sites/s | µs of the service for each | of the generator and the sites | bytes of memory for each | other answers |\n|---|---|---|---|---|\n")
	figure := median("%.0f", "")
	var wrong error
	r.row("", []column{figure, figure, figure, figure}, func(round int) ([]float64, error) {
		figures, err := r.fetchAll(file, l.Addr().(*net.TCPAddr).Port, round)
		wrong = errors.Join(wrong, err)
		return figures, wrong
	})
	r.print("\n")
	return nil
}

// fetchAll lets a new service fetch from all sites, and returns the figures of the row.
func (r *run) fetchAll(file corpus.File, port, round int) ([]float64, error) {
	s, err := r.startService(r.sites, privateFlags)
	if err != nil {
		return make([]float64, 4), err
	}
	defer s.stop()
	robots := robotstxt.Parse(file.Bytes)
	all := make([]*site, newSites)
	for i := range all {
		url := fmt.Sprintf("http://127.%d.%d.%d:%d", 10+round, i>>8, i&255, port)
		all[i] = &site{url, file.Bytes, robots, file.Paths[:1]}
	}
	// A length of 0 sends every line once.
	var got *streamResult
	service, generator := during(s, func() { got = streaming{streams: 1, crawlers: 1, output: "answers"}.run(s.address, all) })
	memory := float64(service.resident) / float64(max(got.verdicts, 1))
	return []float64{got.rate(), service.each(got.verdicts), generator.each(got.verdicts), memory}, got.err
}
