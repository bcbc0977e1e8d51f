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
		if crawl.sources.isWithoutRest {
			warnings = append(warnings, fmt.Sprintf("a table of %s has no column \"rest\", so a change from mostly open to mostly closed is not counted for its sites; audit its files again", labels[i]))
		}
	}
	slices.Sort(warnings)
	return warnings
}

// warnOfNames warns of sites that name a crawler in one crawl, and in the other one have a group to which it falls
// back, if the table of the first might call such a group by the same word.
func (r *Comparison) warnOfNames(crawls [2]*Crawl) {
	for i, crawl := range crawls {
		var names []string
		for name, change := range r.Crawlers {
			if change.fallback[i] {
				names = append(names, name)
			}
		}
		if !crawl.sources.isWithoutFallback || len(names) == 0 {
			continue
		}
		slices.Sort(names)
		r.Warnings = append(r.Warnings, fmt.Sprintf("a table of %s might be of a version that said that a file names a crawler even if the crawler only falls back to a group for another one: this might cause some of the sites \"%s\" of %s; audit its files again",
			term.Escape(crawl.Label), [2]string{"no longer named", "named now"}[i], term.First(names, 5)))
	}
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
