package semdiff_test

import (
	"fmt"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

func TestSiteChange(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"Disallow: /cart", "Disallow: /", "closes but [], was partly [/cart], otherwise true"},
		{"", "Disallow: /*$", "closes but [], was open [], otherwise true"},
		{"Disallow: /\nAllow: /a", "Disallow: /", "closes but [], was partly [/a], otherwise false"},
		{"Disallow: /", "", "opens but [], was closed [], otherwise false"},
		{"Disallow: /", "Disallow: /cart", "opens but [/cart], was closed [], otherwise false"},
		{"Disallow: /cart", "Disallow: /\nAllow: /help/", "closes but [/help/], was partly [/cart], otherwise true"},
		{"", "Disallow: /\nAllow: /a\nAllow: /b\nAllow: /c", "closes but [/a /b /c], was open [], otherwise true"},
		{"Disallow: /1\nDisallow: /2\nDisallow: /3\nDisallow: /4", "Disallow: /", "closes but [], was partly [], otherwise true"},

		{"", "Disallow: /\nAllow: /a\nAllow: /b\nAllow: /c\nAllow: /d", "-"}, // too many
		{"", "Disallow: /\nAllow: /a\nDisallow: /a/b", "-"},                  // /a in part
		{"Disallow: /\nAllow: /a\nAllow: /b", "Disallow: /\nAllow: /a", "-"}, // most was closed
		{"Disallow: /cart", "Disallow: /\nAllow: /cart", "-"},                // both
		{"Disallow: /cart", "Disallow: /car", "-"},
		{"Disallow: /", "Disallow: /*", "-"},
	} {
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			file := func(lines string) *robotstxt.Robots { return dialect.Parse([]byte("User-agent: *\n" + lines + "\n")) }
			got := "-"
			if s := differences(t, file(c.old), file(c.new), semdiff.Config{}).Rows[0].Site; s != nil {
				var except []string
				for _, e := range s.Before.Except {
					except = append(except, e.Pattern)
				}
				effect := map[bool]semdiff.Effect{true: semdiff.Opens, false: semdiff.Closes}[s.Opens]
				got = fmt.Sprintf("%s but %v, was %s %v, otherwise %v", effect, s.But, s.Before.Extent, except, s.Before.Allowed)
			}
			if got != c.want {
				t.Errorf("%s, %q to %q: %s, want %s", dialect, c.old, c.new, got, c.want)
			}
		}
	}
}
