package ascii

// Octets is a set of octets.
type Octets [256]bool

// OctetsOf returns the set of the octets for which has is true.
func OctetsOf(has func(c byte) bool) (set Octets) {
	for i := range set {
		set[i] = has(byte(i))
	}
	return set
}

// Load8 returns the first eight bytes of s as an integer, the first one lowest.
// The compiler makes it a single load. It panics if s is shorter.
func Load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
