package permission

import (
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
)

// readFetch reads the rules of robots.txt: whether the crawler may fetch the URL.
func (e *evaluation) readFetch() {
	e.fetch = Unknown
	r := e.s.Robots
	if r == nil || r.In == nil && r.NoVerdict {
		return
	}
	file := e.file(e.q.Reading.Dialect)
	switch {
	case r.In == nil:
		e.rules = r.Without
	case file == nil:
		return
	case !e.q.Unread:
		e.rules = e.q.Reading.Rules(file)
	default:
		e.find(Finding{Source: sourceRobots, Place: Place{URL: r.URL}, Text: e.q.Crawler, Message: "no user-agent line can contain this token, so what groups say to it is unknown"}, Fetch)
		return
	}
	d := e.rules.Explain(e.q.URL)
	e.fetch = Disallowed
	reason := Reason{
		Source: sourceRobots, Version: "RFC 9309", Place: Place{URL: r.URL, Line: d.Line}, Says: SaysNo,
		Agent: d.Agent, Strength: Standard, HonouredBy: []string{}, Text: textOf(d),
	}
	if d.Rule != nil {
		reason.Path = d.Rule.Pattern
	}
	if d.Allowed {
		e.fetch, reason.Says = Allowed, SaysYes
	}
	e.say(Fetch, reason)
}

// file returns the robots.txt as a dialect reads it, nil if there is none or it is not known.
func (e *evaluation) file(d robotstxt.Dialect) *robotstxt.Robots {
	if e.s.Robots == nil || e.s.Robots.In == nil {
		return nil
	}
	file := e.s.Robots.In(d)
	if file == nil && !slices.Contains(e.unknown, d) {
		e.unknown = append(e.unknown, d)
	}
	return file
}

// textOf describes a decision: the rule, or why there is none.
func textOf(d robotstxt.Decision) string {
	switch d.Reason {
	case robotstxt.ReasonNoFile:
		return d.Note
	case robotstxt.ReasonNoGroup:
		return "no group applies to the crawler"
	case robotstxt.ReasonNoMatch:
		return fmt.Sprintf("no rule of the group for %s matches", d.Agent)
	case robotstxt.ReasonRobotsFile:
		return "robots.txt itself is always allowed"
	}
	if d.Rule == nil {
		return "no rule with a path matches"
	}
	if d.Rule.Allow {
		return "Allow: " + d.Rule.Pattern
	}
	return "Disallow: " + d.Rule.Pattern
}

// mostLines is how many lines with one key are read: of the crawler's groups, and outside of all.
const mostLines = 1000

// extensions calls do for each line with a key in the groups of the crawler.
func (e *evaluation) extensions(name string, do func(robotstxt.Extension)) {
	n := 0
	for x := range e.rules.Extensions() {
		if x.Name != name {
			continue
		}
		if n++; n > mostLines {
			e.lines = append(e.lines, name+" lines")
			return
		}
		do(x)
	}
}

// outside calls do for each line with a key that is in no group.
func (e *evaluation) outside(name string, do func(robotstxt.Extension)) {
	file := e.file(e.q.Reading.Dialect)
	if file == nil {
		return
	}
	n := 0
	for x := range file.Extensions() {
		if x.Name == name && inNoGroup(x) {
			if n++; n > mostLines {
				return
			}
			do(x)
		}
	}
}

// misspeltNames are the names of lines about use, and how many typing errors away another name still means them.
var misspeltNames = map[string]int{keySignal: 2, keyUsage: 2, keyLicense: 1}

// misspelt returns the lines of the body whose name is almost that of a signal. They are found
// once.
func (r *Robots) misspelt() []Finding {
	if r.body == nil {
		return nil
	}
	for line := range robotstxt.Lines(r.body) {
		for name, most := range misspeltNames {
			key := string(line.Key)
			if distance, near := typo.Distance(ascii.ToLower(key), ascii.ToLower(name), most); !near || distance == 0 || len(r.near) == mostAlike {
				continue
			}
			place := Place{URL: r.URL, Line: line.Number}
			r.near = append(r.near, Finding{sourceRobots, place, clip(key + ": " + string(line.Value)), "no signal has this name; write " + name})
		}
	}
	r.body = nil
	return r.near
}

// findMisspelt reports lines whose name is almost that of a signal.
func (e *evaluation) findMisspelt() {
	if e.s.Robots == nil {
		return
	}
	for _, f := range e.s.Robots.misspelt() {
		e.find(f, search, aiSearch, aiTraining)
	}
}

// inNoGroup reports whether a line is in no group.
func inNoGroup(x robotstxt.Extension) bool {
	for range x.Agents() {
		return false
	}
	return true
}
