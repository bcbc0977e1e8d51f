package robotstxt

import "github.com/kosterhq/robotstxt/internal/ascii"

// Allowed reports in dialect Google whether the crawler that asks for agents
// may fetch url, reading body once and keeping nothing. The answer is that of
// Parse(body).Rules(agents...).Allowed(url), without its allocations: right
// for one question, wasteful for many.
func Allowed(body []byte, url string, agents ...string) bool {
	return Google.Allowed(body, url, agents...)
}

// Allowed reports in dialect d whether the crawler that asks for agents may
// fetch url; see the function of the same name.
func (d Dialect) Allowed(body []byte, url string, agents ...string) bool {
	reading := d.reading()
	path, bare := reading.pathOf(url)
	if reading.rewrites(path, bare) {
		return oneShotRewritten(reading, body, path, bare, agents)
	}
	return oneShot(reading, body, path, agents)
}

// oneShotRewritten brings the path into the form to compare first.
func oneShotRewritten(r *reading, body []byte, path string, bare bool, agents []string) bool {
	b := newBuffer()
	defer b.free()
	return oneShot(r, body, b.path(r, path, bare), agents)
}

// reader answers one question while it reads. Only rules of groups that name
// the best token so far can decide, so that a better one makes it forget what
// it has read: the ranks of the asked tokens are their places in the list,
// everyone's comes last.
type reader struct {
	reading  *reading
	grouping grouping
	everyone int  // the rank of everyone: the number of asked tokens
	rank     int  // of the best token named so far
	heard    bool // the current group names that token
	over     bool // the record that decides has ended (Koster 3.2)
	match    match
}

func oneShot(r *reading, body []byte, path string, agents []string) bool {
	q := reader{
		reading:  r,
		grouping: grouping{records: r.Records},
		everyone: len(agents),
		rank:     len(agents) + 1, // none
		match:    newMatch(r, path),
	}
	defer q.match.path.Free()
	patterns := newBuffer()
	defer patterns.free()
	s := newScanner(view(body))
	for s.pos < len(s.text) {
		if q.plainLines(&s, agents, patterns); s.pos == len(s.text) {
			break
		}
		s.advance()
		s.read()
		switch s.kind {
		case KindEmpty:
			q.grouping.empty()
		case KindUserAgent:
			q.agent(q.rankOf(s.part(s.value), agents))
		case KindAllow, KindDisallow:
			q.rule(s.kind == KindAllow, s.part(s.value), s.number, patterns)
		}
	}
	allowed, _ := q.match.verdict()
	return allowed
}

// plainLines reads lines up to one that it leaves to the scanner. It skips the values
// of rules that are known not to match from how they begin.
func (q *reader) plainLines(s *scanner, agents []string, patterns *buffer) {
	text, pos := s.text, s.pos
	for pos < len(text) {
		kind, from := ruleKey(text[pos:])
		if from += pos; kind == KindNoDirective {
			var key *spelling
			if key, from = ruleKeys.plainKey(text, pos); from == 0 {
				break
			}
			kind = key.kind
		}
		s.number++
		line := text[:min(len(text), pos+maxLine)]
		isRule := kind == KindAllow || kind == KindDisallow
		switch {
		case kind == KindEmpty:
			q.grouping.empty()
		case isRule && (!q.heard || q.reading.rule.CannotMatch(trimStart(line[from:]), q.match.path.Text)):
			q.grouping.rule()
		case isRule || kind == KindUserAgent:
			from, end, _ := copyValue(patterns.room(len(line)-from), line, from)
			value := trimEnd(text[from:end])
			if isRule {
				q.rule(kind == KindAllow, value, s.number, patterns)
			} else {
				q.agent(q.rankOf(value, agents))
			}
		}
		_, pos = s.lineEnd(pos)
	}
	s.pos = pos
}

// trimStart returns s without the white space at its start.
func trimStart(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func (q *reader) agent(rank int) {
	if q.grouping.agent() {
		q.over = q.over || q.heard && q.reading.Records
		q.heard = false
	}
	switch {
	case rank < q.rank:
		q.rank, q.heard, q.over = rank, true, false
		q.match.best = 0
	case rank == q.rank && rank <= q.everyone:
		q.heard = !q.over
	}
}

// rankOf returns the place among the asked tokens of the one that an agent line
// names. They are no part of q, so that they do not escape with it.
func (q *reader) rankOf(value string, agents []string) int {
	token, named := q.reading.agentToken(value)
	if !named {
		return q.everyone + 1
	}
	for i, agent := range agents {
		if ascii.EqualFold(agent, token) {
			return i
		}
	}
	if token == everyone {
		return q.everyone
	}
	return q.everyone + 1
}

// rule takes a rule. Its pattern is brought into the form to compare in a buffer.
func (q *reader) rule(allow bool, value string, line int, b *buffer) {
	if !q.grouping.rule() || value == "" && !q.reading.emptyRules || !q.heard || q.reading.rule.CannotMatch(value, q.match.path.Text) {
		return
	}
	if q.reading.rule.Changes(value) {
		value = b.pattern(q.reading, value)
	}
	q.match.consider(ruleRow{value, uint32(line), q.reading.flagsOf(allow, value)})
}
