// Package answer decides about URLs by a robots.txt: whether crawlers may fetch them,
// which line decides, and why. Answers are structs of package wire. The package does
// not fetch, so programs without a network can use it; package ask fetches the files
// of sites.
package answer

import (
	"sync"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Ruling contains a robots.txt, or the decision of the policy if there is none, and
// the crawlers to answer for. It is not safe for concurrent use.
type Ruling struct {
	File   *File             // without text if there is no file
	Robots *robotstxt.Robots // the file parsed, nil if there is none
	Site   *wire.Site        // nil if nothing was fetched
	Began  time.Time         // the start of the run that fetched the site

	// AssumePolicy makes the policy's word the verdict if the site has given no
	// answer. The default is VerdictUnknown.
	AssumePolicy bool

	dialect  robotstxt.Dialect
	crawlers []Crawler
	rules    []robotstxt.Rules  // of each crawler
	tokens   []string           // the token that selects the groups, for each crawler
	reasons  []robotstxt.Reason // why no line decides, for each crawler
	instead  robotstxt.Rules    // the rules that apply if there is no file
	groups   *groupLines        // shared by the rulings of the same file
	others   []reading          // the file in the other dialects, once it was explained
}

// RuleFile returns the ruling of a local file.
func RuleFile(file *File, dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: file, Robots: dialect.Parse(file.Text)}
	return r.in(dialect, crawlers)
}

// RuleSite returns the ruling of a site. If the site's outcome is not OutcomeRules,
// robots is nil and the body is empty. If robots was parsed in another dialect than
// the given one, the body is parsed again.
func RuleSite(site *wire.Site, body []byte, robots *robotstxt.Robots, dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: NewFile(body), Robots: robots, Site: site}
	r.File.Truncated = site.Truncated
	switch {
	case robots != nil:
		site.Body = r.File.Kind
		if robots.Dialect() != dialect {
			r.Robots = dialect.Parse(body)
		}
	case site.Outcome == wire.OutcomeAllowAll:
		r.instead = robotstxt.AllowAll(site.FetchReason)
	default:
		r.instead = robotstxt.DisallowAll(site.FetchReason)
	}
	return r.in(dialect, crawlers)
}

// For returns the ruling of the same file or site in a dialect and for crawlers.
// The file is parsed again for another dialect only. Unlike the ruling's other methods,
// For may be called concurrently.
func (r *Ruling) For(dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	other := &Ruling{File: r.File, Robots: r.Robots, Site: r.Site, Began: r.Began, AssumePolicy: r.AssumePolicy, instead: r.instead}
	if r.Robots != nil && dialect != r.dialect {
		other.Robots = dialect.Parse(r.File.Text)
	} else {
		other.groups = r.groups
	}
	return other.in(dialect, crawlers)
}

// in completes a ruling.
func (r *Ruling) in(dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r.dialect, r.crawlers = dialect, crawlers
	if r.groups == nil {
		r.groups = &groupLines{}
	}
	for _, c := range crawlers {
		rules := r.instead
		if r.Robots != nil {
			rules = c.Rules(r.Robots)
		}
		r.rules = append(r.rules, rules)
		d := rules.Explain("/")
		r.tokens = append(r.tokens, d.Agent)
		if d.Reason != robotstxt.ReasonNoFile && d.Reason != robotstxt.ReasonNoGroup {
			d.Reason = robotstxt.ReasonNoMatch
		}
		r.reasons = append(r.reasons, d.Reason)
	}
	return r
}

// groupLines are the first user-agent lines of the groups of a file, by the lines of their
// rules. They are found when they are first needed.
type groupLines struct {
	once sync.Once
	of   map[int]int
}

func (g *groupLines) find(robots *robotstxt.Robots) {
	g.of = make(map[int]int)
	for group := range robots.Groups() {
		first := 0
		for agent := range group.Agents() {
			first = agent.Line
			break
		}
		for rule := range group.Rules() {
			g.of[rule.Line] = first
		}
	}
}

// groupLine returns the first user-agent line of the group of a rule, 0 for a line
// that is not a rule.
func (r *Ruling) groupLine(rule int) int {
	if rule == 0 || r.Robots == nil {
		return 0
	}
	r.groups.once.Do(func() { r.groups.find(r.Robots) })
	return r.groups.of[rule]
}

// Crawler returns one of the ruling's crawlers, by its place in their list.
func (r *Ruling) Crawler(i int) Crawler { return r.crawlers[i] }

// verdict returns the verdict of an answer. It is unknown if the site gave no answer
// and there is no copy of its file, unless the policy's word is assumed. No policy
// covers a request that this machine could not send.
func (r *Ruling) verdict(allowed bool, reason robotstxt.Reason) wire.Verdict {
	switch {
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
func (r *Ruling) body() wire.Body {
	if r.Robots == nil {
		return ""
	}
	return r.File.Kind
}

// Token returns the token that selects the groups of a crawler, "*" if they are those for
// every crawler, and "" if no group applies to it or there is no file.
func (r *Ruling) Token(c Crawler) string {
	if r.Robots == nil {
		return ""
	}
	return c.Rules(r.Robots).Explain("/").Agent
}
