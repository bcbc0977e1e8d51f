package fetch

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

//go:generate go test -run TestPoliciesInDocs -update .

// Table returns the policy in Markdown: what each status means, what holds
// while the file is unreachable, how long an answer is fresh, and when a site
// in trouble is asked again. It is printed from the same data that the client
// acts on.
func (p Policy) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Policy %s: %s.\n\n", p, policies[p.index()].source)
	writeTable(&b, p.statusRows())
	b.WriteString("\n")
	writeTable(&b, p.outageRows())
	f := policies[p.index()].freshness
	fmt.Fprintf(&b, "\nAn answer is fresh for %s; Cache-Control and Expires move that between %s and %s.\n",
		period(f.normal), period(minFresh), period(f.max))
	fmt.Fprintf(&b, "An unreachable file is asked for again after %s, then after twice as long each time, up to %s\n(%s after a 503), give or take a fifth; Retry-After counts, up to %s.\n",
		period(firstWait), period(lastWait), period(last503), period(day))
	return b.String()
}

// statusRows says for each answer what it is, and what follows.
func (p Policy) statusRows() [][]string {
	rows := [][]string{{"answer", "is", "so crawlers obey"}}
	add := func(protocol string, ranges []statusRange) {
		for _, r := range ranges {
			codes := fmt.Sprintf("%s%d–%d", protocol, r.first, r.last)
			if r.first == r.last {
				codes = fmt.Sprintf("%s%d", protocol, r.first)
			}
			is := classNames[r.class]
			if r.note != "" {
				is += ": " + r.note
			}
			rows = append(rows, []string{codes, is, p.consequence(r.class)})
		}
	}
	add("", statuses)
	add("FTP ", ftpStatuses)
	return append(rows,
		[]string{"FTP, others", classNames[classUnreachable], p.consequence(classUnreachable)},
		[]string{"none", classNames[classUnreachable] + ": DNS, connection, TLS, timeout, a cut or invalid answer", p.consequence(classUnreachable)},
		[]string{"address refused", classNames[classRefused] + ": the site is not asked", p.consequence(classRefused)})
}

func (p Policy) consequence(c class) string {
	switch c {
	case classRedirect:
		return "what it leads to; beyond Config.MaxRedirects, or to nowhere: as 404"
	case classUnreachable:
		return "a fresh copy, else the table below"
	case classRefused:
		return "a fresh copy, else " + answerNames[p.settled(c)]
	}
	return answerNames[p.settled(c)]
}

// outageRows says what holds while the file is unreachable.
func (p Policy) outageRows() [][]string {
	rows := [][]string{{"unreachable for", "with an expired copy", "without a copy"}}
	for i := len(outages) - 1; i >= 0; i-- {
		o := outages[i]
		rows = append(rows, []string{o.name, answerNames[o.copy[p.index()]], answerNames[o.nocopy[p.index()]]})
	}
	return rows
}

// writeTable writes rows, the first of them the heading, as a table in Markdown
// that also reads well on a terminal.
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

// period writes a duration in the largest unit that it is a multiple of; a day
// is 24 hours.
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
