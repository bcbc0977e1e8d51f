package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// spread is a figure of several rounds.
type spread []float64

func (s spread) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// column formats a figure of a row.
type column func(spread) string

// median is a column with the median, and the least and the greatest value.
func median(format, unit string) column {
	return func(s spread) string {
		if len(s) == 1 {
			return fmt.Sprintf(format, s[0]) + unit
		}
		return fmt.Sprintf(format+" ("+format+" – "+format+")", s.median(), slices.Min(s), slices.Max(s)) + unit
	}
}

// greatest is a column with the greatest value.
func greatest(format string) column {
	return func(s spread) string { return fmt.Sprintf(format, slices.Max(s)) }
}

// row measures rounds and prints them as a row: the first cells, the figures, and which
// answers were not right. one returns the figures of a round, and what was not right until
// then. The result has the figures by column.
func (r *run) row(cells string, columns []column, one func(round int) ([]float64, error)) []spread {
	figures := make([]spread, len(columns))
	var wrong error
	for round := range r.rounds {
		var got []float64
		got, wrong = one(round)
		for i, figure := range got {
			figures[i] = append(figures[i], figure)
		}
		note("%s %s, round %d: %.2f, load average %s; other answers: %s",
			r.part, cells, round+1, got, machine.LoadAverage(), orNone(wrong))
	}
	r.print("|")
	if cells != "" {
		r.print(" %s |", cells)
	}
	for i, format := range columns {
		r.print(" %s |", format(figures[i]))
	}
	r.print(" %s |\n", orNone(wrong))
	if wrong != nil {
		r.bad = append(r.bad, fmt.Sprintf("%s %s: %v", r.part, cells, wrong))
	}
	return figures
}

func orNone(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

// during returns what the service and this process use during f.
func during(s *service, f func()) (service, generator usage) {
	service, generator = s.usage(), usageOf(os.Getpid())
	f()
	return s.usage().since(service), usageOf(os.Getpid()).since(generator)
}

// usage is what a process has used.
type usage struct {
	cpu            time.Duration
	resident, peak int64 // bytes
}

// since returns how much more a process has used than before, and its peak.
func (u usage) since(before usage) usage {
	return usage{u.cpu - before.cpu, u.resident - before.resident, u.peak}
}

// each returns processor time in microseconds for each of n.
func (u usage) each(n int) float64 { return float64(u.cpu.Microseconds()) / float64(max(n, 1)) }

// memory prints the memory of a service at the end of a part.
func (r *run) memory(s *service) {
	end := s.usage()
	r.print("\nMemory of the service at the end: %s resident, at most %s.\n\n", formatMB(end.resident), formatMB(end.peak))
}

func formatMB(bytes int64) string { return fmt.Sprintf("%d MB", bytes/1_000_000) }

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
