package visits

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// maxNamed is the number of crawlers that the answer names.
const maxNamed = 5

// Answer returns the escaped sentences that answer the usual questions: who disobeyed, how much of the traffic AI
// crawlers are, which visits are withheld and what would settle them, and what was stated.
func Answer(v *wire.Visits) (answer []string) {
	if isJudged(v) {
		answer = append(answer, whoDisobeyed(v, len(v.Crawlers)))
	}
	if share := shareOfAI(v); share != "" {
		answer = append(answer, share)
	}
	if isJudged(v) {
		answer = append(answer, withheld(v)...)
	}
	answer = append(answer, ageOfLists(v)...)
	if len(v.Stated) > 0 {
		answer = append(answer, "Stated: "+strings.Join(escapedAll(v.Stated), "; "))
	}
	return answer
}

// summary returns the sentences of evidence about the whole logs. It is for readers who have only the evidence, so
// it has no advice, and no lines that are not there.
func summary(v *wire.Visits) (sentences []string) {
	if total, reasons := countWithheld(v); total > 0 {
		sentences = append(sentences, fmt.Sprintf("%s not among them, because nothing shows that they disobeyed (%s)",
			term.Count(int(total), "other visit is", "other visits are"), strings.Join(reasons, ", ")))
	}
	return append(sentences, ageOfLists(v)...)
}

// countWithheld returns how many visits lack a premise, and how many lack which.
func countWithheld(v *wire.Visits) (total int64, reasons []string) {
	for _, w := range v.Withheld {
		total += w.Visits
		reasons = append(reasons, withheldWords[w.Why]+" "+thousands(w.Visits))
	}
	return total, reasons
}

func escapedAll(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, term.Escape(text))
	}
	return all
}

// whoDisobeyed names the crawlers that disobeyed, of those that came.
func whoDisobeyed(v *wire.Visits, came int) string {
	var disobeyed []wire.VisitCrawler
	for _, c := range v.Crawlers {
		if c.Results["disobeyed"] > 0 {
			disobeyed = append(disobeyed, c)
		}
	}
	if len(disobeyed) == 0 {
		isOpen := func(c wire.VisitCrawler) bool {
			return c.Results["unproved"]+c.Results["old-copy"]+c.Results["not-judged"] > 0
		}
		if slices.ContainsFunc(v.Crawlers, isOpen) {
			return "No crawler is shown to have disobeyed"
		}
		return "No crawler disobeyed"
	}
	slices.SortFunc(disobeyed, func(a, b wire.VisitCrawler) int {
		return cmp.Or(cmp.Compare(b.Results["disobeyed"], a.Results["disobeyed"]), strings.Compare(a.Crawler, b.Crawler))
	})
	var names []string
	for i, c := range disobeyed[:min(len(disobeyed), maxNamed)] {
		name := term.Escape(c.Crawler) + " " + thousands(c.Results["disobeyed"])
		if i == 0 {
			name = term.Escape(c.Crawler) + " " + term.Count(int(c.Results["disobeyed"]), "visit", "visits")
		}
		names = append(names, name)
	}
	if more := len(disobeyed) - maxNamed; more > 0 {
		names = append(names, term.Count(more, "other", "others"))
	}
	return fmt.Sprintf("%d of %s disobeyed: %s", len(disobeyed), term.Count(came, "crawler", "crawlers"), strings.Join(names, ", "))
}

// shareOfAI returns how much of the requests and bytes is for senders who name crawlers whose main purpose is AI.
func shareOfAI(v *wire.Visits) string {
	if v.Share == nil || v.Share.AIRequests == 0 {
		return ""
	}
	text := "In AI crawlers' names: " + percent(v.Share.AIRequests, v.Share.Requests) + " of requests"
	if v.Share.Bytes > 0 {
		text += ", " + percent(v.Share.AIBytes, v.Share.Bytes) + " of bytes"
	}
	return text
}

func percent(part, whole int64) string {
	share := 100 * float64(part) / float64(whole)
	if share > 0 && share < 1 {
		return "less than 1%"
	}
	return fmt.Sprintf("%.0f%%", min(share, 100))
}

// maxGaps is the number of periods without lists that the answer names.
const maxGaps = 3

