// Package answer decides about URLs by a robots.txt: whether crawlers may fetch them,
// which line decides, and why. Answers are structs of package wire. The package does
// not fetch, so programs without a network can use it; package sites fetches the files
// of sites.
package answer

import (
	"slices"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
)

// Ruling contains a robots.txt, or the policy's decision if there is none, and the crawlers
// to answer for. Each crawler reads the file in its own dialect unless one is requested. It
// is not safe for concurrent use.
type Ruling struct {
	File  *File      // without text if there is no file
	Site  *wire.Site // nil if nothing was fetched
	Began time.Time  // the start of the run that fetched the site

	// AssumePolicy makes the policy's decision the verdict if the site did not answer. The
	// default is VerdictUnknown.
	AssumePolicy bool

	site     origin.Origin // the site that the file governs; zero if it is not known
	others   OtherSites
	foreign  *Ruling            // the ruling for URLs of other sites; nil until it is needed
	absent   robotstxt.Reason   // why there is no file
	dialect  *robotstxt.Dialect // the dialect requested for all crawlers; can be nil
	crawlers []Crawler
	rules    []robotstxt.Rules  // of each crawler
	reasons  []robotstxt.Reason // why no line decides, for each crawler
	instead  robotstxt.Rules    // the rules that apply if there is no file
	forms    *forms             // shared by the rulings of the same file; nil if there is no file
}

// RuleFile returns the ruling of a local file. If dialect is not nil, all crawlers read it
// in that dialect. The file belongs to no site, so it is compared with any URL; see Of.
func RuleFile(file *File, dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: file, forms: &forms{text: file.Text}}
	return r.complete(dialect, crawlers)
}

// Of sets the site that the file governs, and returns the ruling. Verdicts about URLs of
// other sites are then unknown. The zero Origin means that the site is not known, so that the
// file is compared with any URL.
func (r *Ruling) Of(site origin.Origin) *Ruling {
	r.site, r.others, r.foreign = site, OtherSites{Site: site}, nil
	return r
}

// Compared returns the site whose URLs are compared with the file: the site passed to Of, or
// the first URL's site.
func (r *Ruling) Compared() origin.Origin { return r.others.Site }

// RuleSite returns the ruling of a site. If the site's outcome is not OutcomeRules,
// robots is nil and the body is empty. robots is the body parsed in any dialect.
func RuleSite(site *wire.Site, body []byte, robots *robotstxt.Robots, dialect *robotstxt.Dialect,
	crawlers []Crawler) *Ruling {
	r := &Ruling{File: NewFile(body), Site: site}
	r.File.Truncated = site.Truncated
	if o, err := origin.Of(site.Origin); err == nil {
		r.Of(o)
	}
	switch {
	case robots != nil:
		site.Body = r.File.Kind
		r.forms = &forms{text: body}
		r.forms.parsed[robots.Dialect()] = robots
	case site.Outcome == wire.OutcomeAllowAll:
		r.instead = robotstxt.AllowAll(site.FetchReason)
	default:
		r.instead = robotstxt.DisallowAll(site.FetchReason)
	}
	return r.complete(dialect, crawlers)
}

// For returns the ruling of the same file or site in a dialect and for crawlers. Unlike
// the ruling's other methods, For can be called concurrently.
func (r *Ruling) For(dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	other := &Ruling{File: r.File, Site: r.Site, Began: r.Began, AssumePolicy: r.AssumePolicy, instead: r.instead,
		absent: r.absent, forms: r.forms}
	return other.Of(r.site).complete(dialect, crawlers)
}

const otherSite = "another site's file decides"

// about returns the ruling that applies to a URL: r, or, if another site's file governs the
// URL, a ruling without a file. other is then the origin of the URL. If the site of r is not
// known, it is taken to be the site of the first URL, but r still applies to the others.
func (r *Ruling) about(u origin.URL) (ruling *Ruling, other origin.Origin) {
	other = r.others.Of(u)
	if other.IsZero() || r.site.IsZero() {
		return r, other
	}
	if r.foreign == nil {
		r.foreign = &Ruling{File: &File{Name: r.File.Name}, instead: robotstxt.DisallowAll(otherSite),
			absent: robotstxt.ReasonOtherSite}
		r.foreign.complete(r.dialect, r.crawlers)
	}
	return r.foreign, other
}

