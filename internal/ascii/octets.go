package ascii

import (
	"encoding/binary"
	"unsafe"
)

// Octets is a set of octets.
type Octets [256]bool

// OctetsOf returns the set of the octets for which has is true.
func OctetsOf(has func(c byte) bool) (set Octets) {
	for i := range set {
		set[i] = has(byte(i))
	}
	return set
}

// View returns the bytes of b as a string without a copy. The string must not be used after
// b might have changed.
func View(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Load8 returns the first eight bytes of s as an integer, the first one lowest. It
// panics if s is shorter. The compiler makes it a single load and inlines functions
// that call it, which it would not do with eight shifts.
func Load8(s string) uint64 {
	_ = s[7]
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Pointer(unsafe.StringData(s)))[:])
}
