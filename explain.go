package robotstxt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Decision is the verdict for one URL with its reasons. Its JSON form always
// contains all fields except MatchedBy, under the names in the tags.
type Decision struct {
	Allowed bool `json:"allowed"`

	// Line is the line of the deciding rule, counted from 1, or 0 if no rule
	// decides. If an Allow and a Disallow tie, it is the line of the Allow; of
	// equal rules, the first. If only a rule without a path matches, it is that
	// rule's line. Line is also 0 if the crawler's own group has no matching
	// rule, although the "*" group has one [G41, G54].
	Line int `json:"line"`

	Reason  Reason  `json:"reason"`
	Note    string  `json:"note"` // the argument of AllowAll or DisallowAll
	Dialect Dialect `json:"dialect"`

	// Agent is the product token of the query that selected the groups, or "*" if
	// no token did. AgentLines are the user-agent lines with that token. Both are
	// empty if no group applies to the crawler.
	Agent      string `json:"agent"`
	AgentLines []int  `json:"agent_lines"`

	// MatchedBy is how the groups were selected. The JSON form omits it, because
	// the query and the other fields imply it: none if there are no AgentLines, star
	// if Agent is "*", name if Agent is the query's first token, else fallback.
	MatchedBy MatchedBy `json:"-"`

	// GroupLine is the first user-agent line of the group that contains Rule, or 0
	// if Rule is nil.
	GroupLine int `json:"group_line"`

	Rule   *Rule  `json:"rule"`   // the rule on Line, or nil
	Tie    *Rule  `json:"tie"`    // a matching Disallow as long as the deciding Allow, or nil [G50]
	Others []Rule `json:"others"` // all other rules that match, Tie included, in file order
	Path   string `json:"path"`   // the canonical path that was compared
}

// Reason is the kind of reason for a Decision.
type Reason uint8

// The reasons.
const (
	ReasonNoFile     Reason = iota // AllowAll or DisallowAll, see Decision.Note
	ReasonNoGroup                  // no group applies to the crawler: allowed
	ReasonNoMatch                  // no rule of its groups matches: allowed [G52]
	ReasonEmptyRule                // only rules without a path match: allowed [G51]
	ReasonRule                     // the rule on the deciding line
	ReasonRobotsFile               // /robots.txt is always allowed [RFC 9309 2.2.2]

	// ReasonNoReading means that no user-agent line can name the crawler, so that there is
	// no verdict. No function of this package returns it; package crawlers finds readings.
	ReasonNoReading

	// ReasonOtherSite means that the file of another site decides, so that there is no
	// verdict. No function of this package returns it; origin.Origin.Governs reports which
	// file decides.
	ReasonOtherSite
)

var reasonNames = [...]string{
	ReasonNoFile:     "no-file",
	ReasonNoGroup:    "no-group",
	ReasonNoMatch:    "no-match",
	ReasonEmptyRule:  "empty-rule",
	ReasonRule:       "rule",
	ReasonRobotsFile: "robots-file",
	ReasonNoReading:  "no-reading",
	ReasonOtherSite:  "other-site",
}

// String returns the reason's name in JSON, for example "no-match".
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return "Reason(" + strconv.Itoa(int(r)) + ")"
	}
	return reasonNames[r]
}

// MarshalText returns the reason's name. It never fails.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText sets r to the reason with that name. For an unknown name it returns an error.
func (r *Reason) UnmarshalText(text []byte) error {
	i := slices.Index(reasonNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown reason %q: use one of %s", text, strings.Join(reasonNames[:], ", "))
	}
	*r = Reason(i)
	return nil
}

// Explain answers as Allowed does, with all reasons. It looks at every rule of
// the crawler's groups, and allocates its result.
func (r Rules) Explain(url string) Decision {
	if r.robots == nil {
		path, _ := Google.reading().pathOf(url)
		return Decision{Allowed: !r.disallowAll, Note: r.label, Path: path,
			MatchedBy: MatchedByNone, AgentLines: []int{}, Others: []Rule{}}
	}
	reading := r.robots.dialect.reading()
	d := Decision{
		Dialect:    r.robots.dialect,
		AgentLines: []int{},
		Others:     []Rule{},
		Path:       r.robots.dialect.EncodePath(url),
		Agent:      r.Agent(),
		MatchedBy:  r.MatchedBy(),
	}
	for group := range r.groups() {
		for agent := range (Group{r.robots, group}).Agents() {
			if ascii.EqualFold(agent.Token, r.label) {
				d.AgentLines = append(d.AgentLines, agent.Line)
			}
		}
	}
	var matcher pattern.Matcher
	defer matcher.Free()
	reading.slash(d.Path, &matcher)
	m := newMatch(reading, d.Path)
	d.Others = r.matching(&m, &matcher)
	d.Allowed, d.Line = m.verdict()
	d.pick()
	if d.Rule != nil {
		d.GroupLine = r.groupLine(d.Line)
	}
	d.Reason = r.reason(&m, d.Rule)
	return d
}

