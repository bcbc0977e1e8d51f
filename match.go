package robotstxt

import "github.com/kosterhq/robotstxt/internal/pattern"

// match weighs rules against one path, in file order, and keeps the best.
// Allowed, Explain and the one-shot call all decide through it.
type match struct {
	reading *reading
	path    string // as compared
	best    pattern.Weight
}

// consider takes the next rule of the crawler's groups.
func (m *match) consider(allow bool, p pattern.Pattern, line int) {
	w := pattern.Weigh(p.Priority(), allow, line)
	if m.reading.FirstMatch {
		if m.best == 0 && p.Matches(m.path) {
			m.best = w // and nothing after it (Koster 3.2.2)
		}
		return
	}
	// What weighs less changes nothing, and neither does the folder that stands
	// in for it, which is shorter still.
	if w <= m.best {
		return
	}
	if p, ok := m.effective(allow, p); ok {
		m.best = max(m.best, pattern.Weigh(p.Priority(), allow, line))
	}
}

// effective returns the pattern with which a rule matches the path: its own,
// or for an Allow of an index page the folder's (G53).
func (m *match) effective(allow bool, p pattern.Pattern) (effective pattern.Pattern, ok bool) {
	if p.Matches(m.path) {
		return p, true
	}
	if allow && m.reading.IndexRule {
		if folder, ok := p.Folder(); ok && folder.Matches(m.path) {
			return folder, true
		}
	}
	return pattern.Pattern{}, false
}

// verdict returns the decision and its line, 0 if no line decides.
func (m *match) verdict() (allowed bool, line int) {
	if m.implicit() {
		return true, 0
	}
	return m.best.Allowed(), m.best.Line()
}

// implicit reports whether the path is that of the robots.txt itself in a
// dialect that always allows it (RFC 9309 2.2.2).
func (m *match) implicit() bool { return m.reading.openRobots && m.path == robotsPath }

// robotsPath is the path of the robots.txt itself, in every canonical form.
const robotsPath = "/robots.txt"
