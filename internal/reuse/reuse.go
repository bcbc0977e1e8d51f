// Package reuse empties slices and maps whose memory is used again, for example from a
// sync.Pool.
package reuse

// Slice returns s without elements, and with memory that refers to nothing, or nil if it
// has room for more than most elements: after one large input, a pool would keep much.
func Slice[T any](s []T, most int) []T {
	if cap(s) > most {
		return nil
	}
	clear(s)
	return s[:0]
}

// Map returns m without elements, or nil if it has more than most. That should be few,
// because clearing takes time for what a map once contained.
func Map[K comparable, V any](m map[K]V, most int) map[K]V {
	if len(m) > most {
		return nil
	}
	clear(m)
	return m
}
