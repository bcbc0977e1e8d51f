package robotstxt

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

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
	p := newParser(d, view(body))
	defer p.free()
	p.read()
	return p.robots(d)
}

// maxText keeps offsets into the texts within 32 bits, with room for the
// longest line, and maxKeptLine a line number within what a rule's row has for it.
const (
	maxText     = min(math.MaxUint32, math.MaxInt) - 3*maxLine
	maxKeptLine = math.MaxUint32 >> flagBits
)

// parser reads a body once, line by line, into rows and texts of unknown number;
// the slab is then made to size and they are copied. It is reused, so that only
// the result is allocated.
type parser struct {
	scanner  scanner
	grouping grouping
	reading  *reading

	rules, agents, extras, groups []uint32   // rows as in a slab; texts begin where they do here
	named                         []tokenRow // the rows of tokens, in file order
	sorted                        []tokenRow // memory to sort them
	patterns, tokens, values      []byte     // the texts
}

// read reads all lines. That an empty one follows the last terminator does not
// matter.
func (p *parser) read() {
	s := &p.scanner
	for s.pos < len(s.text) && s.number < maxKeptLine && len(p.patterns)+len(p.tokens)+len(p.values) <= maxText {
		if p.plainLines(); s.pos == len(s.text) || !s.nextOf(&keptKeys) {
			continue
		}
		switch s.kind {
		case KindEmpty:
			p.grouping.empty()
		case KindUserAgent:
			p.agent(s.part(s.value))
		case KindAllow, KindDisallow:
			p.rule(s.kind == KindAllow, s.part(s.value))
		case KindSitemap:
			p.extra(keptSitemap, s.part(s.value))
		case KindUnused, KindUnknown:
			if kind, ok := extensionKind(s.part(s.key)); ok {
				p.extra(kind, s.part(s.value))
			}
		}
	}
}

// plainLines reads the next lines as long as they are as most lines are: empty,
// not kept, or a usual key with a value that is neither commented nor encoded.
// This takes a third of the time that the scanner needs for each.
func (p *parser) plainLines() {
	s := &p.scanner
	for text := s.text; s.pos < len(text) && s.number < maxKeptLine; {
		switch text[s.pos] {
		case '\n', '\r':
			p.grouping.empty()
			s.passLine(s.pos)
			continue
		case '#':
			s.skip()
			continue
		}
		kind, key := usualKey(text[s.pos:])
		if key == 0 {
			if s.pos == 0 || !keptKeys.excludes(text[s.pos:]) {
				return
			}
			s.skip()
			continue
		}
		start := len(p.patterns)
		if cap(p.patterns)-start < maxLine+8 {
			// What most of the rest can need, so that this happens once.
			p.patterns = slices.Grow(p.patterns, len(text)-s.pos+maxLine+8)
		}
		from, end, wild := copyPlain(p.patterns[start:cap(p.patterns)], text[:min(len(text), s.pos+maxLine)], s.pos+key)
		if end < 0 {
			return
		}
		value := trimEnd(text[from:end])
		switch kind {
		case KindUserAgent:
			s.passLine(end)
			p.agent(value)
		case KindSitemap:
			s.passLine(end)
			p.extra(keptSitemap, value)
		default:
			if p.reading.rule != pattern.Google && p.reading.rule.Changes(value) {
				return
			}
			s.passLine(end)
			p.plainRule(kind == KindAllow, value, wild)
		}
	}
}

// plainRule takes a rule whose value was copied to after the patterns, and has a
// star or not.
func (p *parser) plainRule(allow bool, value string, star bool) {
	if !p.grouping.rule() || value == "" && !p.reading.emptyRules {
		return
	}
	flags := ruleFlags(headLength-min(len(value), headLength)) << freeShift
	if star || allow || value != "" && value[len(value)-1] == '$' {
		flags = p.reading.flagsOf(allow, value)
	}
	start := len(p.patterns)
	p.patterns = p.patterns[:start+len(value)]
	p.rules = append(room(p.rules), uint32(start), uint32(p.scanner.number)<<flagBits|uint32(flags))
}

