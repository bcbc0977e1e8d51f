// Package answer says what a robots.txt means to crawlers: which rule decides about
// a URL, and why. Answers are the structs of package wire. The package fetches
// nothing, so that programs without a network can use it; package ask fetches the
// files of sites.
package answer

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Ruling is a robots.txt, or what applies without one, as some crawlers see it.
// It is not safe for concurrent use.
type Ruling struct {
	File   *File             // without text if there is no file
	Robots *robotstxt.Robots // the file parsed, nil if there is none
	Site   *wire.Site        // nil if no site was asked
	Began  time.Time         // when the run that asked the site began

	dialect    robotstxt.Dialect
	crawlers   []Crawler
	rules      []robotstxt.Rules  // of each crawler
	tokens     []string           // that found the groups of each crawler
	reasons    []robotstxt.Reason // why no line decides, for each crawler
	instead    robotstxt.Rules    // what applies if there is no file
	groupLines map[int]int        // the first user-agent line of each rule's group, empty until it is needed
	others     []reading          // the file in the other dialects, once it was explained
}

// RuleFile returns the ruling of a file that was given.
func RuleFile(file *File, dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: file, Robots: dialect.Parse(file.Text)}
	return r.in(dialect, crawlers)
}

// RuleSite returns the ruling of a site. If the site's outcome is not that rules
// apply, robots is nil and the body is empty. The dialect of robots may differ from
// the one given; then the body is parsed again.
func RuleSite(site *wire.Site, body []byte, robots *robotstxt.Robots, dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: NewFile(body), Robots: robots, Site: site}
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
// The file is parsed again for another dialect only.
func (r *Ruling) For(dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	other := &Ruling{File: r.File, Robots: r.Robots, Site: r.Site, Began: r.Began, instead: r.instead}
	if r.Robots != nil && dialect != r.dialect {
		other.Robots = dialect.Parse(r.File.Text)
	} else {
		other.groupLines = r.groupLines // shared, whichever fills it
	}
	return other.in(dialect, crawlers)
}

// in completes a ruling.
func (r *Ruling) in(dialect robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r.dialect, r.crawlers = dialect, crawlers
	if r.groupLines == nil {
		r.groupLines = make(map[int]int)
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

// groupLine returns the first user-agent line of the group that a rule is in, 0
// for a line that is no rule.
func (r *Ruling) groupLine(rule int) int {
	if rule == 0 || r.Robots == nil {
		return 0
	}
	if len(r.groupLines) == 0 {
		for group := range r.Robots.Groups() {
			first := 0
			for agent := range group.Agents() {
				first = agent.Line
				break
			}
			for rule := range group.Rules() {
				r.groupLines[rule.Line] = first
			}
		}
	}
	return r.groupLines[rule]
}

// verdict returns the verdict for an answer. A policy's word is none while the
// site has given neither an answer nor, earlier, a file.
func (r *Ruling) verdict(allowed bool, reason robotstxt.Reason) wire.Verdict {
	if reason == robotstxt.ReasonNoFile && r.Site != nil && r.Site.Source == wire.SourceAssumed && r.Site.Fault != wire.FaultStatus {
		return wire.VerdictUnknown
	}
	return wire.VerdictOf(allowed)
}

// outcome returns the outcome of the site, or that there is none.
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
