package robotstxt

import "math"

// Parse reads a body in dialect Google. It never fails and never panics: what
// cannot be read is passed over, as Google's parser does (G1). The result is
// compact, immutable, safe for concurrent use and keeps no reference to body.
func Parse(body []byte) *Robots { return Google.Parse(body) }

// Parse reads a body in dialect d; see the function of the same name. There is
// no limit on the body (G2): ReadBody has it. Only the patterns, tokens and
// values that are kept may not exceed 4 GiB, nor be after the first 16 million
// lines (2²⁴); what comes later is dropped.
func (d Dialect) Parse(body []byte) *Robots {
	if int(d) >= len(readings) {
		d = Google
	}
	if len(body) > shortBody {
		return d.parseLong(view(body))
	}
	var notes [192]entry
	return d.parse(view(body), notes[:])
}

// shortBody is the length in bytes up to which a body is parsed with few notes.
// Nine files in ten are that short. Clearing the many took a third of the time
// for a file of two lines, and had the stack of each goroutine grow to 32 KB.
const shortBody = 4 << 10

//go:noinline
func (d Dialect) parseLong(body string) *Robots {
	var notes [1024]entry
	return d.parse(body, notes[:])
}

// parse reads a body. The slab is made once and to size, so all lines are read
// before any is written. The lines of most files find a place among the notes;
// those of the others that do not are read again. Reading all lines twice took a
// quarter longer.
func (d Dialect) parse(body string, notes []entry) *Robots {
	b := builder{reading: d.reading(), scanner: newScanner(body)}
	b.grouping.records = b.reading.Records
	var e entry
	noted := 0
	for noted < len(notes) && b.next(&notes[noted]) {
		noted++
	}
	rest := b
	for b.next(&e) {
	}
	w := newSlabWriter(d, body, &b.counts)
	for i := range notes[:noted] {
		w.write(&notes[i])
	}
	for range b.counts.entries() - noted {
		rest.next(&e)
		w.write(&e)
	}
	return w.finish()
}

// maxText keeps offsets into the texts within 32 bits, with room for the
// longest line, and maxKeptLine a line number within what a rule's row has for it.
const (
	maxText     = math.MaxUint32 - 3*maxLine
	maxKeptLine = math.MaxUint32 >> flagBits
)

// builder reads the lines that are kept, and counts how much room they take.
// Its copy reads on from where it was copied.
type builder struct {
	reading  *reading
	scanner  scanner
	grouping grouping
	counts   counts
}

// counts says how large a slab must be: the rows of its tables and, in bytes,
// its texts.
type counts struct {
	rules, agents, extras, groups, named int
	patterns, tokens, values             int
}

func (c *counts) entries() int { return c.rules + c.agents + c.extras }
func (c *counts) text() uint64 { return uint64(c.patterns) + uint64(c.tokens) + uint64(c.values) }

// entry is a line that is kept.
type entry struct {
	start  int    // of its value in the body
	line   uint32 // its number
	length uint16 // of its value in the body, at most maxLine
	kind   keptKind
	flags  entryFlags
}

type entryFlags uint8

const (
	entryStarts    entryFlags = 1 << iota // an agent line that starts a group
	entryNamed                            // an agent line that names someone
	entryGrouped                          // an extra in a group
	entryAllow                            // a rule that allows
	entryRewritten                        // a rule whose pattern is not its value
)

// next makes e the next line that is kept, and reports whether there is one.
func (b *builder) next(e *entry) bool {
	s := &b.scanner
	for b.counts.text() <= maxText && s.nextOf(&keptLetters) && s.number <= maxKeptLine {
		switch s.kind {
		case KindEmpty:
			b.grouping.empty()
		case KindUserAgent:
			b.noteAgent(e)
			return true
		case KindAllow, KindDisallow:
			if b.noteRule(e) {
				return true
			}
		case KindSitemap:
			b.noteExtra(e, keptSitemap)
			return true
		case KindUnused, KindUnknown:
			if kind, ok := extensionKind(s.text[s.key.start:s.key.end]); ok {
				b.noteExtra(e, kind)
				return true
			}
		}
	}
	return false
}

// noteAgent makes e the current agent line.
func (b *builder) noteAgent(e *entry) {
	value := b.scanner.value
	// A token is what its value begins with.
	token, named := b.reading.agentToken(b.scanner.text[value.start:value.end])
	*e = entry{value.start, uint32(b.scanner.number), uint16(len(token)), keptAgent, 0}
	b.counts.agents++
	b.counts.tokens += len(token)
	if b.grouping.agent() {
		e.flags |= entryStarts
		b.counts.groups++
	}
	if named {
		e.flags |= entryNamed
		b.counts.named++
	}
}

// noteRule makes e the current rule, and reports whether that is kept.
func (b *builder) noteRule(e *entry) bool {
	s := &b.scanner
	value := s.text[s.value.start:s.value.end]
	// The grouping first: an empty rule ends a run of agents in every dialect.
	if !b.grouping.rule() || value == "" && !b.reading.emptyRules {
		return false
	}
	*e = entry{s.value.start, uint32(s.number), uint16(len(value)), keptRule, 0}
	if s.kind == KindAllow {
		e.flags |= entryAllow
	}
	length := len(value)
	if b.reading.rule.Changes(value) {
		e.flags |= entryRewritten
		length = b.reading.patternLength(value)
	}
	b.counts.rules++
	b.counts.patterns += length
	return true
}

// noteExtra makes e the current sitemap or extension line.
func (b *builder) noteExtra(e *entry, kind keptKind) {
	value := b.scanner.value
	length := value.end - value.start
	*e = entry{value.start, uint32(b.scanner.number), uint16(length), kind, 0}
	if b.grouping.open {
		e.flags |= entryGrouped
	}
	b.counts.extras++
	b.counts.values += length
}