// trimEnd returns s without the white space at its end.
func trimEnd(s string) string {
	for s != "" && ascii.IsSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// copyPlain copies a value to dst. It begins in text after white space at from,
// and goes to the end of the line. Both are returned, with whether there is a
// star; the end is -1 if text has none, or if a byte of the value has to be
// encoded or ends it. Finding the end, looking at the bytes and copying them are
// one pass, eight bytes at a time; dst takes eight bytes more.
func copyPlain(dst []byte, text string, from int) (start, end int, wild bool) {
	for from < len(text) && isBlank(text[from]) {
		from++
	}
	for i := from; ; i += 8 {
		var word uint64
		if i+8 <= len(text) {
			word = ascii.Load8(text[i:])
		} else {
			word = lastBytes(text, i)
		}
		binary.LittleEndian.PutUint64(dst[i-from:], word)
		for odd := oddBytes(word); odd != 0; odd &= odd - 1 {
			at := i + bits.TrailingZeros64(odd)/8
			if at == len(text) {
				return from, -1, false
			}
			switch c := text[at]; {
			case c == '\n' || c == '\r':
				return from, at, wild
			case c == '#' || c == '%' || c == 0 || c >= 0x80:
				return from, -1, false
			case c == '*':
				wild = true
			}
		}
	}
}

// lastBytes returns the last bytes of text, from i on, the first one lowest, with
// zeros after them. There are less than eight, of a text of eight at least.
func lastBytes(text string, i int) uint64 {
	return ascii.Load8(text[len(text)-8:]) >> (8 * uint(i+8-len(text)))
}

// oddBytes marks the bytes below '+' and above 0x7F by their top bit: line ends,
// white space, wildcards, and what may have to be encoded. A '+' after another
// one may be marked too.
func oddBytes(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	return ((word - '+'*ones) | word) & tops
}

// agent takes an agent line.
func (p *parser) agent(value string) {
	token, named := p.reading.agentToken(value)
	agent := uint32(len(p.agents) / agentWords)
	if p.grouping.agent() {
		p.groups = append(room(p.groups), agent, uint32(len(p.rules)/ruleWords))
	}
	if named {
		p.named = append(room(p.named), newTokenRow(hashToken(token), agent))
	}
	p.agents = append(room(p.agents), uint32(len(p.tokens)), uint32(p.scanner.number), uint32(len(p.groups)/groupWords)-1)
	p.tokens = append(p.tokens, token...)
}

// rule takes an Allow or Disallow line.
func (p *parser) rule(allow bool, value string) {
	// The grouping first: an empty rule ends a run of agents in every dialect.
	if !p.grouping.rule() || value == "" && !p.reading.emptyRules {
		return
	}
	start := len(p.patterns)
	if p.reading.rule.Changes(value) {
		p.patterns = p.reading.appendPattern(p.patterns, value)
	} else {
		p.patterns = append(p.patterns, value...)
	}
	flags := p.reading.flagsOf(allow, view(p.patterns[start:]))
	p.rules = append(room(p.rules), uint32(start), uint32(p.scanner.number)<<flagBits|uint32(flags))
}

// extra takes a sitemap or extension line.
func (p *parser) extra(kind keptKind, value string) {
	third := uint32(kind)
	if p.grouping.open {
		third |= extraGrouped
	}
	p.extras = append(room(p.extras), uint32(len(p.values)), uint32(p.scanner.number), third)
	p.values = append(p.values, value...)
}

// room returns rows with room for another one. Doubling takes less memory in all
// than the smaller steps of append.
func room[E any](rows []E) []E {
	const row = 4 // words at most
	if cap(rows)-len(rows) < row {
		rows = slices.Grow(rows, max(len(rows), 16*row))
	}
	return rows
}

// robots makes the slab to size and copies what was read.
func (p *parser) robots(d Dialect) *Robots {
	r := &Robots{dialect: d}
	end := uint32(0)
	place := func(t *table, rows, width int) {
		*t = table{end, uint32(rows)}
		end += uint32(rows * width)
	}
	place(&r.rules, len(p.rules)/ruleWords, ruleWords)
	place(&r.agents, len(p.agents)/agentWords, agentWords)
	place(&r.extras, len(p.extras)/extraWords, extraWords)
	end++
	place(&r.groups, len(p.groups)/groupWords, groupWords)
	end += groupWords
	place(&r.tokens, len(p.named), tokenWords)
	place(&r.buckets, bucketsOf(len(p.named)), 1)
	end++

	text := len(p.patterns) + len(p.tokens) + len(p.values)
	slab := make([]uint32, int(end)+(text+textPadding+3)/4)
	r.words = slab[:end:end]
	copy(r.words, p.rules)
	copyRows(r.words[r.agents.start:], p.agents, agentWords, len(p.patterns))
	copyRows(r.words[r.extras.start:], p.extras, extraWords, len(p.patterns)+len(p.tokens))
	r.words[r.groups.start-1] = uint32(text)
	groups := append(r.words[r.groups.start:r.groups.start], p.groups...)
	_ = append(groups, r.agents.rows, r.rules.rows)

	texts := bytesOf(slab[end:])
	n := copy(texts, p.patterns)
	n += copy(texts[n:], p.tokens)
	copy(texts[n:], p.values)
	r.text = view(texts) // nothing writes to it any more
	p.sorted = r.placeTokens(p.named, p.sorted)
	return r
}

// copyRows copies rows, with so much added to where their texts begin.
func copyRows(to, rows []uint32, width, textStart int) {
	copy(to, rows)
	for i := 0; i < len(rows); i += width {
		to[i] += uint32(textStart)
	}
}
