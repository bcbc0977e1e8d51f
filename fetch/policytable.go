package fetch

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

//go:generate go test -run TestPoliciesInDocs|TestJavaScriptPolicies|TestPythonPolicies -update .

// Table returns the policy as tables in Markdown: the effect of each status, what
// applies while robots.txt is unreachable, how long an answer is fresh, and when
// the client retries after a fault. The tables are generated from the data that
// the client uses.
func (p Policy) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Policy %s: %s.\n\n", p, policies[p.index()].source)
	writeTable(&b, p.statusRows())
	b.WriteString("\n")
	writeTable(&b, p.outageRows())
	f := policies[p.index()].freshness
	after := "is like a 404"
	if p.loses(true) {
		after = "means that the file is unreachable"
	}
	fmt.Fprintf(&b, "\nBy default the client follows %d redirects; one more %s.\n", policies[p.index()].redirects, after)
	fmt.Fprintf(&b, "A file is fresh for %s, or as long as Cache-Control and Expires set, from %s to %s.\nAny other answer is fresh for at most %s.\n",
		period(f.normal), period(minFresh), period(f.max), period(noFileFresh))
	fmt.Fprintf(&b, "After a fault, the client retries after %s. It doubles the wait each time, up to %s\n(%s after a 503), and varies it by up to a fifth. A longer Retry-After\nreplaces the wait, up to %s. After %s without an attempt, the next fault starts a new outage.\n",
		period(firstWait), period(lastWait), period(last503), period(day), period(outageGap))
	return b.String()
}

// statusRows returns a row for each range of statuses: its class and its effect.
func (p Policy) statusRows() [][]string {
	rows := [][]string{{"response", "meaning", "crawlers obey"}}
	add := func(protocol string, ranges []statusRange) {
		for _, r := range ranges {
			codes := fmt.Sprintf("%s%d–%d", protocol, r.first, r.last)
			if r.first == r.last {
				codes = fmt.Sprintf("%s%d", protocol, r.first)
			}
			meaning := classNames[r.class]
			if r.note != "" {
				meaning += ": " + r.note
			}
			rows = append(rows, []string{codes, meaning, p.statusConsequence(protocol, r)})
		}
	}
	add("", statuses)
	add("FTP ", ftpStatuses)
	return append(rows,
		[]string{"other FTP replies", classNames[classUnreachable], p.consequence(classUnreachable)},
		[]string{"none", classNames[classUnreachable] + ": DNS, connection, TLS, timeout, a truncated or invalid response", p.consequence(classUnreachable)},
		[]string{"address refused", classNames[classRefused] + " by the address guard: no request is sent", p.consequence(classRefused)},
		[]string{"none", classNames[classLocal] + ": no free descriptor, route or resolver on this machine", p.consequence(classLocal)})
}

// statusConsequence describes the effect of a range of statuses.
func (p Policy) statusConsequence(protocol string, r statusRange) string {
	if protocol == "" && r.class != classRedirect && p.follows(r.first) {
		return "the target; without a usable Location, " + p.consequence(r.class)
	}
	return p.consequence(r.class)
}

// consequence describes the effect of class c.
func (p Policy) consequence(c class) string {
	switch {
	case c == classRedirect && p.loses(false):
		return "the target; after too many redirects, or without a usable Location, a fresh copy, else the table below"
	case c == classRedirect && p.loses(true):
		return "the target; without a usable Location, like 404"
	case c == classRedirect:
		return "the target; after too many redirects, or without a usable Location, like 404"
	case c == classFile && policies[p.index()].onEvidence:
		return "the file's rules; if it is a web page or not text, a fresh copy, else the table below"
	case p.isFault(c):
		return "a fresh copy, else the table below"
	case c == classRefused, c == classLocal:
		return "a fresh copy, else " + effectNames[p.effectOf(c)]
	}
	return effectNames[p.effectOf(c)]
}

// outageRows returns a row for each period of an outage.
func (p Policy) outageRows() [][]string {
	copied := "with an expired copy"
	if policies[p.index()].onEvidence {
		copied = "with an expired copy, until " + period(evidenceLasts) + " after its fetch"
	}
	rows := [][]string{{"unreachable for", copied, "without a copy"}}
	for i := len(outages) - 1; i >= 0; i-- {
		o := outages[i]
		rows = append(rows, []string{o.name, effectNames[o.copy[p.index()]], effectNames[o.nocopy[p.index()]]})
	}
	return rows
}

// writeTable writes rows as a Markdown table that is also readable on a terminal.
// The first row is the heading.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(b, "| %-*s ", widths[i], cell)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, width := range widths {
				b.WriteString("|" + strings.Repeat("-", width+2))
			}
			b.WriteString("|\n")
		}
	}
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
