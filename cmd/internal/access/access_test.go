package access_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/access"
	"github.com/kosterhq/robotstxt/semdiff"
)

func of(t *testing.T, rules robotstxt.Rules) access.Access {
	t.Helper()
	got, err := access.Of(context.Background(), rules, semdiff.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestOf(t *testing.T) {
	for lines, want := range map[string]access.Access{
		"":                              access.Open,
		"Disallow:":                     access.Open,
		"Allow: /":                      access.Open,
		"Disallow: /\nAllow: /":         access.Open,
		"Disallow: /":                   access.Closed,
		"Disallow: *":                   access.Closed,
		"Disallow: /*":                  access.Closed,
		"Disallow: /\nDisallow: /a":     access.Closed,
		"Disallow: /\nAllow:":           access.Closed,
		"Disallow: /\nAllow: /a":        access.Partly,
		"Disallow: /a":                  access.Partly,
		"Disallow: /$":                  access.Partly,
		"Disallow: /*a":                 access.Partly,
		"Disallow: a":                   access.Open, // no path contains "a" at its beginning
		"Disallow: /a\nAllow: /":        access.Partly,
		"Disallow: /a\nAllow: /a":       access.Open,
		"Disallow: /a\nAllow: /a*":      access.Open,
		"Disallow: /\nAllow: /*$x":      access.Partly,
		"Disallow: /robots.txt":         access.Partly,
		"Disallow: /\nAllow: /robots.t": access.Partly,
	} {
		if got := of(t, robotstxt.Parse([]byte("User-agent: *\n"+lines+"\n")).Rules()); got != want {
			t.Errorf("%q: %s, want %s", lines, got, want)
		}
	}
	for want, rules := range map[access.Access]robotstxt.Rules{access.Open: robotstxt.AllowAll("404"), access.Closed: robotstxt.DisallowAll("503")} {
		if got := of(t, rules); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The implicit Allow of /robots.txt opens no site, and neither does a Disallow of that
// path close a part of one.
func TestRobotsItself(t *testing.T) {
	for lines, want := range map[string]access.Access{
		"Disallow: /": access.Closed, "Disallow: /robots.txt$": access.Open, "Disallow: /robots.txt": access.Partly,
	} {
		body := []byte("User-agent: *\n" + lines + "\n")
		if got := of(t, robotstxt.RFC9309.Parse(body).Rules()); got != want {
			t.Errorf("%q: %s, want %s", lines, got, want)
		}
	}
}

// Every answer agrees with the search of semdiff and with the verdicts of all short
// paths, in every dialect.
func TestAgainstAllPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of string) string { return string(of[random.IntN(len(of))]) }
	var paths []string
	for p, n := []string{"/"}, 0; n < 4; n++ {
		paths = append(paths, p...)
		var longer []string
		for _, path := range p {
			for _, letter := range "a/?" {
				longer = append(longer, path+string(letter))
			}
		}
		p = longer
	}
	for range 4000 {
		var body strings.Builder
		body.WriteString("User-agent: *\n")
		for range random.IntN(4) {
			body.WriteString([]string{"Allow: ", "Disallow: "}[random.IntN(2)] + pick("/*a"))
			for range random.IntN(3) {
				body.WriteString(pick("/*a$"))
			}
			body.WriteString("\n")
		}
		for _, dialect := range robotstxt.Dialects() {
			rules := dialect.Parse([]byte(body.String())).Rules()
			got := of(t, rules)
			decision, err := semdiff.Decides(context.Background(), rules, "", semdiff.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if decision.AllAllowed != (got == access.Open) || decision.AllDisallowed != (got == access.Closed) {
				t.Fatalf("%s, %q: %s, the search says %+v", dialect, body.String(), got, decision)
			}
			for _, path := range paths {
				if allowed := rules.Allowed(path); allowed && got == access.Closed || !allowed && got == access.Open {
					t.Fatalf("%s, %q: %s, but %s is allowed: %v", dialect, body.String(), got, path, allowed)
				}
			}
		}
	}
}
