package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/chart"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
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

// short returns a label that fits beside a bar. A version that contains a commit
// is shortened to its date.
func (s shown) short() string {
	if _, commit, ok := strings.Cut(s.version, "v0.0.0-"); ok && len(commit) > 8 {
		s.version = commit[:4] + "-" + commit[4:6] + "-" + commit[6:8]
	}
	return strings.TrimSpace(s.name + " " + s.version)
}

const signature = "Measured in turns on one core; corpus, machine and all versions: see "

func (r *report) throughputChart() error {
	panel := func(title, experiment string) chart.Bars {
		result := r.result(experiment, r.sets[0].Named(benchmarks.AllFiles))
		bars := chart.Bars{
			Title: title, X: "MB/s of robots.txt, more is better",
			Tick: number, Label: func(v float64) string { return number(v) + " MB/s" },
		}
		for i, p := range r.shown() {
			bars.Bars = append(bars.Bars, chart.Bar{
				Name: p.short(), Color: i,
				Value: float64(result.Contest.Bytes) / float64(result.Contest.Ops) * 1e3 / result.Row(p.name).Fastest(),
			})
		}
		return bars
	}
	parse, oneShot := panel("Parse into the form that is kept", "Parse"), panel("Read and answer one query", "OneShot")
	figure := chart.Figure{
		Title: "Reading robots.txt files",
		Text:  barText(parse) + " " + barText(oneShot),
		Note:  signature + "parse.md. grobotstxt and google keep no parsed form: their bars to the left show only reading.",
	}
	return r.write("throughput.svg", string(figure.DrawBars(parse, oneShot)))
}

func (r *report) growthExtra() error {
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
		Note:  signature + "growth.md. Parsed once, agent resolved once; grobotstxt and google keep no parsed form.",
	}
	return r.write("growth.svg", string(figure.Draw(literals, wildcards)))
}

// worstChart draws the longest time of each parser in the tables of hostile rules
// and files.
func (r *report) worstChart() error {
	panel := func(title, experiment string) chart.Bars {
		bars := chart.Bars{Title: title, X: "time of a query, less is better", Log: true, Tick: round, Label: duration}
		for i, p := range r.shown() {
			slowest, all := 0.0, true
			for _, result := range r.results[experiment] {
				row := result.Row(p.name)
				if all = all && row != nil; !all {
					break
				}
				slowest = max(slowest, row.Fastest())
			}
			if all {
				bars.Bars = append(bars.Bars, chart.Bar{Name: p.short(), Color: i, Value: slowest})
			}
		}
		return bars
	}
	rule := panel("Slowest of six hostile rules, alone", "WorstRule")
	file := panel(fmt.Sprintf("Slowest of %d hostile files of 490 KB", len(corpus.HostileMatches())), "HostileMatch")
	figure := chart.Figure{
		Title: "The time of a query for hostile files: one path of 2,000 bytes",
		Text:  barText(rule) + " " + barText(file),
		Note:  signature + "worst.md. The right panel has only the parsers that were measured with all files.",
	}
	return r.write("worst.svg", string(figure.DrawBars(rule, file)))
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

// barText and lineText describe a panel in words.
func barText(b chart.Bars) string {
	text := b.Title + ", " + b.X + ":"
	for i, bar := range b.Bars {
		text += fmt.Sprintf("%s %s %s", separator(i), bar.Name, b.Label(bar.Value))
	}
	return text + "."
}

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
