package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// shown is the name and version of a parser in the charts.
type shown struct{ name, version string }

// shown returns the peers and the drivers, this project first. The index of a
// parser is its colour.
func (r *report) shown() (list []shown) {
	for _, p := range peers.All() {
		list = append(list, shown{p.Name, p.Version()})
	}
	for _, p := range r.drivers {
		version, _, _ := strings.Cut(p.Version, " ")
		list = append(list, shown{p.Name, version})
	}
	return list
}

func (s shown) label() string {
	if s.name == peers.Ours {
		return s.name + " (this project)"
	}
	return strings.TrimSpace(s.name + " " + s.version)
}

// growthChart draws the time of a query as the number of rules grows.
func (r *report) growthChart() error {
	drawn := func(title, experiment string, counts []int) panel {
		p := panel{title: title}
		for _, n := range counts {
			p.rules = append(p.rules, float64(n))
		}
		for _, s := range r.shown() {
			l := line{name: s.label()}
			for i := range counts {
				l.times = append(l.times, r.results[experiment][i].Row(s.name).Fastest())
			}
			p.lines = append(p.lines, l)
		}
		return p
	}
	literals := drawn("Without wildcards", "Literals", benchmarks.LiteralCounts)
	wildcards := drawn("With wildcards: /*one*two*three$", "Wildcards", benchmarks.WildcardCounts)
	chart := figure{
		title: "The time of a query as the number of rules grows",
		text:  literals.words() + " " + wildcards.words(),
		note:  "Measured in turns on one core, see growth.md. Each file is parsed once; grobotstxt and google keep no parsed form.",
	}
	return r.write("growth.svg", chart.draw(literals, wildcards))
}

// round formats the powers of ten on an axis: 10 ns, 1 µs.
func round(ns float64) string {
	unit := []string{"ns", "µs", "ms", "s"}
	i := 0
	for ns > 999 && i < len(unit)-1 {
		ns /= 1000
		i++
	}
	return strconv.FormatFloat(ns, 'f', 0, 64) + " " + unit[i]
}

func (p panel) words() string {
	var times []string
	for _, l := range p.lines {
		times = append(times, fmt.Sprintf(" %s %s and %s", l.name, duration(l.times[0]), duration(l.times[len(l.times)-1])))
	}
	return p.title + ", time of a query with the fewest and the most rules:" + strings.Join(times, ";") + "."
}
