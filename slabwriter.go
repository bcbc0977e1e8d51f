package robotstxt

// slabWriter fills a slab with entries in file order.
type slabWriter struct {
	reading *reading
	body    string
	robots  *Robots
	words   []uint32 // the part of the slab with the tables
	text    []byte   // the part with the texts

	rules, agents, extras, groups, named int // rows that are written
	patternEnd, tokenEnd, valueEnd       int // of what is written of each kind of text
	textEnd                              int // of all texts, once they are written
}

// newSlabWriter makes a slab to size. No line takes eight words, so those of all
// lines up to maxKeptLine can be counted in 32 bits.
func newSlabWriter(d Dialect, body string, c *counts) slabWriter {
	r := &Robots{dialect: d}
	end := uint32(0)
	place := func(t *table, rows, width int) {
		*t = table{end, uint32(rows)}
		end += uint32(rows * width)
	}
	place(&r.rules, c.rules, ruleWords)
	place(&r.agents, c.agents, agentWords)
	place(&r.extras, c.extras, extraWords)
	end++
	place(&r.groups, c.groups, groupWords)
	end += groupWords
	place(&r.tokens, c.named, tokenWords)
	place(&r.buckets, bucketsOf(c.named), 1)
	end++

	size := int(end)
	text := int(c.text())
	slab := make([]uint32, size+(text+textPadding+3)/4)
	return slabWriter{
		reading:  d.reading(),
		body:     body,
		robots:   r,
		words:    slab[:size:size],
		text:     bytesOf(slab[size:]),
		textEnd:  text,
		tokenEnd: c.patterns,
		valueEnd: c.patterns + c.tokens,
	}
}

// put writes a word.
func (w *slabWriter) put(at int, word uint32) { w.words[at] = word }

// write appends an entry to its table, and its text to the texts of its kind.
func (w *slabWriter) write(e *entry) {
	value := w.body[e.start : e.start+int(e.length)]
	switch e.kind {
	case keptRule:
		w.writeRule(e, value)
	case keptAgent:
		w.writeAgent(e, value)
	default:
		w.writeExtra(e, value)
	}
}

func (w *slabWriter) writeRule(e *entry, value string) {
	start := w.patternEnd
	if e.flags&entryRewritten != 0 {
		w.patternEnd += len(w.reading.appendPattern(w.text[start:start], value))
		value = view(w.text[start:w.patternEnd])
	} else {
		w.patternEnd += copy(w.text[start:], value)
	}
	flags := w.reading.flagsOf(e.flags&entryAllow != 0, value)
	at := w.robots.rules.row(uint32(w.rules), ruleWords)
	w.put(at, uint32(start))
	w.put(at+1, e.line<<flagBits|uint32(flags))
	w.rules++
}

func (w *slabWriter) writeAgent(e *entry, token string) {
	if e.flags&entryStarts != 0 {
		w.writeGroup()
	}
	if e.flags&entryNamed != 0 {
		at := w.robots.tokens.row(uint32(w.named), tokenWords)
		w.put(at, uint32(w.agents))
		w.put(at+1, hashToken(token))
		w.named++
	}
	at := w.robots.agents.row(uint32(w.agents), agentWords)
	w.put(at, uint32(w.tokenEnd))
	w.put(at+1, e.line)
	w.put(at+2, uint32(w.groups-1))
	w.agents++
	w.tokenEnd += copy(w.text[w.tokenEnd:], token)
}

func (w *slabWriter) writeExtra(e *entry, value string) {
	third := uint32(e.kind)
	if e.flags&entryGrouped != 0 {
		third |= extraGrouped
	}
	at := w.robots.extras.row(uint32(w.extras), extraWords)
	w.put(at, uint32(w.valueEnd))
	w.put(at+1, e.line)
	w.put(at+2, third)
	w.extras++
	w.valueEnd += copy(w.text[w.valueEnd:], value)
}

// writeGroup begins a group with the next agent and the next rule.
func (w *slabWriter) writeGroup() {
	at := w.robots.groups.row(uint32(w.groups), groupWords)
	w.put(at, uint32(w.agents))
	w.put(at+1, uint32(w.rules))
	w.groups++
}

// finish writes what ends the texts and the groups, and the tables that find
// tokens, and returns the file.
func (w *slabWriter) finish() *Robots {
	r := w.robots
	w.put(r.extras.row(r.extras.rows, extraWords), uint32(w.textEnd))
	w.writeGroup()
	// These views are of what nobody writes to any more.
	r.text = view(w.text)
	r.words = w.words
	rows := tokenRows(w.words[r.tokens.start:r.buckets.start])
	r.sortTokens(rows)
	r.tokens.rows = uint32(r.compactTokens(rows))
	w.writeBuckets(rows)
	return r
}

// writeBuckets writes for each bucket which of tokens is the first in it or
// behind it.
func (w *slabWriter) writeBuckets(rows tokenRows) {
	r, bucket := w.robots, uint32(0)
	for i := range r.tokens.rows {
		for ; bucket <= bucketOf(rows.at(int(i)).hash(), r.buckets.rows); bucket++ {
			w.put(r.buckets.row(bucket, 1), i)
		}
	}
	for ; bucket <= r.buckets.rows; bucket++ {
		w.put(r.buckets.row(bucket, 1), r.tokens.rows)
	}
}
