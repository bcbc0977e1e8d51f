package dictionary

import (
	"regexp"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"

	"github.com/kosterhq/robotstxt/lint"
)

// isDictionary reports whether the linter takes text for a Dictionary.
func isDictionary(text string) bool {
	body := "User-agent: *\nContent-Usage: " + text + "\nDisallow: /a\n"
	for _, f := range lint.Check([]byte(body), lint.Config{}) {
		if f.Code == "RX511" && strings.Contains(f.Message, "is expected here") {
			return false
		}
	}
	return true
}

// carries reports whether a line of robots.txt can have text as its value, and
// that is not a path with something after it.
func carries(text string) bool {
	return text != "" && len(text) < 4096 && strings.Trim(text, " \t\v\f") == text && text[0] != '/' &&
		!strings.ContainsAny(text, "\r\n\x00#")
}

// byteSequence is one in the alphabet of Base64, whether or not it can be
// decoded.
var byteSequence = regexp.MustCompile(`:[A-Za-z0-9+/=]*:`)

// FuzzDictionary: the linter and httpsfv agree on what is a Dictionary (RFC 9651
// 4.2.2).
func FuzzDictionary(f *testing.F) {
	for _, text := range []string{
		"train-ai=n", "a=1.5,b=-999999999999.999", `a="b\"c\\"`, "a=tok*en/x:y", "*k=*t", "a;p;q=1", "a=?0;p=?1",
		`a=(1 2;p "x" ), b`, "a=()", "a=:aGVsbG8=:", "a=::", "a=:a:", "a=@1659578233", "a=@-1", `a=%"caf%c3%a9"`, "a=1 , \tb=2",
		"a=1,a=2", "a_b-c.d*=1", "A=1", "a=", "a=1,", "a=1,,b", "a =1", "a=1000000000000000", "a=1.", "a=1.1234",
		"a=-", "a=@1.5", `a="b`, "a=?2", "a=(1", "a=(1,2)", "a=(1;)", `a=%"%C3"`, `a=%"%c3"`, "a=1; p", "a=(1\t2)", "a=-0", "a=00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !carries(text) {
			return
		}
		_, err := httpsfv.UnmarshalDictionary([]string{text})
		if ours := isDictionary(text); ours != (err == nil) && !deliberate(text, ours) {
			t.Errorf("%q: the linter says %v, httpsfv %v", text, ours, err)
		}
	})
}

// deliberate reports whether a difference is one that is meant.
func deliberate(text string, ours bool) bool {
	// RFC 9651 4.2.7 asks parsers to synthesise missing padding and to accept pad
	// bits that are not zero. The linter goes on from there: it reads the alphabet
	// and does not decode, so padding in a wrong place passes as well.
	return ours && byteSequence.MatchString(text)
}

// TestDeliberate: the difference that is excused exists.
func TestDeliberate(t *testing.T) {
	const text = "a=:a:"
	if _, err := httpsfv.UnmarshalDictionary([]string{text}); err == nil || !isDictionary(text) ||
		!deliberate(text, true) {
		t.Errorf("%q: httpsfv %v, the linter %v: excuse nothing then", text, err, isDictionary(text))
	}
}
