package origin

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

const (
	maxLabel = 63  // bytes (RFC 1035 2.3.4)
	maxName  = 253 // bytes, without the trailing dot

	// maxDecoded bounds the work on international hosts. It is enough for any
	// host that fits: each of its at most 253 characters takes up to four bytes.
	maxDecoded = 1024
)

var errLongLabel = fmt.Errorf("has a label of more than %d bytes in its host: DNS has no such names", maxLabel)

// lookup is what browsers apply to hosts (WHATWG URL 3.3, "domain to ASCII"):
// mapped for lookup, ß kept apart from ss, joiners and directions checked. Real
// hosts have underscores and hyphens where the strict rules forbid them.
var lookup = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
)

// appendHost appends the canonical form of a host to dst.
func appendHost(dst []byte, host string) ([]byte, error) {
	if strings.HasPrefix(host, "[") {
		return appendIPv6(dst, host[1:len(host)-1])
	}
	if needsDecoding(host) {
		var err error
		if host, err = decodeHost(host); err != nil {
			return nil, err
		}
	}
	host = strings.TrimSuffix(host, ".")
	// The address comes first: 0x0…07f.1 may be longer than any name.
	if endsInNumber(host) {
		return appendIPv4(dst, host)
	}
	if err := checkName(host); err != nil {
		return nil, err
	}
	for i := range len(host) {
		dst = append(dst, ascii.Lower(host[i]))
	}
	return dst, nil
}

// needsDecoding is false for nearly all hosts, which then never meet the tables
// of package idna.
func needsDecoding(host string) bool {
	for i := range len(host) {
		if host[i] == '%' || host[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// decodeHost resolves percent-encoding, once, and then takes an international
// host to ASCII. What it returns is not yet checked.
func decodeHost(host string) (string, error) {
	name := percentDecode(host)
	if len(name) > maxDecoded {
		return "", fmt.Errorf("has a host of %d bytes: at most %d are allowed", len(name), maxName)
	}
	if !utf8.ValidString(name) {
		return "", fmt.Errorf("has the host %q, which is not UTF-8: encode it again, or write it in punycode", shorten(name))
	}
	if !needsDecoding(name) {
		return name, nil
	}
	if len(name) > maxName && hasLongLabel(name) {
		return "", errLongLabel
	}
	encoded, err := lookup.ToASCII(name)
	if err != nil {
		return "", fmt.Errorf("has the host %q, which is no international domain name: mistyped?", shorten(name))
	}
	return encoded, nil
}

// hasLongLabel reports whether a label has more characters than may become of
// it in ASCII. Punycode takes quadratic time: a link to a kilobyte of different
// letters would cost as much as a page.
func hasLongLabel(name string) bool {
	mapped, _ := lookup.ToUnicode(name) // without what does not count, such as soft hyphens
	for label := range strings.SplitSeq(mapped, ".") {
		if utf8.RuneCountInString(label) > maxLabel {
			return true
		}
	}
	return false
}

// percentDecode leaves a % alone that no two hexadecimal digits follow.
func percentDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	decoded := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if octet, ok := ascii.Unhex(s[i+1:]); ok {
				c = octet
				i += 2
			}
		}
		decoded = append(decoded, c)
	}
	return string(decoded)
}

// checkName holds an ASCII host against what DNS can carry and RFC 3986 can
// write.
func checkName(host string) error {
	if host == "" {
		return errNoHost
	}
	if len(host) > maxName {
		return fmt.Errorf("has a host of %d bytes: at most %d are allowed", len(host), maxName)
	}
	label := 0
	for i := range len(host) {
		switch c := host[i]; {
		case c == '.' && label == 0:
			return fmt.Errorf("has the host %q with nothing between two dots or before the first: mistyped?", host)
		case c == '.':
			label = 0
			continue
		case !isHostByte(c):
			return fmt.Errorf("has the character %q in its host: no host can have that", c)
		}
		if label++; label > maxLabel {
			return errLongLabel
		}
	}
	if label == 0 {
		return fmt.Errorf("has the host %q with nothing between its last dots: mistyped?", host+".")
	}
	return nil
}

// isHostByte reports whether c may stand in a registered name (RFC 3986 3.2.2).
func isHostByte(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || strings.IndexByte("-._~!$&'()*+,;=", c) >= 0
}

// appendIPv6 appends an address in brackets as browsers write it (WHATWG URL
// 3.5): compressed, lower case, all of it hexadecimal.
func appendIPv6(dst []byte, literal string) ([]byte, error) {
	if strings.IndexByte(literal, '%') >= 0 {
		// A zone names an interface of this machine, not a site.
		return nil, errors.New("has a zone (%) in its IPv6 address: leave it out")
	}
	addr, err := netip.ParseAddr(literal)
	if err != nil || !addr.Is6() {
		return nil, fmt.Errorf("has %q in brackets: only IPv6 addresses such as [::1] stand there", shorten(literal))
	}
	dst = append(dst, '[')
	if addr.Is4In6() { // netip would mix notations: ::ffff:127.0.0.1
		b := addr.As16()
		dst = fmt.Appendf(dst, "::ffff:%x:%x", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15]))
	} else {
		dst = addr.AppendTo(dst)
	}
	return append(dst, ']'), nil
}
