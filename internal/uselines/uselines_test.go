package uselines_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

func TestOf(t *testing.T) {
	const top = "License: top\nContent-Signal: top\nContent-Usage: top\n\n"
	const star = "User-agent: *\nDisallow: /cart\n"
	const named = "User-agent: GPTBot\nLicense: own\nContent-Signal: own\nDisallow: /\nLicense: second\n\n"
	for _, c := range []struct{ body, agent, license, signal string }{
		{"", "GPTBot", "", ""},
		{top, "GPTBot", "top", ""},
		{top + star, "GPTBot", "top", ""},
		{top + named + star, "GPTBot", "own second", "own"},
		{top + named + star, "CCBot", "top", ""},
		{top + named, "CCBot", "top", ""},
		{named + star, "CCBot", "", ""},
		{named + star + "\n\nLicense: last\n", "CCBot", "last", ""}, // a blank line ends no group
		{top + named + star + "User-agent: gptbot\nLicense: third\n", "GPTBot", "own second third", "own"},
		{top + "User-agent: GPTBot\nDisallow: /\n", "GPTBot", "top", ""},
	} {
		for _, d := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			file := d.Parse([]byte(c.body))
			want := map[string]string{uselines.License: c.license, uselines.ContentSignal: c.signal}
			for _, key := range uselines.Keys {
				var values []string
				for x := range uselines.Of(file, file.Rules(c.agent), key) {
					values = append(values, x.Value)
				}
				if got := strings.Join(values, " "); got != want[key] {
					t.Errorf("%s, %s of %s in %q: %q, want %q", d, key, c.agent, c.body, got, want[key])
				}
			}
		}
	}
	for x := range uselines.Of(nil, robotstxt.AllowAll("no file"), uselines.License) {
		t.Errorf("a line without a file: %v", x)
	}
}
