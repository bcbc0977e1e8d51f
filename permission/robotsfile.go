package permission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
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

// inNoGroup reports whether a line is in no group.
func inNoGroup(x robotstxt.Extension) bool {
	for range x.Agents() {
		return false
	}
	return true
}

// lengths returns for each path pattern how long it is if it matches the URL as a rule of
// robots.txt would, and -1 if it does not match. The empty pattern matches every URL, and is
// the shortest. The engine decides: a rule is written for each pattern. Disallow is used, because
// an Allow may match index pages too.
func lengths(d robotstxt.Dialect, paths []string, url string) []int {
	matched := make([]int, len(paths))
	var file strings.Builder
	file.WriteString("User-agent: *\n")
	written := 0
	for i, path := range paths {
		switch {
		case path == "":
		case isWritable(path):
			matched[i] = -1
			written++
		default:
			matched[i], path = -1, ""
		}
		file.WriteString("Disallow: " + path + "\n")
	}
	if written == 0 {
		return matched
	}
	explained := d.Parse([]byte(file.String())).Rules().Explain(url)
	if explained.Rule != nil {
		matched[explained.Rule.Line-2] = explained.Rule.Length
	}
	for _, rule := range explained.Others {
		if paths[rule.Line-2] != "" && rule.Length > 0 {
			matched[rule.Line-2] = rule.Length
		}
	}
	return matched
}

// longestPath is the length of the longest path pattern that a line of robots.txt can contain.
const longestPath = 16 << 10

// isWritable reports whether a pattern from another document can be the value of a rule. No
// path contains the other characters, so such a pattern matches nothing.
func isWritable(path string) bool {
	return len(path) <= longestPath && !strings.ContainsAny(path, "#\x00\r\n") && strings.Trim(path, " \t\v\f") == path
}

// longest returns the indices of the patterns that match with the greatest length, none if no
// pattern matches.
func longest(lengths []int) (best []int) {
	most := -1
	for i, n := range lengths {
		if n > most {
			most, best = n, best[:0]
		}
		if n == most && n >= 0 {
			best = append(best, i)
		}
	}
	return best
}
