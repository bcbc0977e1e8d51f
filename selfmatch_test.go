package robotstxt_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// Law: a rule made from a path, with some octets replaced by stars, matches that
// path. Equal octets match, and a star matches the replaced ones. [G42, G43, RFC 9309
// 2.2.2, Koster 3.2.2] The law is true in
//
//   - Google, if EncodeURL leaves the path unchanged, because only the rule is
//     encoded (G22, G48),
//   - RFC9309, except for /robots.txt, which is always allowed,
//   - Koster1996 without stars, because it has no wildcards, and without a query,
//     which it does not compare.

// FuzzSelfMatch tests that law. The bits of stars say which octets are replaced.
func FuzzSelfMatch(f *testing.F) {
	for i, url := range lawURLs {
		f.Add(url, uint64(0))
		f.Add(url, uint64(0x5A5A)<<i)
	}
	f.Add("/go?redirect=http%3A%2F%2Fx", uint64(0b110))
	f.Add("/x?y=a%2Fb", uint64(0b111110))
	f.Fuzz(checkSelfMatch)
}

func checkSelfMatch(t *testing.T, path string, stars uint64) {
	path, ok := rulePath(path)
	if !ok {
		return
	}
	for _, d := range robotstxt.Dialects() {
		pattern := starred(path, stars)
		switch d {
		case robotstxt.Google:
			if robotstxt.EncodeURL(path) != path {
				continue
			}
		case robotstxt.Koster1996:
			pattern, _, _ = strings.Cut(path, "?")
		}
		body := []byte("User-agent: *\nDisallow: " + pattern + "\n")
		got := d.Parse(body).Rules("x").Explain(path)
		if got.Reason == robotstxt.ReasonRobotsFile {
			continue
		}
		if got.Allowed || got.Line != 2 {
			t.Errorf("%v: rule %q does not match %q: %v", d, pattern, path, got)
		}
		if d.Allowed(body, path, "x") {
			t.Errorf("%v: rule %q does not match %q in one shot", d, pattern, path)
		}
	}
}

// rulePath returns the bytes of s that can be in both a path and the value of a rule.
// It also reports whether the rule is literal: a value that ends in '$' is an anchored
// pattern instead [G44].
func rulePath(s string) (path string, ok bool) {
	if i := strings.IndexAny(s, "#\x00\n\r"); i >= 0 {
		s = s[:i]
	}
	path = "/" + strings.TrimLeft(s, "/")
	return path, strings.TrimRight(path, " \t\v\f") == path && !strings.HasSuffix(path, "$") && len(path) < 16_000
}

// starred replaces each run of octets whose bits are set in stars by one star. A
// percent code counts as one octet; literal stars are left alone.
func starred(path string, stars uint64) string {
	var b strings.Builder
	replaced := false
	for i, octet := 0, 0; i < len(path); octet++ {
		width := 1
		if refIsEscape([]byte(path), i) {
			width = 3
		}
		text := path[i : i+width]
		if replace := stars>>(octet%64)&1 == 1 && text != "*"; !replace {
			b.WriteString(text)
			replaced = false
		} else if !replaced {
			b.WriteByte('*')
			replaced = true
		}
		i += width
	}
	return b.String()
}

// TestSelfMatch tests the same law on generated paths.
func TestSelfMatch(t *testing.T) {
	paths := 20_000
	if long() {
		paths *= 50
	}
	r := rand.New(rand.NewPCG(4, 5))
	for range paths {
		path := randomValue(r) + randomValue(r)
		checkSelfMatch(t, path, r.Uint64()&r.Uint64())
		checkSelfMatch(t, robotstxt.EncodeURL(path), r.Uint64()|r.Uint64())
		if t.Failed() {
			return
		}
	}
}
