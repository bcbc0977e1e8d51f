package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/semdiff"
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
	agents   []agentLine         // see agentIndex
	shared   []bool              // see sharedGroups
	readings []*robotstxt.Robots // see others
	tokens   []map[int]string    // see otherTokens
	same     []bool              // see sameElsewhere, nil if not known yet

	findings []Finding
	dropped  Finding // takes what is said about codes that are off

	// foreign says that the body is something else than lines of text, and that
	// a finding says so. No more is looked for: all else would follow from it.
	foreign bool
}

// group is a run of user-agent lines and the rules under it, as the dialect reads
// and encodes them.
type group struct {
	agents []robotstxt.Agent
	rules  []robotstxt.Rule
}

// defaultWork is what Config.Work of zero stands for.
const defaultWork = semdiff.DefaultSteps

func newDocument(body []byte, config Config) *document {
	d := &document{
		body:     body,
		config:   config,
		audience: config.Profile.audience(),
		lines:    make([]line, 0, countLines(body)),
	}
	if d.config.Work <= 0 {
		d.config.Work = defaultWork
	}
	for l := range robotstxt.Lines(body) {
		d.lines = append(d.lines, newLine(&l))
	}
	d.robots = d.audience.dialect.Parse(body)
	d.readGroups()
	return d
}

// readGroups takes the groups from the parser, so that no second opinion can
// arise about what belongs to which. Rules that no group has stay outside.
func (d *document) readGroups() {
	d.groups = d.groupsOf(d.robots)
	for i, g := range d.groups {
		for _, a := range g.agents {
			d.line(a.Line).group = int32(i)
		}
		for _, r := range g.rules {
			d.line(r.Line).group = int32(i)
		}
	}
	number := int32(0)
	for g := range d.robots.Groups() {
		for e := range g.Extensions() {
			d.line(e.Line).group = number
		}
		number++
	}
}

// groupsOf returns the groups of the file in a dialect. They share two slices: most
// have few rules, some files many groups.
func (d *document) groupsOf(robots *robotstxt.Robots) (groups []group) {
	agents, rules := 0, 0
	for i := range d.lines {
		switch l := &d.lines[i]; {
		case l.kind == robotstxt.KindUserAgent:
			agents++
		case isRule(l):
			rules++
		}
	}
	allAgents, allRules := make([]robotstxt.Agent, 0, agents), make([]robotstxt.Rule, 0, rules)
	for g := range robots.Groups() {
		firstAgent, firstRule := len(allAgents), len(allRules)
		allAgents = slices.AppendSeq(allAgents, g.Agents())
		allRules = slices.AppendSeq(allRules, g.Rules())
		groups = append(groups, group{slices.Clip(allAgents[firstAgent:]), slices.Clip(allRules[firstRule:])})
	}
	return groups
}

// others returns the file in those dialects in which plain fixes change no verdict
// either: google and rfc9309, except for the profile's own.
func (d *document) others() []*robotstxt.Robots {
	if d.readings == nil {
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			if dialect != d.audience.dialect {
				d.readings = append(d.readings, dialect.Parse(d.body))
			}
		}
	}
	return d.readings
}

// sameElsewhere returns the groups that rfc9309 reads like google: their rules
// are the same, without index pages (G53), and so are those of the groups that
// crawlers obey together with them. What is true there for all paths is true for
// those that rfc9309 compares, and its rule for the robots.txt itself comes before
// all others. So a rule that decides nothing in google decides nothing in
// rfc9309. It returns nil in other dialects.
func (d *document) sameElsewhere() []bool {
	switch {
	case d.same != nil || d.audience.dialect != robotstxt.Google:
	case !slices.ContainsFunc(d.groups, d.mayDiffer):
		d.same = slices.Repeat([]bool{true}, len(d.groups))
	default:
		d.same = d.sameGroups(d.groupsOf(d.others()[0]))
	}
	return d.same
}

// mayDiffer reports whether rfc9309 may read a group otherwise than google. It is
// false for most groups, of which rfc9309 need not read the file then.
func (d *document) mayDiffer(g group) bool {
	return slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool {
		return a.Token == "" || string(d.line(a.Line).value()) != a.Token
	}) || slices.ContainsFunc(g.rules, func(r robotstxt.Rule) bool {
		if r.Allow && strings.Contains(r.Pattern, indexPage) {
			return true
		}
		for i := range len(r.Pattern) {
			if c := r.Pattern[i]; !sameOctets[c] && (c != '$' || i < len(r.Pattern)-1) {
				return true
			}
		}
		return false
	})
}

