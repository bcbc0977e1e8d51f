package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

type parsedFile struct {
	file   *File
	robots *robotstxt.Robots
}

type view struct {
	parsedFile
	decision robotstxt.Decision
}

// whyDifferent returns the reason why two dialects decide differently, "" if they do
// not. The order of the arguments does not matter: the sentence names the dialects.
func whyDifferent(a, b view) string {
	if a.decision.Allowed == b.decision.Allowed && a.decision.Line == b.decision.Line {
		return ""
	}
	for _, v := range []view{a, b} {
		if v.decision.Reason == robotstxt.ReasonRobotsFile {
			return fmt.Sprintf("%s always allows the robots.txt itself", v.decision.Dialect)
		}
	}
	if koster, other, ok := oneKoster(a, b); ok && koster.takesFirst(other) {
		return whyLoses(a, b, koster.decision.Line)
	}
	// One of them has a deciding line that does not decide in the other. Prefer a
	// line that does not match there to one that matches and loses.
	if a.decision.Line == 0 || b.decision.Line != 0 && b.matches(a.decision.Line) && !a.matches(b.decision.Line) {
		a, b = b, a
	}
	return whyNot(a, b)
}

func whyNot(a, b view) string {
	line := a.decision.Line
	if b.matches(line) {
		return whyLoses(a, b, line)
	}
	_, agents := b.find(line)
	if agents == nil {
		return whyNoRule(a, b, line)
	}
	if !slices.ContainsFunc(agents, func(agent robotstxt.Agent) bool {
		return slices.Contains(b.decision.AgentLines, agent.Line)
	}) {
		return whyOtherGroup(a, b, line)
	}
	return whyNoMatch(a, b, line)
}

// whyLoses returns the reason if the rule matches in both and another one wins in b.
func whyLoses(a, b view, line int) string {
	if koster, _, ok := oneKoster(a, b); ok {
		return fmt.Sprintf("%s takes the first rule that matches, not the longest", koster.decision.Dialect)
	}
	inA, inB := a.rule(line), b.rule(line)
	return fmt.Sprintf("by their encodings, line %d counts %d octets in %s and %d in %s",
		line, inA.Length, a.decision.Dialect, inB.Length, b.decision.Dialect)
}

// whyNoRule returns the reason if the line is a rule in a, but is in no group in b.
func whyNoRule(a, b view, line int) string {
	if rule := a.rule(line); rule.Length == 0 {
		return fmt.Sprintf("in %s line %d is not a rule, because it has no path", b.decision.Dialect, line)
	}
	return fmt.Sprintf("%s ends a group at an empty line%s, so line %d is in no group",
		b.decision.Dialect, a.emptyLine(line), line)
}

// whyOtherGroup returns the reason if the line is in a group in b too, but that group
// does not apply to the crawler.
func whyOtherGroup(a, b view, line int) string {
	for _, number := range slices.Concat(b.decision.AgentLines, a.decision.AgentLines) {
		inA, inB := a.tokenOn(number), b.tokenOn(number)
		if inA != inB {
			return fmt.Sprintf("line %d names %s in %s, and %s in %s", number,
				term.Token(inA), a.decision.Dialect, term.Token(inB), b.decision.Dialect)
		}
	}
	koster, _, ok := oneKoster(a, b)
	if ok && len(koster.decision.AgentLines) > 0 && b.names(line, koster.decision.Agent) {
		return fmt.Sprintf("%s reads only the first group for %s, on line %d", koster.decision.Dialect,
			term.Token(koster.decision.Agent), koster.decision.AgentLines[0])
	}
	return fmt.Sprintf("%s ends a group at an empty line%s, so line %d is in another group",
		b.decision.Dialect, a.emptyLine(line), line)
}

// whyNoMatch returns the reason if the rule is in the crawler's group in b too, but
// does not match there.
func whyNoMatch(a, b view, line int) string {
	inA, inB := a.rule(line), b.rule(line)
	if koster, other, ok := oneKoster(a, b); ok && isWild(other.rule(line).Pattern) {
		return fmt.Sprintf("in %s * and $ are ordinary characters, so line %d matches other paths",
			koster.decision.Dialect, line)
	}
	if a.decision.Rule.Folder {
		return fmt.Sprintf("only %s also allows the folder of an index page, as line %d does", a.decision.Dialect, line)
	}
	return fmt.Sprintf("the encodings differ: %s compares the rule %s with %s, and %s %s with %s",
		a.decision.Dialect, shown(inA.Pattern), shown(a.decision.Path),
		b.decision.Dialect, shown(inB.Pattern), shown(b.decision.Path))
}

// oneKoster returns the view of the dialect Koster1996 first and the other one
// second. ok is false if neither has that dialect.
func oneKoster(a, b view) (koster, other view, ok bool) {
	if b.decision.Dialect == robotstxt.Koster1996 {
		a, b = b, a
	}
	return a, b, a.decision.Dialect == robotstxt.Koster1996
}

// takesFirst reports whether a view of the dialect Koster1996 decides by a rule that
// comes before the other's deciding line and also matches there.
func (v view) takesFirst(other view) bool {
	line := v.decision.Line
	return line > 0 && line < other.decision.Line && other.matches(line)
}

func (v view) matches(line int) bool {
	return v.decision.Line == line || slices.ContainsFunc(v.decision.Others, func(rule robotstxt.Rule) bool {
		return rule.Line == line
	})
}

// find returns the rule on a line as the dialect reads it, and the agents of its group. It
// returns nil if the line is not a rule.
func (f parsedFile) find(line int) (rule robotstxt.Rule, agents []robotstxt.Agent) {
	for group := range f.robots.Groups() {
		for rule := range group.Rules() {
			if rule.Line == line {
				return rule, slices.Collect(group.Agents())
			}
		}
	}
	return robotstxt.Rule{}, nil
}

func (f parsedFile) rule(line int) robotstxt.Rule {
	rule, _ := f.find(line)
	return rule
}

func (f parsedFile) names(line int, token string) bool {
	_, agents := f.find(line)
	return slices.ContainsFunc(agents, func(agent robotstxt.Agent) bool { return ascii.EqualFold(agent.Token, token) })
}

func (f parsedFile) tokenOn(line int) string {
	for group := range f.robots.Groups() {
		for agent := range group.Agents() {
			if agent.Line == line {
				return agent.Token
			}
		}
	}
	return ""
}

// emptyLine returns ", line N" for the last empty line before a rule.
func (f parsedFile) emptyLine(rule int) string {
	last := 0
	for line := range robotstxt.Lines(f.file.Text) {
		if line.Number == rule {
			break
		}
		if line.Kind == robotstxt.KindEmpty {
			last = line.Number
		}
	}
	if last == 0 {
		return ""
	}
	return fmt.Sprintf(", line %d", last)
}

// isWild reports whether a pattern contains a wildcard of google and rfc9309.
func isWild(pattern string) bool {
	return strings.Contains(pattern, "*") || strings.HasSuffix(pattern, "$")
}

func shown(pattern string) string { return term.Clip(term.Escape(pattern), 60) }
