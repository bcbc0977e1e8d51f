package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var lineBytesFamily = family{inspect: inspectLineBytes, checks: []*check{rxLongLine, rxNULByte, rxBareCR, rxNULPadding}, marks: true}

// inspectLineBytes looks for bytes that hide others of their line, and for ends of
// lines that not all parsers see.
func inspectLineBytes(d *document) {
	var bare *line
	for i := range d.lines {
		l := &d.lines[i]
		if l.tooLong {
			inspectLongLine(d, l)
		}
		if l.nulCut {
			inspectNUL(d, l)
		}
		if bare == nil && l.terminator() == "\r" {
			bare = l
		}
	}
	if bare != nil {
		findBareCR(d, bare)
	}
}

var rxLongLine = &check{Entry{
	Code: "RX408", Name: "long-line", Severity: Warning,
	Title: "The line is longer than what is read of a line.",
	Why:   "Google's parser reads the first 16,663 bytes of a line and passes over the rest (G9). A pattern that is cut is another pattern, and matches more.",
	Bad:   "User-agent: *\nDisallow: /*" + strings.Repeat("/long", 3400) + "\n",
	Good:  "User-agent: *\nDisallow: /*/long/long\n",
}}

// inspectLongLine reports a line of which the end is not read, unless that is the
// end of a comment or of a line that does not count.
func inspectLongLine(d *document, l *line) {
	if l.commented() || l.kind == robotstxt.KindNoDirective || l.kind == robotstxt.KindUnknown {
		return
	}
	start := l.offset() + readBytes
	d.find(rxLongLine, l, start, l.end()-len(l.terminator()), "Google reads %d bytes of a line; this one has %d", num(readBytes), num(len(l.raw())-len(l.terminator())))
}

var rxNULByte = &check{Entry{
	Code: "RX409", Name: "nul-byte", Severity: Error,
	Title: "A NUL byte hides the rest of its line.",
	Why:   "Google's parser takes a line up to its first NUL byte for the whole line (G10), so that a pattern that holds one matches more than it should.",
	Bad:   "User-agent: *\nDisallow: /a\x00/b\n",
	Good:  "User-agent: *\nDisallow: /a/b\n",
}}

