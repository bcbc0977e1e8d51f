package lint

import (
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// byteLimit returns the number of bytes that the profile's crawlers read, 0 for all.
func (d *document) byteLimit() int { return cmp.Or(d.config.Bytes, d.audience.bytes) }

// inspectSize holds the file to the documented limits: those of the profile, and
// Yandex's, which are the narrowest.
func (d *document) inspectSize() {
	limit := d.byteLimit()
	beyond := limit > 0 && len(d.body) > limit
	switch {
	case beyond && d.audience.allOrNothing:
		d.findIgnored(limit)
	case beyond:
		d.findCut(limit)
	}
	narrow := Yandex.audience()
	if !beyond && len(d.body) > narrow.bytes {
		f := d.findFile("RX407", "the file has %d bytes, but one of more than %d bytes counts as none at Yandex: everything is allowed", len(d.body), narrow.bytes)
		f.For = []string{"Yandex"}
	}
	d.inspectRuleLimits(narrow)
}

// readPart returns the part of the body that is read: the whole lines up to the
// limit of the profile's crawlers. It is the body if they read all of a longer
// file, or nothing.
func (d *document) readPart() []byte {
	limit := d.byteLimit()
	if limit == 0 || len(d.body) <= limit || d.audience.allOrNothing {
		return d.body
	}
	if first := d.firstCut(limit); first >= 0 {
		return d.body[:d.lines[first].offset]
	}
	return d.body
}

// firstCut returns the index of the first line that the limit cuts or that comes
// after it, -1 if only ends of lines do.
func (d *document) firstCut(limit int) int {
	return slices.IndexFunc(d.lines, func(l line) bool {
		length := len(l.raw) - len(l.terminator())
		return length > 0 && l.offset+length > limit
	})
}

// limited returns the document of the part that is read, with the findings that begin
// before the limit and those about it. The part is empty if the limit cuts the
// first line; what its bytes show about the file remains.
func (d *document) limited(read []byte) *document {
	limit := d.byteLimit()
	part := newDocument(read, d.config)
	part.foreign = d.foreign
	part.findings = slices.DeleteFunc(d.findings, func(f Finding) bool {
		return f.Start >= limit && f.Code != "RX406" && f.Code != "RX415"
	})
	return part
}

// shiftsLimit marks all fixes: where only a part of the file is read, an edit
// moves what follows into that part or out of it.
func (d *document) shiftsLimit() {
	for i := range d.findings {
		if fix := d.findings[i].Fix; fix != nil {
			fix.Meaning = true
		}
	}
}

// findIgnored reports a file that is not read for its size.
func (d *document) findIgnored(limit int) {
	code := Code("RX415")
	if slices.ContainsFunc(d.lines, func(l line) bool { return counts(&l) }) {
		code = "RX406"
	}
	d.findFile(code, "the file has %d bytes, but one of more than %d bytes counts as none: everything is allowed", len(d.body), limit)
}

// findCut reports where the part of a file begins that is not read. A line that
// the limit cuts is not read either: a part of a pattern is another pattern.
func (d *document) findCut(limit int) {
	first := d.firstCut(limit)
	if first < 0 {
		return // nothing but ends of lines stands behind it
	}
	lost := 0
	for i := first; i < len(d.lines); i++ {
		if counts(&d.lines[i]) {
			lost++
		}
	}
	l := &d.lines[first]
	start := max(limit, l.offset)
	if lost > 0 {
		d.find("RX406", l, start, len(d.body), "only %d of the file's %d bytes are read: %s behind that %s lost", limit, len(d.body), number(lost, "directive"), isAre(lost))
		return
	}
	d.find("RX415", l, start, len(d.body), "only %d of the file's %d bytes are read; what stands behind that decides nothing", limit, len(d.body))
}

// counts reports whether a file says something else without the line.
func counts(l *line) bool {
	return l.kind >= robotstxt.KindUserAgent && l.kind <= robotstxt.KindSitemap
}

// inspectRuleLimits holds number and size of the rules to what is documented.
func (d *document) inspectRuleLimits(limits *audience) {
	rules := 0
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind != robotstxt.KindAllow && l.kind != robotstxt.KindDisallow {
			continue
		}
		if rules++; rules == limits.rules+1 {
			f := d.findLine("RX407", l, "Yandex reads %d rules; this one and what follows is passed over", limits.rules)
			f.For = []string{"Yandex"}
		}
		if len(l.value()) > limits.ruleBytes {
			f := d.findValue("RX407", l, "the pattern has %d bytes; Yandex reads rules of up to %d characters", len(l.value()), limits.ruleBytes)
			f.For = []string{"Yandex"}
		}
	}
}
