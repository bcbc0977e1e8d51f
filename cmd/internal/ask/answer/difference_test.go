package answer

import (
	"testing"

	"github.com/kosterhq/robotstxt"
)

// TestWhyDifferent holds that each way in which dialects differ is told as what
// it is, whichever of the two was asked for.
func TestWhyDifferent(t *testing.T) {
	const google, rfc9309, koster = robotstxt.Google, robotstxt.RFC9309, robotstxt.Koster1996
	for _, test := range []struct {
		name, body, agent, url string
		a, b                   robotstxt.Dialect
		want                   string
	}{
		{"same", "User-agent: *\nDisallow: /\n", "FooBot", "/x", google, koster, ""},
		{"order", "User-agent: *\nDisallow: /\nAllow: /x\n", "FooBot", "/x", google, koster,
			"koster1996 takes the first rule that matches, not the longest"},
		{"order before wildcards", "User-agent: *\nAllow: /\nDisallow: /*x\n", "FooBot", "/x", google, koster,
			"koster1996 takes the first rule that matches, not the longest"},
		{"wildcard", "User-agent: *\nDisallow: /*x\n", "FooBot", "/ax", google, koster,
			"in koster1996 * and $ are ordinary characters, so line 2 matches other paths"},
		{"literal dollar", "User-agent: *\nDisallow: /a$\n", "FooBot", "/a$b", google, koster,
			"in koster1996 * and $ are ordinary characters, so line 2 matches other paths"},
		{"orphan", "User-agent: *\n\nDisallow: /x\n", "FooBot", "/x", google, koster,
			"koster1996 ends a group at an empty line, line 2, so line 3 is in no group"},
		{"split run", "User-agent: FooBot\n\nUser-agent: BarBot\nDisallow: /x\n", "FooBot", "/x", google, koster,
			"koster1996 ends a group at an empty line, line 2, so line 4 is in another group"},
		{"first group", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /x\n", "FooBot", "/x", google, koster,
			`koster1996 reads only the first group for "*", on line 1`},
		{"empty rule", "User-agent: *\nDisallow:\n", "FooBot", "/x", google, koster,
			"in koster1996 line 2 is not a rule, because it has no path"},
		{"digit", "User-agent: MJ12bot\nDisallow: /\n", "MJ12bot", "/x", google, rfc9309,
			"line 1 names MJ12bot in rfc9309, and MJ in google"},
		{"digit against everyone", "User-agent: *\nDisallow: /a\n\nUser-agent: 360Spider\nDisallow: /b\n", "360Spider", "/a", google, rfc9309,
			"line 4 names the empty token in google, and 360Spider in rfc9309"},
		{"file itself", "User-agent: *\nDisallow: /\n", "FooBot", "/robots.txt", google, rfc9309,
			"rfc9309 always allows the robots.txt itself"},
		{"folder", "User-agent: *\nDisallow: /\nAllow: /index.html\n", "FooBot", "/", google, rfc9309,
			"only google also allows the folder of an index page, as line 3 does"},
		{"encoding", "User-agent: *\nDisallow: /%62\n", "FooBot", "/b", google, rfc9309,
			"the encodings differ: rfc9309 compares the rule /b with /b, and google /%62 with /b"},
		{"length", "User-agent: *\nDisallow: /%7e\nAllow: /*e\n", "FooBot", "/%7Ee", google, rfc9309,
			"by their encodings, line 2 counts 4 octets in google and 2 in rfc9309"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := viewOf(test.a, test.body, test.agent, test.url), viewOf(test.b, test.body, test.agent, test.url)
			if got := whyDifferent(a, b); got != test.want {
				t.Errorf("whyDifferent(%s, %s) = %q, want %q", test.a, test.b, got, test.want)
			}
			if got := whyDifferent(b, a); (got == "") != (test.want == "") {
				t.Errorf("whyDifferent(%s, %s) = %q, but %q from the other side", test.b, test.a, got, test.want)
			}
		})
	}
}

func viewOf(dialect robotstxt.Dialect, text, agent, url string) view {
	f := parsedFile{NewFile([]byte(text)), dialect.Parse([]byte(text))}
	return view{f, f.robots.Rules(agent).Explain(url)}
}

// FuzzWhyDifferent holds that every difference has a reason, whatever the body.
func FuzzWhyDifferent(f *testing.F) {
	f.Add("User-agent: a\n\nUser-agent: b\nDisallow: /*x$\nAllow:\n", "a", "/ax")
	f.Add("User-agent: a1\nDisallow: /%7e\nAllow: /index.html\n", "a1", "/%7E")
	f.Fuzz(func(t *testing.T, text, agent, url string) {
		var views []view
		for _, d := range robotstxt.Dialects() {
			views = append(views, viewOf(d, text, agent, url))
		}
		for _, a := range views {
			for _, b := range views {
				same := a.decision.Allowed == b.decision.Allowed && a.decision.Line == b.decision.Line
				if why := whyDifferent(a, b); (why == "") != same {
					t.Errorf("%s and %s: %q", a.decision.Dialect, b.decision.Dialect, why)
				}
			}
		}
	})
}
