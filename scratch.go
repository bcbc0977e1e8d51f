package robotstxt

import "sync"

// maxKeptParser is how much memory in bytes a parser has that is used again.
const maxKeptParser = 4 << 20

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

// free ends the use of the parser. It keeps nothing of the body alive.
func (p *parser) free() {
	p.scanner.text = ""
	size := cap(p.patterns) + cap(p.tokens) + cap(p.values) + 8*(cap(p.named)+cap(p.sorted)) +
		4*(cap(p.rules)+cap(p.agents)+cap(p.extras)+cap(p.groups))
	if size <= maxKeptParser {
		parsers.Put(p)
	}
}

// buffer is memory for a text that is rewritten before it is compared. Buffers
// are reused, so that neither a path nor a pattern costs an allocation.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// maxKeptBuffer is the capacity in bytes up to which a buffer is used again.
const maxKeptBuffer = 64 << 10

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free ends the use of the buffer and of the strings made with it.
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

// pattern returns the value of a rule as the dialect compares it.
func (b *buffer) pattern(r *reading, value string) string {
	b.bytes = r.appendPattern(b.bytes[:0], value)
	return view(b.bytes)
}
