package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/chart"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// palette gives each peer its colour, this project the first.
func palette(name string) int {
	return slices.IndexFunc(peers.All(), func(p *peers.Peer) bool { return p.Name == name })
}

// label names a peer with its version.
func label(name string) string {
	if version := peers.Named(name).Version(); version != "" {
		return name + " " + version
	}
	return name + " (this project)"
}

// short is a label that fits beside a bar. Of a version that is a commit's it
// has the day.
func short(name string) string {
	version := peers.Named(name).Version()
	if _, commit, ok := strings.Cut(version, "v0.0.0-"); ok && len(commit) > 8 {
		version = commit[:4] + "-" + commit[4:6] + "-" + commit[6:8]
	}
	return strings.TrimSpace(name + " " + version)
}

const signature = "Measured in turns on one core; corpus, machine and all versions: see "

func (r *report) throughputChart() error {
	panel := func(title, experiment string) chart.Bars {
		result := r.results[experiment][0]
		bars := chart.Bars{
			Title: title, X: "MB/s of robots.txt, more is better",
			Tick: number, Label: func(v float64) string { return number(v) + " MB/s" },
		}
		for _, p := range peers.All() {
			bars.Bars = append(bars.Bars, chart.Bar{
				Name: short(p.Name), Color: palette(p.Name),
				Value: float64(result.Contest.Bytes) / float64(result.Contest.Ops) * 1e3 / result.Row(p.Name).Fastest(),
			})
		}
		return bars
	}
	parse, oneShot := panel("Parse into the form that is kept", "Parse"), panel("Read and answer one question", "OneShot")
	figure := chart.Figure{
		Title: "Reading robots.txt files",
		Text:  barText(parse) + " " + barText(oneShot),
		Note:  signature + "parse.md. grobotstxt keeps no parsed form: its bar to the left is reading alone.",
	}
	return r.write("throughput.svg", string(figure.DrawBars(parse, oneShot)))
}

func (r *report) growthExtra() error {
	panel := func(title, experiment string, counts []int) chart.Lines {
		lines := chart.Lines{Title: title, X: "rules in the file", Y: "time for a question", Tick: round}
		for _, p := range peers.All() {
			series := chart.Series{Name: label(p.Name), Color: palette(p.Name)}
			for i, n := range counts {
				series.X = append(series.X, float64(n))
				series.Y = append(series.Y, r.results[experiment][i].Row(p.Name).Fastest())
			}
			lines.Series = append(lines.Series, series)
		}
		return lines
	}
	literals := panel("Without wildcards", "Literals", benchmarks.LiteralCounts)
	wildcards := panel("With wildcards: /*one*two*three$", "Wildcards", benchmarks.WildcardCounts)
	figure := chart.Figure{
		Title: "What a question costs when rules get more",
		Text:  lineText(literals) + " " + lineText(wildcards),
		Note:  signature + "growth.md. Parsed once, agent resolved once; grobotstxt keeps no parsed form.",
	}
	return r.write("growth.svg", string(figure.Draw(literals, wildcards)))
}

func (r *report) worstExtra() error {
	rule := chart.Bars{Title: "Slowest of six hostile rules, alone", X: "time for a question, less is better", Log: true, Tick: round, Label: duration}
	file := chart.Bars{Title: "490 KB of 10,650 hostile rules", X: rule.X, Log: true, Tick: round, Label: duration}
	for _, p := range peers.All() {
		slowest := 0.0
		for _, result := range r.results["WorstRule"] {
			slowest = max(slowest, result.Row(p.Name).Fastest())
		}
		rule.Bars = append(rule.Bars, chart.Bar{Name: short(p.Name), Color: palette(p.Name), Value: slowest})
		whole := r.results["WorstFile"][0].Row(p.Name).Fastest()
		file.Bars = append(file.Bars, chart.Bar{Name: short(p.Name), Color: palette(p.Name), Value: whole})
		if p.Name == peers.Ours {
			for _, result := range r.results["WorstFile"] {
				whole = max(whole, result.Row(p.Name).Fastest())
			}
			file.Bars = append(file.Bars, chart.Bar{Name: p.Name + ", worst path", Color: palette(p.Name), Value: whole})
		}
	}
	figure := chart.Figure{
		Title: "What a hostile file can cost: one path of 2,000 bytes",
		Text:  barText(rule) + " " + barText(file),
		Note:  signature + "worst.md. To the right a path without a b; worst path: for us, of three.",
	}
	return r.write("worst.svg", string(figure.DrawBars(rule, file)))
}

// round writes the powers of ten of an axis: 10 ns, 1 µs.
func round(ns float64) string {
	unit := []string{"ns", "µs", "ms", "s"}
	i := 0
	for ns > 999 && i < len(unit)-1 {
		ns /= 1000
		i++
	}
	return strconv.FormatFloat(ns, 'f', 0, 64) + " " + unit[i]
}

// barText and lineText tell a panel in words.
func barText(b chart.Bars) string {
	text := b.Title + ", " + b.X + ":"
	for i, bar := range b.Bars {
		text += fmt.Sprintf("%s %s %s", separator(i), bar.Name, b.Label(bar.Value))
	}
	return text + "."
}

func lineText(l chart.Lines) string {
	text := l.Title + ", time for a question with the fewest and the most rules:"
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
