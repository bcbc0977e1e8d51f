package robotstxt

import (
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Allowed reports whether a crawler with these product tokens may fetch url, in the
// Google dialect. The result equals Parse(body).Rules(agents...).Allowed(url). Allowed
// reads the body once and does not allocate; for several queries about a body, parse
// it.
//
// As with Parse, no agent line can name a crawler such as MJ12bot, so only groups for "*"
// apply to it.
func Allowed(body []byte, url string, agents ...string) bool {
	return Google.Allowed(body, url, agents...)
}

// Allowed is like the function Allowed, but in dialect d: it reports whether a crawler
// with these product tokens may fetch url. No group names a crawler whose token is not
// valid in d, see ValidAgent.
func (d Dialect) Allowed(body []byte, url string, agents ...string) bool {
	reading := d.reading()
	path, bare := reading.pathOf(url)
	if reading.rewrites(path, bare) {
		return oneShotRewritten(reading, body, path, bare, agents)
	}
	return oneShot(reading, body, path, "", agents)
}

func oneShotRewritten(r *reading, body []byte, path string, bare bool, agents []string) bool {
	b := newBuffer()
	defer b.free()
	text, slashed := b.path(r, path, bare)
	return oneShot(r, body, text, slashed, agents)
}

// reader answers one query while it reads a body. Each token of the query has a rank, its
// index in the list; "*" has the next one. Only rules of groups with the best rank can
// decide. So when an agent line has a better rank than all before, the rules up to there
// are dropped.
type reader struct {
	reading  *reading
	grouping grouping
	starRank int  // the rank of "*": the number of tokens in the query
	rank     int  // the best rank so far
	applies  bool // the current group has a token of that rank
	ended    bool // the record that decides has ended [Koster 3.2]
	match    match
}

func oneShot(r *reading, body []byte, path, slashed string, agents []string) bool {
	var matcher pattern.Matcher
	defer matcher.Free()
	if slashed != "" {
		matcher.Slash(slashed)
	}
	q := reader{
		reading:  r,
		grouping: grouping{records: r.Records},
		starRank: len(agents),
		rank:     len(agents) + 1, // of no token
		match:    newMatch(r, path),
	}
	patterns := newBuffer()
	defer patterns.free()
	var s scanner
	s.open(keptPart(body))
	for s.pos < len(s.text) {
		q.plainLines(&s, agents, patterns, &matcher)
		if s.pos == len(s.text) {
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
			q.rule(s.kind == KindAllow, s.part(s.value), s.number, patterns, &matcher)
		}
	}
	allowed, _ := q.match.verdict()
	return allowed
}

// plainLines reads lines up to one that it leaves to the scanner. It does not read the
// value of a rule if its first bytes differ from the path's.
func (q *reader) plainLines(s *scanner, agents []string, patterns *buffer, x *pattern.Matcher) {
	text, pos := s.text, s.pos
	for pos < len(text) {
		s.number++
		first, at := ruleKeys.plainStart(text, pos)
		switch first {
		case firstEnd:
			q.grouping.empty()
			pos = s.after(at)
			continue
		case firstOther:
			_, pos = s.lineEnd(at)
			continue
		}
		kind, from := ruleKey(text, at)
		if kind == KindNoDirective {
			var key *spelling
			key, from = ruleKeys.plainKey(text, at)
			if from == 0 {
				s.number--
				break
			}
			kind = key.kind
		}
		line := text[:min(len(text), pos+maxLine)]
		isRule := kind == KindAllow || kind == KindDisallow
		switch {
		case isRule && (!q.applies || q.reading.rule.CannotMatch(trimStart(line[from:]), q.match.path)):
			q.grouping.rule()
		case isRule || kind == KindUserAgent:
			from, end, marks := copyValue(patterns.room(len(line)-from), line, from)
			value := trimEnd(text[from:end])
			if isRule {
				q.rule(kind == KindAllow, value, s.number, patterns, x)
			} else {
				q.agent(q.rankOf(value, agents))
			}
			if marks&markEnd != 0 {
				pos = s.after(end)
				continue
			}
		}
		_, pos = s.lineEnd(pos)
	}
	s.pos = pos
}

func trimStart(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func (q *reader) agent(rank int) {
	if q.grouping.agent() {
		q.ended = q.ended || q.applies && q.reading.Records
		q.applies = false
	}
	switch {
	case rank < q.rank:
		q.rank, q.applies, q.ended = rank, true, false
		q.match.best = 0
	case rank == q.rank && rank <= q.starRank:
		q.applies = !q.ended
	}
}

// rankOf returns the rank of the token in an agent line. The tokens of the query are a
// parameter because they would escape to the heap as a field of q.
func (q *reader) rankOf(value string, agents []string) int {
	token, named := q.reading.agentToken(value)
	if !named {
		return q.starRank + 1
	}
	for i, agent := range agents {
		if ascii.EqualFold(agent, token) {
			return i
		}
	}
	if token == starToken {
		return q.starRank
	}
	return q.starRank + 1
}

// rule takes a rule, and uses the buffer to encode its pattern.
func (q *reader) rule(allow bool, value string, line int, b *buffer, x *pattern.Matcher) {
	if !q.grouping.rule() || value == "" && !q.reading.emptyRules || !q.applies ||
		q.reading.rule.CannotMatch(value, q.match.path) {
		return
	}
	if q.reading.rule.Changes(value) {
		value = b.pattern(q.reading, value)
	}
	p, before := q.reading.newPattern(value)
	q.match.consider(ruleRow{value, uint32(line), q.reading.flagsOf(allow, p, before)}, x)
}