// sameOctets are octets of patterns that both dialects compare as they are.
var sameOctets = ascii.OctetsOf(func(c byte) bool {
	return ascii.IsLetter(c) || '0' <= c && c <= '9' || strings.IndexByte("/-_.*?=&", c) >= 0
})

func (d *document) sameGroups(others []group) []bool {
	same, sameRules := make([]bool, len(d.groups)), make([]bool, len(d.groups))
	if len(others) != len(d.groups) {
		return same
	}
	for i, g := range d.groups {
		sameRules[i] = slices.Equal(g.rules, others[i].rules) && !slices.ContainsFunc(g.rules, func(r robotstxt.Rule) bool {
			return r.Allow && strings.Contains(r.Pattern, indexPage)
		})
	}
	copy(same, sameRules)
	here, there := combinations(d.groups, false), combinations(others, false)
	slices.SortFunc(here, slices.Compare)
	slices.SortFunc(there, slices.Compare)
	different := func(combinations, others [][]int32) {
		for _, together := range combinations {
			_, found := slices.BinarySearchFunc(others, together, slices.Compare)
			if found && !slices.ContainsFunc(together, func(g int32) bool { return !sameRules[g] }) {
				continue
			}
			for _, g := range together {
				same[g] = false
			}
		}
	}
	different(here, there)
	different(there, here)
	return same
}

// otherRuleSets returns the rules as those dialects read them.
func (d *document) otherRuleSets(work *int) (sets []*ruleSets) {
	for _, robots := range d.others() {
		sets = append(sets, newRuleSets(robots, d.groupsOf(robots), work))
	}
	return sets
}

// otherTokens returns what those dialects read in the user-agent lines, by the
// number of the line.
func (d *document) otherTokens() []map[int]string {
	if d.tokens == nil {
		for _, robots := range d.others() {
			tokens := make(map[int]string)
			for g := range robots.Groups() {
				for a := range g.Agents() {
					tokens[a.Line] = a.Token
				}
			}
			d.tokens = append(d.tokens, tokens)
		}
	}
	return d.tokens
}

// line returns the line of that number, which counts from 1.
func (d *document) line(number int) *line { return &d.lines[number-1] }

// severity returns how bad a finding of that code is: as configured, else as the
// profile has it, else as the catalogue. Most files have few findings, so this is
// asked for each instead of making a table for the file.
func (d *document) severity(code Code) Severity {
	if severity, ok := d.config.Severities[code]; ok {
		return severity
	}
	if severity, ok := d.audience.severities[code]; ok {
		return severity
	}
	return severityOf[code]
}

// wants reports whether anyone hears of a code. It is asked where a check is
// costly.
func (d *document) wants(code Code) bool { return d.severity(code) != Off }

// find reports a finding about the bytes from start to end of a line. More may
// be said about it through the pointer, until the next one is reported.
func (d *document) find(code Code, l *line, start, end int, format string, args ...any) *Finding {
	severity := d.severity(code)
	if severity == Off {
		d.dropped = Finding{}
		return &d.dropped
	}
	d.findings = append(d.findings, Finding{
		Code:     code,
		Severity: severity,
		Start:    start,
		End:      end,
		Line:     l.number,
		Column:   start - l.offset + 1,
		Message:  fmt.Sprintf(format, args...),
	})
	return &d.findings[len(d.findings)-1]
}

// findValue reports a finding about the value of a line.
func (d *document) findValue(code Code, l *line, format string, args ...any) *Finding {
	return d.find(code, l, l.valueAt(), l.valueAt()+len(l.value()), format, args...)
}

// findKey reports a finding about the key of a line.
func (d *document) findKey(code Code, l *line, format string, args ...any) *Finding {
	return d.find(code, l, l.keyAt(), l.keyAt()+len(l.key()), format, args...)
}

// findLine reports a finding about a line without its terminator.
func (d *document) findLine(code Code, l *line, format string, args ...any) *Finding {
	return d.find(code, l, l.offset, l.offset+len(bytes.TrimRight(l.raw, "\r\n")), format, args...)
}

// findFile reports a finding about the file as a whole.
func (d *document) findFile(code Code, format string, args ...any) *Finding {
	return d.find(code, &d.lines[0], 0, 0, format, args...)
}

// replaceValue is the edit that gives a line another value.
func (l *line) replaceValue(value string) []Edit {
	return []Edit{{l.valueAt(), l.valueAt() + len(l.value()), value}}
}

// replaceKey is the edit that gives a line another key.
func (l *line) replaceKey(key string) []Edit {
	return []Edit{{l.keyAt(), l.keyAt() + len(l.key()), key}}
}