func (r *Ruling) complete(dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r.dialect = dialect
	for _, c := range crawlers {
		c = c.In(dialect)
		r.crawlers = append(r.crawlers, c)
		rules := r.rulesFor(c)
		r.rules = append(r.rules, rules)
		d := rules.Explain("/")
		if c.Unread {
			d.Reason = robotstxt.ReasonNoReading
		} else if r.forms == nil {
			d.Reason = r.absent
		} else if d.Reason != robotstxt.ReasonNoFile && d.Reason != robotstxt.ReasonNoGroup {
			d.Reason = robotstxt.ReasonNoMatch
		}
		r.reasons = append(r.reasons, d.Reason)
	}
	return r
}

const unread = "no user-agent line can contain this token"

func (r *Ruling) rulesFor(c Crawler) robotstxt.Rules {
	switch {
	case c.Unread:
		return robotstxt.DisallowAll(unread)
	case r.forms == nil:
		return r.instead
	default:
		return c.Rules(r.Parsed(c.Dialect))
	}
}

// Rules returns the rules for one of the ruling's crawlers, by its place in their list.
func (r *Ruling) Rules(crawler int) robotstxt.Rules { return r.rules[crawler] }

// HasFile reports whether there is a file, so that its rules decide.
func (r *Ruling) HasFile() bool { return r.forms != nil }

// IsUnknown reports whether there is a site that gave no answer, so that nothing is known about its file.
func (r *Ruling) IsUnknown() bool {
	return r.Site != nil && (!r.Site.Answered() || r.Site.Outcome == wire.OutcomeLocal)
}

// Robots returns the file in the requested dialect, or in Google's if none is requested. It
// returns nil if there is no file.
func (r *Ruling) Robots() *robotstxt.Robots {
	d := robotstxt.Google
	if r.dialect != nil {
		d = *r.dialect
	}
	return r.Parsed(d)
}

// Parsed returns the file as a dialect reads it, nil if there is none. It is parsed once.
func (r *Ruling) Parsed(d robotstxt.Dialect) *robotstxt.Robots {
	if r.forms == nil {
		return nil
	}
	r.forms.mu.Lock()
	defer r.forms.mu.Unlock()
	return r.forms.parsedIn(d)
}

// Permission returns the facts about the robots.txt for package permission.
func (r *Ruling) Permission() *permission.Robots {
	url := ""
	if r.Site != nil {
		url = r.Site.RobotsURL
	}
	if r.HasFile() {
		facts := permission.NewRobots(url, r.File.Text)
		facts.Cut, facts.In = r.File.Truncated, r.Parsed // parsed already
		return facts
	}
	star := r.For(nil, []Crawler{NewCrawler()})
	return &permission.Robots{
		URL: url, Without: star.rules[0], NoVerdict: star.verdict(0, true, star.absent) == wire.VerdictUnknown,
		Unreachable: r.Site == nil || r.Site.Error != "" || r.Site.Outcome != wire.OutcomeAllowAll,
	}
}

// forms are a file as the dialects read it. It is safe for concurrent use.
type forms struct {
	text   []byte
	mu     sync.Mutex
	parsed [robotstxt.Koster1996 + 1]*robotstxt.Robots
	groups [robotstxt.Koster1996 + 1][]grouped         // the rules in the order of their lines
	joined [robotstxt.Koster1996 + 1][]robotstxt.Agent // nil before the first question
	found  map[joinedGroup]int                         // the results of joinedLine in files with joined lines
}

type grouped struct{ rule, agent int }

// joinedGroup is a group, by its first user-agent line, for a crawler.
type joinedGroup struct {
	rules robotstxt.Rules
	line  int
}

// parsedIn returns the file as a dialect reads it. The caller holds the lock.
func (f *forms) parsedIn(d robotstxt.Dialect) *robotstxt.Robots {
	if f.parsed[d] == nil {
		f.parsed[d] = d.Parse(f.text)
	}
	return f.parsed[d]
}

