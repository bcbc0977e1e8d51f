package robotstxt

// match weighs rules against one path, in file order, and keeps the best.
// Allowed, Explain and the one-shot call all decide through it.
type match struct {
	reading *reading
	path    string // as compared
	best    weight
}

// weight orders rules by their claim to decide, as one number: the longer
// pattern first (G49), then Allow (G50), then the earlier line (G54). Zero is
// the weight of no rule at all, since every rule has a line.
type weight uint64

const (
	weightLine  weight = 1<<33 - 1 // the line, counted down from here so that earlier weighs more
	weightAllow weight = 1 << 33
	weightShift        = 34
)

func weigh(priority int, allow bool, line int) weight {
	w := weight(priority)<<weightShift | (weightLine - weight(line))
	if allow {
		w |= weightAllow
	}
	return w
}

func (w weight) priority() int { return int(w >> weightShift) }
func (w weight) allow() bool   { return w&weightAllow != 0 }

// line returns the line of the rule, 0 for no rule (G54).
func (w weight) line() int {
	if w == 0 {
		return 0
	}
	return int(weightLine - w&weightLine)
}

// allowed reports the verdict of the rule that weighs most. An empty rule, of
// priority 0, decides nothing (G51), and no rule allows (G52).
func (w weight) allowed() bool { return w.allow() || w.priority() == 0 }

// consider takes the next rule of the crawler's groups.
func (m *match) consider(allow bool, p pattern, line int) {
	w := weigh(p.priority(), allow, line)
	if m.reading.firstMatch {
		if m.best == 0 && p.matches(m.path) {
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
		m.best = max(m.best, weigh(p.priority(), allow, line))
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

// verdict returns the decision and its line, 0 if no line decides.
func (m *match) verdict() (allowed bool, line int) {
	if m.implicit() {
		return true, 0
	}
	return m.best.allowed(), m.best.line()
}

// implicit reports whether the path is that of the robots.txt itself in a
// dialect that always allows it (RFC 9309 2.2.2).
func (m *match) implicit() bool { return m.reading.openRobots && m.path == "/robots.txt" }
