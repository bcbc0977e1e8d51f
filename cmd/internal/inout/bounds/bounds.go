// Package bounds has the limits of inputs without an end, such as a device or a stream that never ends its line.
package bounds

import (
	"fmt"
	"io"
)

// MaxSkipped is the limit in bytes of a line of which the rest is skipped, and of the white space before a text. An
// input with more ends there: it is not text with lines.
const MaxSkipped = 64 << 20

// Endless returns the error for a line over MaxSkipped. What is expected instead, such as "an access log".
func Endless(what string) error {
	return fmt.Errorf("a line is over %d MiB long: it is not %s", MaxSkipped>>20, what)
}

// EndlessSpace returns the error for white space over MaxSkipped before the text.
func EndlessSpace(what string) error {
	return fmt.Errorf("it begins with over %d MiB of white space: it is not %s", MaxSkipped>>20, what)
}

// Reader returns an error after more bytes than Left, because the package that reads from it keeps a whole element
// in memory.
type Reader struct {
	From io.Reader
	Left int
	Over error // of the read beyond Left
	Last byte  // that was read
}

// Read reads from From.
func (r *Reader) Read(to []byte) (int, error) {
	n, err := r.From.Read(to)
	r.Left -= n
	if r.Left < 0 {
		return 0, r.Over
	}
	if n > 0 {
		r.Last = to[n-1]
	}
	return n, err
}
