package semdiff_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

func TestAgree(t *testing.T) {
	for _, test := range []struct {
		file string
		want semdiff.Effect
	}{
		{"", semdiff.Equal},
		{"Disallow: /", semdiff.Equal}, // /robots.txt is left out
		{"Disallow: /a/b", semdiff.Equal},
		{"Disallow: /*;id=\nAllow: /é/*?x=1&y=2\nDisallow: /a~b$", semdiff.Equal},
		{"Disallow: /$*\nAllow: /a:b@c!(d),e+f'g", semdiff.Equal},
		{"Disallow: /a%2Fb", semdiff.Equal},
		{"Disallow: /a+b\nAllow: /c;d@e\nDisallow: http://a:b", semdiff.Equal}, // longer in rfc9309, in the same order
		{"Disallow: /a?b=%2Fc", semdiff.Closes},                                // rfc9309 reads /a?b=/c
		{"Disallow: /a?b=/c\nDisallow: /*/d?*/e$", semdiff.Equal},              // with %2F in the canonical form of rfc9309
		{"Disallow: /a\nAllow: /a%61", semdiff.Opens},                          // rfc9309 reads /aa
		{"Disallow: /a b", semdiff.Closes},                                     // Google compares a blank, which no URL contains
		{"Disallow: /*%3Bid=", semdiff.Closes},                                 // rfc9309 compares ; and %3B as equal
		{"Disallow: /a\nAllow: /index.html", semdiff.Equal},
		{"Disallow: /\nAllow: /index.html", semdiff.Closes},               // Google allows the folder too
		{"Disallow: /a;b\nAllow: /a*bc", semdiff.Closes},                  // six octets as rfc9309 counts them, and four as Google does
		{"Disallow: /x\nUser-agent: FooBot9\nDisallow: /", semdiff.Opens}, // the name of another crawler in rfc9309
	} {
		body := []byte("User-agent: FooBot\n" + test.file)
		google, rfc9309 := robotstxt.Google.Parse(body).Rules("FooBot"), robotstxt.RFC9309.Parse(body).Rules("FooBot")
		got, err := semdiff.Agree(t.Context(), google, rfc9309, semdiff.Config{})
		if got != test.want || err != nil {
			t.Errorf("%q: %v, %v, want %v", test.file, got, err, test.want)
		}
	}
}

// TestAgreeEngine: what Agree says is what the engine answers for short URLs, as browsers
// write them.
func TestAgreeEngine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "b", "/", ";", "%20", "%C3%A9", "?", "$", "*"}
	paths := pathsOf(pieces, 4)
	tally := make(map[semdiff.Effect]int)
	for range 600 {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for range 1 + r.IntN(4) {
			b.WriteString([]string{"Allow: /", "Disallow: /"}[r.IntN(2)])
			for range r.IntN(4) {
				b.WriteString([]string{"a", "b", "/", ";", "%20", "é", "%3B", "%61", "?", "*", "$", " ", "/index.html", "%2F"}[r.IntN(14)])
			}
			b.WriteString("\n")
		}
		google, rfc9309 := robotstxt.Google.Parse([]byte(b.String())).Rules(), robotstxt.RFC9309.Parse([]byte(b.String())).Rules()
		effect, err := semdiff.Agree(t.Context(), google, rfc9309, semdiff.Config{})
		if err != nil {
			t.Fatal(err)
		}
		tally[effect]++
		var opens, closes string
		for _, path := range paths {
			switch old, new := google.Allowed(path), rfc9309.Allowed(path); {
			case old && !new:
				closes = path
			case new && !old:
				opens = path
			}
		}
		want := semdiff.Equal
		switch {
		case opens != "" && closes != "":
			want = semdiff.Both
		case opens != "":
			want = semdiff.Opens
		case closes != "":
			want = semdiff.Closes
		}
		// Longer paths may differ, so that effect may be more than want.
		if effect != want && effect != semdiff.Both && want != semdiff.Equal || effect == semdiff.Equal && want != effect {
			t.Errorf("%s%v, but the engine: opens %q, closes %q", b.String(), effect, opens, closes)
		}
	}
	t.Log(tally)
}

func TestAgreeWithoutFile(t *testing.T) {
	disallow := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /")).Rules()
	for want, old := range map[semdiff.Effect]robotstxt.Rules{
		semdiff.Closes: robotstxt.AllowAll(""), semdiff.Equal: robotstxt.DisallowAll(""),
	} {
		if got, err := semdiff.Agree(t.Context(), old, disallow, semdiff.Config{}); got != want || err != nil {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	koster := robotstxt.Koster1996.Parse(nil).Rules()
	if got, err := semdiff.Agree(t.Context(), koster, disallow, semdiff.Config{}); got != semdiff.Undecided || err != nil {
		t.Errorf("koster1996: %v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := semdiff.Agree(ctx, disallow, disallow, semdiff.Config{}); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
