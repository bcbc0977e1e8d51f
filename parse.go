package robotstxt

import (
	"math"
	"slices"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Parse reads a body in dialect Google. There is no error: like Google's parser, it
// ignores lines that it cannot read [G1]. The result is compact, immutable and safe for
// concurrent use, and does not refer to body.
func Parse(body []byte) *Robots { return Google.Parse(body) }

// Parse reads a body in dialect d, like the function Parse. The size of the body is not
// limited; ReadBody limits it. Of a body with more than 2²⁴ lines, or more than 4 GiB of
// patterns, tokens and values, the rest is ignored [G2].
func (d Dialect) Parse(body []byte) *Robots {
	if int(d) >= len(readings) {
		d = Google
	}
	reading := d.reading()
	p := parser{grouping: grouping{records: reading.Records}, reading: reading, draft: newDraft()}
	p.scanner.open(view(body))
	p.read()
	r := p.robots(d)
	p.draft.free()
	return r
}

// The limits of a parsed file. An offset into the texts has 32 bits, and the longest
// line still has to fit; the number of a line has the bits that a row of rules has for it.
const (
	maxText     = min(math.MaxUint32, math.MaxInt) - 3*maxLine
	maxKeptLine = math.MaxUint32 >> flagBits
)

// parser reads a body once, line by line, and collects rows and texts. When their
// number is known, it makes the slab and copies them.
type parser struct {
	scanner  scanner
	grouping grouping
	reading  *reading
	*draft
}

// read reads all lines except the empty one after the last line end, which has no
// effect.
func (p *parser) read() {
	s := &p.scanner
	for s.pos < len(s.text) && !p.isFull() {
		if p.plainLines(); s.pos == len(s.text) || p.isFull() {
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

// isFull reports whether a limit is reached. In a body of so few bytes neither can be:
// a line has at least one, and a text at most three for each.
func (p *parser) isFull() bool {
	return len(p.scanner.text) > maxKeptLine && p.limitReached()
}

func (p *parser) limitReached() bool {
	return p.scanner.number >= maxKeptLine || len(p.patterns)+len(p.tokens)+len(p.values) > maxText
}

// agentLine takes an agent line.
func (p *parser) agentLine(value string) {
	p.agent(p.reading.agentToken(value))
}

// agent adds an agent line.
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
	if marks&markCoded != 0 || p.reading.rule != pattern.Google && p.reading.rule.Changes(value) {
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
		p.addRule(start, p.reading.flagsOf(allow, p.reading.newPattern(value)))
	case allow:
		p.addRule(start, p.reading.flagsOf(true, pattern.Pattern{Text: value}))
	default:
		p.addRule(start, headFlags(len(value)))
	}
}

// rule takes an Allow or Disallow line.
func (p *parser) rule(allow bool, value string) {
	// First, since an empty rule ends a run of agent lines in every dialect.
	if !p.grouping.rule() || value == "" && !p.reading.emptyRules {
		return
	}
	start := len(p.patterns)
	p.patterns = p.reading.appendPattern(p.patterns, value)
	p.addRule(start, p.reading.flagsOf(allow, p.reading.newPattern(view(p.patterns[start:]))))
}

// addRule adds the row of a rule whose pattern begins at start.
func (p *parser) addRule(start int, flags ruleFlags) {
	p.rules = append(p.rules, uint32(start), uint32(p.scanner.number)<<flagBits|uint32(flags))
}

// room returns the memory after the patterns: at least n bytes and eight more.
func (p *parser) room(n int) []byte {
	start := len(p.patterns)
	if cap(p.patterns)-start < n+8 {
		p.patterns = slices.Grow(p.patterns, n+8)
	}
	return p.patterns[start:cap(p.patterns)]
}

// extra takes a sitemap or extension line.
func (p *parser) extra(kind keptKind, value string) {
	third := uint32(kind)
	if p.grouping.open {
		third |= extraGrouped
	}
	p.extras = append(p.extras, uint32(len(p.values)), uint32(p.scanner.number), third)
	appendText(&p.values, value)
}

// robots makes the slab to size and copies what was read.
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
	slab := make([]uint32, int(end)+(text+textPadding+3)/4)
	words, texts := slab[:end:end], bytesOf(slab[end:])
	copy(words, p.rules)
	copyRows(words[agents.start:], p.agents, agentWords, len(p.patterns))
	copyRows(words[extras.start:], p.extras, extraWords, len(p.patterns)+len(p.tokens))
	words[groups.start-1] = uint32(text)
	copy(words[groups.start:], p.groups)
	last := words[groups.row(groups.rows, groupWords):]
	last[0], last[1] = agents.rows, rules.rows
	n := copy(texts, p.patterns)
	n += copy(texts[n:], p.tokens)
	copy(texts[n:], p.values)

	r := &Robots{
		dialect: d, words: words, text: view(texts), // neither changes from here on, except for the tokens
		rules: rules, agents: agents, extras: extras, groups: groups, tokens: tokens, buckets: buckets,
	}
	r.placeTokens(p.draft)
	return r
}

// copyRows copies rows and adds textStart to the offsets of their texts.
func copyRows(to, rows []uint32, width, textStart int) {
	copy(to, rows)
	for i := 0; i < len(rows); i += width {
		to[i] += uint32(textStart)
	}
}
