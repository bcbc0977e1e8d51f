package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// goal is a limit that the project sets itself, and the results.
type goal struct {
	what      string
	atLeast   bool // otherwise at most
	must, aim float64
	format    func(float64) string
	reached   []*benchmarks.Spread // of each set, or one for all; nil if not measured
	page      string
}

// verdict compares a result with the limits. A limit that is not a number does
// not apply.
func (g goal) verdict(reached *benchmarks.Spread) string {
	if reached == nil {
		return "not measured"
	}
	met := func(target float64) bool {
		if g.atLeast {
			return reached.Median >= target
		}
		return reached.Median <= target
	}
	none := math.IsNaN(g.must)
	switch {
	case !none && !met(g.must):
		return missed
	case met(g.aim):
		return "aim"
	case none:
		return "aim missed"
	}
	return "must"
}

// isMissed reports whether the goal is missed for any set.
func (g goal) isMissed() bool {
	return slices.ContainsFunc(g.reached, func(s *benchmarks.Spread) bool { return g.verdict(s) == missed })
}

const missed = "**missed**"

// limit formats must or aim.
func (g goal) limit(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case g.atLeast:
		return "≥ " + g.format(v)
	}
	return "≤ " + g.format(v)
}

// cells returns a result with its quartiles, and the verdict.
func (g goal) cells(reached *benchmarks.Spread) []string {
	if reached == nil {
		return []string{"–", g.verdict(nil)}
	}
	text := g.format(reached.Median)
	if reached.Rounds > 1 {
		text += fmt.Sprintf(" (%s – %s)", g.format(reached.Low), g.format(reached.High))
	}
	return []string{text, g.verdict(reached)}
}

// goals writes the table to goals.md, and to README.md between the marks.
func (r *report) goals() error {
	r.body.Reset()
	columns := []string{"goal", "must", "aim"}
	for _, s := range r.sets {
		columns = append(columns, "reached, "+s.Name, "")
	}
	r.header(append(columns, "page"))
	goals := r.goalList()
	for _, g := range goals {
		cells := []string{g.what, g.limit(g.must), g.limit(g.aim)}
		for i := range r.sets {
			if i < len(g.reached) {
				cells = append(cells, g.cells(g.reached[i])...)
			} else {
				cells = append(cells, "", "")
			}
		}
		r.row(append(cells, "`"+g.page+"`"))
	}
	r.explain(goals)
	table := r.body.String()
	r.faster()
	if err := r.write("goals.md", "# Goals\n\n"+r.head("")+r.body.String()); err != nil {
		return err
	}
	if r.out != "results" {
		return nil
	}
	return embed("README.md", table)
}

// faster lists the contests in which a peer is faster than this project. Equal
// times differ by some percent from run to run, so smaller differences are left
// out.
func (r *report) faster() {
	const clearly = 0.97
	r.body.WriteString("\n## Where a peer is faster\n\nAll contests in which a peer takes less than 0.97 of this project's time. Entries in which a " +
		"peer has nothing prepared are compared with the first 63 queries.\n\n")
	r.header([]string{"experiment, contest", "peer", "its time to ours"})
	rows := 0
	for _, e := range r.experiments {
		for _, result := range r.results[e.Name] {
			for _, row := range result.Rows {
				ours := peers.Ours
				if strings.HasSuffix(row.Name, benchmarks.NoMatcher) {
					ours = benchmarks.First63
				}
				if !r.isPeer(row.Name) || result.Row(ours) == nil {
					continue
				}
				if s := result.Ratio(row.Name, ours); s.Median < clearly {
					rows++
					r.row([]string{e.Title + ", " + result.Contest.Name, row.Name, ratioText(s)})
				}
			}
		}
	}
	if rows == 0 {
		r.row([]string{"none", "", ""})
	}
}

// isPeer reports whether an entry is a peer. Others, such as the line scan, are
// measured as a reference.
func (r *report) isPeer(entry string) bool {
	for _, p := range r.shown()[1:] {
		if strings.TrimSuffix(entry, benchmarks.NoMatcher) == p.name {
			return true
		}
	}
	return false
}

// The table in README.md is between these marks.
const (
	openMark  = "<!-- goals, written by go run ./report -->\n"
	closeMark = "<!-- end of goals -->\n"
)

func embed(file, table string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, opened := strings.Cut(string(text), openMark)
	_, after, closed := strings.Cut(rest, closeMark)
	if !opened || !closed {
		return fmt.Errorf("%s: the marks of the goals are missing", file)
	}
	return os.WriteFile(file, []byte(before+openMark+"\n"+table+"\n"+closeMark+after), 0o644)
}
