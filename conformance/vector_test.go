package conformance_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
)

const head = "format: 2\nclause: G25; RFC 9309 2.2.1\nnote: a note\ndialect: google, rfc9309\nagents: FooBot\n"

func TestParseVector(t *testing.T) {
	data := head + "deny: [2] https://example.com/x\nallow: [0] /y\n" +
		"dialect: koster1996\nagents: OtherBot:\"Foo, Bot\" : \"\", Baz\nallow: \" /z\"\nagents:\ndeny: [x\n" +
		"\n\nUser-agent: * junk\n\nDisallow: /x"
	_, err := conformance.ParseVector("a/b", []byte(data))
	if err == nil {
		t.Fatal("a bracket without a line number was read as a URL")
	}
	data = strings.Replace(data, "deny: [x", "deny: \"[x\"", 1)
	v, err := conformance.ParseVector("a/b", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	if v.Name != "a/b" || v.Note != "a note" || !slices.Equal(v.Clauses, []string{"G25", "RFC 9309 2.2.1"}) {
		t.Errorf("head: %+v", v)
	}
	if got, want := string(v.Body), "\nUser-agent: * junk\n\nDisallow: /x"; got != want {
		t.Errorf("body %q, want %q", got, want)
	}
	compareChecks(t, v.Checks, []string{
		`6 google ["FooBot"] "https://example.com/x" false 2`,
		`6 rfc9309 ["FooBot"] "https://example.com/x" false 2`,
		`7 google ["FooBot"] "/y" true 0`,
		`7 rfc9309 ["FooBot"] "/y" true 0`,
		`10 koster1996 ["OtherBot" "Foo, Bot" ""] " /z" true -1`,
		`10 koster1996 ["Baz"] " /z" true -1`,
		`12 koster1996 [] "[x" false -1`,
	})
}

// compareChecks compares checks with lines that describe them.
func compareChecks(t *testing.T, checks []conformance.Check, want []string) {
	t.Helper()
	var got []string
	for _, c := range checks {
		got = append(got, fmt.Sprintf("%d %s %q %q %v %d", c.HeadLine, c.Dialect, c.Agents, c.URL, c.Allowed, c.Line))
	}
	if !slices.Equal(got, want) {
		t.Errorf("checks:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// isSyntaxError checks the place and the text of an error.
func isSyntaxError(t *testing.T, err error, name string, line int, text string) {
	t.Helper()
	var syntax *conformance.SyntaxError
	if !errors.As(err, &syntax) || syntax.Name != name || syntax.Line != line || !strings.Contains(syntax.Text, text) {
		t.Fatalf("got %v, want a SyntaxError in line %d of %s: %q", err, line, name, text)
	}
	if prefix := fmt.Sprintf("%s:%d: ", name, line); !strings.HasPrefix(err.Error(), prefix) {
		t.Errorf("%q does not start with %q", err, prefix)
	}
}

func TestParseVectorBase64(t *testing.T) {
	v, err := conformance.ParseVector("a/b", []byte(head+"allow: /\nbody: base64\n\nVXNl\n ci0A\r\n\tDQ== \n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(v.Body), "User-\x00\r"; got != want {
		t.Errorf("body %q, want %q", got, want)
	}
}

func TestParseVectorErrors(t *testing.T) {
	tests := []struct {
		name, data string
		line       int
		text       string
	}{
		{"empty file", "", 1, "no empty line"},
		{"no empty line", head + "allow: /\n", 6, "no empty line"},
		{"no colon", "clause G1\n\n", 1, "colon"},
		{"unknown key", head + "disallow: /\n\n", 5, `unknown key "disallow"`},
		{"key in capitals", "Clause: G1\n\n", 1, "unknown key"},
		{"carriage return", "clause: G1\r\nnote: x\r\n\n", 1, "one space"},
		{"no space", "clause:G1\n\n", 1, "one space"},
		{"two spaces", "clause:  G1\n\n", 1, "one space"},
		{"trailing blank", "clause: G1 \n\n", 1, "one space"},
		{"empty clause", "clause: G1;\n\n", 1, "clause"},
		{"second clause", "clause: G1\nclause: G2\n\n", 2, "only one line"},
		{"empty note", "note:\n\n", 1, "note"},
		{"second note", "note: a\nnote: b\n\n", 2, "note"},
		{"no clause", strings.Replace(head, "clause: G25; RFC 9309 2.2.1\n", "", 1) + "allow: /\n\n", 5, "no clause"},
		{"no note", strings.Replace(head, "note: a note\n", "", 1) + "allow: /\n\n", 5, "no note"},
		{"no check", head + "\n", 5, "no check"},
		{"no dialect", "clause: G1\nnote: x\nagents: FooBot\nallow: /\n\n", 4, "dialect"},
		{"no agents", "clause: G1\nnote: x\ndialect: google\nallow: /\n\n", 4, "agents"},
		{"unknown dialect", "dialect: bing\n\n", 1, `unknown "bing"`},
		{"empty dialect", "dialect:\n\n", 1, "dialect"},
		{"dialect twice", "dialect: google, google\n\n", 1, "twice"},
		{"comma after agents", "agents: FooBot,\n\n", 1, "agents"},
		{"comma before agents", "agents: , FooBot\n\n", 1, "agents"},
		{"semicolon", "agents: A; B\n\n", 1, "a colon makes a fallback chain"},
		{"open quote", "agents: \"FooBot\n\n", 1, "quoted"},
		{"word after quote", "agents: \"FooBot\" x\n\n", 1, "comma"},
		{"no URL", head + "allow:\n\n", 5, "empty URL"},
		{"line without URL", head + "allow: [1]\n\n", 5, "[line]"},
		{"negative line", head + "allow: [-1] /\n\n", 5, "[line]"},
		{"line with zeros", head + "allow: [01] /\n\n", 5, "[line]"},
		{"two spaces after line", head + "allow: [1]  /\n\n", 5, "blanks"},
		{"bad quoted URL", head + "allow: \"/x\n\n", 5, "quoted URL"},
		{"body in hex", head + "allow: /\nbody: hex\n\n", 6, "body"},
		{"body twice", head + "allow: /\nbody: base64\nbody: base64\n\n", 7, "body"},
		{"bad base64", head + "allow: /\nbody: base64\n\n!!!", 7, "base64"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data, line := test.data, test.line
			if data != "" { // the line of the format is before all
				data, line = "format: 2\n"+strings.TrimPrefix(data, "format: 2\n"), line+1
			}
			_, err := conformance.ParseVector("area/name", []byte(data))
			isSyntaxError(t, err, "area/name", line, test.text)
		})
	}
}

// TestFormat: the version is the first line of every vector, and a reader accepts no other.
func TestFormat(t *testing.T) {
	rest := strings.TrimPrefix(head, "format: 2\n") + "allow: /\n\n"
	for _, first := range []string{"", "format: 1\n", "format: 3\n", "format: 2.0\n", "format:2\n", "Format: 2\n", "note: x\nformat: 2\n", "format: 2\nformat: 2\n"} {
		if _, err := conformance.ParseVector("area/name", []byte(first+rest)); err == nil || !strings.Contains(err.Error(), "format") {
			t.Errorf("a vector that begins with %q: %v", first, err)
		}
	}
	for format, ok := range map[string]bool{"": true, "format: 2\n": true, "format: 3\n": false, "format:\n": false} {
		_, err := conformance.ParseExpectations("x.robots-test", []byte(format+"robots: robots.txt\nagents: FooBot\nallow: /\n"))
		if (err == nil) != ok {
			t.Errorf("expectations that begin with %q: %v", format, err)
		}
	}
	if _, err := conformance.ParseVector("area/name", []byte("format: "+conformance.Format+"\n"+rest)); err != nil {
		t.Error(err)
	}
}

func TestVectors(t *testing.T) {
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 300 {
		t.Errorf("%d vectors, want at least 300", len(vectors))
	}
	contents := map[string]string{}
	for i, v := range vectors {
		if i > 0 && vectors[i-1].Name >= v.Name {
			t.Errorf("%s: not sorted, or a name twice", v.Name)
		}
		if strings.Trim(v.Name, "abcdefghijklmnopqrstuvwxyz0123456789-/") != "" || strings.Count(v.Name, "/") != 1 {
			t.Errorf("%s: a name is area/words-with-hyphens in lower case", v.Name)
		}
		questions := map[string]bool{}
		for _, c := range v.Checks {
			question := fmt.Sprintf("%s %q %q %v", c.Dialect, c.Agents, c.URL, c.All)
			if questions[question] {
				t.Errorf("%s:%d: duplicate check: %s", v.Name, c.HeadLine, question)
			}
			questions[question] = true
			// If no line decides, the URL is allowed.
			if c.Line == 0 && !c.Allowed {
				t.Errorf("%s:%d: deny with line 0; without a deciding line a URL is allowed", v.Name, c.HeadLine)
			}
		}
		// Different areas may contain the same vector: some areas follow the
		// clauses and some the tables of a text.
		area, _, _ := strings.Cut(v.Name, "/")
		key := fmt.Sprintf("%s %q %q", area, v.Body, slices.Sorted(maps.Keys(questions)))
		if other, found := contents[key]; found {
			t.Errorf("%s and %s have the same body and queries", v.Name, other)
		}
		contents[key] = v.Name
	}
}

// TestClauses checks that the vectors cite every clause about verdicts, and no clause
// that does not exist.
func TestClauses(t *testing.T) {
	required := map[string]bool{}
	for i := 1; i <= 62; i++ {
		// No vector can test G55, a second kind of verdict, or G57, the reuse of
		// a matcher.
		if i != 55 && i != 57 {
			required[fmt.Sprintf("G%d", i)] = true
		}
	}
	for _, list := range []struct{ prefix, ids string }{
		{"RFC 9309 ", "2.1;2.2;2.2.1;2.2.2;2.2.3;2.2.4;2.3.1.1;2.3.1.5;5.1;5.2"},
		{"Koster ", "3.2;3.2.1;3.2.2;3.3;4.2"},
		{"Draft: ", "protocol definition;formal syntax;the user-agent line;the allow and disallow lines;" +
			"special characters;other lines;successful access;parsing errors;simple example;longest match"},
		{"Page: ", "what is a robots.txt file;file format;syntax;user-agent;disallow;allow;sitemap;" +
			"grouping of lines and rules;order of precedence for user agents;matching of user-agent fields;" +
			"grouping of rules;URL matching based on path values;order of precedence for rules"},
	} {
		for id := range strings.SplitSeq(list.ids, ";") {
			required[list.prefix+id] = true
		}
	}
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{}
	for _, v := range vectors {
		for _, id := range v.Clauses {
			cited[id] = true
			if !required[id] {
				t.Errorf("%s: cites %q, which does not exist", v.Name, id)
			}
		}
	}
	for id := range required {
		if !cited[id] {
			t.Errorf("no vector for %s", id)
		}
	}
}
