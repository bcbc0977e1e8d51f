package robotstxt

import (
	"cmp"
	"math"
	"slices"
)

// Parse reads a body in dialect Google. It never fails and never panics: what
// cannot be read is passed over, as Google's parser does (G1). The result is
// compact, immutable, safe for concurrent use and keeps no reference to body.
func Parse(body []byte) *Robots { return Google.Parse(body) }

// Parse reads a body in dialect d; see the function of the same name. There is
// no limit on the body (G2): ReadBody has it. Only the patterns, tokens and
// values that are kept may not exceed 4 GiB; what comes after those is dropped.
func (d Dialect) Parse(body []byte) *Robots {
	// Most files fit into these, so that only the result is allocated.
	var scratch struct {
		text   [4096]byte
		rules  [128]rule
		agents [32]agentLine
		tokens [32]uint32
		groups [32]group
		extras [32]extra
	}
	b := builder{
		reading: d.reading(),
		robots: Robots{
			rules:   scratch.rules[:0],
			agents:  scratch.agents[:0],
			byToken: scratch.tokens[:0],
			groups:  scratch.groups[:0],
			extras:  scratch.extras[:0],
		},
		text: scratch.text[:0],
	}
	b.grouping.records = b.reading.records
	s := newScanner(view(body))
	for s.next() {
		b.add(&s)
	}
	robots := b.finish()
	robots.dialect = d
	return robots
}

// builder collects what a body holds.
type builder struct {
	reading  *reading
	grouping grouping
	robots   Robots // its slices grow; finish copies them to size
	text     []byte
}

// maxText keeps offsets into the text within 32 bits, with room for the
// longest line.
const maxText = math.MaxUint32 - 3*maxLine

// add takes the scanner's line.
func (b *builder) add(s *scanner) {
	if len(b.text) > maxText {
		return
	}
	switch s.kind {
	case KindEmpty:
		b.grouping.empty()
	case KindUserAgent:
		b.addAgent(s)
	case KindAllow, KindDisallow:
		b.addRule(s)
	case KindSitemap:
		b.addExtra(s, sitemapLine)
	case KindUnused, KindUnknown:
		if name, ok := extensionName(s.text[s.key.start:s.key.end]); ok {
			b.addExtra(s, name)
		}
	}
}

func (b *builder) addAgent(s *scanner) {
	r := &b.robots
	if b.grouping.agent() {
		r.groups = append(r.groups, group{uint32(len(r.agents)), uint32(len(r.rules))})
	}
	token, named := b.reading.agentToken(s.text[s.value.start:s.value.end])
	if named {
		r.byToken = append(r.byToken, uint32(len(r.agents)))
	}
	r.agents = append(r.agents, agentLine{
		offset: uint32(len(b.text)),
		length: uint32(len(token)),
		line:   uint32(s.number),
		group:  uint32(len(r.groups) - 1),
	})
	b.text = append(b.text, token...)
}

func (b *builder) addRule(s *scanner) {
	value := s.text[s.value.start:s.value.end]
	if value == "" && !b.reading.emptyRules || !b.grouping.rule() {
		return
	}
	offset := len(b.text)
	b.text = b.reading.appendPattern(b.text, value)
	b.robots.rules = append(b.robots.rules, rule{
		offset: uint32(offset),
		length: uint16(len(b.text) - offset),
		flags:  flagsOf(s.kind, b.reading.newPattern(view(b.text[offset:]))),
		line:   uint32(s.number),
	})
}

func flagsOf(kind Kind, p pattern) (flags ruleFlags) {
	if kind == KindAllow {
		flags |= flagAllow
	}
	if p.wild {
		flags |= flagWild
	}
	if p.anchored {
		flags |= flagAnchored
	}
	return flags
}

func (b *builder) addExtra(s *scanner, name extraName) {
	value := s.text[s.value.start:s.value.end]
	e := extra{
		offset: uint32(len(b.text)),
		length: uint32(len(value)),
		line:   uint32(s.number),
		group:  noGroup,
		name:   name,
	}
	if b.grouping.open {
		e.group = uint32(len(b.robots.groups) - 1)
	}
	b.robots.extras = append(b.robots.extras, e)
	b.text = append(b.text, value...)
}

// finish copies what was collected into tables of exactly its size.
func (b *builder) finish() *Robots {
	r := &Robots{
		text:    string(b.text),
		rules:   exact(b.robots.rules),
		agents:  exact(b.robots.agents),
		groups:  exact(b.robots.groups),
		extras:  exact(b.robots.extras),
		byToken: exact(b.robots.byToken),
	}
	slices.SortFunc(r.byToken, func(i, j uint32) int {
		a, b := r.agents[i], r.agents[j]
		return cmp.Or(
			compareFold(r.cut(a.offset, a.length), r.cut(b.offset, b.length)),
			cmp.Compare(i, j))
	})
	return r
}

func exact[E any](s []E) []E { return append(make([]E, 0, len(s)), s...) }
