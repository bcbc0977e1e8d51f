package permission

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// policyTokens are the product tokens that block no crawler, but say to an operator what pages
// may be used for, with the version of the text that defines each. Their purposes and readings are
// those of package crawlers. The operators list them among crawlers that obey all rules, so the
// groups for "*" apply: our reading.
var policyTokens = []struct{ token, operator, version string }{
	{"Google-Extended", google, "Google's common crawlers, 2026-07-14"},
	{"Applebot-Extended", "Apple", "About Applebot, 2026-09-04"},
}

// readTokens reads the groups of the policy tokens of the crawler's operator: what they disallow is
// refused, and what a group with the token itself allows is permitted. Without such a group
// nothing is permitted.
func (e *evaluation) readTokens() {
	for _, t := range policyTokens {
		if t.operator == e.q.Operator {
			e.readToken(t.token, t.version)
		}
	}
}

func (e *evaluation) readToken(token, version string) {
	reading, _ := crawlers.ReadingOf(token)
	file := e.file(reading.Dialect)
	if file == nil {
		return
	}
	d := reading.Rules(file).Explain(e.q.URL)
	named := d.MatchedBy == robotstxt.MatchedByName
	if !named && d.Allowed {
		return
	}
	reason := Reason{
		Source: sourceToken, Version: version, Place: Place{URL: e.s.Robots.URL, Line: d.Line}, Text: textOf(d), Says: SaysNo,
		Agent: token, Strength: Vendor, HonouredBy: []string{e.q.Operator}, Reading: !named,
	}
	if d.Allowed {
		reason.Says = SaysYes
	}
	if d.Rule != nil {
		reason.Path = d.Rule.Pattern
	}
	if d.Line == 0 && len(d.AgentLines) > 0 {
		reason.Place.Line = d.AgentLines[0]
	}
	known, _ := crawlers.Find(token)
	for _, p := range known.Purposes {
		e.say(p, reason)
	}
}
