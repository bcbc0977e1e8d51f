package robotstxt

import "sync"

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
