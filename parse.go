package robotstxt

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Parse reads a body in the Google dialect. There is no error: like Google's parser, it
// ignores lines that it cannot read [G1]. The result is compact, immutable and safe for
// concurrent use, and does not refer to body.
//
// This dialect cannot name a crawler whose token contains a digit, a dot or a space: in an
// agent line, MJ12bot is MJ. See ValidAgent; crawlers.ReadingOf returns the dialect in
// which a crawler reads files.
func Parse(body []byte) *Robots { return Google.Parse(body) }

// Parse reads a body in dialect d, like the function Parse. No agent line can name a
// crawler whose token is not valid in d, see ValidAgent. ReadBody limits the size of a
// body. Parse and the one-shot call ignore all lines after the first 2²⁴, and after the
// first 1 GiB [G2].
func (d Dialect) Parse(body []byte) *Robots {
	if int(d) >= len(readings) {
		d = Google
	}
	reading := d.reading()
	p := parser{grouping: grouping{records: reading.Records}, reading: reading, draft: newDraft()}
	p.marked = reading.rule == pattern.Google
	p.scanner.open(keptPart(body))
	p.read()
	r := p.robots(d)
	p.draft.free()
	return r
}

// The limits of a body. A row of rules has 24 bits for the number of a line, from 1. An
// offset into the texts has 32 bits, and a pattern has up to three bytes for each byte of the
// body.
const (
	maxLines = 1 << (32 - flagBits)
	maxBody  = 1 << 30
)

// keptPart returns the lines of a body within these limits, as a string that ends with the
// call that was given the body.
func keptPart(body []byte) string {
	if len(body) > maxBody {
		body = wholeLines(body, maxBody)
	}
	text := ascii.View(body)
	if len(text) <= maxLines || strings.Count(text, "\n")+strings.Count(text, "\r") < maxLines {
		return text
	}
	var s scanner
	s.open(text)
	for range maxLines {
		_, s.pos = s.lineEnd(s.pos)
	}
	return text[:s.pos]
}

// parser reads a body once, line by line, and collects rows and texts. When their
// number is known, it makes the slab and copies them.
type parser struct {
	scanner  scanner
	grouping grouping
	reading  *reading
	marked   bool // copyValue marks all values that the dialect encodes
	*draft
}

