package pattern

// ByteSet is a set of bytes in 64 bits. Bytes that are equal modulo 64 are the same member,
// so a set can contain more bytes than were added.
type ByteSet uint64

// ByteSetOf returns the set of the bytes of s.
func ByteSetOf(s string) (set ByteSet) {
	for i := 0; i < len(s); i++ {
		set |= 1 << (s[i] & 63)
	}
	return set
}

// Contains reports whether every member of other is in s.
func (s ByteSet) Contains(other ByteSet) bool { return other&^s == 0 }

// Needs returns the bytes that every matching path contains. A path whose set does not
// contain them does not match.
func (p Pattern) Needs() (set ByteSet) {
	for i := 0; i < len(p.Text); i++ {
		if c := p.Text[i]; c != '*' || !p.Wild {
			set |= 1 << (c & 63)
		}
	}
	return set
}
