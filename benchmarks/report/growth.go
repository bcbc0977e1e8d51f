package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/chart"
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

// label returns the name with the version.
func (s shown) label() string {
	if s.name == peers.Ours {
		return s.name + " (this project)"
	}
	return strings.TrimSpace(s.name + " " + s.version)
}

// growthChart draws the time of a query as the number of rules grows.
func (r *report) growthChart() error {
	panel := func(title, experiment string, counts []int) chart.Lines {
		lines := chart.Lines{Title: title, X: "rules in the file", Y: "time of a query", Tick: round}
		for colour, p := range r.shown() {
			series := chart.Series{Name: p.label(), Color: colour}
			for i, n := range counts {
				series.X = append(series.X, float64(n))
				series.Y = append(series.Y, r.results[experiment][i].Row(p.name).Fastest())
			}
			lines.Series = append(lines.Series, series)
		}
		return lines
	}
	literals := panel("Without wildcards", "Literals", benchmarks.LiteralCounts)
	wildcards := panel("With wildcards: /*one*two*three$", "Wildcards", benchmarks.WildcardCounts)
	figure := chart.Figure{
		Title: "The time of a query as the number of rules grows",
		Text:  lineText(literals) + " " + lineText(wildcards),
		Note:  "Measured in turns on one core, see growth.md. Each file is parsed once; grobotstxt and google keep no parsed form.",
	}
	return r.write("growth.svg", string(figure.Draw(literals, wildcards)))
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

// lineText describes a panel in words.
func lineText(l chart.Lines) string {
	text := l.Title + ", time of a query with the fewest and the most rules:"
	for i, s := range l.Series {
		text += fmt.Sprintf("%s %s %s and %s", separator(i), s.Name, duration(s.Y[0]), duration(s.Y[len(s.Y)-1]))
	}
	return text + "."
}

func separator(i int) string {
	if i == 0 {
		return ""
	}
	return ";"
}
