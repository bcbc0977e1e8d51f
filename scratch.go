package robotstxt

import (
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// draft contains the rows and texts of a file while it is parsed. Drafts are reused, so
// that Parse allocates only its result. Appending writes the length of a slice and not its
// pointer, which would cost a write barrier while garbage is collected.
type draft struct {
	rules, agents, extras, groups []uint32   // rows as in a slab, with offsets into the texts below
	named                         []tokenRow // rows of tokens in file order
	latest                        latestTokens
	sorted                        []tokenRow // memory to sort named
	patterns, tokens, values      []byte     // texts
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

// maxKeptDraft is the size in bytes up to which a draft is reused. A body of 11 MB of
// short agent lines needs nearly this much; without reuse it takes nearly twice as long.
const maxKeptDraft = 32 << 20

func newDraft() *draft {
	d := drafts.Get().(*draft)
	d.rules = d.rules[:0]
	d.agents = d.agents[:0]
	d.extras = d.extras[:0]
	d.groups = d.groups[:0]
	d.named = d.named[:0]
	d.patterns = d.patterns[:0]
	d.tokens = d.tokens[:0]
	d.values = d.values[:0]
	return d
}

func (d *draft) free() {
	size := cap(d.patterns) + cap(d.tokens) + cap(d.values) + 8*(cap(d.named)+cap(d.sorted)) +
		4*(cap(d.rules)+cap(d.agents)+cap(d.extras)+cap(d.groups))
	if size <= maxKeptDraft {
		drafts.Put(d)
	}
}

func appendText(texts *[]byte, text string) {
	n := len(*texts)
	if cap(*texts)-n < len(text) {
		*texts = slices.Grow(*texts, len(text))
	}
	*texts = (*texts)[:n+len(text)]
	copy((*texts)[n:], text)
}

// buffer is memory for a text that is rewritten before it is compared. Buffers are
// reused, so that paths and patterns need no allocation.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// maxKeptBuffer is the size in bytes up to which a buffer is reused.
const maxKeptBuffer = 64 << 10

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free ends the use of the buffer, and of all strings made with it.
func (b *buffer) free() {
	if cap(b.bytes) <= maxKeptBuffer {
		buffers.Put(b)
	}
}

// path returns the path as the dialect compares it, and its slashed form if it differs.
func (b *buffer) path(r *reading, path string, bare bool) (text, slashed string) {
	b.bytes = r.appendPath(b.bytes[:0], path, bare)
	text = ascii.View(b.bytes)
	if r.QuerySlash {
		if both, ok := pattern.AppendSlashed(b.bytes, text); ok {
			b.bytes, slashed = both, ascii.View(both[len(text):])
		}
	}
	return text, slashed
}

// room returns memory for n bytes and copyRoom more.
func (b *buffer) room(n int) []byte {
	b.bytes = slices.Grow(b.bytes[:0], n+copyRoom)
	return b.bytes[:cap(b.bytes)]
}

func (b *buffer) pattern(r *reading, value string) string {
	b.bytes = r.appendPattern(b.bytes[:0], value)
	return ascii.View(b.bytes)
}
