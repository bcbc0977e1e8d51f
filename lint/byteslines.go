package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// inspectLineBytes looks for bytes that hide others of their line, and for ends of lines
// that not all parsers recognise.
func inspectLineBytes(d *document) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.tooLong {
			inspectLongLine(d, l)
		}
		if l.nulCut {
			inspectNUL(d, l)
		}
	}
	if hasBareCR(d.body) {
		findBareCR(d)
	}
}

var rxLongLine = check{Entry: &Entry{
	Code: "RX408", Name: "long-line", Severity: Warning,
	Title: "Google does not read a line to its end.",
	Why:   "Google's parser reads the first 16,663 bytes of a line and ignores the rest (G9). A path that is cut matches more URLs. Not reported if only a comment is cut.",
	Bad:   "User-agent: *\nDisallow: /*" + strings.Repeat("/long", 3400) + "\n",
	Good:  "User-agent: *\nDisallow: /*/long/long\n",
}}

// inspectLongLine reports a line of which the end is not read, unless that is the
// end of a comment or of a line that does not count.
func inspectLongLine(d *document, l *line) {
	if l.commented() || isUnread(*l) {
		return
	}
	start := l.offset() + readBytes
	d.find(rxLongLine, l, start, l.end()-len(l.terminator()), "Google reads only %d of the %d bytes of this line.", readBytes, len(l.raw())-len(l.terminator()))
}

var rxNULByte = check{Entry: &Entry{
	Code: "RX409", Name: "nul-byte", Severity: Error,
	Title: "A line contains NUL bytes.",
	Why:   "Google's parser ignores everything after the first NUL byte of a line (G10), so a path that contains one is cut and matches more URLs. NUL bytes at the end of a line are a warning: Google ignores them, but other crawlers can read them as a part of the path. Not reported for a NUL byte in a comment.",
	Bad:   "User-agent: *\nDisallow: /a\x00/b\n",
	Good:  "User-agent: *\nDisallow: /a/b\n",
}}

// afterNUL returns the place of a line's first NUL byte, -1 without one before a comment, the end of the line, and the
// text between them.
func (l *line) afterNUL() (at, end int, hidden []byte) {
	end = len(l.raw()) - len(l.terminator())
	at = bytes.IndexByte(l.raw()[:end], 0)
	if l.commented() || at < 0 {
		return -1, end, nil
	}
	return at, end, bytes.Trim(l.raw()[at:end], ascii.Space+"\x00")
}

// inspectNUL reports what follows a NUL byte, because crawlers ignore it. They ignore
// comments anyway.
func inspectNUL(d *document, l *line) {
	at, end, hidden := l.afterNUL()
	if at < 0 {
		return
	}
	start := l.offset() + at
	if len(hidden) == 0 {
		f := d.find(rxNULByte.at(Warning), l, start, l.offset()+end, "The line ends with %s, which some crawlers read as a part of the value.", number(end-at, "NUL byte"))
		// Without them a CR before the line and the LF after it would be one line end.
		if at > 0 || l.offset() == 0 || d.body[l.offset()-1] != '\r' {
			f.Fix = d.mend("remove them", Edit{start, l.offset() + end, ""})
		}
		return
	}
	f := d.find(rxNULByte, l, start, l.offset()+end, "A NUL byte makes crawlers ignore the rest of this line, %s.", quote(hidden))
	var edits []Edit
	for i := at; i < end; i++ {
		if l.raw()[i] == 0 {
			edits = append(edits, Edit{l.offset() + i, l.offset() + i + 1, ""})
		}
	}
	f.Fix = d.mend("remove the NUL bytes", edits...)
}

