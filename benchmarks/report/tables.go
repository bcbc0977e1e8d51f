package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

func (r *report) experiment(e benchmarks.Experiment) {
	fmt.Fprintf(&r.body, "## %s\n\n%s\n\n", e.Title, e.About)
	results := r.results[e.Name]
	switch {
	case e.Tall:
		r.tall(results, e.Unit)
		return
	case e.Matrix:
		r.matrix(results, e.Unit)
		return
	}
	for _, result := range results {
		fmt.Fprintf(&r.body, "### %s\n\n", sentence(result.Contest.Name))
		r.detail(result, e.Unit)
	}
}

// detail writes the table of one contest, with an entry in each row.
func (r *report) detail(result *benchmarks.Result, unit string) {
	c := result.Contest
	columns := []string{"", "time/" + unit}
	if c.Bytes > 0 {
		columns = append(columns, "MB/s")
	}
	columns = append(columns, "ratio to "+c.Base, "allocations/"+unit, "B allocated/"+unit, "rounds", "")
	r.header(columns)
	for _, row := range result.Rows {
		cells := []string{name(row.Name), duration(row.Fastest())}
		if c.Bytes > 0 {
			cells = append(cells, number(float64(c.Bytes)/float64(c.Ops)*1e3/row.Fastest()))
		}
		ratio := ""
		if row.Name != c.Base {
			ratio = ratioText(result.Ratio(row.Name, c.Base))
		}
		allocs, bytes := number(row.Allocs), number(row.Bytes)
		if row.Self {
			allocs, bytes = "–", "–"
		}
		cells = append(cells, ratio, allocs, bytes, fmt.Sprint(len(row.NS)), row.Note)
		r.row(cells)
	}
	r.body.WriteString("\n")
}

// entries returns the names of all entries of some contests.
func entries(results []*benchmarks.Result) (names []string) {
	for _, result := range results {
		for _, row := range result.Rows {
			if !slices.Contains(names, row.Name) {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

// tall writes a table with a contest in each row. Each cell has the time and its ratio
// to the base's time.
func (r *report) tall(results []*benchmarks.Result, unit string) {
	entries := entries(results)
	columns := []string{"time/" + unit + ", ratio"}
	for _, entry := range entries {
		columns = append(columns, name(entry))
	}
	r.header(columns)
	for _, result := range results {
		cells := []string{result.Contest.Name}
		for _, entry := range entries {
			row := result.Row(entry)
			switch {
			case row == nil:
				cells = append(cells, "–")
			case entry == result.Contest.Base:
				cells = append(cells, duration(row.Fastest()))
			default:
				cells = append(cells, duration(row.Fastest())+", "+number(result.Ratio(entry, result.Contest.Base).Median)+" ×")
			}
		}
		r.row(cells)
	}
	r.body.WriteString("\n")
}

// matrix writes two tables with a contest in each column: times and ratios.
func (r *report) matrix(results []*benchmarks.Result, unit string) {
	columns := []string{"time/" + unit}
	entries := entries(results)
	for _, result := range results {
		columns = append(columns, "`"+result.Contest.Name+"`")
	}
	cells := func(heading string, cell func(*benchmarks.Result, *benchmarks.Row) string) {
		r.header(append([]string{heading}, columns[1:]...))
		for _, entry := range entries {
			line := []string{name(entry)}
			for _, result := range results {
				text := "–"
				if row := result.Row(entry); row != nil {
					text = cell(result, row)
				}
				line = append(line, text)
			}
			r.row(line)
		}
		r.body.WriteString("\n")
	}
	cells("time/"+unit, func(_ *benchmarks.Result, row *benchmarks.Row) string { return duration(row.Fastest()) })
	cells("ratio to "+peers.Ours, func(result *benchmarks.Result, row *benchmarks.Row) string {
		if row.Name == result.Contest.Base {
			return "1"
		}
		return ratioText(result.Ratio(row.Name, result.Contest.Base))
	})
}

func (r *report) header(columns []string) {
	r.row(columns)
	r.body.WriteString("|---" + strings.Repeat("|---:", len(columns)-1) + "|\n")
}

func (r *report) row(cells []string) {
	r.body.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// name writes the rows of this project in bold.
func name(entry string) string {
	if strings.HasPrefix(entry, peers.Ours) {
		return "**" + entry + "**"
	}
	return entry
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// ratioText formats a median with its quartiles, or a single ratio.
func ratioText(s benchmarks.Spread) string {
	if s.Rounds == 1 {
		return number(s.Median)
	}
	return fmt.Sprintf("%s (%s–%s)", number(s.Median), number(s.Low), number(s.High))
}

// duration formats nanoseconds with three digits and a suitable unit.
func duration(ns float64) string {
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= unit.ns {
			return number(ns/unit.ns) + " " + unit.name
		}
	}
	return number(ns) + " ns"
}

// number formats a value with three significant digits; values of 1,000 and more
// have all digits before the point, values below 1 two after it.
func number(v float64) string {
	switch {
	case v >= 999.5:
		return thousands(v)
	case v >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case v < 0.005:
		return "0"
	}
	return fmt.Sprintf("%.2f", v)
}

func thousands(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
