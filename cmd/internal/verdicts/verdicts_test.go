package verdicts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/verdicts"
)

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		dialect             robotstxt.Dialect
		want                string // the crawlers for whom a verdict changes
	}{
		{"same", "User-agent: *\nDisallow: /a\n", "user-agent:*\n\ndisallow:/a", robotstxt.Google, ""},
		{"slash", "User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a/\n", robotstxt.Google, "*"},
		{"one of two", "User-agent: a\nUser-agent: b\nDisallow: /x\n", "User-agent: a\nDisallow: /x\n", robotstxt.Google, "b"},
		{"case of a token", "User-agent: FooBot\nDisallow: /x\n", "User-agent: FOOBOT\nDisallow: /x\n", robotstxt.Google, ""},
		{"digit", "User-agent: a1\nDisallow: /x\n", "User-agent: a\nDisallow: /x\n", robotstxt.Google, ""},
		{"digit", "User-agent: a1\nDisallow: /x\n", "User-agent: a\nDisallow: /x\n", robotstxt.RFC9309, "a1,a"},
		{"order", "User-agent: *\nAllow: /\nDisallow: /x\n", "User-agent: *\nDisallow: /x\nAllow: /\n", robotstxt.Google, ""},
		{"order", "User-agent: *\nAllow: /\nDisallow: /x\n", "User-agent: *\nDisallow: /x\nAllow: /\n", robotstxt.Koster1996, "*"},
		{"nobody named", "User-agent: AnyOtherBot\nDisallow: /\n", "User-agent: AnyOtherBot\nDisallow: /\nUser-agent: *\nDisallow: /x\n", robotstxt.Google, "*"},
	} {
		c := verdicts.Compare([]byte(tt.before), []byte(tt.after), tt.dialect)
		var agents []string
		for _, change := range c.Examples {
			if !slices.Contains(agents, change.Agent) {
				agents = append(agents, change.Agent)
			}
			// The engine itself must say so.
			for body, want := range map[string]bool{tt.before: !change.Allowed, tt.after: change.Allowed} {
				if got := tt.dialect.Allowed([]byte(body), "https://site.example"+change.URL, change.Agent); got != want {
					t.Errorf("%s: %+v, but %q says %v", tt.name, change, body, got)
				}
			}
		}
		if got := strings.Join(agents, ","); c.Compared == 0 || !strings.HasPrefix(tt.want, got) || (got == "") != (tt.want == "") || (c.Changed > 0) != (tt.want != "") {
			t.Errorf("%s, in %s: %d of %d change, for %q: want %q", tt.name, tt.dialect, c.Changed, c.Compared, got, tt.want)
		}
	}
}

// TestCompareMany counts what is compared of files made to take long.
func TestCompareMany(t *testing.T) {
	var agents, rules, groups strings.Builder
	for i := range 600 {
		fmt.Fprintf(&agents, "User-agent: %s\n", letters(i))
		fmt.Fprintf(&rules, "Disallow: /p%d*\n", i)
		fmt.Fprintf(&groups, "User-agent: %s\nAllow: /q%d\n", letters(i), i)
	}
	before := agents.String() + rules.String() + groups.String()
	after := strings.ReplaceAll(before, "*\n", "\n")
	for _, d := range robotstxt.Dialects() {
		c := verdicts.Compare([]byte(before), []byte(after), d)
		spent := c.Compared == verdicts.MostVerdicts || c.Trials() >= verdicts.MostTrials
		if c.Compared > verdicts.MostVerdicts || c.Trials() > verdicts.MostTrials+2*1200 || c.Compared < 1000 || c.Cut != spent {
			t.Errorf("%s: %d verdicts, %d trials, cut short: %v", d, c.Compared, c.Trials(), c.Cut)
		}
	}
}

// letters is a number as a product token.
func letters(n int) string {
	token := "bot"
	for ; n > 0; n /= 26 {
		token += string(rune('a' + n%26))
	}
	return token
}
