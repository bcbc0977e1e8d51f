package generate

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
	"github.com/kosterhq/robotstxt/internal/uselines"
	"github.com/kosterhq/robotstxt/permission"
)

// Signal is a kind of line that states how pages may be used.
type Signal string

// The signals. Only Content-Usage has paths.
const (
	ContentUsage  Signal = "content-usage"
	ContentSignal Signal = "content-signal"
)

// Signals returns all signals.
func Signals() []Signal { return []Signal{ContentUsage, ContentSignal} }

func (s Statement) hasSignal() bool {
	_, has := permission.LabelOf(s.Purpose)
	return has
}

// AddSignals adds the signals with these names, ignoring case. The error has a hint.
func (c *Config) AddSignals(names ...string) error {
	known := textsOf(Signals())
	for _, name := range names {
		i := slices.IndexFunc(known, func(k string) bool { return ascii.EqualFold(k, name) })
		if i < 0 {
			return term.Errorf("%q is not a signal", name).Hint("the signals are " + strings.Join(known, ", "))
		}
		c.Signals = appendNew(c.Signals, Signals()[i])
	}
	return nil
}

func (s Signal) key() string {
	if s == ContentUsage {
		return "Content-Usage"
	}
	return "Content-Signal"
}

// member returns the part of the signal's line about a use: "train-ai=n".
func (s Signal) member(u permission.Label, granted bool) string {
	value := map[bool]string{true: "yes", false: "no"}[granted]
	if s == ContentUsage {
		return u.Usage + "=" + value[:1]
	}
	return u.Signal + "=" + value
}

func (s Signal) hasPaths() bool { return s == ContentUsage }

// signalNotes returns a sentence for each signal about statements that it cannot express.
func (w *writer) signalNotes(v voice) (notes []string) {
	c := &w.config
	for _, signal := range c.Signals {
		var subjects []string
		for _, s := range c.Statements {
			if s.hasSignal() && !s.whole() && !signal.hasPaths() {
				subjects = append(subjects, s.subject())
			}
		}
		if len(subjects) > 0 {
			notes = append(notes, v.Say("No specification defines paths for %s, so there is none for %s.", signal.key(), strings.Join(subjects, ", ")))
		}
	}
	return notes
}

// hidden returns a sentence about the lines that hide a part of a statement's pages.
func (w *writer) hidden(v voice) []string {
	return v.note("Content-Usage lines with longer paths decide about some of the pages: %s.", v.short(w.hiding, maxNames))
}

// hiding returns the paths of Content-Usage lines that outweigh the path of a statement for a
// part of their own pages only, so that no label there would be right for all of them.
func (c *Config) hiding(f *file) (paths []string) {
	if !slices.Contains(c.Signals, ContentUsage) {
		return nil
	}
	var parts []pattern.Pattern
	for _, s := range c.Statements {
		if s.hasSignal() && !s.whole() {
			parts = appendNew(parts, s.pattern())
		}
	}
	seen := make(map[string]bool)
	for _, own := range signalsOf(f) {
		for _, line := range own.usage {
			at := patternOf(line.path)
			hides := func(of pattern.Pattern) bool {
				return at.Priority() > of.Priority() && !of.Contains(at) && of.Intersects(at)
			}
			if own.open && !seen[line.path] && slices.ContainsFunc(parts, hides) {
				seen[line.path] = true
				paths = append(paths, line.path)
			}
		}
	}
	return paths
}

// addSignals returns the file with the signals in each group that does not close the site,
// because a crawler with its own group does not read other groups. It removes members that
// contradict a statement, even where only some programs read them, and adds missing ones.
func (c *Config) addSignals(f *file, newline string) *file {
	changed, added := make(map[int]string), make(map[int]string) // by line
	for _, own := range signalsOf(f) {
		c.contradicted(f, own, changed)
		own.usage = slices.DeleteFunc(own.usage, func(u usageLine) bool {
			value, wasChanged := changed[u.line]
			return wasChanged && value == ""
		})
		if own.open {
			for _, signal := range c.Signals {
				added[own.last] += c.missing(own, signal, newline)
			}
		}
	}
	var text []byte
	for _, line := range f.lines {
		raw := line.Raw
		if value, ok := changed[line.Number]; ok {
			at := line.ValueOffset - line.Offset
			before, after := raw[:at], raw[at+len(line.Value):]
			raw = commentOf(line)
			if value != "" {
				raw = slices.Concat(before, []byte(value), after)
			}
		}
		text = append(text, raw...)
		if lines := added[line.Number]; lines != "" {
			if last := text[len(text)-1]; last != '\n' && last != '\r' {
				text = append(text, newline...)
			}
			text = append(text, lines...)
		}
	}
	return newFile(text)
}

// describe reports whether a group closes the whole site, and returns its last rule, or the
// last User-agent line if it has none.
func describe(g robotstxt.Group) (closed bool, last int) {
	for agent := range g.Agents() {
		last = agent.Line
	}
	opens := false
	for of := range g.Rules() {
		last = of.Line
		opens = opens || of.Allow && of.Pattern != ""
		closed = closed || !of.Allow && patternOf(of.Pattern).MatchesEvery() && of.Pattern != ""
	}
	return closed && !opens, last
}

