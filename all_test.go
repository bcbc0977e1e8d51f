package robotstxt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// TestAll checks that the strongest rule comes first, that the groups of a token
// are merged, and that an index page is yielded twice. That the order agrees with
// Verdict is a law, which checkDecision tests.
func TestAll(t *testing.T) {
	body := []byte("User-agent: a\nDisallow: /é\nAllow: /b/index.html$\nDisallow:\n\nUser-agent: b\nDisallow: /\n\n" +
		"User-agent: a\nDisallow: /b/x\nAllow: /b/x\nDisallow: /*c$\n")
	for _, c := range []struct {
		dialect robotstxt.Dialect
		agent   string
		want    string
	}{
		{robotstxt.Google, "a", "3 Allow /b/index.html$; 2 Disallow /%C3%A9; " +
			"3 Allow /b/$ folder; 11 Allow /b/x; 10 Disallow /b/x; 12 Disallow /*c$; 4 Disallow "},
		{robotstxt.RFC9309, "a", "0 Allow /robots.txt$; 3 Allow /b/index.html$; 2 Disallow /%C3%A9; 11 Allow /b/x; 10 Disallow /b/x; " +
			"12 Disallow /*c$; 4 Disallow "},
		{robotstxt.Koster1996, "a", "2 Disallow /é; 3 Allow /b/index.html$"},
		{robotstxt.Google, "b", "7 Disallow /"},
		{robotstxt.Google, "c", ""},
		{robotstxt.RFC9309, "c", "0 Allow /robots.txt$"},
	} {
		var got []string
		for rule := range c.dialect.Parse(body).Rules(c.agent).All() {
			directive, folder := "Disallow", ""
			if rule.Allow {
				directive = "Allow"
			}
			if rule.Folder {
				folder = " folder"
			}
			if rule.Length != len(rule.Pattern) {
				t.Errorf("%v %s: %q has length %d", c.dialect, c.agent, rule.Pattern, rule.Length)
			}
			got = append(got, fmt.Sprintf("%d %s %s%s", rule.Line, directive, rule.Pattern, folder))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%v %s:\ngot  %s\nwant %s", c.dialect, c.agent, got, c.want)
		}
	}
}

func TestAllWithoutFile(t *testing.T) {
	for _, rules := range []robotstxt.Rules{{}, robotstxt.AllowAll("x"), robotstxt.DisallowAll("x")} {
		if all := slices.Collect(rules.All()); len(all) > 0 {
			t.Errorf("%v", all)
		}
	}
}

// TestAllStops checks that the consumer can stop after any rule.
func TestAllStops(t *testing.T) {
	rules := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /a\nDisallow: /b\n")).Rules()
	for n := range 4 {
		seen := 0
		for range rules.All() {
			if seen == n {
				break
			}
			seen++
		}
		if seen != min(n, 3) {
			t.Errorf("%d rules instead of %d", seen, n)
		}
	}
}

// TestTraits compares the Traits of each dialect with its verdicts.
func TestTraits(t *testing.T) {
	for _, d := range robotstxt.Dialects() {
		allowed := func(path string, rules ...string) bool {
			return d.Parse([]byte("User-agent: *\n" + strings.Join(rules, "\n"))).Rules().Allowed(path)
		}
		got := robotstxt.Traits{
			Wildcards:  !allowed("/ab", "Disallow: /*b$"),
			FirstMatch: allowed("/ab", "Allow: /a", "Disallow: /ab"),
			IndexRule:  allowed("/a/", "Allow: /a/index.html", "Disallow: /a/"),
			Records:    allowed("/b", "Disallow: /a", "", "User-agent: *", "Disallow: /b"),
		}
		if got != d.Traits() {
			t.Errorf("%v: its verdicts have the traits %+v, but Traits returns %+v", d, got, d.Traits())
		}
	}
}
