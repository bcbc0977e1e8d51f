// Package answer decides about URLs by a robots.txt: whether crawlers may fetch them,
// which line decides, and why. Answers are structs of package wire. The package does
// not fetch, so programs without a network can use it; package sites fetches the files
// of sites.
package answer

import (
	"sync"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Ruling contains a robots.txt, or the decision of the policy if there is none, and
// the crawlers to answer for, each of which reads it in its own dialect unless one is
// requested. It is not safe for concurrent use.
type Ruling struct {
	File  *File      // without text if there is no file
	Site  *wire.Site // nil if nothing was fetched
	Began time.Time  // the start of the run that fetched the site

	// AssumePolicy makes the policy's word the verdict if the site has given no
	// answer. The default is VerdictUnknown.
	AssumePolicy bool

	dialect  *robotstxt.Dialect // requested for all crawlers; may be nil
	crawlers []Crawler
	rules    []robotstxt.Rules  // of each crawler
	reasons  []robotstxt.Reason // why no line decides, for each crawler
	instead  robotstxt.Rules    // the rules that apply if there is no file
	forms    *forms             // shared by the rulings of the same file; nil if there is no file
}

// RuleFile returns the ruling of a local file. If dialect is not nil, all crawlers read it
// in that dialect.
func RuleFile(file *File, dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: file, forms: &forms{text: file.Text}}
	return r.in(dialect, crawlers)
}

// RuleSite returns the ruling of a site. If the site's outcome is not OutcomeRules,
// robots is nil and the body is empty. robots is the body parsed in any dialect.
func RuleSite(site *wire.Site, body []byte, robots *robotstxt.Robots, dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r := &Ruling{File: NewFile(body), Site: site}
	r.File.Truncated = site.Truncated
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
	return r.in(dialect, crawlers)
}

// For returns the ruling of the same file or site in a dialect and for crawlers. Unlike
// the ruling's other methods, For may be called concurrently.
func (r *Ruling) For(dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	other := &Ruling{File: r.File, Site: r.Site, Began: r.Began, AssumePolicy: r.AssumePolicy, instead: r.instead, forms: r.forms}
	return other.in(dialect, crawlers)
}

// in completes a ruling.
func (r *Ruling) in(dialect *robotstxt.Dialect, crawlers []Crawler) *Ruling {
	r.dialect = dialect
	for _, c := range crawlers {
		c = c.In(dialect)
		r.crawlers = append(r.crawlers, c)
		rules := r.rulesFor(c)
		r.rules = append(r.rules, rules)
		d := rules.Explain("/")
		if c.Unread {
			d.Reason = robotstxt.ReasonNoReading
		} else if d.Reason != robotstxt.ReasonNoFile && d.Reason != robotstxt.ReasonNoGroup {
			d.Reason = robotstxt.ReasonNoMatch
		}
		r.reasons = append(r.reasons, d.Reason)
	}
	return r
}

// unread is the reason of the verdict about a crawler that no user-agent line can name.
const unread = "no user-agent line can contain this token"

func (r *Ruling) rulesFor(c Crawler) robotstxt.Rules {
	switch {
	case c.Unread:
		return robotstxt.DisallowAll(unread)
	case r.forms == nil:
		return r.instead
	default:
		return c.Rules(r.In(c.Dialect))
	}
}

// Rules returns the rules for one of the ruling's crawlers, by its place in their list.
func (r *Ruling) Rules(crawler int) robotstxt.Rules { return r.rules[crawler] }

// HasFile reports whether there is a file, so that its rules decide.
func (r *Ruling) HasFile() bool { return r.forms != nil }

// Robots returns the file as the requested dialect reads it, or without one as Google
// does; nil if there is no file.
func (r *Ruling) Robots() *robotstxt.Robots {
	d := robotstxt.Google
	if r.dialect != nil {
		d = *r.dialect
	}
	return r.In(d)
}

// In returns the file as a dialect reads it, nil if there is none. It is parsed once.
func (r *Ruling) In(d robotstxt.Dialect) *robotstxt.Robots {
	if r.forms == nil {
		return nil
	}
	r.forms.mu.Lock()
	defer r.forms.mu.Unlock()
	return r.forms.in(d)
}

// forms are a file as the dialects read it. It is safe for concurrent use.
type forms struct {
	text   []byte
	mu     sync.Mutex
	parsed [robotstxt.Koster1996 + 1]*robotstxt.Robots
	groups [robotstxt.Koster1996 + 1]map[int]int // the first user-agent lines of groups by the lines of their rules
}

// in returns the file as a dialect reads it. The caller holds the lock.
func (f *forms) in(d robotstxt.Dialect) *robotstxt.Robots {
	if f.parsed[d] == nil {
		f.parsed[d] = d.Parse(f.text)
	}
	return f.parsed[d]
}

// groupLine returns the first user-agent line of the group of a rule, 0 for another line.
func (f *forms) groupLine(d robotstxt.Dialect, rule int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.groups[d] == nil {
		f.groups[d] = make(map[int]int)
		for group := range f.in(d).Groups() {
			first := 0
			for agent := range group.Agents() {
				first = agent.Line
				break
			}
			for rule := range group.Rules() {
				f.groups[d][rule.Line] = first
			}
		}
	}
	return f.groups[d][rule]
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

// verdict returns the verdict of an answer. It is unknown if no user-agent line can name
// the crawler. It also is if the site gave no answer and there is no copy of its file,
// unless the policy's word is assumed. No policy covers a request that this machine could
// not send.
func (r *Ruling) verdict(crawler int, allowed bool, reason robotstxt.Reason) wire.Verdict {
	switch {
	case r.crawlers[crawler].Unread:
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
func (r *Ruling) body() wire.Body {
	if r.forms == nil {
		return ""
	}
	return r.File.Kind
}
