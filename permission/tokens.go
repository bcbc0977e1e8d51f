package permission

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// policyToken is a product token that blocks no crawler, but says what pages may be used for.
// Its purposes and reading are those of package crawlers.
type policyToken struct {
	token    string
	operator string // as in package crawlers; empty if the token speaks to all operators

	// star says whether the groups for "*" apply if no group has the token.
	star crawlers.Answer

	purposes []crawlers.Purpose // if it speaks to all operators

	version string
}

// policyTokens are the known tokens. To add the shared training signal, complete its row once a
// text spells the token and says whether "*" applies.
var policyTokens = []policyToken{
	// The operators list these among crawlers that obey all rules, so the groups for "*" apply:
	// our reading.
	{token: "Google-Extended", operator: google, star: crawlers.Yes, version: "Google's common crawlers, 2026-07-14"},
	{token: "Applebot-Extended", operator: "Apple", star: crawlers.Yes, version: "About Applebot, 2026-09-04"},
	{token: "", star: crawlers.Unknown, purposes: []crawlers.Purpose{aiTraining}, version: "draft-kelley-aipref-training-preference-signal-00"},
}

// readTokens reads the groups of policy tokens.
func (e *evaluation) readTokens() {
	for i := range policyTokens {
		e.readToken(&policyTokens[i])
	}
}

// readToken reads the groups of a policy token that speaks to the crawler's operator: what
// they disallow is refused, and what a group with the token itself allows is permitted. Without
// such a group nothing is permitted.
func (e *evaluation) readToken(t *policyToken) {
	if t.token == "" || t.operator != "" && t.operator != e.q.Operator {
		return
	}
	purposes, honoured := t.purposes, []string{}
	if t.operator != "" {
		known, _ := crawlers.Find(t.token)
		purposes, honoured = known.Purposes, []string{t.operator}
	}
	reading, _ := crawlers.ReadingOf(t.token)
	file := e.file(reading.Dialect)
	if file == nil {
		return
	}
	d := reading.Rules(file).Explain(e.q.URL)
	named := d.MatchedBy == robotstxt.MatchedByName
	if !named && (d.Allowed || t.star != crawlers.Yes) {
		return // nothing, or nothing that a text decides
	}
	reason := Reason{
		Source: sourceToken, Version: t.version, Place: Place{URL: e.s.Robots.URL, Line: d.Line}, Text: textOf(d), Says: SaysNo,
		Agent: t.token, Strength: Vendor, HonouredBy: honoured, Reading: !named,
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
	for _, p := range purposes {
		e.say(p, reason)
	}
}
