package ascii_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Each function of one octet agrees with the standard library on ASCII and
// leaves the upper half alone.
func TestOctets(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		lower, letter, digit, space := c, false, false, false
		if c < 0x80 {
			lower = strings.ToLower(string(rune(c)))[0]
			letter = strings.ToUpper(string(rune(c))) != strings.ToLower(string(rune(c)))
			digit = strings.ContainsRune("0123456789", rune(c))
			space = strings.ContainsRune(ascii.Space, rune(c))
		}
		if got := ascii.Lower(c); got != lower {
			t.Errorf("Lower(%q) = %q", c, got)
		}
		if ascii.IsLetter(c) != letter || ascii.IsDigit(c) != digit || ascii.IsSpace(c) != space {
			t.Errorf("%q: letter %v, digit %v, space %v", c, ascii.IsLetter(c), ascii.IsDigit(c), ascii.IsSpace(c))
		}
		want, err := strconv.ParseUint(string(rune(c)), 16, 8)
		if got, ok := ascii.HexDigit(c); ok != (err == nil) || uint64(got) != want {
			t.Errorf("HexDigit(%q) = %d, %v", c, got, ok)
		}
		code := ascii.Percent(c)
		if code != fmt.Sprintf("%%%02X", c) {
			t.Errorf("Percent(%#x) = %q", c, code)
		}
		for _, digits := range []string{code[1:], strings.ToLower(code[1:]), code[1:] + "0"} {
			if got, ok := ascii.Unhex(digits); !ok || got != c {
				t.Errorf("Unhex(%q) = %#x, %v", digits, got, ok)
			}
		}
	}
	set := ascii.OctetsOf(ascii.IsDigit)
	if !set['0'] || set['a'] || set[0] {
		t.Error("OctetsOf(IsDigit) is not the set of digits")
	}
}

func TestUnhexRefuses(t *testing.T) {
	for _, s := range []string{"", "4", "4g", "g4", " 4", "+4", "0x"} {
		if octet, ok := ascii.Unhex(s); ok {
			t.Errorf("Unhex(%q) = %#x", s, octet)
		}
	}
}

func TestLoad8(t *testing.T) {
	if got := ascii.Load8("\x01\x02\x03\x04\x05\x06\x07\x08\x09"); got != 0x0807060504030201 {
		t.Errorf("Load8 = %#x", got)
	}
}

// FuzzFold: folding is what the standard library does to texts in ASCII, and
// leaves every other byte alone.
func FuzzFold(f *testing.F) {
	f.Add("User-agent", "user-AGENT")
	f.Add("K", "\u212a") // the Kelvin sign
	f.Add("[", "{")
	f.Add("", "a")
	f.Fuzz(func(t *testing.T, a, b string) {
		fold := func(s string) string {
			return strings.Map(func(r rune) rune {
				if 'A' <= r && r <= 'Z' {
					r += 'a' - 'A'
				}
				return r
			}, strings.ToValidUTF8(s, "?"))
		}
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		if got := ascii.ToLower(a); got != fold(a) {
			t.Errorf("ToLower(%q) = %q", a, got)
		}
		want := strings.Compare(fold(a), fold(b))
		if got := ascii.CompareFold(a, []byte(b)); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Errorf("CompareFold(%q, %q) = %d", a, b, got)
		}
		if ascii.EqualFold([]byte(a), b) != (want == 0) {
			t.Errorf("EqualFold(%q, %q)", a, b)
		}
		if ascii.HasPrefixFold(a, b) != bytes.HasPrefix([]byte(fold(a)), []byte(fold(b))) {
			t.Errorf("HasPrefixFold(%q, %q)", a, b)
		}
	})
}
