package answer

import (
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// AllowHint is the hint for an address or a port that the address guard refused.
const AllowHint = "--allow-private permits private addresses, --allow-range some of them, --allow-ports other ports"

// Visit is a URL with the robots.txt that governs it.
type Visit struct {
	URL      string     // as given
	Compared string     // the form to which rules are compared
	Read     origin.URL // the parsed URL, from which URL and Compared are made; zero if Compared is not made from URL
	Ruling   *Ruling
	Err      error // set if the URL has no host; Ruling is then nil

	// Other is the site whose robots.txt governs the URL, if it is not the ruling's site. If
	// the ruling's site is not known, the first URL's site takes its place, and Ruling decides
	// about the other URLs anyway.
	Other origin.Origin
}

// VisitText returns the visit of a URL as typed.
func VisitText(url string, r *Ruling) Visit { return VisitURL(origin.Text(url), r) }

// ReadURL reads a URL as typed, or, if asSent is set, as a client has sent it.
func ReadURL(url string, asSent bool) origin.URL {
	if asSent {
		return origin.Sent(url)
	}
	return origin.Text(url)
}

// VisitURL returns the visit of a URL. Its ruling has no file if r's file is known not to
// govern the URL.
func VisitURL(u origin.URL, r *Ruling) Visit {
	v := Visit{URL: u.Given(), Compared: u.Compared(), Read: u, Ruling: r}
	if r != nil {
		v.Ruling, v.Other = r.about(u)
	}
	return v
}

// Site returns the site of the URL. It is that of the file for a path, and zero if neither is known.
func (v *Visit) Site() origin.Origin {
	if v.Read == (origin.URL{}) {
		return siteOf(origin.Text(v.Compared), v.Ruling.site)
	}
	return siteOf(v.Read, v.Ruling.site)
}

// ComparedURL returns Compared if it differs from URL by more than the slash of an empty
// path, and "" otherwise.
func (v *Visit) ComparedURL() string {
	compared := v.Shown()
	if compared == v.URL || v.Read != (origin.URL{}) && !v.Read.IsChanged() {
		return ""
	}
	return compared
}

// Shown returns Compared as output may show it: it can have a part of a password that browsers take
// for a path.
func (v *Visit) Shown() string {
	if v.Read.Has(origin.ChangeUserinfo) {
		return origin.Text(v.Compared).Given()
	}
	return v.Compared
}

func (v *Visit) changes() (names []string) {
	for c := range v.Read.Changes() {
		names = append(names, c.String())
	}
	return names
}

// Unresolved returns the verdict for the path with its dot segments, or "" if the verdict is
// the same.
func (v *Visit) Unresolved(crawler int, resolved wire.Verdict) wire.Verdict {
	if v.Ruling.crawlers[crawler].Unread || !v.Ruling.HasFile() || !v.Read.Has(origin.ChangeDots) {
		return ""
	}
	if other := wire.VerdictOf(v.Ruling.rules[crawler].Allowed(v.Read.Unresolved())); other != resolved {
		return other
	}
	return ""
}

// query returns the URL and the crawler of an answer, with details that depend on the verdict.
func (v *Visit) query(crawler int, verdict wire.Verdict, line int) wire.Query {
	c := v.Ruling.crawlers[crawler]
	q := wire.Query{URL: v.URL, Agent: c.Name, Tokens: c.chain(), NamedOnly: c.NamedOnly, Unread: c.Unread,
		GovernedBy: v.Other.RobotsURL(), JoinedLine: v.Ruling.JoinedLine(crawler, line),
		FetchedAnyway: v.IsFetchedAnyway(verdict)}
	q.ComparedURL = v.ComparedURL()
	if q.ComparedURL != "" {
		q.Changes, q.UnresolvedVerdict = v.changes(), v.Unresolved(crawler, verdict)
	}
	return q
}

// IsFetchedAnyway reports whether the URL is a robots.txt that disallows itself.
func (v *Visit) IsFetchedAnyway(verdict wire.Verdict) bool {
	return verdict == wire.VerdictDisallowed && v.Read.IsRobots()
}

// Answer returns the answer for one of the ruling's crawlers. It looks only for
// the deciding rule, so it is much cheaper than Explain.
func (v *Visit) Answer(crawler int) wire.Answer {
	r, rules, c := v.Ruling, v.Ruling.rules[crawler], v.Ruling.crawlers[crawler]
	a := wire.Answer{
		Group: rules.Agent(), MatchedBy: rules.MatchedBy(),
		Reason: robotstxt.ReasonRule, Dialect: r.dialectOf(crawler), Outcome: r.outcome(), Body: r.body(),
		RobotsFile: r.File.Name,
	}
	a.Allowed, a.Line = rules.Verdict(v.Compared)
	a.Rule, a.GroupLine = r.File.Rule(a.Line), r.groupLine(crawler, a.Line)
	if a.Line == 0 {
		a.Reason = r.reasons[crawler]
		if v.IsRobotsFile() && !c.Unread && r.forms != nil {
			a.Reason = rules.Explain(v.Compared).Reason
		}
	} else if r.File.span(a.Line).empty() {
		a.Reason = robotstxt.ReasonEmptyRule
	}
	a.Verdict = r.verdict(crawler, a.Allowed, a.Reason)
	a.Query = v.query(crawler, a.Verdict, a.Line)
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
	if r.forms == nil {
		reason = r.absent
	}
	return r.verdict(crawler, allowed, reason), line
}

// GridAnswer returns the verdict of the answer for one of the ruling's crawlers, as the
// cell of a grid.
func (v *Visit) GridAnswer(crawler int) wire.GridAnswer {
	a := wire.GridAnswer{Agent: v.Ruling.crawlers[crawler].Name, Dialect: v.Ruling.dialectOf(crawler)}
	a.Verdict, a.Line = v.Verdict(crawler)
	a.UnresolvedVerdict = v.Unresolved(crawler, a.Verdict)
	a.JoinedLine, a.FetchedAnyway = v.Ruling.JoinedLine(crawler, a.Line), v.IsFetchedAnyway(a.Verdict)
	return a
}

// BeginRow sets the fields of a grid row that do not depend on a crawler, and empties its
// answers.
func (v *Visit) BeginRow(row *wire.GridRow) {
	*row = wire.GridRow{URL: v.URL, ComparedURL: v.ComparedURL(), GovernedBy: v.Other.RobotsURL(),
		RobotsFile: v.Ruling.File.Name, Answers: row.Answers[:0]}
	if site := v.Ruling.Site; site != nil {
		row.RobotsURL = site.RobotsURL
		if !v.Ruling.HasFile() {
			row.Status, row.FetchReason = site.Status, site.FetchReason
		}
	}
}

// IsRobotsFile reports whether the URL might be a robots.txt, which some dialects
// always allow: whether its path, which can be encoded, could end in /robots.txt.
func (v *Visit) IsRobotsFile() bool {
	return strings.Contains(v.Compared, "robots.txt") || strings.Contains(v.Compared, "%")
}

// Explain returns the answer for one of the ruling's crawlers with its reasons,
// and the decisions of the other dialects.
func (v *Visit) Explain(crawler int) *wire.Explanation {
	r, c := v.Ruling, v.Ruling.crawlers[crawler]
	d := r.rules[crawler].Explain(v.Compared)
	d.Dialect = c.Dialect // which is not set if there is no file
	if c.Unread {
		d.Reason = robotstxt.ReasonNoReading
	} else if r.forms == nil {
		d.Reason = r.absent
	}
	e := &wire.Explanation{
		Verdict: r.verdict(crawler, d.Allowed, d.Reason), MatchedBy: d.MatchedBy, Outcome: r.outcome(), Body: r.body(),
		RobotsFile: r.File.Name, Rule: r.File.Rule(d.Line), Decision: d, Others: []wire.OtherDialect{}, Fetch: r.Site,
	}
	e.Query = v.query(crawler, e.Verdict, d.Line)
	defer v.hidePaths(e)
	if r.forms == nil || c.Unread {
		return e
	}
	for _, other := range robotstxt.Dialects() {
		if other != c.Dialect {
			robots := r.Parsed(other)
			rules := c.Rules(robots)
			od := rules.Explain(v.Compared)
			why := whyDifferent(view{parsedFile{r.File, r.Parsed(c.Dialect)}, d}, view{parsedFile{r.File, robots}, od})
			e.Others = append(e.Others, wire.OtherDialect{Why: why, Decision: od,
				JoinedLine:    r.forms.joinedLine(rules, other, od.Line),
				FetchedAnyway: v.IsFetchedAnyway(wire.VerdictOf(od.Allowed))})
		}
	}
	return e
}

// hidePaths hides the compared paths if a part of a password is in them.
func (v *Visit) hidePaths(e *wire.Explanation) {
	if v.Shown() == v.Compared {
		return
	}
	e.Decision.Path = "/***"
	for i := range e.Others {
		e.Others[i].Decision.Path = "/***"
	}
}