// ageOfLists returns when the lists were read, and on which days of visits they were not.
func ageOfLists(v *wire.Visits) []string {
	last, known := lastList(v)
	if !known {
		return nil
	}
	text := "Lists: last read on " + last.UTC().Format("2 January")
	if len(v.ListGaps) == 0 && len(v.Days) > 1 {
		text = "Lists: read daily, last on " + last.UTC().Format("2 January")
	}
	var gaps []string
	left := 0
	var from, to time.Time
	end := func() {
		switch {
		case from.IsZero():
		case len(gaps) < maxGaps:
			gaps = append(gaps, dates(from, to))
		default:
			left += int(to.Sub(from)/(24*time.Hour)) + 1
		}
	}
	for _, text := range v.ListGaps {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			continue
		}
		if from.IsZero() || day.Sub(to) > 24*time.Hour {
			end()
			from = day
		}
		to = day
	}
	end()
	if left > 0 {
		gaps = append(gaps, "and "+term.Count(left, "other day", "other days"))
	}
	if len(gaps) > 0 {
		text += "; none on " + strings.Join(gaps, ", ")
	}
	return []string{text}
}

// lastList returns when a list was read last.
func lastList(v *wire.Visits) (last time.Time, known bool) {
	for _, l := range v.Lists {
		if l.Date.After(last) {
			last = l.Date
		}
	}
	return last, !last.IsZero()
}

// hint is what the user can do about a premise that is not shown. now might settle visits of these logs, and later
// helps only for visits that are still to come.
type hint struct{ now, later string }

var hints = map[string]hint{
	"site":     {"a single --site states that the server has no other site, if no line of the log has a host", "log the requested host"},
	"slow":     {"", "log $request_time, or the time of the request"},
	"no-query": {"give --map query= if a field has the queries", "log the queries"},
	"decoded":  {"", "log the request line"},
	"list-far": {"", "fetch the lists daily"},
	"outage": {"give --no-site-cache only if neither a CDN nor any other cache answers for your site; a wrong statement " +
		"accuses crawlers that obeyed", ""},
	"refused": {"", "let crawlers fetch robots.txt, unless the crawler's own requests were malformed or blocked for " +
		"another reason: see the line"},
	"redirected":   {"", "serve robots.txt without a redirect"},
	"unknown-copy": {"add earlier files with robots history import", "let robots watch keep a history"},
	"reading":      {"", "put Disallow before Allow, and write no empty lines in groups and no * in paths"},
}

// hintOf returns the hint about a reason why visits are withheld.
func hintOf(v *wire.Visits, why string) string {
	h := hints[why]
	switch {
	case why == "logs-begin" && v.LogsFrom != nil:
		h.now = "give logs from " + v.LogsFrom.UTC().Format("2 January 15:04") +
			"; --logs-since states from when on the logs have all requests"
	case why == "logs-gap":
		h.now = "give the logs of " + gapsOf(v) + "; --logs-since states that none are missing"
	case why == "site" && len(v.Sites) > 1:
		h.now = "" // several are named
	}
	switch {
	case h.later == "":
		return h.now
	case h.now == "":
		return "for later visits, " + h.later
	}
	return h.now + "; for later visits, " + h.later
}

// gapsOf names the times without logs.
func gapsOf(v *wire.Visits) string {
	const minute = "2 January 15:04"
	var gaps []string
	for _, gap := range v.LogGaps[:min(len(v.LogGaps), maxGaps)] {
		gaps = append(gaps, gap.From.UTC().Format(minute)+" to "+gap.To.UTC().Format(minute))
	}
	if more := len(v.LogGaps) - maxGaps; more > 0 {
		gaps = append(gaps, "and "+term.Count(more, "other time", "other times"))
	}
	return strings.Join(gaps, ", ")
}

func withheld(v *wire.Visits) (lines []string) {
	total, reasons := countWithheld(v)
	if total == 0 {
		return nil
	}
	might := term.Count(int(total), "visit", "visits") + " might have:"
	if slices.ContainsFunc(v.Crawlers, func(c wire.VisitCrawler) bool { return c.Results["disobeyed"] > 0 }) {
		might = term.Count(int(total), "more visit", "more visits") + " might have:"
	}
	lines = append(lines, might)
	for i, w := range v.Withheld {
		line := "  " + reasons[i]
		if w.Log != "" {
			line += fmt.Sprintf(" (line %d of %s)", w.Line, term.Escape(w.Log))
		}
		if hint := hintOf(v, w.Why); hint != "" {
			line += ": " + hint
		}
		lines = append(lines, line)
	}
	return lines
}
