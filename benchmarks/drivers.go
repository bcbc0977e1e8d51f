package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
)

// Drivers are parsers in other languages, which are compared as well as the peers
// in Go. They measure themselves. Nil is none.
type Drivers []*driver.Process

// StartDrivers builds and starts the parsers whose checkouts are named by environment variables.
func StartDrivers(ctx context.Context) (drivers Drivers, err error) {
	for _, program := range driver.Named() {
		p, err := program.Start(ctx)
		if err != nil {
			drivers.Close()
			return nil, err
		}
		drivers = append(drivers, p)
	}
	return drivers, nil
}

// Close stops the parsers and removes what was built.
func (d Drivers) Close() {
	for _, p := range d {
		p.Close()
	}
}

// NoMatcher is appended to the name of a parser that could prepare a matcher for
// many queries, but is measured without it.
const NoMatcher = ", nothing prepared"

func (d Drivers) entries(work driver.Work, files []corpus.File) (entries []Entry) {
	for _, p := range d {
		e := Entry{Name: p.Name, Timed: func() func(int) time.Duration { return timed(p, work, files) }}
		switch {
		case work == driver.Parse && !p.Keeps:
			e.Note = "reads only, keeps nothing"
		case work == driver.Match && !p.Keeps:
			e.Note = "reads the text for each query"
		case work == driver.Parse:
			e.Note = "keeps references to the text"
		}
		entries = append(entries, e)
		if work == driver.Match && p.Keeps {
			entries = append(entries, Entry{Name: p.Name + NoMatcher, Timed: func() func(int) time.Duration {
				return timed(p, driver.Scan, files)
			}})
		}
	}
	return entries
}

// timed panics if the driver fails: the driver is part of this module, so that is
// a bug, and a table without its row would mislead.
func timed(p *driver.Process, work driver.Work, files []corpus.File) func(n int) time.Duration {
	job, err := p.Load(work, agent, files)
	return func(n int) time.Duration {
		took, timeErr := job.Time(n)
		if err := errors.Join(err, timeErr); err != nil {
			panic(fmt.Sprintf("%s, %s: %v", p.Name, work, err))
		}
		return took
	}
}
