package fetch

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/golden"
)

// The texts of the tables for people, which only docs/policies.md and "robots policy" contain.
var (
	effectTexts = [...]string{"disallow all", "allow all", "the file's rules", "the copy's rules", "unknown", "allow all if the site answers other requests, else disallow all"}
	sourceTexts = [...]string{"Google's documentation page", "RFC 9309", "newer wording of Google's page", "Koster's 1996 draft", "nothing: only evidence allows"}
)

const (
	faultText    = "fault"
	policiesPage = `# Policies

A policy defines what each response to a request for robots.txt means, and what applies while robots.txt
is unreachable. For example, a 404 allows all URLs, and a 503 usually none. Choose one with ` + "`--policy`" + ` or
` + "`fetch.Config.Policy`" + `; the default is ` + "`google`" + `. ` + "`robots policy google`" + ` prints the column of one policy.
The flag ` + "`--not-found-pages`" + ` sets ` + "`fetch.Config.NotFoundPage`" + `.
` + "`go generate ./fetch`" + ` writes this page from the client's data.

`
	afterStatuses = `
A fault means that robots.txt is unreachable. A fresh copy then applies, or else:

`
	afterOutages = `
Redirects, and how long a file is fresh:

`
)

// TestPoliciesInDocs checks that docs/policies.md, and the tables that "robots policy" prints,
// contain the client's data. "go generate ./fetch" writes the files.
func TestPoliciesInDocs(t *testing.T) {
	tables := tableOf(statusRows()) + afterStatuses + tableOf(outageRows()) + afterOutages + tableOf(timeRows()) +
		fmt.Sprintf(`
Any answer other than a file is fresh for at most %s. After a fault, the client retries after %s. It doubles the wait
each time, up to %s (%s after a 503), and varies it by up to a fifth. A longer Retry-After replaces the
wait, up to %s. After %s without an attempt, the next fault starts a new outage.
`, period(noFileFresh), period(firstWait), period(lastWait), period(last503), period(day), period(outageGap))
	golden.Check(t, *update, "../docs/policies.md", []byte(policiesPage+tables), "go generate ./fetch")
	golden.Check(t, *update, "../cmd/robots/policies.txt", []byte(tables), "go generate ./fetch")
}

func headed(first string) [][]string {
	row := []string{first}
	for _, p := range Policies() {
		row = append(row, p.String())
	}
	return [][]string{row}
}

func eachPolicy(first string, value func(Policy) string) []string {
	row := []string{first}
	for _, p := range Policies() {
		row = append(row, value(p))
	}
	return row
}

// statusRows has a row for the statuses that have the same note and, under every policy, the same
// effect.
func statusRows() [][]string {
	rows := headed("response")
	notes := []string{""}
	add := func(codes, note string, value func(Policy) string) {
		row := eachPolicy(codes, value)
		for i := range rows {
			if notes[i] == note && slices.Equal(rows[i][1:], row[1:]) {
				rows[i][0] += ", " + codes
				return
			}
		}
		rows = append(rows, row)
		notes = append(notes, note)
	}
	addRanges := func(protocol string, ranges []statusRange) {
		for _, r := range ranges {
			codes := fmt.Sprintf("%s%d–%d", protocol, r.first, r.last)
			if r.first == r.last {
				codes = fmt.Sprintf("%s%d", protocol, r.first)
			}
			add(codes, r.note, func(p Policy) string {
				if protocol == "" && r.class != classRedirect && p.follows(r.first) {
					return "the target, else " + effectText(p, r.class)
				}
				return effectText(p, r.class)
			})
			if r.first == http.StatusInternalServerError {
				add(notFoundPages, "", notFoundPageText)
			}
		}
	}
	addRanges("", statuses)
	addRanges("FTP ", ftpStatuses)
	add("other FTP replies", "", func(p Policy) string { return effectText(p, classUnreachable) })
	add("none", "DNS, connection, TLS, timeout, a truncated or invalid response",
		func(p Policy) string { return effectText(p, classUnreachable) })
	add("none", "the address guard refuses the address, and no request is sent",
		func(p Policy) string { return "a fresh copy, else " + effectText(p, classRefused) })
	add("none", "no free descriptor, route or resolver on this machine",
		func(p Policy) string { return "a fresh copy, else " + effectText(p, classLocal) })
	for i, note := range notes {
		if note != "" {
			rows[i][0] += ": " + note
		}
	}
	return rows
}

// notFoundPages are the responses that Config.NotFoundPage reads as 404. "robots policy" looks for the
// end of the row's name.
const notFoundPages = `500–502, 504–599 if the page says "not found", with --not-found-pages`

func notFoundPageText(p Policy) string {
	if !(&Client{config: Config{Policy: p, NotFoundPage: LooksNotFound}}).terms().NotFound {
		return faultText + ": " + p.String() + " takes no page as evidence"
	}
	return effectText(p, classUnavailable)
}

func effectText(p Policy, c class) string {
	switch {
	case c == classRedirect:
		return "the target"
	case c == classFile && policies[p.index()].onEvidence:
		return "the file's rules; a fault if it is a web page or not text"
	case p.isFault(c):
		return faultText
	}
	return effectTexts[p.effectOf(c)]
}

// outageRows has two rows for each period of an outage: with and without a copy.
func outageRows() [][]string {
	rows := headed("unreachable for")
	for _, o := range slices.Backward(outages) {
		rows = append(rows,
			eachPolicy(o.name+", with an expired copy", func(p Policy) string {
				text := effectTexts[o.copy[p.index()]]
				if policies[p.index()].onEvidence {
					text += " until " + period(evidenceLasts) + " after its fetch, then " + effectTexts[o.nocopy[p.index()]]
				}
				return text
			}),
			eachPolicy(o.name+", without a copy", func(p Policy) string { return effectTexts[o.nocopy[p.index()]] }))
	}
	return rows
}

func timeRows() [][]string {
	lost := func(tooMany bool) func(Policy) string {
		return func(p Policy) string {
			if p.loses(tooMany) {
				return faultText
			}
			return "like 404"
		}
	}
	return append(headed("property"),
		eachPolicy("follows", func(p Policy) string { return sourceTexts[p] }),
		eachPolicy("redirects, by default", func(p Policy) string {
			most, _ := p.Redirects()
			return fmt.Sprint(most)
		}),
		eachPolicy("one redirect more", lost(true)),
		eachPolicy("a redirect without a usable Location", lost(false)),
		eachPolicy("a file is fresh for", func(p Policy) string { return period(policies[p].freshness.normal) }),
		eachPolicy("or as headers state, from", func(Policy) string { return period(minFresh) }),
		eachPolicy("to", func(p Policy) string { return period(policies[p].freshness.max) }))
}

func tableOf(rows [][]string) string {
	var b strings.Builder
	for n, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if n == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// period formats a duration in the largest unit that divides it. It writes 24
// hours for a single day.
func period(d time.Duration) string {
	n, unit := d/time.Second, "second"
	switch {
	case d%day == 0 && d > day:
		n, unit = d/day, "day"
	case d%time.Hour == 0:
		n, unit = d/time.Hour, "hour"
	case d%time.Minute == 0:
		n, unit = d/time.Minute, "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
