package answer

import (
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Visit is a URL with the robots.txt that governs it.
type Visit struct {
	URL      string // as given
	Compared string // as rules are compared with it
	Ruling   *Ruling
	Err      error // set if the URL has no host; Ruling is then nil
}

// Answer returns the answer for one of the ruling's crawlers. It looks only for
// the deciding rule, so it is much cheaper than Explain.
func (v *Visit) Answer(crawler int) wire.Answer {
	r, rules, c := v.Ruling, v.Ruling.rules[crawler], v.Ruling.crawlers[crawler]
	a := wire.Answer{
		URL: v.URL, Agent: c.Name, Tokens: c.chain(), NamedOnly: c.NamedOnly,
		Group: r.tokens[crawler], MatchedBy: wire.MatchedByOf(r.tokens[crawler]),
		Reason: robotstxt.ReasonRule, Dialect: r.dialect, Outcome: r.outcome(), Body: r.body(), RobotsFile: r.File.Name,
	}
	a.Allowed, a.Line = rules.Verdict(v.Compared)
	a.Rule, a.GroupLine = r.File.Rule(a.Line), r.groupLine(a.Line)
	if a.Line == 0 {
		a.Reason = r.reasons[crawler]
		if v.IsRobotsFile() {
			a.Reason = rules.Explain(v.Compared).Reason
		}
	} else if r.File.spans[a.Line].empty {
		a.Reason = robotstxt.ReasonEmptyRule
	}
	a.Verdict = r.verdict(a.Allowed, a.Reason)
	if v.Compared != v.URL {
		a.ComparedURL = v.Compared
	}
	if r.Site != nil {
		a.Provenance = &r.Site.Provenance
	}
	return a
}

// Verdict returns the verdict and the deciding line of the answer for one of the ruling's
// crawlers, which it finds faster than Answer does.
func (v *Visit) Verdict(crawler int) (verdict wire.Verdict, line int) {
	r := v.Ruling
	allowed, line := r.rules[crawler].Verdict(v.Compared)
	reason := robotstxt.ReasonRule // any but ReasonNoFile does
	if r.Robots == nil {
		reason = robotstxt.ReasonNoFile
	}
	return r.verdict(allowed, reason), line
}

// IsRobotsFile reports whether the URL may be that of a robots.txt, which some dialects
// always allow: whether its path, which may be encoded, could end so.
func (v *Visit) IsRobotsFile() bool {
	return strings.Contains(v.Compared, "robots.txt") || strings.Contains(v.Compared, "%")
}

// Explain returns the answer for one of the ruling's crawlers with its reasons,
// and the decisions of the other dialects.
func (v *Visit) Explain(crawler int) *wire.Explanation {
	r, c := v.Ruling, v.Ruling.crawlers[crawler]
	d := r.rules[crawler].Explain(v.Compared)
	d.Dialect = r.dialect // which is not set if there is no file
	e := &wire.Explanation{
		URL: v.URL, Agent: c.Name, Tokens: c.chain(), NamedOnly: c.NamedOnly,
		Verdict: r.verdict(d.Allowed, d.Reason), MatchedBy: wire.MatchedByOf(d.Agent), Outcome: r.outcome(), Body: r.body(),
		RobotsFile: r.File.Name, Rule: r.File.Rule(d.Line), Decision: d, Others: []wire.OtherDialect{}, Fetch: r.Site,
	}
	if v.Compared != v.URL {
		e.ComparedURL = v.Compared
	}
	for _, other := range r.otherReadings() {
		od := c.Rules(other.robots).Explain(v.Compared)
		e.Others = append(e.Others, wire.OtherDialect{Why: whyDifferent(view{reading{r.File, r.Robots}, d}, view{other, od}), Decision: od})
	}
	return e
}

// otherReadings returns the file in the other dialects, none if there is no file.
func (r *Ruling) otherReadings() []reading {
	if r.Robots == nil || r.others != nil {
		return r.others
	}
	for _, d := range robotstxt.Dialects() {
		if d != r.dialect {
			r.others = append(r.others, reading{r.File, d.Parse(r.File.Text)})
		}
	}
	return r.others
}
