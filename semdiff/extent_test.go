package semdiff_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

// extentOf checks the witness.
func extentOf(t *testing.T, rules robotstxt.Rules) semdiff.Extent {
	t.Helper()
	extent, witness, err := semdiff.ExtentOf(context.Background(), rules, semdiff.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if (witness != nil) != (extent == semdiff.ExtentPartly) {
		t.Fatalf("%s with the witness %+v", extent, witness)
	}
	if witness != nil {
		if allowed, line := rules.Verdict("http://host" + witness.Path); allowed == rules.Allowed("/") || line != witness.Line {
			t.Fatalf("%+v is no witness: line %d, %v", witness, line, allowed)
		}
	}
	return extent
}

func TestExtentOf(t *testing.T) {
	for lines, want := range map[string]semdiff.Extent{
		"":                              semdiff.ExtentOpen,
		"Disallow:":                     semdiff.ExtentOpen,
		"Allow: /":                      semdiff.ExtentOpen,
		"Disallow: /\nAllow: /":         semdiff.ExtentOpen,
		"Disallow: /":                   semdiff.ExtentClosed,
		"Disallow: *":                   semdiff.ExtentClosed,
		"Disallow: /*$":                 semdiff.ExtentClosed,
		"Disallow: */*$\nDisallow: /a":  semdiff.ExtentClosed,
		"Disallow: /*":                  semdiff.ExtentClosed,
		"Disallow: /\nDisallow: /a":     semdiff.ExtentClosed,
		"Disallow: /\nAllow:":           semdiff.ExtentClosed,
		"Disallow: /\nAllow: /a":        semdiff.ExtentPartly,
		"Disallow: /a":                  semdiff.ExtentPartly,
		"Disallow: /$":                  semdiff.ExtentPartly,
		"Disallow: /*a":                 semdiff.ExtentPartly,
		"Disallow: a":                   semdiff.ExtentOpen, // no path contains "a" at its beginning
		"Disallow: /a\nAllow: /":        semdiff.ExtentPartly,
		"Disallow: /a\nAllow: /a":       semdiff.ExtentOpen,
		"Disallow: /a\nAllow: /a*":      semdiff.ExtentOpen,
		"Disallow: /\nAllow: /*$x":      semdiff.ExtentPartly,
		"Disallow: /robots.txt":         semdiff.ExtentPartly,
		"Disallow: /\nAllow: /robots.t": semdiff.ExtentPartly,
	} {
		if got := extentOf(t, robotstxt.Parse([]byte("User-agent: *\n"+lines+"\n")).Rules()); got != want {
			t.Errorf("%q: %s, want %s", lines, got, want)
		}
	}
	for want, rules := range map[semdiff.Extent]robotstxt.Rules{semdiff.ExtentOpen: robotstxt.AllowAll("404"),
		semdiff.ExtentClosed: robotstxt.DisallowAll("503")} {
		if got := extentOf(t, rules); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The implicit Allow of /robots.txt opens no site, and neither does a Disallow of that
// path close a part of one.
func TestExtentOfRobotsItself(t *testing.T) {
	for lines, want := range map[string]semdiff.Extent{
		"Disallow: /": semdiff.ExtentClosed, "Disallow: /robots.txt$": semdiff.ExtentOpen, "Disallow: /robots.txt": semdiff.ExtentPartly,
	} {
		body := []byte("User-agent: *\n" + lines + "\n")
		if got := extentOf(t, robotstxt.RFC9309.Parse(body).Rules()); got != want {
			t.Errorf("%q: %s, want %s", lines, got, want)
		}
	}
}

// Every answer agrees with the search of semdiff and with the verdicts of all short
// paths, in every dialect.
func TestExtentOfAllPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of string) string { return string(of[random.IntN(len(of))]) }
	paths := witness.Short([]string{"a", "/", "?"}, 3)
	for range 1500 {
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
			got := extentOf(t, rules)
			decision, err := semdiff.Decides(context.Background(), rules, "", semdiff.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if decision.AllAllowed != (got == semdiff.ExtentOpen) ||
				decision.AllDisallowed != (got == semdiff.ExtentClosed) {
				t.Fatalf("%s, %q: %s, the search says %+v", dialect, body.String(), got, decision)
			}
			for _, path := range paths {
				if allowed := rules.Allowed(path); allowed && got == semdiff.ExtentClosed ||
					!allowed && got == semdiff.ExtentOpen {
					t.Fatalf("%s, %q: %s, but %s is allowed: %v", dialect, body.String(), got, path, allowed)
				}
			}
		}
	}
}
