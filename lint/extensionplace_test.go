package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestUseAfterLastGroup: a line about use that is apart from the last group names the group's crawlers.
func TestUseAfterLastGroup(t *testing.T) {
	const star, named = "User-agent: *\nDisallow: /cart\n\n", "User-agent: GPTBot\nDisallow: /\n"
	for _, c := range []struct{ body, want string }{
		{star + named + "\nLicense: https://v.example/l.xml\n", "7 [GPTBot] a blank line, move it before the first User-agent line"},
		{star + named + "\nContent-Signal: ai-train=no\n", "7 [GPTBot] a blank line, repeat it in the group for *"},
		{star + "User-agent: CCBot\nDisallow: /x\n\n" + named + "\nContent-Signal: ai-train=no\n", "10 [GPTBot] a blank line, repeat it in every group"},
		{star + named + "# for everybody\nContent-Usage: train-ai=n\nLicense: https://v.example/l.xml\n", "7 [GPTBot] a comment, repeat it in the group for *"},
		{star + "User-agent: CCBot\n" + named + "\n# for all\nSitemap: https://v.example/s.xml\nLicense: https://v.example/l.xml\n",
			"10 [CCBot GPTBot] a blank line, move it before the first User-agent line"},
		{star + "User-agent: AI2Bot\nUser-agent: 80legs\nDisallow: /\n\nLicense: https://v.example/l.xml\n",
			"8 [AI2Bot 80legs] a blank line, move it before the first User-agent line"}, // Google reads AI and nothing
		{named + "\nContent-Signal: ai-train=no\n", "4 [GPTBot] a blank line, repeat it in a group for *"},

		{star + named + "License: https://v.example/l.xml\n", ""},
		{star + "User-agent: GPTBot\n\nLicense: https://v.example/l.xml\nDisallow: /\n", ""}, // before the rules
		{star + named + "\nLicense: https://v.example/l.xml\n\n" + star, ""},                 // not the last group
		{named + "\n" + star + "License: https://v.example/l.xml\n", ""},
		{"License: https://v.example/l.xml\n\n" + star, ""},
		{star + named + "\nLicense: https://v.example/l.xml\nDisallow: /x\n", ""},                   // among the rules
		{star + "Content-Signal: ai-train=yes\n\n" + named + "\nContent-Signal: ai-train=no\n", ""}, // group by group
		{star + "Content-Signal: ai-train=yes\n\n" + named + "\nLicense: https://v.example/l.xml\n", "9 [GPTBot] a blank line, move it before the first User-agent line"},
	} {
		got := ""
		for _, f := range lint.Check([]byte(c.body), lint.Config{}) {
			if f.Code != "RX526" {
				continue
			}
			_, reason, _ := strings.Cut(f.Message, "because ")
			between, place, _ := strings.Cut(reason, " does not end a group. If it is meant for all crawlers, ")
			got += fmt.Sprintf("%d %v %s, %s", f.Line, f.For, between, strings.TrimSuffix(place, "."))
			if f.Fix != nil || f.Severity != lint.Info {
				t.Errorf("%q: %v, %v", c.body, f.Severity, f.Fix)
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.body, got, c.want)
		}
	}
}

// TestControlTokens: a preference that the group of a control token does not repeat is reported, unless
// the group is closed.
func TestControlTokens(t *testing.T) {
	const all = "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: Google-Extended\n"
	for body, want := range map[string]string{
		all + "Disallow: /cart\n": "[Google-Extended]",
		all + "Disallow: /cart\n\nUser-agent: bingbot\nDisallow: /cart\n": "[Google-Extended bingbot]",
		all + "Content-Signal: ai-train=no\nDisallow: /cart\n":            "",
		all + "Disallow: /\n": "",
	} {
		got := ""
		for _, f := range lint.Check([]byte(body), lint.Config{}) {
			if f.Code == "RX524" {
				got += fmt.Sprint(f.For)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", body, got, want)
		}
	}
}
