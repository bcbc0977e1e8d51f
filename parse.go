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
	if int(d) >= len(readings) {
		d = Google
	}
	b := builder{reading: d.reading(), body: view(body)}
	b.grouping.records = b.reading.records
	// Most files fit into this, so that only the result is allocated. The
	// entries are no field of b, because a slice that is stored through a
	// pointer has its array escape.
	var scratch [160]entry
	entries := scratch[:0]
	if lines := len(body) / usualLine; lines > len(scratch) {
		entries = make([]entry, 0, lines)
	}
	s := newScanner(b.body)
	for s.next() && b.size <= maxText {
		if e, ok := b.entry(&s); ok {
			e.line = uint32(s.number)
			b.size += uint64(e.length)
			entries = append(entries, e)
		}
	}
	return b.finish(d, entries)
}

// usualLine is below the length of most files' average line.
const usualLine = 24

// maxText keeps offsets into the text within 32 bits, with room for the
// longest line.
const maxText = math.MaxUint32 - 3*maxLine

// builder finds out which lines are kept, and how much room they take, so that
// the tables and the text are then made once and to size.
type builder struct {
	reading  *reading
	body     string
	grouping grouping
	counts   struct{ rules, agents, groups, extras, named int }
	size     uint64 // of the text
	encoded  []byte // scratch for patterns that must be rewritten
}

// entry is a line that is kept.
type entry struct {
	start     int    // of its value in the body
	length    uint32 // of its value in the body
	line      uint32
	kind      entryKind
	starts    bool      // an agent line that starts a group
	named     bool      // an agent line that names someone
	grouped   bool      // an extra in a group
	allow     bool      // a rule that allows
	rewritten bool      // a rule whose pattern is not its value
	name      extraName // of an extra
}

type entryKind uint8

const (
	agentEntry entryKind = iota
	ruleEntry
	extraEntry
)

// entry returns what is kept of the scanner's line, if anything is.
func (b *builder) entry(s *scanner) (e entry, kept bool) {
	switch s.kind {
	case KindEmpty:
		b.grouping.empty()
	case KindUserAgent:
		return b.agentEntry(s), true
	case KindAllow, KindDisallow:
		return b.ruleEntry(s)
	case KindSitemap:
		return b.extraEntry(s, sitemapLine), true
	case KindUnused, KindUnknown:
		if name, ok := extensionName(s.text[s.key.start:s.key.end]); ok {
			return b.extraEntry(s, name), true
		}
	}
	return entry{}, false
}

func (b *builder) agentEntry(s *scanner) entry {
	token, named := b.reading.agentToken(s.text[s.value.start:s.value.end])
	// A token is what its value begins with.
	e := entry{kind: agentEntry, start: s.value.start, length: uint32(len(token)), named: named}
	e.starts = b.grouping.agent()
	b.counts.agents++
	if e.starts {
		b.counts.groups++
	}
	if e.named {
		b.counts.named++
	}
	return e
}

func (b *builder) ruleEntry(s *scanner) (e entry, kept bool) {
	value := s.text[s.value.start:s.value.end]
	if value == "" && !b.reading.emptyRules || !b.grouping.rule() {
		return entry{}, false
	}
	e = entry{kind: ruleEntry, start: s.value.start, length: uint32(len(value)), allow: s.kind == KindAllow}
	if b.reading.rule.changes(value) {
		b.encoded = b.reading.appendPattern(b.encoded[:0], value)
		b.size += uint64(len(b.encoded)) - uint64(len(value))
		e.rewritten = true
	}
	b.counts.rules++
	return e, true
}

func (b *builder) extraEntry(s *scanner, name extraName) entry {
	b.counts.extras++
	length := uint32(s.value.end - s.value.start)
	return entry{kind: extraEntry, start: s.value.start, length: length, grouped: b.grouping.open, name: name}
}

// finish makes the tables, each of exactly its size.
func (b *builder) finish(d Dialect, entries []entry) *Robots {
	n := b.counts
	r := &Robots{
		dialect: d,
		rules:   make([]rule, 0, n.rules),
		agents:  make([]agentLine, 0, n.agents),
		groups:  make([]group, 0, n.groups),
		extras:  make([]extra, 0, n.extras),
		byToken: make([]uint32, 0, n.named),
	}
	text := make([]byte, 0, b.size)
	for i := range entries {
		text = b.finishEntry(r, text, &entries[i])
	}
	r.text = view(text) // nobody writes to it any more
	r.sortTokens()
	return r
}

// finishEntry puts the next line into its table, and its value behind text.
func (b *builder) finishEntry(r *Robots, text []byte, e *entry) []byte {
	offset, value := uint32(len(text)), b.body[e.start:e.start+int(e.length)]
	if e.rewritten {
		text = b.reading.appendPattern(text, value)
	} else {
		text = append(text, value...)
	}
	switch e.kind {
	case agentEntry:
		if e.starts {
			r.groups = append(r.groups, group{uint32(len(r.agents)), uint32(len(r.rules))})
		}
		if e.named {
			r.byToken = append(r.byToken, uint32(len(r.agents)))
		}
		r.agents = append(r.agents, agentLine{offset, e.length, e.line, uint32(len(r.groups) - 1)})
	case ruleEntry:
		encoded := view(text[offset:])
		flags := flagsOf(e.allow, b.reading.newPattern(encoded))
		r.rules = append(r.rules, rule{offset, uint16(len(encoded)), flags, e.line})
	case extraEntry:
		group := noGroup
		if e.grouped {
			group = uint32(len(r.groups) - 1)
		}
		r.extras = append(r.extras, extra{offset, e.length, e.line, group, e.name})
	}
	return text
}

func flagsOf(allow bool, p pattern) (flags ruleFlags) {
	if allow {
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

// sortTokens orders the agent lines for named to search, and drops those that
// name for their group what another one of its lines does already.
func (r *Robots) sortTokens() {
	slices.SortFunc(r.byToken, func(i, j uint32) int {
		return cmp.Or(compareFold(r.token(i), r.token(j)), cmp.Compare(i, j))
	})
	r.byToken = slices.CompactFunc(r.byToken, func(i, j uint32) bool {
		return r.agents[i].group == r.agents[j].group && equalFold(r.token(i), r.token(j))
	})
}
