package lint

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// finder collects findings.
type finder struct {
	config   Config
	audience *audience
	findings []Finding
	dropped  Finding // the last finding of a check that is off
	text     []byte  // reused by message
}

// severity returns the severity of a check: as configured, otherwise that of the
// profile, otherwise that of the catalogue.
func (r *finder) severity(c *check) Severity {
	if severity, ok := r.config.Severities[c.Code]; ok {
		return severity
	}
	if severity, ok := r.audience.severities[c]; ok {
		return severity
	}
	return c.Severity
}

// wants reports whether a check is not off.
func (r *finder) wants(c *check) bool { return r.severity(c) != Off }

// find adds a finding about the bytes from start to end of a line. The caller may set
// further fields until the next call. The format has a %s or %d for each argument.
func (r *finder) find(c *check, l *line, start, end int, format string, args ...shown) *Finding {
	severity := r.severity(c)
	if severity == Off {
		r.dropped = Finding{}
		return &r.dropped
	}
	r.findings = append(r.findings, Finding{
		Code:     c.Code,
		Severity: severity,
		Start:    start,
		End:      end,
		Line:     l.number,
		Column:   start - l.offset + 1,
		Message:  r.message(format, args),
	})
	return &r.findings[len(r.findings)-1]
}

// findValue adds a finding about the value of a line.
func (r *finder) findValue(c *check, l *line, format string, args ...shown) *Finding {
	return r.find(c, l, l.valueAt(), l.valueAt()+len(l.value()), format, args...)
}

// findKey adds a finding about the key of a line.
func (r *finder) findKey(c *check, l *line, format string, args ...shown) *Finding {
	return r.find(c, l, l.keyAt(), l.keyAt()+len(l.key()), format, args...)
}

// findLine adds a finding about a line without its terminator.
func (r *finder) findLine(c *check, l *line, format string, args ...shown) *Finding {
	return r.find(c, l, l.offset, l.offset+len(bytes.TrimRight(l.raw, "\r\n")), format, args...)
}

// findFile adds a finding about the file as a whole.
func (r *finder) findFile(c *check, format string, args ...shown) *Finding {
	return r.find(c, &line{number: 1}, 0, 0, format, args...)
}

// soften lowers the severity of a finding, unless the configuration sets that of its
// code.
func (r *finder) soften(f *Finding, to Severity) {
	if _, set := r.config.Severities[f.Code]; !set {
		f.Severity = min(f.Severity, to)
	}
}

// shown is an argument of a message. It is written only if the finding is kept.
type shown struct {
	bytes  []byte // of the body
	text   string // if bytes is nil
	n      int
	number bool // shows n
	quoted bool // escapes the text, and cuts a long one
}

// quote shows a part of the body: escaped, and cut if it is long.
func quote(text []byte) shown { return shown{bytes: text, quoted: true} }

// quoteText is quote for a string.
func quoteText(text string) shown { return shown{text: text, quoted: true} }

// str shows a text as it is.
func str(text string) shown { return shown{text: text} }

// num shows a number.
func num(n int) shown { return shown{n: n, number: true} }

// String returns the text as a message shows it.
func (s shown) String() string { return string(s.appendTo(nil)) }

func (s shown) appendTo(to []byte) []byte {
	const limit = 60
	text := s.text
	switch {
	case s.number:
		return strconv.AppendInt(to, int64(s.n), 10)
	case s.bytes != nil:
		text = string(s.bytes[:min(len(s.bytes), limit+1)])
	}
	switch {
	case !s.quoted:
		return append(to, text...)
	case len(text) > limit:
		return append(strconv.AppendQuote(to, text[:limit]), "…"...)
	}
	return strconv.AppendQuote(to, text)
}

// message returns a format with its arguments.
func (r *finder) message(format string, args []shown) string {
	text := r.text[:0]
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			break
		}
		text = append(text, format[:i]...)
		switch {
		case format[i+1] == '%':
			text = append(text, '%')
		case len(args) > 0: // a test counts them
			text, args = args[0].appendTo(text), args[1:]
		}
		format = format[i+2:]
	}
	r.text = append(text, format...)
	return string(r.text)
}

// number writes a count with its noun, which gets an s for its plural.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// isAre is the verb for a number of things.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// lineEnds says that a number of lines end in some way.
func lineEnds(n int) string {
	if n == 1 {
		return "a line ends"
	}
	return fmt.Sprintf("%d lines end", n)
}

// lineName names a line by its key.
func lineName(l *line) shown {
	if len(l.key()) == 0 {
		return str("a line of text")
	}
	return quote(l.key())
}

// shortened is a number as a message shows it.
func shortened(number []byte) string {
	const limit = 20
	if len(number) > limit {
		return string(number[:limit]) + "…"
	}
	return string(number)
}

// listed writes a few names in a sentence.
func listed(names []string) string {
	const limit = 5
	if len(names) > limit {
		return strings.Join(names[:limit], ", ") + " and " + strconv.Itoa(len(names)-limit) + " more"
	}
	return strings.Join(names, ", ")
}
