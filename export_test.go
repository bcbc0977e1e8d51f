package robotstxt

// IndexedVerdict is Rules.Verdict with an index, even for a few rules or queries; ok
// is false for Rules that cannot have an index.
func IndexedVerdict(r Rules, url string) (allowed bool, line int, ok bool) {
	if r.robots == nil || r.robots.dialect.reading().FirstMatch {
		return false, 0, false
	}
	reading := r.robots.dialect.reading()
	path, bare := reading.pathOf(url)
	m := newMatch(reading, string(reading.appendPath(nil, path, bare)))
	m.best = r.newIndex(0).heaviest(&m.path)
	allowed, line = m.verdict()
	return allowed, line, true
}

// Scan reads the lines of body like the one-shot call, and returns how many of them
// are rules.
func Scan(body []byte) (rules int) {
	var s scanner
	s.open(view(body))
	for s.pos < len(body) {
		if key, from := ruleKeys.plainKey(s.text, s.pos); from > 0 && key.kind == KindNoDirective {
			_, s.pos = s.lineEnd(s.pos)
		} else if s.next(); s.kind == KindAllow || s.kind == KindDisallow {
			rules++
		}
	}
	return rules
}
