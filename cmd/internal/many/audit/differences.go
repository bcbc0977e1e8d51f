package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// differences returns sentences about the ways in which two crawls were read differently:
// crawlers in other dialects, statuses by other policies, and tables without a column.
func differences(before, after *Crawl, crawlers []common) (warnings []string) {
	names := map[[2]string][]string{}
	var order [][2]string
	for _, crawler := range crawlers {
		readings := [2]string{before.readings[crawler.at[0]], after.readings[crawler.at[1]]}
		if readings[0] == readings[1] && !strings.Contains(readings[0], "; ") {
			continue
		}
		if names[readings] == nil {
			order = append(order, readings)
		}
		names[readings] = append(names[readings], crawler.name)
	}
	labels := [2]string{term.Escape(before.Label), term.Escape(after.Label)}
	for _, readings := range order {
		warnings = append(warnings, fmt.Sprintf("%s read as %s in %s and as %s in %s: this might cause some of the changes; audit both with the same --dialect",
			wasOrWere(names[readings]), readingOrNone(readings[0]), labels[0], readingOrNone(readings[1]), labels[1]))
	}
	old, now := before.outcomes(), after.outcomes()
	for status, was := range old {
		if is, ok := now[status]; ok && is != was {
			warnings = append(warnings, fmt.Sprintf("status %d means %s in %s and %s in %s: this might cause some of the changes; audit both with the same --policy", status, was, labels[0], is, labels[1]))
		}
	}
	for i, crawl := range []*Crawl{before, after} {
		if crawl.lacksRest() {
			warnings = append(warnings, fmt.Sprintf("the tables of %s have no column \"rest\", so a change from mostly open to mostly closed is not counted; audit its files again", labels[i]))
		}
	}
	slices.Sort(warnings)
	return warnings
}

// lacksRest reports whether a table shows of no partly closed site if the rest is closed.
func (c *Crawl) lacksRest() bool {
	lacks := false
	for _, text := range c.verdicts.list {
		for _, v := range verdictsIn(text, c.census.lines) {
			switch v.Treatment {
			case MostlyOpen, MostlyClosed:
				return false // of single sites, it is not shown if the readings differ
			case PartlyClosed:
				lacks = true
			}
		}
	}
	return lacks
}

// wasOrWere begins a sentence about crawlers.
func wasOrWere(names []string) string {
	if len(names) == 1 {
		return names[0] + " was"
	}
	return term.First(names, 5) + " were"
}

func readingOrNone(reading string) string {
	if reading == "" {
		return "no dialect"
	}
	return reading
}

// outcomes returns the meaning of each status without a file in a crawl.
func (c *Crawl) outcomes() map[int32]string {
	means := map[int32]string{}
	for _, f := range c.facts.list {
		switch {
		case f.status == 0 || f.body != "":
		case f.outcome == wire.OutcomeAllowAll:
			means[f.status] = "an open site"
		case f.outcome == wire.OutcomeDisallowAll:
			means[f.status] = "a closed site"
		case f.problem == string(Redirect):
			means[f.status] = "a redirect"
		}
	}
	return means
}
