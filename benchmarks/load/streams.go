package main

import (
	"fmt"

	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// streams measures streams of URLs.
func (r *run) streams() error {
	s, err := r.startService(r.program, r.sites.all, privateFlags)
	if err != nil {
		return err
	}
	defer s.stop()
	r.print("## Streams\n\n`POST /v1/check` with `application/x-ndjson`: URLs of %d known sites.\n\n", len(r.sites.all))
	r.print("| output | streams | crawlers | verdicts/s | MB/s of answers | ns of the service for each | of the generator | other answers |\n|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []streaming{
		{streams: 1, crawlers: 1, output: "answers"},
		{streams: 4, crawlers: 1, output: "answers"},
		{streams: 1, crawlers: 10, output: "answers"},
		{streams: 1, crawlers: 1, output: "grid"},
		{streams: 4, crawlers: 1, output: "grid"},
		{streams: 1, crawlers: 10, output: "grid"},
		{streams: 4, crawlers: 10, output: "grid"},
		{streams: 4, crawlers: 10, output: "grid", body: true},
	} {
		kind.length = r.length
		name := kind.output
		if kind.body {
			name += ", with `body`"
		}
		var perSecond, megabytes, service, generator spread
		var wrong error
		for round := range r.rounds {
			var got *streamResult
			used := during(s, func() { got = kind.run(s.address, r.sites.all) })
			perSecond = append(perSecond, float64(got.verdicts)/got.took.Seconds())
			megabytes = append(megabytes, float64(got.bytes)/1e6/got.took.Seconds())
			service = append(service, 1000*each(used.service.cpu, got.verdicts))
			generator = append(generator, 1000*each(used.generator.cpu, got.verdicts))
			if wrong == nil {
				wrong = got.err
			}
			note("%s, %d streams, %d crawlers, round %d: %.0f/s, %.0f MB/s, %.0f + %.0f ns, load average %s", name, kind.streams, kind.crawlers, round+1, perSecond[round], megabytes[round], service[round], generator[round], machine.LoadAverage())
		}
		trouble := "none"
		if wrong != nil {
			trouble = wrong.Error()
			r.bad = append(r.bad, fmt.Sprintf("%s, %d streams: %s", name, kind.streams, trouble))
		}
		r.print("| %s | %d | %d | %s | %s | %s | %s | %s |\n", name, kind.streams, kind.crawlers, perSecond.text("%.0f"), megabytes.text("%.0f"), service.text("%.0f"), generator.text("%.0f"), trouble)
	}
	end := usageOf(s.process.Process.Pid)
	r.print("\nMemory of the service at the end: %s resident, at most %s.\n\n", formatMB(end.resident), formatMB(end.peak))
	return nil
}