var rxBareCR = check{Entry: &Entry{
	Code: "RX414", Name: "bare-cr", Severity: Info,
	Title: "Lines end in CR, as on very old computers.",
	Why:   "The standard allows CR at the end of a line (RFC 9309 2.2, G6). But a simple crawler that only looks for LF reads the file as one long line. Reported if most lines end in CR, and with --pedantic if one does.",
	Bad:   "User-agent: *\rDisallow: /private/\r",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

func findBareCR(d *document) {
	// One edit for neighbours: there can be half a million.
	var edits []Edit
	n := 0
	for i := range d.lines {
		if d.lines[i].terminator() != "\r" {
			continue
		}
		n++
		end := d.lines[i].end()
		if last := len(edits) - 1; last >= 0 && edits[last].End == end-1 {
			edits[last].End = end
		} else {
			edits = append(edits, Edit{Start: end - 1, End: end})
		}
	}
	for i := range edits {
		edits[i].New = strings.Repeat("\n", edits[i].End-edits[i].Start)
	}
	ends := choose(n > 1, number(n, "line")+" end", "A line ends")
	at := edits[0].Start
	f := d.find(rxBareCR.rareIf(bareCRShare*n < len(d.lines)), d.lineAt(at), at, at+1, "%s in CR; simple crawlers that look for LF read one long line.", ends)
	f.Fix = &Fix{Title: "end them with LF", Edits: edits}
}

var rxLimitsOfOthers = check{Entry: &Entry{
	Code: "RX407", Name: "limits-of-others", Severity: Info,
	Profiles: map[Profile]Severity{Yandex: Warning},
	Title:    "The file exceeds a limit of Yandex.",
	Why:      "Yandex reads files of up to 500,000 bytes with up to 2,048 rules of up to 1,024 characters each, and treats a larger file as if there were none. Other crawlers document no limit on rules. Reported in profile yandex, for files or hosts that Yandex matters to, and with --pedantic.",
	Bad:      "User-agent: Yandex\nDisallow: /*" + strings.Repeat("/long", 220) + "\n",
	Good:     "User-agent: Yandex\nDisallow: /*/long/long\n",
}}

// inspectSize compares the file with the documented limits: the profile's, and Yandex's, which
// are the lowest.
func inspectSize(d *document) {
	if d.cut {
		findCut(d)
	}
	c := rxLimitsOfOthers.rareIf(d.audience.rules == 0 && !d.isForYandex())
	limits := Yandex.audience()
	if !d.cut && d.size > limits.bytes {
		f := d.findFile(c, "The file has %d bytes. Yandex ignores a file of more than %d bytes and may fetch everything.", d.size, limits.bytes)
		f.For = []string{"Yandex"}
	}
	rules := 0
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) {
			continue
		}
		rules++
		if rules == limits.rules+1 {
			d.findRulesAfter(c, l)
		}
		if len(l.value()) > limits.ruleBytes {
			f := d.findValue(c, l, "This path has %d bytes; Yandex reads rules of up to %d characters.", len(l.value()), limits.ruleBytes)
			f.For = []string{"Yandex"}
		}
	}
}

// findRulesAfter reports a line if Yandex would follow it or a rule after it, but reads only those before it.
func (d *document) findRulesAfter(c check, l *line) {
	limits := Yandex.audience()
	isLater := func(r robotstxt.Rule) bool { return r.Line >= l.number }
	if anyRule(d.robots.Rules(limits.tokens...), isLater) {
		f := d.findLine(c, l, "Yandex reads %d rules and ignores this one and those after it.", limits.rules)
		f.For = []string{"Yandex"}
	}
}

// isForYandex reports whether Yandex matters to a site: its file names one of Yandex's crawlers, or its host is in a
// country where many people search with Yandex.
func (d *document) isForYandex() bool {
	host := hostOf(d.config.URL)
	if slices.Contains([]string{"ru", "su", "xn--p1ai", "by", "kz"}, host[strings.LastIndexByte(host, '.')+1:]) {
		return true
	}
	return slices.ContainsFunc(d.groups, func(g group) bool {
		return slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool { return ascii.HasPrefixFold(a.Token, "Yandex") })
	})
}

var rxOverLimit = check{Entry: &Entry{
	Code: "RX406", Name: "over-limit", Severity: Error,
	Title:   "Crawlers do not read the file to its end.",
	Why:     "Google reads the first 500 KiB of a file, the least that RFC 9309 2.5 requires, and ignores the rest. Yandex treats a file of more than 500,000 bytes as if there were none. It is a warning if no directive is lost. Not reported if only line ends come after the limit.",
	Bad:     "# This crawler reads 80 bytes.\nUser-agent: *\nDisallow: /a-first-folder/\nDisallow: /a-second-folder/\n",
	Good:    "# This crawler reads 80 bytes.\nUser-agent: *\nDisallow: /a-first-folder/\n",
	Example: Config{Bytes: 80},
}}

func findCut(d *document) {
	limit := d.byteLimit()
	lost := d.lost || d.audience.allOrNothing && d.hasDirective()
	effect := choose(lost, "the directives after them are lost", "no directive comes after them")
	c := rxOverLimit.at(choose(lost, Error, Warning))
	if d.audience.allOrNothing {
		d.findFile(c, "Crawlers ignore a file of more than %d bytes, such as this one, and may fetch everything.", limit)
	} else {
		read := choose(d.config.Bytes == 0 && d.audience.bytes == 0, "Crawlers need not read more than the first %d bytes of the file; %s.", "Crawlers read only the first %d bytes of the file; %s.")
		d.find(c, &d.rest, min(max(limit, d.rest.offset()), d.restEnd), d.restEnd, read, limit, effect)
	}
}