// signals are the lines of a group about the use of pages, or the lines outside all groups,
// which some programs apply to all crawlers.
type signals struct {
	stated []permission.Stated
	usage  []usageLine // including lines that state nothing
	open   bool        // a group that does not close the site
	last   int         // the line after which lines of the group can follow
}

type usageLine struct {
	line int
	path string
}

// signalsOf returns the signals in the groups of a file, and the signals outside them.
func signalsOf(f *file) (list []signals) {
	robots := f.in(robotstxt.Google)
	for g := range robots.Groups() {
		closed, last := describe(g)
		own := signals{open: !closed, last: last}
		for e := range g.Extensions() {
			if e.Name != ContentUsage.key() {
				own.stated = append(own.stated, permission.StatedBy(e)...)
				continue
			}
			path := permission.ReadUsage(e.Value).Path
			own.usage = append(own.usage, usageLine{e.Line, path})
			for _, p := range permission.StatedBy(e) {
				p.Path = path // a line for "/" outweighs one without a path
				own.stated = append(own.stated, p)
			}
		}
		list = append(list, own)
	}
	var outside signals
	for _, key := range uselines.Keys {
		for e := range uselines.Outside(robots, key) {
			outside.stated = append(outside.stated, permission.StatedBy(e)...)
		}
	}
	return append(list, outside)
}

func (c *Config) intended(u permission.Label, path string) (Statement, bool) {
	asked := intention{u.Purpose, path}
	known, ok := c.decided[asked]
	if !ok {
		isAbout := func(s Statement) bool { return s.Purpose == u.Purpose }
		known.statement, known.ok = deciding(c.Statements, path, isAbout)
		c.decided[asked] = known
	}
	return known.statement, known.ok
}

// intention is a question about the statements, which a file with thousands of lines asks often.
type intention struct {
	purpose crawlers.Purpose
	path    string
}

type decided struct {
	statement Statement
	ok        bool
}

func (c *Config) contradicts(u permission.Label, p permission.Stated) bool {
	s, ok := c.intended(u, p.Path)
	return ok && p.Purpose == u.Purpose && s.Allow != (p.Says == permission.SaysYes)
}

// contradicted records the new values of lines with members that contradict a statement. A line
// without remaining members is removed.
func (c *Config) contradicted(f *file, own signals, changed map[int]string) {
	for _, u := range permission.Labels() {
		for _, p := range own.stated {
			if !c.contradicts(u, p) {
				continue
			}
			value, known := changed[p.Line]
			if !known {
				value = string(f.lines[p.Line-1].Value)
			}
			changed[p.Line] = withoutPurpose(p.Key, value, u.Purpose)
		}
	}
}

func withoutPurpose(key, value string, purpose crawlers.Purpose) string {
	read := permission.ReadSignal
	if key == ContentUsage.key() {
		read = permission.ReadUsage
	}
	stated := read(value)
	var kept []string
	for i, p := range stated.List {
		end := len(value)
		if i+1 < len(stated.List) {
			end = stated.List[i+1].LabelAt
		}
		if p.Purpose != purpose {
			kept = append(kept, strings.TrimRight(value[p.LabelAt:end], " \t,"))
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return value[:stated.TextAt] + strings.Join(kept, ", ")
}

// missing returns lines with the statements that a group lacks. For a URL, only the
// Content-Usage lines with the longest path apply [attach-05 3.1], so each path that has a line
// gets every label that is intended there.
func (c *Config) missing(own signals, signal Signal, newline string) string {
	var paths []string
	for _, s := range c.Statements {
		if s.hasSignal() && (s.whole() || signal.hasPaths()) {
			paths = append(paths, signalPath(s))
		}
	}
	if signal.hasPaths() {
		for _, line := range own.usage {
			paths = append(paths, line.path)
		}
	}
	type saying struct {
		path    string
		purpose crawlers.Purpose
		yes     bool
	}
	said := make(map[saying]bool)
	for _, p := range own.stated {
		if p.Key == signal.key() {
			said[saying{p.Path, p.Purpose, p.Says == permission.SaysYes}] = true
		}
	}
	var text strings.Builder
	done := make(map[string]bool)
	for _, path := range paths {
		if done[path] {
			continue
		}
		done[path] = true
		var members []string
		for _, u := range permission.Labels() {
			if s, ok := c.intended(u, path); ok && !said[saying{path, u.Purpose, s.Allow}] {
				members = append(members, signal.member(u, s.Allow))
			}
		}
		if len(members) > 0 {
			text.WriteString(signal.key() + ": " + strings.TrimLeft(path+" ", " ") + strings.Join(members, ", ") + newline)
		}
	}
	return text.String()
}

// signalPath returns the path of a statement in a line, empty for the whole site.
func signalPath(s Statement) string {
	if s.whole() {
		return ""
	}
	return s.Path
}

// proveSignals reports whether every group that does not close the site states all intentions,
// and nothing contrary.
func (c *Config) proveSignals(f *file) bool {
	if len(c.Signals) == 0 {
		return true
	}
	for _, own := range signalsOf(f) {
		for _, signal := range c.Signals {
			if own.open && c.missing(own, signal, "") != "" {
				return false
			}
		}
		for _, u := range permission.Labels() {
			if slices.ContainsFunc(own.stated, func(p permission.Stated) bool { return c.contradicts(u, p) }) {
				return false
			}
		}
	}
	return true
}
