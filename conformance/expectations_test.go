package conformance_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
)

const expectations = `# The shop may be found, the basket may not.

note: what the shop promises
robots: ../public/robots.txt

agents: Googlebot, Bingbot:msnbot
allow: https://shop.example/
deny: [7] /cart

	# No dialect was stated so far.
dialect: rfc9309, google
agents: "Tea;Bot", ""
deny: "/a b"
agents:
deny: /cart#top
`

func TestParseExpectations(t *testing.T) {
	for name, data := range map[string]string{
		"as it is":        expectations,
		"of some editors": "\ufeff" + strings.ReplaceAll(expectations, "\n", "\r\n"),
		"without its end": strings.TrimSuffix(expectations, "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			e, err := conformance.ParseExpectations("shop.robots-test", []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			if e.Name != "shop.robots-test" || e.Note != "what the shop promises" || e.Body != nil || e.Clauses != nil {
				t.Errorf("got %+v", e.Vector)
			}
			if e.Robots != "../public/robots.txt" || e.RobotsLine != 4 {
				t.Errorf("robots: got %q in line %d", e.Robots, e.RobotsLine)
			}
			compareChecks(t, e.Checks, []string{
				`7  ["Googlebot"] "https://shop.example/" true -1`,
				`7  ["Bingbot" "msnbot"] "https://shop.example/" true -1`,
				`8  ["Googlebot"] "/cart" false 7`,
				`8  ["Bingbot" "msnbot"] "/cart" false 7`,
				`13 rfc9309 ["Tea;Bot"] "/a b" false -1`,
				`13 rfc9309 [""] "/a b" false -1`,
				`13 google ["Tea;Bot"] "/a b" false -1`,
				`13 google [""] "/a b" false -1`,
				`15 rfc9309 [] "/cart#top" false -1`,
				`15 google [] "/cart#top" false -1`,
			})
		})
	}
}

func TestParseExpectationsAccepts(t *testing.T) {
	const checks = "robots: https://shop.example/\nagents: A\nallow: /\n"
	for lines, want := range map[string][2]bool{
		"": {}, "unreachable: ok\n": {true, false}, "html: ok\n": {false, true}, "html: ok\nunreachable: ok\nhtml: ok\n": {true, true},
	} {
		e, err := conformance.ParseExpectations("shop.robots-test", []byte(checks+lines))
		if err != nil || [2]bool{e.UnreachableOK, e.HTMLOK} != want {
			t.Errorf("%q: unreachable %v, html %v (%v)", lines, e.UnreachableOK, e.HTMLOK, err)
		}
	}
}

// ParseExpectations returns the same vectors and errors as ParseVector.
func TestParseExpectationsOfAVector(t *testing.T) {
	data := head + "agents: \"Foo;x\"\ndeny: [2] /x\n\nUser-agent: *\n\nDisallow: /x"
	e, err := conformance.ParseExpectations("area/name", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	if e.Robots != "" || string(e.Body) != "User-agent: *\n\nDisallow: /x" || e.Checks[0].Agents[0] != "Foo;x" {
		t.Errorf("got %+v", e)
	}
	for _, broken := range []string{
		strings.Replace(data, "note: a note\n", "", 1),
		strings.Replace(data, "note: a note\n", "# a comment\n", 1),
		strings.Replace(data, "note: a note\n", "robots: robots.txt\n", 1),
	} {
		_, want := conformance.ParseVector("area/name", []byte(broken))
		_, got := conformance.ParseExpectations("area/name", []byte(broken))
		if want == nil || got == nil || got.Error() != want.Error() {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestParseExpectationsErrors(t *testing.T) {
	const robots = "robots: robots.txt\n"
	tests := []struct {
		name, data string
		line       int
		text       string
	}{
		{"empty file", "", 1, "no robots.txt: write"},
		{"comments only", "# a\n\n# b\n", 3, "no robots.txt: write"},
		{"no robots", "agents: FooBot\nallow: /\n", 2, `write a line "robots: "`},
		{"no check", robots + "agents: FooBot\n", 2, `write lines "allow: "`},
		{"robots without a name", "robots:\n", 1, "one path or URL"},
		{"robots twice", robots + "\nrobots: other.txt\n", 3, "needs another file"},
		{"unreachable, but not ok", robots + "unreachable: yes\n", 2, "unreachable: write ok"},
		{"html without a value", robots + "html:\n", 2, "html: write ok"},
		{"no agents", robots + "allow: /\n", 2, "before the first agents"},
		{"the words of a robots.txt", robots + "User-agent: *\n", 2, `unknown key "User-agent": use robots, note,`},
		{"body", robots + "body: base64\n", 2, "unknown key"},
		{"clause after the first lines", robots + "\nclause: G1\n", 3, "unknown key"},
		{"line without a colon", robots + "\n\nallow\n", 4, "colon"},
		{"no space", robots + "agents:FooBot\n", 2, "one space"},
		{"trailing blank", robots + "agents: FooBot \r\n", 2, "none after"},
		{"empty crawler", robots + "agents: A,, B\n", 2, "empty token"},
		{"comma at the end", robots + "agents: A,\n", 2, "empty token"},
		{"semicolon, the separator of an earlier form", robots + "agents: A; B\n", 2, "a comma separates crawlers, a colon makes a fallback chain"},
		{"comment after agents", robots + "agents: FooBot # ours\n", 2, "a comment needs a separate line"},
		{"comment after a URL", robots + "agents: A\ndeny: /cart # the basket\n", 3, "a comment needs a separate line"},
		{"neither path nor URL", robots + "agents: A\ndeny: cart\n", 3, `"cart" is neither a path`},
		{"too many checks", robots + "agents: a" + strings.Repeat(",b", 1000) + strings.Repeat("\nallow: /", 100) + "\n", 102, "split the file"},
		{"no URL", robots + "agents: A\ndeny:\n", 3, "empty URL, write \"/\""},
		{"empty URL", robots + "agents: A\ndeny: \"\"\n", 3, "neither a path"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := conformance.ParseExpectations("shop.robots-test", []byte(test.data))
			isSyntaxError(t, err, "shop.robots-test", test.line, test.text)
		})
	}
}

// FuzzParseExpectations checks that every file that parses has a robots.txt and
// checks with valid line numbers, and that every error contains the file's name.
func FuzzParseExpectations(f *testing.F) {
	f.Add([]byte(expectations))
	f.Add([]byte(head + "deny: [2] /x\n\nUser-agent: *\nDisallow: /x"))
	f.Add([]byte("robots: a\nagents: \"\\x00\", b:c\nallow: [0] //\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := conformance.ParseExpectations("name", data)
		if err != nil {
			var syntax *conformance.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Name != "name" {
				t.Fatalf("got %v", err)
			}
			return
		}
		if (e.Robots == "") != (e.Clauses != nil) || (e.Robots == "") != (e.RobotsLine == 0) || len(e.Checks) == 0 {
			t.Fatalf("got %+v", e)
		}
		for _, c := range e.Checks {
			if c.HeadLine < 1 || c.HeadLine > 1+strings.Count(string(data), "\n") || c.Agents == nil ||
				c.Line < conformance.AnyLine {
				t.Fatalf("got %+v", c)
			}
		}
	})
}