var rxNULPadding = &check{Entry{
	Code: "RX419", Name: "nul-padding", Severity: Warning,
	Title: "A line ends with NUL bytes.",
	Why:   "Google's parser drops them (G10). For other parsers they may be a part of the value, and the pattern then matches nothing.",
	Bad:   "User-agent: *\nDisallow: /private/\x00\x00\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectNUL looks at what stands behind a NUL byte, which no one reads. In a
// comment no one would anyway.
func inspectNUL(d *document, l *line) {
	end := len(l.raw()) - len(l.terminator())
	at := bytes.IndexByte(l.raw()[:end], 0)
	if l.commented() || at < 0 {
		return
	}
	hidden := bytes.Trim(l.raw()[at:end], ascii.Space+"\x00")
	start := l.offset() + at
	if len(hidden) == 0 {
		f := d.find(rxNULPadding, l, start, l.offset()+end, "%s at the end of the line; some parsers take them for a part of its value", str(number(end-at, "NUL byte")))
		// Without them a CR before the line would meet the LF behind it.
		if at > 0 || l.offset() == 0 || d.body[l.offset()-1] != '\r' {
			f.Fix = &Fix{Title: "remove them", Edits: []Edit{{start, l.offset() + end, ""}}}
		}
		return
	}
	l.told = true
	f := d.find(rxNULByte, l, start, l.offset()+end, "a NUL byte hides the rest of the line, %s", quote(hidden))
	var edits []Edit
	for i := at; i < end; i++ {
		if l.raw()[i] == 0 {
			edits = append(edits, Edit{l.offset() + i, l.offset() + i + 1, ""})
		}
	}
	f.Fix = &Fix{Title: "remove the NUL bytes", Edits: edits, Meaning: true}
}

var rxBareCR = &check{Entry{
	Code: "RX414", Name: "bare-cr", Severity: Info,
	Title: "Lines end with CR alone.",
	Why:   "All texts name CR as the end of a line (G6, RFC 9309 2.2), but a parser that splits at LF sees one long line instead.",
	Bad:   "User-agent: *\rDisallow: /private/\r",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findBareCR reports lines that end with CR alone, once for the file.
func findBareCR(d *document, first *line) {
	// One edit for neighbours: there may be half a million.
	var edits []Edit
	n := 0
	for i := first.number - 1; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.terminator() != "\r" {
			continue
		}
		n++
		end := l.end()
		if last := len(edits) - 1; last >= 0 && edits[last].End == end-1 {
			edits[last].End = end
		} else {
			edits = append(edits, Edit{Start: end - 1, End: end})
		}
	}
	for i := range edits {
		edits[i].New = strings.Repeat("\n", edits[i].End-edits[i].Start)
	}
	end := first.end()
	f := d.find(rxBareCR, first, end-1, end, "%s with CR alone, which parsers that split at LF do not see", str(lineEnds(n)))
	f.Fix = &Fix{Title: "end them with LF", Edits: edits}
}

var rxLimitsOfOthers = &check{Entry{
	Code: "RX407", Name: "limits-of-others", Severity: Info,
	Title: "The file exceeds a limit that Yandex documents.",
	Why:   "Yandex reads files of up to 500,000 bytes with up to 2,048 rules of up to 1,024 characters each. A larger file counts as none. Other crawlers document no limit on rules.",
	Bad:   "User-agent: *\nDisallow: /*" + strings.Repeat("/long", 220) + "\n",
	Good:  "User-agent: *\nDisallow: /*/long/long\n",
}}

var sizeFamily = family{inspect: inspectSize, checks: []*check{rxDirectivesBehindLimit, rxLimitsOfOthers, rxOverLimit}}

// inspectSize compares the file with the documented limits: those of the profile, and
// Yandex's, which are the narrowest.
func inspectSize(d *document) {
	if d.cut {
		findCut(d)
	}
	narrow := Yandex.audience()
	if !d.cut && d.size > int64(narrow.bytes) {
		f := d.findFile(rxLimitsOfOthers, "the file has %d bytes, but one of more than %d bytes counts as none at Yandex: everything is allowed", num(int(d.size)), num(narrow.bytes))
		f.For = []string{"Yandex"}
	}
	inspectRuleLimits(d, narrow)
}

var rxDirectivesBehindLimit = &check{Entry{
	Code: "RX406", Name: "directives-behind-limit", Severity: Error,
	Title:   "The file is larger than what crawlers read of it, and directives are lost.",
	Why:     "RFC 9309 2.5 asks crawlers to read at least 500 KiB. Google reads no more than that, and Yandex takes a file of more than 500,000 bytes for none.",
	Bad:     "# This crawler reads 80 bytes.\nUser-agent: *\nDisallow: /a-first-folder/\nDisallow: /a-second-folder/\n",
	Good:    "# This crawler reads 80 bytes.\nUser-agent: *\nDisallow: /a-first-folder/\n",
	Example: Config{Bytes: 80},
}}

var rxOverLimit = &check{Entry{
	Code: "RX415", Name: "over-limit", Severity: Warning,
	Title:   "The file is larger than what crawlers read of it, but no directive is lost.",
	Why:     "RFC 9309 2.5 asks crawlers to read at least 500 KiB, and Google reads no more than that. What is added at the end will not count.",
	Bad:     "# This crawler reads 80 bytes.\nUser-agent: *\nDisallow: /a-folder/\n# And here some words follow.\n",
	Good:    "# This crawler reads 80 bytes.\nUser-agent: *\nDisallow: /a-folder/\n",
	Example: Config{Bytes: 80},
}}

// findCut reports where the part of a file begins that is not read.
func findCut(d *document) {
	limit := d.byteLimit()
	c, says := rxOverLimit, "what follows decides nothing"
	if d.lost || d.audience.allOrNothing && slices.ContainsFunc(d.lines, func(l line) bool { return counts(l.kind) }) {
		c, says = rxDirectivesBehindLimit, "the directives after that are lost"
	}
	if d.audience.allOrNothing {
		d.findFile(c, "the file has %d bytes, but one of more than %d bytes counts as none: everything is allowed", num(int(d.size)), num(limit))
		return
	}
	read := "only %d of the file's %d bytes are read; %s"
	if d.config.Bytes == 0 && d.audience.bytes == 0 {
		read = "crawlers need not read more than %d of the file's %d bytes; %s"
	}
	d.find(c, &d.behind, min(max(limit, d.behind.offset()), d.behindEnd), d.behindEnd, read, num(limit), num(int(d.size)), str(says))
}

// counts reports whether a line of a kind changes what the file means.
func counts(kind robotstxt.Kind) bool {
	return kind >= robotstxt.KindUserAgent && kind <= robotstxt.KindSitemap
}

// inspectRuleLimits holds number and size of the rules to what is documented.
func inspectRuleLimits(d *document, limits *audience) {
	rules := 0
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind != robotstxt.KindAllow && l.kind != robotstxt.KindDisallow {
			continue
		}
		if rules++; rules == limits.rules+1 {
			f := d.findLine(rxLimitsOfOthers, l, "Yandex reads %d rules; this one and what follows is passed over", num(limits.rules))
			f.For = []string{"Yandex"}
		}
		if len(l.value()) > limits.ruleBytes {
			f := d.findValue(rxLimitsOfOthers, l, "the pattern has %d bytes; Yandex reads rules of up to %d characters", num(len(l.value())), num(limits.ruleBytes))
			f.For = []string{"Yandex"}
		}
	}
}
