package semdiff_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

func TestAgree(t *testing.T) {
	for _, test := range []struct {
		file string
		want bool
	}{
		{"", true},
		{"Disallow: /", true}, // /robots.txt is left out
		{"Disallow: /a/b", true},
		{"Disallow: /*;id=\nAllow: /é/*?x=1&y=2\nDisallow: /a~b$", true},
		{"Disallow: /$*\nAllow: /a:b@c!(d),e+f'g", true},
		{"Disallow: /a%2Fb", true},
		{"Disallow: /a+b\nAllow: /c;d@e\nDisallow: http://a:b", true}, // longer in rfc9309, in the same order
		{"Disallow: /a?b=%2Fc", false},                                // rfc9309 reads /a?b=/c
		{"Disallow: /a?b=/c\nDisallow: /*/d?*/e$", true},              // with %2F in the canonical form of rfc9309
		{"Disallow: /a\nAllow: /a%61", false},                         // rfc9309 reads /aa
		{"Disallow: /a b", false},                                     // Google compares a blank, which no URL contains
		{"Disallow: /*%3Bid=", false},                                 // rfc9309 compares ; and %3B as equal
		{"Disallow: /a\nAllow: /index.html", true},
		{"Disallow: /\nAllow: /index.html", false},                // Google allows the folder too
		{"Disallow: /a;b\nAllow: /a*bc", false},                   // six octets as rfc9309 counts them, and four as Google does
		{"Disallow: /x\nUser-agent: FooBot9\nDisallow: /", false}, // the name of another crawler in rfc9309
	} {
		body := []byte("User-agent: FooBot\n" + test.file)
		google, rfc9309 := robotstxt.Google.Parse(body).Rules("FooBot"), robotstxt.RFC9309.Parse(body).Rules("FooBot")
		got, err := semdiff.Agree(t.Context(), google, rfc9309, semdiff.Config{})
		if got.Agree != test.want || !got.Decided || err != nil {
			t.Errorf("%q: %+v, %v, want %v", test.file, got, err, test.want)
		}
	}
}

// TestAgreeEngine: what Agree says is what the engine answers for short URLs, as browsers
// write them.
func TestAgreeEngine(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "b", "/", ";", "%20", "%C3%A9", "?", "$", "*", "index.html"}
	paths := witness.Short(pieces, 4)
	tally := make(map[bool]int)
	longer := 0
	for range 200 {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for range 1 + r.IntN(4) {
			b.WriteString([]string{"Allow: /", "Disallow: /"}[r.IntN(2)])
			for range r.IntN(4) {
				b.WriteString([]string{"a", "b", "/", ";", "%20", "é", "%3B", "%61", "?", "*", "$", " ", "/index.html", "%2F"}[r.IntN(14)])
			}
			b.WriteString("\n")
		}
		google, rfc9309 := robotstxt.Google.Parse([]byte(b.String())).Rules(),
			robotstxt.RFC9309.Parse([]byte(b.String())).Rules()
		got, err := semdiff.Agree(t.Context(), google, rfc9309, semdiff.Config{})
		if err != nil || !got.Decided {
			t.Fatalf("%s%+v, %v", b.String(), got, err)
		}
		tally[got.Agree]++
		differs := slices.IndexFunc(paths,
			func(path string) bool { return google.Allowed(path) != rfc9309.Allowed(path) })
		// Longer paths may differ too.
		if got.Agree && differs >= 0 {
			t.Errorf("%sthe verdicts are said to agree, but the engine's differ for %q", b.String(), paths[differs])
		}
		if !got.Agree && differs < 0 {
			longer++
		}
	}
	if longer > 4 {
		t.Errorf("%d of 200 pairs differ for no short path", longer)
	}
	t.Log(tally, longer)
}

func TestAgreeWithoutFile(t *testing.T) {
	disallow := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /")).Rules()
	for want, status := range map[bool]robotstxt.Rules{false: robotstxt.AllowAll(""), true: robotstxt.DisallowAll("")} {
		if got, err := semdiff.Agree(t.Context(), status, disallow, semdiff.Config{}); got.Agree != want ||
			!got.Decided || err != nil {
			t.Errorf("%+v, %v, want %v", got, err, want)
		}
	}
	koster := robotstxt.Koster1996.Parse(nil).Rules()
	if got, err := semdiff.Agree(t.Context(), koster, disallow, semdiff.Config{}); got.Agree || got.Decided ||
		err != nil {
		t.Errorf("koster1996: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := semdiff.Agree(ctx, disallow, disallow, semdiff.Config{}); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