// groupLine returns the first user-agent line of the group of a rule, 0 for another line.
func (f *forms) groupLine(d robotstxt.Dialect, rule int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.groups[d] == nil { // a map would take longer to fill than a large file to parse
		for group := range f.parsedIn(d).Groups() {
			first := 0
			for agent := range group.Agents() {
				first = agent.Line
				break
			}
			for rule := range group.Rules() {
				f.groups[d] = append(f.groups[d], grouped{rule.Line, first})
			}
		}
		slices.SortFunc(f.groups[d], func(a, b grouped) int { return a.rule - b.rule })
	}
	i, found := slices.BinarySearchFunc(f.groups[d], rule, func(g grouped, rule int) int { return g.rule - rule })
	if !found {
		return 0
	}
	return f.groups[d][i].agent
}

// JoinedLine returns the user-agent line through which a rule is for a crawler, although it seems to
// be for another one only, 0 if there is none.
func (r *Ruling) JoinedLine(crawler, rule int) int {
	if r.forms == nil {
		return 0
	}
	return r.forms.joinedLine(r.rules[crawler], r.crawlers[crawler].Dialect, rule)
}

// JoinedLineOf returns the user-agent line whose rules, of which rule is the line of one, a crawler obeys although
// they seem to be for another one only, 0 if there is none.
func (r *Ruling) JoinedLineOf(of crawlers.Reading, rule int) int {
	if r.forms == nil {
		return 0
	}
	return r.forms.joinedLine(of.Rules(r.Parsed(of.Dialect)), of.Dialect, rule)
}

func (f *forms) joinedLine(rules robotstxt.Rules, d robotstxt.Dialect, rule int) int {
	joined := f.joinedIn(d)
	if rule == 0 || len(joined) == 0 {
		return 0
	}
	group := joinedGroup{rules, f.groupLine(d, rule)}
	f.mu.Lock()
	defer f.mu.Unlock()
	line, ok := f.found[group]
	if !ok { // all rules of a group are after all its user-agent lines
		by, _ := rules.JoinedBy(rule, joined)
		line = by.Line
		if f.found == nil {
			f.found = make(map[joinedGroup]int)
		}
		f.found[group] = line
	}
	return line
}

// joinedIn returns the user-agent lines that continue a group after other lines.
func (f *forms) joinedIn(d robotstxt.Dialect) []robotstxt.Agent {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.joined[d] == nil {
		f.joined[d] = slices.AppendSeq([]robotstxt.Agent{}, f.parsedIn(d).Joined(f.text))
	}
	return f.joined[d]
}

// groupLine returns the first user-agent line of the group of a crawler's rule, 0 for a
// line that is not a rule.
func (r *Ruling) groupLine(crawler, rule int) int {
	if rule == 0 || r.forms == nil {
		return 0
	}
	return r.forms.groupLine(r.crawlers[crawler].Dialect, rule)
}

// dialectOf returns the dialect of one of the ruling's crawlers, nil if it has none.
func (r *Ruling) dialectOf(crawler int) *robotstxt.Dialect { return r.crawlers[crawler].ReadsIn() }

// Crawler returns one of the ruling's crawlers, by its place in their list.
func (r *Ruling) Crawler(i int) Crawler { return r.crawlers[i] }

// verdict returns the verdict of an answer. It is unknown if no user-agent line can name the crawler, or if
// another site's file decides. It is also unknown if the site did not answer and there is no copy of its
// file, unless the policy's verdict is assumed. No policy covers a request that this machine could not send.
func (r *Ruling) verdict(crawler int, allowed bool, reason robotstxt.Reason) wire.Verdict {
	switch {
	case r.crawlers[crawler].Unread, reason == robotstxt.ReasonOtherSite:
		return wire.VerdictUnknown
	case reason != robotstxt.ReasonNoFile || r.Site == nil:
	case r.Site.Outcome == wire.OutcomeLocal, !r.Site.Answered() && !r.AssumePolicy:
		return wire.VerdictUnknown
	}
	return wire.VerdictOf(allowed)
}

// outcome returns the outcome of the site, OutcomeLocal for a local file.
func (r *Ruling) outcome() wire.Outcome {
	if r.Site == nil {
		return wire.OutcomeLocal
	}
	return r.Site.Outcome
}

// body returns the kind of the file, "" if there is none.
func (r *Ruling) body() robotstxt.Body {
	if r.forms == nil {
		return ""
	}
	return r.File.Kind
}
