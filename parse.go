package robotstxt

import (
	"bytes"
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
		entries [192]entry
		text    [4096]byte
	}
	b := builder{reading: d.reading(), entries: scratch.entries[:0], text: scratch.text[:0]}
	b.grouping.records = b.reading.records
	if len(body) > len(scratch.text) {
		// A larger file allocates once for all its lines instead of growing.
		b.text = make([]byte, 0, len(body))
		b.entries = make([]entry, 0, bytes.Count(body, []byte{'\n'})+bytes.Count(body, []byte{'\r'})+1)
	}
	s := newScanner(view(body))
	for s.next() && uint64(len(b.text)) <= maxText {
		b.add(&s)
	}
	return b.finish(d)
}

// maxText keeps offsets into the text within 32 bits, with room for the
// longest line.
const maxText = math.MaxUint32 - 3*maxLine

// builder collects the lines that are kept, in file order; finish sorts them
// into tables.
type builder struct {
	reading  *reading
	grouping grouping
	entries  []entry
	counts   struct{ rules, agents, groups, extras, named int }
	text     []byte
}

// entry is a line that is kept.
type entry struct {
	offset, length uint32 // of its value in the text
	line           uint32
	kind           entryKind
	starts         bool      // an agent line that starts a group
	named          bool      // an agent line that names someone
	grouped        bool      // an extra in a group
	flags          ruleFlags // of a rule
	name           extraName // of an extra
}

type entryKind uint8

const (
	agentEntry entryKind = iota
	ruleEntry
	extraEntry
)

// add takes the scanner's line.
func (b *builder) add(s *scanner) {
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
	token, named := b.reading.agentToken(s.text[s.value.start:s.value.end])
	e := entry{kind: agentEntry, starts: b.grouping.agent(), named: named}
	b.counts.agents++
	if e.starts {
		b.counts.groups++
	}
	if e.named {
		b.counts.named++
	}
	b.keep(s, token, e)
}

func (b *builder) addRule(s *scanner) {
	value := s.text[s.value.start:s.value.end]
	if value == "" && !b.reading.emptyRules || !b.grouping.rule() {
		return
	}
	e := entry{kind: ruleEntry}
	if s.kind == KindAllow {
		e.flags = flagAllow
	}
	b.counts.rules++
	b.keep(s, "", e)
	kept := &b.entries[len(b.entries)-1]
	b.text = b.reading.appendPattern(b.text, value)
	kept.length = uint32(len(b.text)) - kept.offset
	p := b.reading.newPattern(view(b.text[kept.offset:]))
	if p.wild {
		kept.flags |= flagWild
	}
	if p.anchored {
		kept.flags |= flagAnchored
	}
}

func (b *builder) addExtra(s *scanner, name extraName) {
	b.counts.extras++
	b.keep(s, s.text[s.value.start:s.value.end], entry{kind: extraEntry, grouped: b.grouping.open, name: name})
}

// keep appends e, and its value to the text.
func (b *builder) keep(s *scanner, value string, e entry) {
	e.offset, e.length, e.line = uint32(len(b.text)), uint32(len(value)), uint32(s.number)
	b.text = append(b.text, value...)
	b.entries = append(b.entries, e)
}

// finish makes the tables, each of exactly its size.
func (b *builder) finish(d Dialect) *Robots {
	n := b.counts
	r := &Robots{
		dialect: d,
		text:    string(b.text),
		rules:   make([]rule, 0, n.rules),
		agents:  make([]agentLine, 0, n.agents),
		groups:  make([]group, 0, n.groups),
		extras:  make([]extra, 0, n.extras),
		byToken: make([]uint32, 0, n.named),
	}
	for i := range b.entries {
		r.add(&b.entries[i])
	}
	r.sortTokens()
	return r
}

// add puts the next line into its table.
func (r *Robots) add(e *entry) {
	switch e.kind {
	case agentEntry:
		if e.starts {
			r.groups = append(r.groups, group{uint32(len(r.agents)), uint32(len(r.rules))})
		}
		if e.named {
			r.byToken = append(r.byToken, uint32(len(r.agents)))
		}
		r.agents = append(r.agents, agentLine{e.offset, e.length, e.line, uint32(len(r.groups) - 1)})
	case ruleEntry:
		r.rules = append(r.rules, rule{e.offset, uint16(e.length), e.flags, e.line})
	case extraEntry:
		group := noGroup
		if e.grouped {
			group = uint32(len(r.groups) - 1)
		}
		r.extras = append(r.extras, extra{e.offset, e.length, e.line, group, e.name})
	}
}

// sortTokens orders the agent lines for named to search.
func (r *Robots) sortTokens() {
	slices.SortFunc(r.byToken, func(i, j uint32) int {
		a, b := r.agents[i], r.agents[j]
		return cmp.Or(
			compareFold(r.cut(a.offset, a.length), r.cut(b.offset, b.length)),
			cmp.Compare(i, j))
	})
}
