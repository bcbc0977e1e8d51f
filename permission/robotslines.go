package permission

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

func (e *evaluation) readFetch() {
	e.known, _ = crawlers.Find(e.q.Crawler.Name)
	e.fetch = Unknown
	u := useOf(e.s.Robots, e.q.Crawler, &e.known, Fetch)
	if u.Token == "" {
		if e.q.Crawler.Unread && e.file(e.q.Crawler.Reading.Dialect) != nil {
			e.report(Finding{
				Source: sourceRobots, Place: Place{URL: e.s.Robots.URL}, Text: e.q.Crawler.Name,
				Message: "no user-agent line can contain this token, so its rules are unknown",
			}, Fetch)
		}
		return
	}
	d := u.Rules.Explain(e.q.URL)
	e.rules = u.Rules
	e.own = &d
	e.fetch, _, _ = u.by(d)
}

// file returns the robots.txt as a dialect reads it, nil if there is no file or it is not
// known.
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

// maxLines is how many lines with one key are read: for the crawler, and outside all groups.
const maxLines = 1000

// linesOfCrawler returns the lines with a key that apply to the crawler.
func (e *evaluation) linesOfCrawler(key string) []robotstxt.Extension {
	found := e.found(lookup{e.file(e.q.Crawler.Reading.Dialect), e.rules, false, key})
	if found.isCut {
		e.lines = append(e.lines, key+" lines")
	}
	return found.lines
}

// linesOutside returns the lines with a key that are outside all groups.
func (e *evaluation) linesOutside(key string) []robotstxt.Extension {
	return e.found(lookup{e.file(e.q.Crawler.Reading.Dialect), robotstxt.Rules{}, true, key}).lines
}

// lookup is a search for lines with a key: outside all groups, or those that apply to a crawler with some rules.
type lookup struct {
	file    *robotstxt.Robots
	rules   robotstxt.Rules
	outside bool
	key     string
}

// firstLines are the first lines that a search finds. isCut reports that there are more.
type firstLines struct {
	lines []robotstxt.Extension
	isCut bool
}

// found returns what a search finds. A Robots of NewRobots keeps the results, because each question asks again, and
// many lines can have other keys.
func (e *evaluation) found(l lookup) (f firstLines) {
	robots := e.s.Robots
	if robots != nil {
		if kept, ok := robots.found[l]; ok {
			return kept
		}
	}
	if l.outside {
		f = firstOf(uselines.Outside(l.file, l.key))
	} else {
		f = firstOf(uselines.Of(l.file, l.rules, l.key))
	}
	const most = 50 * maxLines
	if robots != nil && robots.found != nil && len(robots.found) < maxLines && robots.lines+len(f.lines) <= most {
		robots.found[l] = f
		robots.lines += len(f.lines)
	}
	return f
}

func firstOf(all iter.Seq[robotstxt.Extension]) (f firstLines) {
	for x := range all {
		if len(f.lines) == maxLines {
			f.isCut = true
			return f
		}
		f.lines = append(f.lines, x)
	}
	return f
}

// groupsHave reports whether a group of the file has a line with a key.
func (e *evaluation) groupsHave(key string) bool {
	file := e.file(e.q.Crawler.Reading.Dialect)
	if file == nil {
		return false
	}
	for x := range file.Extensions() {
		if x.Name == key && !uselines.IsOutside(x) {
			return true
		}
	}
	return false
}

type useLines struct {
	lines  []robotstxt.Extension
	values []Preferences
	paths  []string // of the values

	patterns *patterns // of paths, nil if all are empty
	url      string    // that was compared last
	matched  []int     // lengths of the paths that match it, else -1
}

// useLines reads the lines with a key of the crawler's groups, nil if the groups have no such line.
// Many crawlers have the same group, so a Robots of NewRobots keeps the result.
func (e *evaluation) useLines(key string, read func(value string) Preferences) *useLines {
	u := &useLines{lines: e.linesOfCrawler(key)}
	if u.lines == nil {
		return nil
	}
	same := ""
	if e.s.Robots.kept != nil {
		same = nameOf(key, e.q.Crawler.Reading.Dialect, u.lines)
	}
	if kept := e.s.Robots.kept[same]; kept != nil {
		u = kept
	} else {
		for _, x := range u.lines {
			p := read(x.Value)
			u.values, u.paths = append(u.values, p), append(u.paths, p.Path)
		}
		if slices.ContainsFunc(u.paths, func(path string) bool { return path != "" }) {
			u.patterns = compile(e.q.Crawler.Reading.Dialect, u.paths)
		}
		if e.s.Robots.kept != nil && len(e.s.Robots.kept) < maxLines {
			e.s.Robots.kept[same] = u
		}
	}
	switch {
	case u.matched != nil && u.url == e.q.URL:
	case u.patterns == nil:
		u.url = e.q.URL
		u.matched = make([]int, len(u.paths)) // no path matches every URL
	default:
		u.url = e.q.URL
		u.matched = u.patterns.lengths(len(u.paths), e.q.URL)
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

// misspelt returns the lines of the body whose name is almost the name of a signal. They are
// found once.
func (r *Robots) misspelt() []Finding {
	for line := range robotstxt.Lines(r.body) {
		// Almost all lines begin with another letter, and comparing takes longer than reading them.
		if len(line.Key) == 0 || line.Key[0]|0x20 != 'c' && line.Key[0]|0x20 != 'l' {
			continue
		}
		for name, most := range misspeltNames {
			key := string(line.Key)
			if distance, near := typo.Distance(ascii.ToLower(key), ascii.ToLower(name), most); !near || distance == 0 ||
				len(r.near) == maxAlike {
				continue
			}
			place := Place{URL: r.URL, Line: line.Number}
			r.near = append(r.near, Finding{sourceRobots, place, clip(key + ": " + string(line.Value)), "no signal has this name; write " + name})
		}
	}
	r.body = nil
	return r.near
}

func (e *evaluation) reportMisspelt() {
	if e.s.Robots == nil {
		return
	}
	for _, f := range e.s.Robots.misspelt() {
		e.report(f, search, aiSearch, aiTraining)
	}
}
