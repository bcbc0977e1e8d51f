package robotstxt

import (
	"slices"
	"sync"
)

// maxKeptParser is the size in bytes up to which a parser is reused. A body of 11 MB of
// short agent lines needs this much; without reuse it took 1.7 times as long for a byte
// as a body of 0.7 MB.
const maxKeptParser = 32 << 20

var parsers = sync.Pool{New: func() any { return new(parser) }}

func newParser(d Dialect, body string) *parser {
	p := parsers.Get().(*parser)
	p.reading = d.reading()
	p.grouping = grouping{records: p.reading.Records}
	p.scanner = newScanner(body)
	p.rules, p.agents, p.extras, p.groups = p.rules[:0], p.agents[:0], p.extras[:0], p.groups[:0]
	p.named, p.patterns, p.tokens, p.values = p.named[:0], p.patterns[:0], p.tokens[:0], p.values[:0]
	return p
}

// free ends the use of the parser and drops its reference to the body.
func (p *parser) free() {
	p.scanner.text = ""
	size := cap(p.patterns) + cap(p.tokens) + cap(p.values) + 8*(cap(p.named)+cap(p.sorted)) +
		4*(cap(p.rules)+cap(p.agents)+cap(p.extras)+cap(p.groups))
	if size <= maxKeptParser {
		parsers.Put(p)
	}
}

// buffer is memory for a text that is rewritten before it is compared. Buffers are
// reused, so that paths and patterns need no allocation.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// maxKeptBuffer is the size in bytes up to which a buffer is reused.
const maxKeptBuffer = 64 << 10

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free ends the use of the buffer and of all strings made with it.
func (b *buffer) free() {
	if cap(b.bytes) <= maxKeptBuffer {
		buffers.Put(b)
	}
}

// path returns the path as the dialect compares it.
func (b *buffer) path(r *reading, path string, bare bool) string {
	b.bytes = r.appendPath(b.bytes[:0], path, bare)
	return view(b.bytes)
}

// room returns memory for n bytes and eight more.
func (b *buffer) room(n int) []byte {
	b.bytes = slices.Grow(b.bytes[:0], n+8)
	return b.bytes[:cap(b.bytes)]
}

// pattern returns the value of a rule as the dialect compares it.
func (b *buffer) pattern(r *reading, value string) string {
	b.bytes = r.appendPattern(b.bytes[:0], value)
	return view(b.bytes)
}
