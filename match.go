package robotstxt

// match weighs rules against one path, in file order, and keeps the best of
// each kind. Allowed, Explain and the one-shot call all decide through it.
type match struct {
	reading         *reading
	path            string // as compared
	allow, disallow best
}

// best is the rule of one kind that matched best so far, the first of equals
// (G54).
type best struct {
	priority int // -1: none matched
	line     int
}

func newMatch(r *reading, path string) match {
	m := match{reading: r, path: path}
	m.forget()
	return m
}

// forget drops what was considered. It assigns no pointer, which would have
// the path escape to the heap.
func (m *match) forget() { m.allow, m.disallow = best{priority: -1}, best{priority: -1} }

// consider takes the next rule of the crawler's groups.
func (m *match) consider(allow bool, p pattern, line int) {
	if m.reading.firstMatch {
		m.considerFirst(allow, p, line)
		return
	}
	of := &m.disallow
	if allow {
		of = &m.allow
	}
	// Only a longer pattern of its kind can change anything, and the folder
	// that stands in for it is shorter still.
	if p.priority() <= of.priority {
		return
	}
	if p, ok := m.effective(allow, p); ok && p.priority() > of.priority {
		*of = best{p.priority(), line}
	}
}

// considerFirst keeps the first rule that matches, of either kind, and nothing
// after it (Koster 3.2.2).
func (m *match) considerFirst(allow bool, p pattern, line int) {
	if m.allow.priority >= 0 || m.disallow.priority >= 0 || !p.matches(m.path) {
		return
	}
	if allow {
		m.allow = best{p.priority(), line}
	} else {
		m.disallow = best{p.priority(), line}
	}
}

// effective returns the pattern with which a rule matches the path: its own,
// or for an Allow of an index page the folder's (G53).
func (m *match) effective(allow bool, p pattern) (effective pattern, ok bool) {
	if p.matches(m.path) {
		return p, true
	}
	if allow && m.reading.indexRule {
		if folder, ok := p.folder(); ok && folder.matches(m.path) {
			return folder, true
		}
	}
	return pattern{}, false
}

// allowed reports the verdict: disallowed only by a Disallow that is longer
// than every Allow that matches (G50). An empty one, of priority 0, decides
// nothing (G51).
func (m *match) allowed() bool {
	return m.implicit() || m.disallow.priority <= max(m.allow.priority, 0)
}

// line returns the deciding line, Allow's on a tie, and 0 if none decides
// (G54). An empty rule is reported too if none matches better.
func (m *match) line() int {
	switch {
	case m.implicit():
		return 0
	case m.disallow.priority > m.allow.priority:
		return m.disallow.line
	default:
		return m.allow.line
	}
}

// implicit reports whether the path is that of the robots.txt itself in a
// dialect that always allows it (RFC 9309 2.2.2).
func (m *match) implicit() bool { return m.reading.openRobots && m.path == "/robots.txt" }
