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

	// maxDecoded bounds the work on international hosts. Every valid host fits:
	// it has at most 253 characters of at most four bytes.
	maxDecoded = 1024
)

var errLongLabel = fmt.Errorf("has a label of more than %d bytes in its host: DNS does not allow that", maxLabel)

// lookup converts hosts as browsers do: it maps for lookup, keeps ß different from
// ss, and checks joiners and directions. It allows underscores and hyphens that the
// strict rules forbid, because real hosts contain them. [WHATWG URL 3.3, "domain to
// ASCII"]
var lookup = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
)

func appendHost(dst []byte, host string) ([]byte, error) {
	if strings.HasPrefix(host, "[") {
		return appendIPv6(dst, host[1:len(host)-1])
	}
	if needsDecoding(host) {
		var err error
		host, err = decodeHost(host)
		if err != nil {
			return nil, err
		}
	}
	host = strings.TrimSuffix(host, ".")
	// Addresses are checked first: 0x0…07f.1 can be longer than any name.
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

// needsDecoding reports whether host is percent-encoded or not ASCII. Nearly all
// hosts are neither, and do not need the tables of package idna.
func needsDecoding(host string) bool {
	for i := range len(host) {
		if host[i] == '%' || host[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// decodeHost decodes percent-encoding, once, and then converts an international
// host to ASCII. It does not validate the result.
func decodeHost(host string) (string, error) {
	name := host
	if strings.IndexByte(host, '%') >= 0 {
		name = string(ascii.AppendDecoded(make([]byte, 0, len(host)), host))
	}
	if len(name) > maxDecoded {
		return "", fmt.Errorf("has a host of %d bytes: at most %d are allowed", len(name), maxName)
	}
	if !utf8.ValidString(name) {
		return "", fmt.Errorf("has the host %q, which is not valid UTF-8: encode it as UTF-8, or write it in punycode", shorten(name))
	}
	if !needsDecoding(name) {
		return name, nil
	}
	if len(name) > maxName && hasLongLabel(name) {
		return "", errLongLabel
	}
	encoded, err := lookup.ToASCII(name)
	if err != nil {
		return "", fmt.Errorf("has the host %q, which is not a valid international domain name: check its spelling", shorten(name))
	}
	return encoded, nil
}

// hasLongLabel reports whether a label of name has too many characters to be valid
// in ASCII. It avoids the conversion to punycode, which takes quadratic time: a
// link with a kilobyte of different letters would take as long as a page.
func hasLongLabel(name string) bool {
	mapped, _ := lookup.ToUnicode(name) // removes ignored characters, such as soft hyphens
	for label := range strings.SplitSeq(mapped, ".") {
		if utf8.RuneCountInString(label) > maxLabel {
			return true
		}
	}
	return false
}

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
			return fmt.Errorf("has the host %q with an empty label: remove a dot", host)
		case c == '.':
			label = 0
			continue
		case !isHostByte(c):
			return fmt.Errorf("has the character %q in its host, which is not allowed there", c)
		}
		if label++; label > maxLabel {
			return errLongLabel
		}
	}
	if label == 0 {
		return fmt.Errorf("has the host %q with an empty label: remove a dot", host+".")
	}
	return nil
}

// isHostByte reports whether c is allowed in a registered name, except the semicolon,
// with which the path begins for Google's parser. [RFC 3986 3.2.2, G60]
func isHostByte(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || strings.IndexByte("-._~!$&'()*+,=", c) >= 0
}

// appendIPv6 appends an address in brackets as browsers write it: compressed, lower
// case, and only in hexadecimal. [WHATWG URL 3.5]
func appendIPv6(dst []byte, literal string) ([]byte, error) {
	if strings.IndexByte(literal, '%') >= 0 {
		// A zone names an interface of this machine, not a site.
		return nil, errors.New("has a zone (%) in its IPv6 address: omit it")
	}
	addr, err := netip.ParseAddr(literal)
	if err != nil || !addr.Is6() {
		return nil, fmt.Errorf("has %q in brackets: only IPv6 addresses such as [::1] are allowed there", shorten(literal))
	}
	dst = append(dst, '[')
	if addr.Is4In6() { // netip would write ::ffff:127.0.0.1
		b := addr.As16()
		dst = fmt.Appendf(dst, "::ffff:%x:%x", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15]))
	} else {
		dst = addr.AppendTo(dst)
	}
	return append(dst, ']'), nil
}
