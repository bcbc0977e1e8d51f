package permission

import (
	"encoding/binary"
	"fmt"
	"iter"
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

// linesWith returns the lines with a key, at most mostLines: those in groups, or those in none.
func linesWith(all iter.Seq[robotstxt.Extension], key string, inGroups bool) (lines []robotstxt.Extension, cut bool) {
	for x := range all {
		if x.Name != key || inNoGroup(x) == inGroups {
			continue
		}
		if len(lines) == mostLines {
			return lines, true
		}
		lines = append(lines, x)
	}
	return lines, false
}

// extensions returns the lines with a key in the groups of the crawler.
func (e *evaluation) extensions(key string) []robotstxt.Extension {
	lines, cut := linesWith(e.rules.Extensions(), key, true)
	if cut {
		e.lines = append(e.lines, key+" lines")
	}
	return lines
}

// inFile returns the lines with a key of all groups, or those that are in no group.
func (e *evaluation) inFile(key string, inGroups bool) []robotstxt.Extension {
	file := e.file(e.q.Reading.Dialect)
	if file == nil {
		return nil
	}
	lines, _ := linesWith(file.Extensions(), key, inGroups)
	return lines
}

// useLines are the lines with one key of a crawler's groups, read.
type useLines struct {
	lines  []robotstxt.Extension
	values []Preferences
	paths  []string // of the values

	patterns *patterns // of paths, nil if all are empty
	url      string    // that was compared last
	matched  []int     // lengths of the paths that match it, else -1
}

// useLines reads the lines with a key of the crawler's groups, nil if there are none. Many crawlers
// have the same group, so a Robots of NewRobots keeps what was read.
func (e *evaluation) useLines(key string, read func(value string) Preferences) *useLines {
	u := &useLines{lines: e.extensions(key)}
	if u.lines == nil {
		return nil
	}
	same := ""
	if e.s.Robots.kept != nil {
		same = nameOf(key, e.q.Reading.Dialect, u.lines)
	}
	if kept := e.s.Robots.kept[same]; kept != nil {
		u = kept
	} else {
		for _, x := range u.lines {
			p := read(x.Value)
			u.values, u.paths = append(u.values, p), append(u.paths, p.Path)
		}
		if slices.ContainsFunc(u.paths, func(path string) bool { return path != "" }) {
			u.patterns = compile(e.q.Reading.Dialect, u.paths)
		}
		if e.s.Robots.kept != nil && len(e.s.Robots.kept) < mostLines {
			e.s.Robots.kept[same] = u
		}
	}
	switch {
	case u.matched != nil && u.url == e.q.URL:
	case u.patterns == nil:
		u.url, u.matched = e.q.URL, make([]int, len(u.paths)) // no path matches every URL
	default:
		u.url, u.matched = e.q.URL, u.patterns.lengths(len(u.paths), e.q.URL)
	}
	return u
}

// nameOf returns a name of lines with a key that other lines do not have.
func nameOf(key string, d robotstxt.Dialect, lines []robotstxt.Extension) string {
	name := make([]byte, 0, 64)
	name = append(append(append(name, key...), ' '), byte('0'+d))
	for _, x := range lines {
		name = binary.AppendUvarint(name, uint64(x.Line))
	}
	return string(name)
}

// misspeltNames are the names of lines about use, and how many typing errors away another name still means them.
var misspeltNames = map[string]int{keySignal: 2, keyUsage: 2, keyLicense: 1}

// misspelt returns the lines of the body whose name is almost that of a signal. They are found
// once.
func (r *Robots) misspelt() []Finding {
	for line := range robotstxt.Lines(r.body) {
		// Almost all lines begin with another letter, and comparing takes longer than reading them.
		if len(line.Key) == 0 || line.Key[0]|0x20 != 'c' && line.Key[0]|0x20 != 'l' {
			continue
		}
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
