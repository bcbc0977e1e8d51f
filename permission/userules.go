package permission

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Crawler is the crawler that a question is about. The zero Crawler is "*", any crawler that follows
// the group for "*".
type Crawler struct {
	// Name is the name in answers, a product token or "*". Its purposes are the purposes of
	// package crawlers. Reading says which groups the crawler obeys.
	Name    string
	Reading crawlers.Reading

	// Unread means that no user-agent line can name the crawler, so that the rules for it are unknown, even
	// of a site without a file. See [crawlers.ReadingOf].
	Unread bool

	// Operator is the operator, as in package crawlers, or empty. Some signals mean different
	// things to different operators.
	Operator string
}

// CrawlerOf returns the crawler with these product tokens, the most specific first, as package
// crawlers knows it; without tokens, "*".
func CrawlerOf(tokens ...string) Crawler {
	c := Crawler{Name: "*"}
	reading, ok := crawlers.ReadingOf(tokens...)
	c.Reading = reading
	c.Unread = !ok
	if len(tokens) > 0 {
		c.Name = tokens[0]
		if known, found := crawlers.Find(tokens[0]); found && known.Operator != crawlers.Unknown {
			c.Operator = known.Operator
		}
	}
	return c
}

// Use is the decision of a robots.txt about a purpose of a crawler: which token decides, and by
// which rules. A Disallow for a token refuses all purposes of the token, and no others.
type Use struct {
	Purpose crawlers.Purpose

	// Token decides: the crawler, "*", or a control token of its operator. It is empty if no token
	// decides.
	Token string

	// Reading is how the token's crawler reads robots.txt, and Rules are the rules that apply to
	// it. Rules is zero if they are not known or no token decides.
	Reading crawlers.Reading
	Rules   robotstxt.Rules

	// Kind is KindOther or KindUnread if robots.txt says nothing about any URL. Otherwise it is
	// the kind for URLs at which nothing refuses or permits the purpose: KindRule or KindOpen.
	Kind Kind

	// NeedNotObey means that the crawler that decides need not obey robots.txt, or does not
	// obey it reliably, according to its operator or a public list.
	NeedNotObey bool

	known *crawlers.Crawler
	url   string // of the file
	own   bool   // the crawler of the question decides, not a control token
}

// UseOf returns the decision of a robots.txt about a purpose of a crawler. The crawler decides if it
// has the purpose, if it has no known purpose, and about Fetch. Otherwise its operator's control token
// with the purpose decides, such as Google-Extended about training. If robots is nil, the file is not
// known.
func UseOf(robots *Robots, crawler Crawler, purpose crawlers.Purpose) *Use {
	known, _ := crawlers.Find(crawler.Name)
	u := useOf(robots, crawler, &known, purpose)
	return &u
}

func useOf(robots *Robots, crawler Crawler, known *crawlers.Crawler, purpose crawlers.Purpose) Use {
	u := Use{Purpose: purpose, Kind: KindOpen, NeedNotObey: known.Obeys == crawlers.ObeysNone}
	if purpose == Mining || !IsPurpose(purpose) && purpose != crawlers.Unknown {
		return u
	}
	_, isUse := LabelOf(purpose)
	u.own = purpose == Fetch || !hasPurposes(known) || slices.Contains(known.Purposes, purpose)
	if !u.own {
		var controls []crawlers.Crawler
		if isUse && crawler.Operator != "" {
			controls = crawlers.Select(crawlers.Selection{Control: true, Purposes: []crawlers.Purpose{purpose},
				Operators: []string{crawler.Operator}})
		}
		if len(controls) == 0 {
			u.Kind = KindOther
			return u
		}
		known = &controls[0] // an operator has one
		reading, ok := crawlers.ReadingOf(known.Token)
		crawler = Crawler{Name: known.Token, Reading: reading, Unread: !ok, Operator: crawler.Operator}
		u.NeedNotObey = known.Obeys == crawlers.ObeysNone
	}
	u.known = known
	u.Reading = crawler.Reading
	if !isUse {
		u.Kind = KindRule
	}
	var readable bool
	u.Rules, readable = robots.rulesFor(crawler, isUse)
	if !readable {
		u.Kind = KindUnread
		return u
	}
	u.url = robots.URL
	u.Token = crawler.Name
	if u.Token == "" {
		u.Token = "*"
	}
	return u
}

