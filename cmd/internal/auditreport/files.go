package auditreport

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

// plainBars fills a figure with one bar for each count.
func plainBars(f figure, of int, labels []string, counts []int) figure {
	if f.Heads == nil {
		f.Heads = []string{"files"}
	}
	most := slices.Max(append(counts, 0))
	for i, n := range counts {
		f.Rows = append(f.Rows, row{Label: labels[i], Bars: bar(most, part{Class: "name", W: float64(n), Words: shareOf(n, of)}), Cells: []string{shareOf(n, of)}})
	}
	return f
}

func (r *reporter) statuses() figure {
	var labels []string
	var counts []int
	for _, status := range audit.MostFirst(r.Statuses) {
		labels, counts = append(labels, strconv.Itoa(status)), append(counts, r.Statuses[status])
	}
	of := audit.Sum(r.Statuses)
	return plainBars(figure{
		ID: "statuses", Title: "HTTP statuses", Label: "status", Of: "Of " + r.many(of) + " with a status.", Text: "A full bar is the most frequent status.",
	}, of, labels, counts)
}

func (r *reporter) lines() figure {
	var labels []string
	var counts []int
	for _, name := range audit.MostFirst(r.Signals) {
		labels, counts = append(labels, name), append(counts, r.Signals[name])
	}
	return plainBars(figure{
		ID: "lines", Title: "Other lines", Label: "line", Of: "Of " + r.many(r.Read) + " with a file of any kind.",
		Text: "Files with such a line. A full bar is the most frequent one.",
	}, r.Read, labels, counts)
}

// shownMistakes is how many kinds of findings the report has.
const shownMistakes = 20

func (r *reporter) mistakes() figure {
	var labels, codes []string
	var counts []int
	for _, code := range audit.MostFirst(r.Codes)[:min(len(r.Codes), shownMistakes)] {
		title := code
		if entry, ok := lint.About(lint.Code(code)); ok {
			title = entry.Title
		}
		labels, counts, codes = append(labels, term.Escape(title)), append(counts, r.Codes[code]), append(codes, term.Escape(code))
	}
	f := plainBars(figure{
		ID: "mistakes", Title: "The commonest mistakes", Label: "finding of the linter", Of: "Of " + r.many(r.Linted) + " with a file of any kind that was checked.",
		Text: "Files with at least one such finding. A full bar is the most frequent one.",
	}, r.Linted, labels, counts)
	for i := range f.Rows {
		f.Rows[i].Under = codes[i]
	}
	return f
}

func (r *reporter) sizes() figure {
	if r.Read == 0 {
		return figure{}
	}
	labels := []string{"0 bytes"}
	for i := 1; i < len(audit.SizeLimits); i++ {
		labels = append(labels, fmt.Sprintf("%s to %s bytes", term.Thousands(int(audit.SizeLimits[i-1])+1), term.Thousands(int(audit.SizeLimits[i]))))
	}
	labels = append(labels, "more than "+term.Thousands(int(audit.SizeLimits[len(audit.SizeLimits)-1]))+" bytes")
	text := "A full bar is the most frequent size."
	if r.Cut > 0 {
		text += " " + term.Count(r.Cut, "file is", "files are") + " longer than the limit and were read up to it."
	}
	return plainBars(figure{
		ID: "sizes", Title: "Sizes", Label: "size", Of: "Of " + r.many(r.Read) + " with a file of any kind.", Text: text,
	}, r.Read, labels, r.Sizes[:])
}

func ranked(id, title, text, count string, list []audit.Ranked) figure {
	f := figure{ID: id, Title: title, Text: text, Label: "site", Heads: []string{count}, Words: true}
	for _, r := range list {
		f.Rows = append(f.Rows, row{Label: shortened(r.Site), Cells: []string{term.Thousands(r.Count)}})
	}
	return f
}

// shortened returns text from an input, safe to show and not too long.
func shortened(text string) string { return term.ClipMiddle(term.Escape(text), 70) }
