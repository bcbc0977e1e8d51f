package lint

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// document is a body under inspection: its lines, what they come to in the
// profile's dialect, and what has been found so far.
type document struct {
	body     []byte
	config   Config
	audience *audience
	lines    []line
	robots   *robotstxt.Robots
	groups   []group
	agents   []agentLine // see agentIndex
	shared   []bool      // see sharedGroups

	severities map[Code]Severity
	findings   []Finding
	dropped    Finding // takes what is said about codes that are off

	// foreign says that the body is something else than lines of text, and that
	// a finding says so. No more is looked for: all else would follow from it.
	foreign bool
}

// line is a line of the body and the group it belongs to.
type line struct {
	robotstxt.Line
	group int // index into groups; -1 for lines that belong to none
	// told says that a finding tells why the line counts for nothing, so that
	// nothing is left to say about its key.
	told bool
}

// group is a run of user-agent lines and the rules under it, as the dialect reads
// and encodes them.
type group struct {
	agents []robotstxt.Agent
	rules  []robotstxt.Rule
}

// defaultWork is what Config.Work of zero stands for.
const defaultWork = 2_000_000

func newDocument(body []byte, config Config) *document {
	d := &document{
		body:       body,
		config:     config,
		audience:   config.Profile.audience(),
		severities: make(map[Code]Severity, len(catalogue)),
		// Most files have at least so many lines for their size.
		lines: make([]line, 0, len(body)/32+1),
	}
	if d.config.Work <= 0 {
		d.config.Work = defaultWork
	}
	for _, e := range catalogue {
		d.severities[e.Code] = e.Severity
	}
	for code, severity := range d.audience.severities {
		d.severities[code] = severity
	}
	for code, severity := range config.Severities {
		d.severities[code] = severity
	}
	for l := range robotstxt.Lines(body) {
		d.lines = append(d.lines, line{Line: l, group: -1})
	}
	d.robots = d.audience.dialect.Parse(body)
	d.readGroups()
	return d
}

// readGroups takes the groups from the parser, so that no second opinion can
// arise about what belongs to which. Rules that no group has stay outside.
func (d *document) readGroups() {
	for g := range d.robots.Groups() {
		agents, rules := slices.Collect(g.Agents()), slices.Collect(g.Rules())
		for _, a := range agents {
			d.line(a.Line).group = len(d.groups)
		}
		for _, r := range rules {
			d.line(r.Line).group = len(d.groups)
		}
		for e := range g.Extensions() {
			d.line(e.Line).group = len(d.groups)
		}
		d.groups = append(d.groups, group{agents, rules})
	}
}

// line returns the line of that number, which counts from 1.
func (d *document) line(number int) *line { return &d.lines[number-1] }

// wants reports whether anyone hears of a code. It is asked where a check is
// costly.
func (d *document) wants(code Code) bool { return d.severities[code] != Off }

// find reports a finding about the bytes from start to end of a line. More may
// be said about it through the pointer, until the next one is reported.
func (d *document) find(code Code, l *line, start, end int, format string, args ...any) *Finding {
	severity := d.severities[code]
	if severity == Off {
		d.dropped = Finding{}
		return &d.dropped
	}
	d.findings = append(d.findings, Finding{
		Code:     code,
		Severity: severity,
		Start:    start,
		End:      end,
		Line:     l.Number,
		Column:   start - l.Offset + 1,
		Message:  fmt.Sprintf(format, args...),
	})
	return &d.findings[len(d.findings)-1]
}

// findValue reports a finding about the value of a line.
func (d *document) findValue(code Code, l *line, format string, args ...any) *Finding {
	return d.find(code, l, l.ValueOffset, l.ValueOffset+len(l.Value), format, args...)
}

// findKey reports a finding about the key of a line.
func (d *document) findKey(code Code, l *line, format string, args ...any) *Finding {
	return d.find(code, l, l.KeyOffset, l.KeyOffset+len(l.Key), format, args...)
}

// findLine reports a finding about a line without its terminator.
func (d *document) findLine(code Code, l *line, format string, args ...any) *Finding {
	return d.find(code, l, l.Offset, l.Offset+len(bytes.TrimRight(l.Raw, "\r\n")), format, args...)
}

// findFile reports a finding about the file as a whole.
func (d *document) findFile(code Code, format string, args ...any) *Finding {
	return d.find(code, &d.lines[0], 0, 0, format, args...)
}

// replaceValue is the edit that gives a line another value.
func (l *line) replaceValue(value string) []Edit {
	return []Edit{{l.ValueOffset, l.ValueOffset + len(l.Value), value}}
}

// replaceKey is the edit that gives a line another key.
func (l *line) replaceKey(key string) []Edit {
	return []Edit{{l.KeyOffset, l.KeyOffset + len(l.Key), key}}
}

// quote writes a part of the body as a message may show it: escaped, and cut
// where it is long.
func quote[T ~string | ~[]byte](part T) string {
	const limit = 60
	if len(part) > limit {
		return fmt.Sprintf("%q…", part[:limit])
	}
	return fmt.Sprintf("%q", part)
}
