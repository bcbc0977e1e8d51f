package auditreport

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/past"
)

// The limits of a page about a history.
const (
	maxBands = 400 // spans, the latest ones
	maxPaths = 5   // paths of a change
)

var certaintyKeys = []key{
	{"name", "proved or presumed: observed, or between equal observations"}, {"star", "the same for each later version; the colours alternate"},
	{"partly", "possible: between different observations, either can apply"}, {"unknown", "unknown"},
}

// WriteHistory writes the history of a site: its versions as bands of the time, with the
// paths that each opened and closed. If w fails, WriteHistory returns w's error.
func WriteHistory(w io.Writer, h *wire.History, created time.Time) error {
	spans := observedTime(h.Spans)
	left := max(0, len(spans)-maxBands)
	spans = spans[left:]
	site := term.Escape(h.Site)
	var m page
	m.begin("The robots.txt of " + site)
	m.Print("<header>\n<h1>The robots.txt of <bdi>%s</bdi></h1>\n<p class=\"weak\">Its history, written by <code>robots history</code>, %s. All times are UTC.</p>\n</header>\n<main>\n",
		site, created.UTC().Format("2 January 2006, 15:04 UTC"))
	if left > 0 {
		m.Print("<p>%s before these are not shown.</p>\n", term.Count(left, "interval", "intervals"))
	}
	bands := bandsOf(spans)
	all := figure{
		ID: "bands", Title: "Versions", Keys: certaintyKeys, Label: "time", Heads: []string{"what the site answered", "what this opened and closed"}, Classes: "ww",
		Rows: []row{{Label: "all", Bars: []labelledBar{{Parts: bands}}, Cells: []string{"", ""}}},
	}
	for i, s := range spans {
		if s.Version == nil && !s.Dropped && (s.Certainty == "possible" || s.Certainty == "presumed") {
			continue // the band above shows it
		}
		version := ""
		if s.Version != nil {
			version = past.VersionText(s.Version)
		}
		all.Rows = append(all.Rows, row{
			Label: spanTime(s), Under: spanCertainty(s), Bars: []labelledBar{{Parts: bands[i : i+1]}},
			Cells: []string{version, changesText(s)},
		})
	}
	m.figure(&all)
	m.Print("</main>\n<footer>\n<p>An observation proves an instant. Between equal observations that are close enough, robots presumes no change. Changes are changes of meaning, proved and not sampled: comments, order and layout change nothing.</p>\n</footer>\n")
	m.end()
	_, err := io.WriteString(w, m.String())
	return err
}

// observedTime returns the spans from the first observation to the last.
func observedTime(spans []wire.HistorySpan) []wire.HistorySpan {
	for len(spans) > 0 && spans[0].Version == nil {
		spans = spans[1:]
	}
	for len(spans) > 0 && spans[len(spans)-1].Version == nil {
		spans = spans[:len(spans)-1]
	}
	return spans
}

// bandsOf returns a part of a bar for each span. The versions have two colours in turn.
func bandsOf(spans []wire.HistorySpan) []part {
	if len(spans) == 0 {
		return nil
	}
	const least = 2 // an instant is visible
	from, to := spans[0].From, spans[len(spans)-1].To
	scale := (barWidth - least) / max(1, to.Sub(from).Seconds())
	parts := make([]part, len(spans))
	versions := 0
	for i, s := range spans {
		p := part{X: s.From.Sub(from).Seconds() * scale, Words: spanTime(s) + ", " + spanCertainty(s)}
		p.W = max(least, s.To.Sub(s.From).Seconds()*scale)
		switch {
		case s.Version != nil:
			if s.Changed {
				versions++
			}
			p.Class = []string{"name", "star"}[versions%2]
			p.Words += ": " + past.VersionText(s.Version)
		case s.Certainty == "presumed": // between two versions that mean the same
			p.Class = []string{"name", "star"}[versions%2]
		case s.Certainty == "possible":
			p.Class = "partly"
		default:
			p.Class = "unknown"
		}
		parts[i] = p
	}
	return parts
}

func spanTime(s wire.HistorySpan) string {
	const layout = "2006-01-02 15:04"
	from, to := s.From.UTC().Format(layout), s.To.UTC().Format(layout)
	if from == to {
		return from
	}
	return from + " to " + to
}

func spanCertainty(s wire.HistorySpan) string {
	text := s.Certainty
	if s.Verdicts != s.Certainty {
		text += ", with the same verdicts before and after"
	}
	if s.Observations > 0 {
		text += ", " + term.Count(s.Observations, "observation", "observations") + " (" + strings.Join(s.Sources, ", ") + ")"
	}
	if s.Dropped {
		text += "; observations were dropped"
	}
	return text
}

// changesText returns the paths that a version opened and closed, a line for each change
// and path.
func changesText(s wire.HistorySpan) string {
	if s.Changed && len(s.Changes) == 0 {
		return "means the same as before"
	}
	var lines []string
	for _, c := range s.Changes {
		lines = append(lines, string(c.Gravity)+": "+term.Escape(c.Text))
		for _, p := range c.Paths[:min(len(c.Paths), maxPaths)] {
			lines = append(lines, "– "+term.Clip(term.Escape(p.Witness), 100)+": "+lineWords(p.OldLine)+", now "+lineWords(p.NewLine))
		}
		if more := c.Pairs - min(len(c.Paths), maxPaths); more > 0 {
			lines = append(lines, fmt.Sprintf("– and %d more", more))
		}
	}
	return strings.Join(lines, "\n")
}

func lineWords(n int) string {
	if n == 0 {
		return "no line decided"
	}
	return fmt.Sprintf("line %d", n)
}
