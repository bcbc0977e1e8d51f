package origin

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Resolvers and browsers read 2130706433, 0x7f.1 and 0177.0.0.1 as 127.0.0.1. This
// file converts such spellings to the usual one, so that programs can compare hosts
// as strings and can recognise private addresses. [WHATWG URL 3.5]

// endsInNumber reports whether the last label of an ASCII host is a number. No
// top-level domain is a number, so such a host is an IPv4 address or invalid.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || !ascii.IsDigit(last[0]) {
		return false
	}
	if len(last) > 1 && ascii.Lower(last[1]) == 'x' {
		return last[0] == '0' && strings.Trim(last[2:], "0123456789abcdefABCDEF") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// appendIPv4 appends an address of one to four numbers in dotted decimal. Each
// number is one byte of the address; the last one is all remaining bytes.
func appendIPv4(dst []byte, host string) ([]byte, error) {
	var addr uint64
	rest := host
	more := true
	for n := 1; more; n++ {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		bits := 8
		if !more && n <= 4 {
			bits = 8 * (5 - n)
		}
		v, ok := parseNumber(part)
		if !ok || n > 4 || v>>bits != 0 {
			return nil, fmt.Errorf("has the host %q, which ends in a number but is not an IPv4 address: check its spelling", shorten(host))
		}
		addr = addr<<bits | v
	}
	ip := netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)})
	return ip.AppendTo(dst), nil
}

// parseNumber parses a number as C does: the prefix 0x means hexadecimal, 0 means
// octal. 0x without digits is zero.
func parseNumber(s string) (v uint64, ok bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case len(s) > 1 && s[0] == '0' && ascii.Lower(s[1]) == 'x':
		base, s = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, s = 8, s[1:]
	}
	if s == "" {
		return 0, true
	}
	v, err := strconv.ParseUint(s, base, 64)
	return v, err == nil
}