func (p *parser) read() {
	s := &p.scanner
	for s.pos < len(s.text) {
		p.plainLines()
		if s.pos == len(s.text) {
			break
		}
		s.advance()
		s.read()
		switch s.kind {
		case KindEmpty:
			p.grouping.empty()
		case KindUserAgent:
			p.agentLine(s.part(s.value))
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

func (p *parser) agentLine(value string) {
	p.agent(p.reading.agentToken(value))
}

func (p *parser) agent(token string, named bool) {
	agent := uint32(len(p.agents) / agentWords)
	if p.grouping.agent() {
		p.groups = append(p.groups, agent, uint32(len(p.rules)/ruleWords))
	}
	p.agents = append(p.agents, uint32(len(p.tokens)), uint32(p.scanner.number), uint32(len(p.groups)/groupWords)-1)
	appendText(&p.tokens, token)
	if named {
		p.name(agent, token)
	}
}

// copiedRule takes an Allow or Disallow line whose value is in the memory after the
// patterns.
func (p *parser) copiedRule(allow bool, value string, marks uint8) {
	if marks&markCoded != 0 || !p.marked && p.reading.rule.Changes(value) {
		p.rule(allow, value)
		return
	}
	if !p.grouping.rule() || value == "" && !p.reading.emptyRules {
		return
	}
	start := len(p.patterns)
	p.patterns = p.patterns[:start+len(value)]
	switch {
	case marks&markWild != 0:
		p.addEncoded(start, allow, value)
	case allow:
		p.addRule(start, p.reading.flagsOf(true, pattern.Pattern{Text: value}, len(value)))
	default:
		p.addRule(start, headFlags(len(value)))
	}
}

func (p *parser) rule(allow bool, value string) {
	// First, since an empty rule ends a run of agent lines in every dialect.
	if !p.grouping.rule() || value == "" && !p.reading.emptyRules {
		return
	}
	start := len(p.patterns)
	p.patterns = p.reading.appendPattern(p.patterns, value)
	p.addEncoded(start, allow, ascii.View(p.patterns[start:]))
}

func (p *parser) addEncoded(start int, allow bool, text string) {
	q, before := p.reading.newPattern(text)
	p.addRule(start, p.reading.flagsOf(allow, q, before))
}

func (p *parser) addRule(start int, flags ruleFlags) {
	p.rules = append(p.rules, uint32(start), uint32(p.scanner.number-1)<<flagBits|uint32(flags))
}

// room returns the memory after the patterns: at least n bytes and copyRoom more.
func (p *parser) room(n int) []byte {
	start := len(p.patterns)
	if cap(p.patterns)-start < n+copyRoom {
		p.patterns = slices.Grow(p.patterns, n+copyRoom)
	}
	return p.patterns[start:cap(p.patterns)]
}

func (p *parser) extra(kind keptKind, value string) {
	third := uint32(kind)
	if p.grouping.open {
		third |= extraGrouped
	}
	p.extras = append(p.extras, uint32(len(p.values)), uint32(p.scanner.number), third)
	appendText(&p.values, value)
}

// robots makes a slab of the right size and copies the result of the parser to
// it.
func (p *parser) robots(d Dialect) *Robots {
	end := uint32(0)
	place := func(words, width int) table {
		t := table{end, uint32(words / width)}
		end += uint32(words)
		return t
	}
	rules := place(len(p.rules), ruleWords)
	agents := place(len(p.agents), agentWords)
	extras := place(len(p.extras), extraWords)
	end++
	groups := place(len(p.groups)+groupWords, groupWords)
	groups.rows-- // the last one is not a group
	tokens := place(len(p.named)*tokenWords, tokenWords)
	buckets := place(bucketsOf(len(p.named)), 1)
	end++

	text := len(p.patterns) + len(p.tokens) + len(p.values)
	r, slab := newRobots(int(end) + (text+textPadding+3)/4)
	words := slab[:end:end]
	texts := bytesOf(slab[end:])
	copy(words, p.rules)
	copyRows(words[agents.start:], p.agents, len(p.patterns))
	copyRows(words[extras.start:], p.extras, len(p.patterns)+len(p.tokens))
	words[groups.start-1] = uint32(text)
	copy(words[groups.start:], p.groups)
	last := words[groups.row(groups.rows, groupWords):]
	last[0], last[1] = agents.rows, rules.rows
	n := copy(texts, p.patterns)
	n += copy(texts[n:], p.tokens)
	copy(texts[n:], p.values)

	r.dialect, r.words, r.text = d, words, ascii.View(texts) // neither changes from here on, except for the tokens
	r.rules, r.agents, r.extras, r.groups, r.tokens, r.buckets = rules, agents, extras, groups, tokens, buckets
	r.placeTokens(p.draft)
	return r
}

// newRobots returns a Robots and memory for its slab. For a small file both are one allocation,
// which saves a twentieth of the time. The sizes are the size classes of Go's allocator.
func newRobots(words int) (r *Robots, slab []uint32) {
	switch {
	case words <= 28:
		return oneAllocation[[28]uint32](words)
	case words <= 44:
		return oneAllocation[[44]uint32](words)
	case words <= 76:
		return oneAllocation[[76]uint32](words)
	case words <= 146:
		return oneAllocation[[146]uint32](words)
	}
	return new(Robots), make([]uint32, words)
}

func oneAllocation[Array any](words int) (r *Robots, slab []uint32) {
	one := new(struct {
		Robots
		slab Array
	})
	return &one.Robots, unsafe.Slice((*uint32)(unsafe.Pointer(&one.slab)), words)
}

// copyRows copies rows of three words and adds textStart to the offsets of their texts.
func copyRows(to, rows []uint32, textStart int) {
	const width = 3
	for len(rows) >= width && len(to) >= width {
		to[0], to[1], to[2] = rows[0]+uint32(textStart), rows[1], rows[2]
		to, rows = to[width:], rows[width:]
	}
}
