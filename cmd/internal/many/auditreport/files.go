package auditreport

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/lint"
)

// plainBars fills a figure with one bar for each count. label returns the words of the ith.
func plainBars(f figure, of int, counts []int, label func(i int) (text, under string)) figure {
	if f.Heads == nil {
		f.Heads = []string{"files"}
	}
	most := slices.Max(append(counts, 0))
	for i, n := range counts {
		text, under := label(i)
		f.Rows = append(f.Rows, row{
			Label: text, Under: under, Bars: bar(most, part{Class: "name", W: float64(n), Words: shareOf(n, of)}),
			Cells: []string{shareOf(n, of)},
		})
	}
	return f
}

// maxBars is plainBars for the highest counts, in descending order.
func maxBars[K cmp.Ordered](f figure, of int, counts map[K]int, most int, label func(K) (text, under string)) figure {
	keys := audit.MostFirst(counts)[:min(len(counts), most)]
	var numbers []int
	for _, key := range keys {
		numbers = append(numbers, counts[key])
	}
	return plainBars(f, of, numbers, func(i int) (text, under string) { return label(keys[i]) })
}

func (r *reporter) statuses() figure {
	of := audit.Sum(r.Statuses)
	return maxBars(figure{
		ID: "statuses", Title: "HTTP statuses", Label: "status", Heads: []string{string(r.By) + "s"}, Of: "Of " + r.many(of) + " with a status" + inCrawl(r.Summary) + ".", Text: "The status of the answer that decides. A full bar is the most frequent one.",
	}, of, r.Statuses, len(r.Statuses), func(status int) (string, string) { return strconv.Itoa(status), "" })
}

func (r *reporter) lines() figure {
	return maxBars(figure{
		ID: "lines", Title: "Other lines", Label: "line", Of: "Of " + r.many(r.Read) + " with a file of any kind" + inCrawl(r.Summary) + ".",
		Text: "Files with such a line. A full bar is the most frequent one.",
	}, r.Read, r.Signals, len(r.Signals), func(name string) (string, string) { return name, "" })
}

// shownMistakes is the number of kinds of findings in the report.
const shownMistakes = 20

func (r *reporter) mistakes() figure {
	return maxBars(figure{
		ID: "mistakes", Title: "The commonest mistakes", Label: "finding of the linter", Of: "Of " + r.many(r.Linted) + " with a file of any kind that was checked" + inCrawl(r.Summary) + ".",
		Text: "Files with at least one such finding. A full bar is the most frequent one.",
	}, r.Linted, r.Codes, shownMistakes, func(code string) (string, string) {
		title := code
		if entry, ok := lint.About(lint.Code(code)); ok {
			title = entry.Title
		}
		return term.Escape(title), term.Escape(code)
	})
}

func (r *reporter) sizes() figure {
	if r.Read == 0 {
		return figure{}
	}
	labels := []string{"0 bytes"}
	for i := 1; i < len(audit.SizeLimits); i++ {
		labels = append(labels, fmt.Sprintf("%s to %s bytes", term.Thousands(int(audit.SizeLimits[i-1])+1),
			term.Thousands(int(audit.SizeLimits[i]))))
	}
	labels = append(labels, "more than "+term.Thousands(int(audit.SizeLimits[len(audit.SizeLimits)-1]))+" bytes")
	text := "A full bar is the most frequent size."
	if r.Cut > 0 {
		text += " " + term.Count(r.Cut, "file is", "files are") + " longer than the limit and were read up to it."
	}
	return plainBars(figure{
		ID: "sizes", Title: "Sizes", Label: "size", Of: "Of " + r.many(r.Read) + " with a file of any kind" + inCrawl(r.Summary) + ".", Text: text,
	}, r.Read, r.Sizes[:], func(i int) (string, string) { return labels[i], "" })
}

func (r *reporter) ranked(id, title, text, count string, list []audit.Ranked) figure {
	f := figure{ID: id, Title: title, Text: text + inCrawl(r.Summary) + ".", Label: "site", Heads: []string{count}}
	for _, file := range list {
		f.Rows = append(f.Rows, row{Label: shortened(file.Site), Cells: []string{term.Thousands(file.Count)}})
	}
	return f
}

// shortened returns text from an input, safe to show and not too long.
func shortened(text string) string { return term.ClipMiddle(term.Escape(text), 70) }
