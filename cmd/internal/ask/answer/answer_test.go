package answer

import (
	"testing"

	"github.com/kosterhq/robotstxt"
)

// FuzzAnswer: Answer, which looks for the deciding rule only, equals the whole
// decision.
func FuzzAnswer(f *testing.F) {
	f.Add("User-agent: a\nDisallow: /x\nAllow:\n", "a", "/x")
	f.Add("User-agent: a\nDisallow\nAllow: # no path\n", "b", "/")
	f.Add("User-agent: *\nDisallow:\n\nUser-agent: *\nDisallow: /", "b", "https://shop.example/robots.txt")
	f.Add("User-agent: *\nDisallow: /x", "b", "/robots.txt")
	f.Add("User-agent: *\nDisallow: /x", "b", "/%72obots.txt?")
	f.Add("User-agent: *\nDisallow: /x", "", "/r%6fbots.txt#")
	f.Fuzz(func(t *testing.T, text, agent, url string) {
		for _, d := range robotstxt.Dialects() {
			v := Visit{URL: url, Compared: url,
				Ruling: RuleFile(NewFile([]byte(text)), &d, []Crawler{NewCrawler(agent)})}
			a, want := v.Answer(0), v.Ruling.rules[0].Explain(url)
			if a.Allowed != want.Allowed || a.Line != want.Line || a.Reason != want.Reason || a.Group != want.Agent ||
				a.GroupLine != want.GroupLine {
				t.Errorf("%s: %+v; want %s", d, a, want)
			}
		}
	})
}