// matching returns all rules that match, and calls m.consider for every rule.
func (r Rules) matching(m *match, x *pattern.Matcher) []Rule {
	matching := []Rule{}
	for group := range r.groups() {
		start, end := r.robots.ruleRange(group)
		for i := start; i < end; i++ {
			row := r.robots.rule(i)
			rule := row.exported()
			p := row.pattern()
			m.consider(row, x)
			if folder, ok := row.folder(); x.Matches(m.path, p) {
				matching = append(matching, rule)
			} else if ok && x.Matches(m.path, folder) {
				rule.Folder, rule.Pattern, rule.Length = true, folder.String(), folder.Priority()
				matching = append(matching, rule)
			}
		}
	}
	return matching
}

// pick moves the deciding rule from Others to Rule, and sets Tie.
func (d *Decision) pick() {
	i := slices.IndexFunc(d.Others, func(rule Rule) bool { return rule.Line == d.Line })
	if i < 0 {
		return
	}
	rule := d.Others[i]
	d.Rule = &rule
	d.Others = slices.Delete(d.Others, i, i+1)
	// The tie is the first Disallow of the same length. In a dialect in which the
	// first match decides there are no ties.
	if !rule.Allow || rule.Length == 0 || d.Dialect.reading().FirstMatch {
		return
	}
	i = slices.IndexFunc(d.Others, func(other Rule) bool { return !other.Allow && other.Length == rule.Length })
	if i >= 0 {
		tie := d.Others[i]
		d.Tie = &tie
	}
}

// groupLine returns the first agent line of the group that contains the rule on
// line.
func (r Rules) groupLine(line int) (first int) {
	for group := range r.groups() {
		agent, _ := r.robots.agentRange(group)
		if at := int(r.robots.agent(agent).line); at < line {
			first = at // groups are in file order: the last one before the rule contains it
		}
	}
	return first
}

func (r Rules) reason(m *match, rule *Rule) Reason {
	switch {
	case m.implicit():
		return ReasonRobotsFile
	case !r.chosen():
		return ReasonNoGroup
	case rule == nil:
		return ReasonNoMatch
	case rule.Length == 0:
		return ReasonEmptyRule
	default:
		return ReasonRule
	}
}

// String returns the decision as one line of text, for logs: the verdict, the
// reason, the deciding rule and its group. Text from the file or the URL is quoted,
// so that it cannot contain line breaks or terminal control sequences.
func (d Decision) String() string {
	verdict := "disallowed"
	if d.Allowed {
		verdict = "allowed"
	}
	switch d.Reason {
	case ReasonNoFile:
		if d.Note == "" {
			return verdict + " without a robots.txt"
		}
		return verdict + " without a robots.txt: " + strconv.Quote(d.Note)
	case ReasonNoGroup:
		return fmt.Sprintf("%s: no group applies to the crawler; path %q", verdict, d.Path)
	case ReasonNoReading:
		return "unknown: no user-agent line can name the crawler"
	case ReasonRobotsFile:
		return fmt.Sprintf("%s: /robots.txt is always allowed; path %q", verdict, d.Path)
	}
	group := fmt.Sprintf("group %q of line %s", d.Agent, joinLines(d.AgentLines))
	if d.Rule == nil {
		return fmt.Sprintf("%s: no rule of %s matches path %q", verdict, group, d.Path)
	}
	directive := "Disallow"
	if d.Rule.Allow {
		directive = "Allow"
	}
	tie := ""
	if d.Tie != nil {
		tie = fmt.Sprintf(", tied with line %d", d.Tie.Line)
	}
	return fmt.Sprintf("%s by line %d: %s %q, length %d%s, %s; path %q",
		verdict, d.Line, directive, d.Rule.Pattern, d.Rule.Length, tie, group, d.Path)
}

func joinLines(lines []int) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(line))
	}
	return b.String()
}
