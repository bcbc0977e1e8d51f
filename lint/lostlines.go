package lint

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// lostDirective returns as which kind of directive a line is meant that crawlers do not read, and its value. The
// kind is 0 if it is none.
func lostDirective(l *line) (kind robotstxt.Kind, value []byte) {
	kind, value = nearlyDirective(l)
	if kind > 0 || l.kind != robotstxt.KindUnknown || l.missingColon || isForeignComment(l.key()) {
		return kind, value
	}
	return nearestCore(strings.ToLower(string(l.key()))), l.value()
}

// ruleMeant returns the kind and the value of a line that is a rule, or is meant as one. The kind is 0 for others.
func ruleMeant(l *line) (kind robotstxt.Kind, value []byte) {
	if isRule(l) {
		return l.kind, l.value()
	}
	kind, value = lostDirective(l)
	if kind == robotstxt.KindAllow || kind == robotstxt.KindDisallow {
		return kind, value
	}
	return 0, nil
}

func isMeantAsRule(l line) bool {
	kind, _ := ruleMeant(&l)
	return kind > 0
}

// losesAgent reports whether a line was meant to be a user-agent line but is none, or contains one.
func losesAgent(l *line) bool {
	text := l.value()
	switch l.kind {
	case robotstxt.KindUserAgent:
		return false
	case robotstxt.KindUnknown, robotstxt.KindNoDirective:
		text = l.content()
		if isForeignComment(text) {
			return false
		}
		if _, end := strayMark(l); end > 0 {
			return lineAlone(l.raw()[end:]).Kind == robotstxt.KindUserAgent
		}
		if kind, _ := lostDirective(l); kind == robotstxt.KindUserAgent {
			return true
		}
	}
	return bytes.IndexByte(text, ':') >= 0 && bytes.Contains(bytes.ToLower(text), []byte("user-agent:"))
}

// lostEdits are the edits that make a directive of a line that crawlers do not read, none if it is not sure how.
func (d *document) lostEdits(l *line) []Edit {
	if kind, value := nearlyDirective(l); kind > 0 {
		return d.colonEdits(l, kind, value)
	}
	return d.misspeltEdits(l)
}

// colonEdits are the edits that write again a line that lacks its colon, none if the text might be about crawlers, or
// if spaces in a path might mean something else.
func (d *document) colonEdits(l *line, kind robotstxt.Kind, value []byte) []Edit {
	lines := d.mendedLines(l, kind, value)
	if kind == robotstxt.KindUserAgent && !namesCrawlers(value) ||
		kind != robotstxt.KindUserAgent && bytes.ContainsAny(value, " \t") && lines[0] == plainKeys[kind]+": "+string(value) {
		return nil
	}
	text := l.content()
	space := ascii.Space + choose(l.number == 1, bom, "")
	start := len(text) - len(bytes.TrimLeft(text, space))
	return d.replaceBy(l, l.offset()+start, l.offset()+len(bytes.TrimRight(text, ascii.Space)), lines)
}

// misspeltEdits are the edits that write the key that a misspelt one means. Without a name after User-agent,
// the rules below would be for nobody.
func (d *document) misspeltEdits(l *line) []Edit {
	kind, value := lostDirective(l)
	switch {
	case bytes.ContainsAny(l.key(), "\"'`([{<&") || bytes.HasPrefix(l.key(), []byte("**")): // the value ends in such a sign too
		return nil
	case len(value) == 0 && kind == robotstxt.KindUserAgent:
		return nil
	}
	return append([]Edit{l.replaceKey(plainKeys[kind])}, d.valueEdits(l, kind, value, l.valueAt())...)
}

// valueEdits are the edits that write the value of a directive as the fixes of further findings would leave it.
func (d *document) valueEdits(l *line, kind robotstxt.Kind, value []byte, at int) []Edit {
	lines := d.mendedLines(l, kind, value)
	lines[0] = strings.TrimLeft(strings.TrimPrefix(lines[0], plainKeys[kind]+":"), " ")
	if len(lines) == 1 && lines[0] == string(value) {
		return nil
	}
	return d.replaceBy(l, at, at+len(value), lines)
}

// mendedLines returns the lines that a fix writes for a line that crawlers do not read: the key, and the value as
// the fixes of further findings would leave it.
func (d *document) mendedLines(l *line, kind robotstxt.Kind, value []byte) []string {
	text := plainKeys[kind] + ":"
	if len(value) == 0 {
		return []string{text}
	}
	text += " " + string(value)
	if kind == robotstxt.KindSitemap {
		return []string{text}
	}
	number := 2
	body := []byte("User-agent: *\n" + text + "\n")
	inspect := inspectPatterns
	if kind == robotstxt.KindUserAgent {
		body = nil
		inspect = inspectAgents
		if n := restrictionOfAll(d); n > 0 {
			body = fmt.Appendf(nil, "User-agent: *\nDisallow: %s\n", d.line(n).value())
		}
		number = 1 + bytes.Count(body, []byte("\n"))
		body = append(body, text+"\n"...)
		for i := l.number; i < len(d.lines) && d.lines[i].kind != robotstxt.KindUserAgent &&
			!losesAgent(&d.lines[i]); i++ {
			body = append(body, d.lines[i].raw()...)
		}
	}
	config := d.config
	config.Filter = nil
	alone := newDocument(body, config)
	inspect(alone)
	for _, f := range alone.findings {
		if f.Line != number || f.Fix == nil {
			continue
		}
		after, err := Apply(body, f.Fix.Edits)
		if err != nil {
			break
		}
		lines := strings.Split(string(after), "\n")
		return lines[number-1 : number+len(lines)-1-bytes.Count(body, []byte("\n"))]
	}
	return []string{text}
}