func hasPurposes(known *crawlers.Crawler) bool {
	return len(known.Purposes) > 0 && known.Purposes[0] != crawlers.Unknown
}

// rulesFor returns the rules for a crawler. ok is false if they are not known. A policy for files
// that are unreachable decides about fetching only.
func (r *Robots) rulesFor(c Crawler, isUse bool) (rules robotstxt.Rules, ok bool) {
	switch {
	case r == nil, c.Unread:
		return rules, false
	case r.In == nil:
		return r.Without, !r.NoVerdict && !(isUse && r.Unreachable)
	}
	file := r.In(c.Reading.Dialect)
	if file == nil {
		return rules, false
	}
	return c.Reading.Rules(file), true
}

// At returns the verdict of robots.txt about the purpose at a URL, with the reason, which is
// nil if the verdict is Unknown.
func (u *Use) At(url string) (Verdict, Kind, *Reason) {
	if u.Token == "" {
		return Unknown, u.Kind, nil
	}
	verdict, kind, r := u.by(u.Rules.Explain(url))
	if verdict == Unknown {
		return verdict, kind, nil
	}
	return verdict, kind, &r
}

// by is At for the decision of the rules.
func (u *Use) by(d robotstxt.Decision) (Verdict, Kind, Reason) {
	r := Reason{
		Source: sourceRobots, Version: "RFC 9309", Place: Place{URL: u.url, Line: d.Line}, Text: textOf(d), Says: SaysNo,
		Agent: d.Agent, Strength: Standard, HonouredBy: []string{},
	}
	if d.Rule != nil {
		r.Path = d.Rule.Pattern
	}
	if u.known.Control {
		r.Source = sourceToken
		r.Agent = u.known.Token
	}
	verdict := Disallowed
	if d.Allowed {
		verdict = Allowed
		r.Says = SaysYes
	}
	switch {
	case u.Kind == KindRule:
		return verdict, KindRule, r
	case d.Allowed && !u.permits(&d):
		return Unknown, KindOpen, Reason{}
	case !d.Allowed && !slices.Contains(u.known.Verified, "refuses"):
		r.Reading = true
		return verdict, KindNotFetched, r
	}
	// The operator states the meaning of the token. About a control token it states only that the
	// token obeys all rules, so a refusal by the group for "*" is our reading.
	r.Version, r.Strength, r.HonouredBy = "", Vendor, []string{u.known.Operator}
	if !d.Allowed {
		r.Reading = u.known.Control && d.MatchedBy == robotstxt.MatchedByStar
		return verdict, KindOperator, r
	}
	return verdict, KindNamed, r
}

// permits reports whether a decision that allows a URL permits the use: a line of the token's own
// group allows it, and cannot mean another purpose.
func (u *Use) permits(d *robotstxt.Decision) bool {
	named := d.Line > 0 && d.MatchedBy == robotstxt.MatchedByName
	return named && (u.known.Control || len(u.known.Purposes) == 1 && hasPurposes(u.known))
}

// addressOnly is what remains of a page in a search index whose crawler may not
// fetch it.
const addressOnly = "the bare address can still be listed"

// readUse keeps the statement of robots.txt about a purpose, and returns the
// token that decides.
func (e *evaluation) readUse(p crawlers.Purpose) Use {
	u := useOf(e.s.Robots, e.q.Crawler, &e.known, p)
	if u.Kind == KindUnread {
		e.file(u.Reading.Dialect) // it can be missing
	}
	if u.Token == "" {
		return u
	}
	d := e.own
	if !u.own || d == nil {
		other := u.Rules.Explain(e.q.URL)
		d = &other
	}
	verdict, kind, reason := u.by(*d)
	u.Kind = kind
	if verdict == Unknown {
		return u
	}
	e.say(p, reason)
	if p == search && verdict == Disallowed {
		limit := reason
		limit.Text = addressOnly
		limit.Says = SaysLimit
		limit.Place.Line = 0
		limit.Path = ""
		e.say(p, limit)
	}
	return u
}
