package robotstxt_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

func TestDecisionString(t *testing.T) {
	body := "User-agent: FooBot\nDisallow: /page\nAllow: /page\nDisallow: /p\nDisallow: /x*y\n\nUser-agent: *\nDisallow:\n\nUser-agent: e\nUser-agent: foobot\nAllow: /i/index.html\n"
	for _, c := range []struct {
		dialect    robotstxt.Dialect
		agent, url string
		want       string
	}{
		{robotstxt.Google, "FooBot", "/page1", `allowed by line 3: Allow "/page", length 5, tied with line 2, group "FooBot" of line 1,11; path "/page1"`},
		{robotstxt.Google, "FooBot", "http://h/p", `disallowed by line 4: Disallow "/p", length 2, group "FooBot" of line 1,11; path "/p"`},
		{robotstxt.Google, "FooBot", "/other", `allowed: no rule of group "FooBot" of line 1,11 matches path "/other"`},
		{robotstxt.Google, "x", "/other", `allowed by line 8: Disallow "", length 0, group "*" of line 7; path "/other"`},
		{robotstxt.Google, "FooBot", "/i/", `allowed by line 12: Allow "/i/$", length 4, group "FooBot" of line 1,11; path "/i/"`},
		{robotstxt.Koster1996, "FooBot", "/page1", `disallowed by line 2: Disallow "/page", length 5, group "FooBot" of line 1; path "/page1"`},
		{robotstxt.RFC9309, "FooBot", "/robots.txt", `allowed: /robots.txt is always allowed; path "/robots.txt"`},
		{robotstxt.Google, "FooBot", "/x\x1b\ny", `disallowed by line 5: Disallow "/x*y", length 4, group "FooBot" of line 1,11; path "/x\x1b\ny"`},
		{robotstxt.RFC9309, "FooBot", "/x\x1b\ny", `disallowed by line 5: Disallow "/x*y", length 4, group "FooBot" of line 1,11; path "/x%1B%0Ay"`},
	} {
		d := c.dialect.Parse([]byte(body)).Rules(c.agent).Explain(c.url)
		if d.String() != c.want {
			t.Errorf("\ngot  %s\nwant %s", d, c.want)
		}
	}
	d := robotstxt.Parse([]byte("User-agent: a\nDisallow: /\n")).Rules("b").Explain("/x")
	if want := `allowed: no group applies to the crawler; path "/x"`; d.String() != want || d.Reason != robotstxt.ReasonNoGroup {
		t.Errorf("got %s, want %s", d, want)
	}
}

// TestDecisionJSON checks the field names, because other programs rely on them.
func TestDecisionJSON(t *testing.T) {
	body := []byte("User-agent: a\nDisallow: /p\nAllow: /p\nAllow: /\nAllow: /index.html\n")
	got, err := json.Marshal(robotstxt.Parse(body).Rules("a").Explain("http://h/p?q"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"allowed":true,"line":3,"reason":"rule","note":"","dialect":"google","agent":"a","agent_lines":[1],"group_line":1,` +
		`"rule":{"allow":true,"pattern":"/p","length":2,"line":3,"folder":false},` +
		`"tie":{"allow":false,"pattern":"/p","length":2,"line":2,"folder":false},` +
		`"others":[{"allow":false,"pattern":"/p","length":2,"line":2,"folder":false},{"allow":true,"pattern":"/","length":1,"line":4,"folder":false}],` +
		`"path":"/p?q"}`
	if string(got) != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
	var back robotstxt.Decision
	if err := json.Unmarshal(got, &back); err != nil || back.Line != 3 ||
		back.Reason != robotstxt.ReasonRule || back.Tie.Line != 2 {
		t.Errorf("not read back: %v %+v", err, back)
	}
	empty, _ := json.Marshal(robotstxt.DisallowAll("HTTP 503").Explain("/"))
	want = `{"allowed":false,"line":0,"reason":"no-file","note":"HTTP 503","dialect":"google","agent":"","agent_lines":[],"group_line":0,"rule":null,"tie":null,"others":[],"path":"/"}`
	if string(empty) != want {
		t.Errorf("\ngot  %s\nwant %s", empty, want)
	}
}

// TestDecisionGroup checks that GroupLine is the group of the deciding rule if
// several groups are merged, and that two rules without a path are not a tie.
func TestDecisionGroup(t *testing.T) {
	body := []byte("User-agent: b\nUser-agent: a\nDisallow: /x\n\nUser-agent: c\nDisallow: /\n\nUser-agent: A\nUser-agent: a\nDisallow: /y\n")
	d := robotstxt.Parse(body).Rules("a").Explain("/y")
	if d.Line != 10 || d.GroupLine != 8 || len(d.AgentLines) != 3 {
		t.Errorf("%+v", d)
	}
	if d := robotstxt.Parse(body).Rules("a").Explain("/x"); d.GroupLine != 1 {
		t.Errorf("%+v", d)
	}
	if d := robotstxt.Parse(body).Rules("c").Explain("/"); d.GroupLine != 5 || d.Line != 6 {
		t.Errorf("%+v", d)
	}
	d = robotstxt.Parse([]byte("User-agent: a\nDisallow:\nAllow:\n")).Rules("a").Explain("/")
	if d.Line != 3 || d.Tie != nil || d.Reason != robotstxt.ReasonEmptyRule {
		t.Errorf("%+v", d)
	}
}

// TestDecisionLists checks that Others contains all other rules that match, in file
// order.
func TestDecisionLists(t *testing.T) {
	body := []byte("User-agent: *\nAllow: /a*\nDisallow: /a\nDisallow: /b\nDisallow: /a/b/c\nAllow: /a/b/index.html\nDisallow:\n")
	d := robotstxt.Parse(body).Rules().Explain("/a/b/")
	if d.Line != 6 || d.Rule == nil || !d.Rule.Folder || d.Rule.Pattern != "/a/b/$" || d.Tie != nil {
		t.Errorf("%+v", d)
	}
	var lines []string
	for _, other := range d.Others {
		lines = append(lines, other.Pattern)
	}
	if got := strings.Join(lines, " "); got != "/a* /a " {
		t.Errorf("others: %q", got)
	}
}

func TestTextForms(t *testing.T) {
	var r robotstxt.Reason
	if err := r.UnmarshalText([]byte("empty-rule")); err != nil || r != robotstxt.ReasonEmptyRule {
		t.Error(r, err)
	}
	if err := r.UnmarshalText([]byte("rules")); err == nil || !strings.Contains(err.Error(), "no-match") {
		t.Error(err)
	}
	if got := robotstxt.Reason(99).String(); got != "Reason(99)" {
		t.Error(got)
	}
	d := robotstxt.Koster1996
	if err := d.UnmarshalText([]byte("RFC9309")); err != nil || d != robotstxt.RFC9309 {
		t.Error(d, err)
	}
	if err := d.UnmarshalText([]byte("bing")); err == nil || d != robotstxt.RFC9309 || !strings.Contains(err.Error(), "koster1996") {
		t.Error(d, err)
	}
	if got := robotstxt.Dialect(77); got.String() != "google" || got.Allowed([]byte("User-agent: *\nDisallow: /"), "/") {
		t.Error(got)
	}
}

func TestValidAgent(t *testing.T) {
	for token, want := range map[string]bool{
		"Googlebot": true, "foo_bot-X": true, "": false, "MJ12bot": false, "FooBot/2.1": false, "*": false, "Föö": false, "a b": false,
	} {
		if got := robotstxt.ValidAgent(token); got != want {
			t.Errorf("ValidAgent(%q) = %v (G33)", token, got)
		}
	}
}

// TestDialectValidAgent checks which octets each dialect allows in a token. Octets
// that end a value or a line are never valid.
func TestDialectValidAgent(t *testing.T) {
	const none, google, rfc, koster = 0, 1, 2, 4
	for token, want := range map[string]int{
		"Googlebot": google | rfc | koster, "foo_bot-X": google | rfc | koster,
		"MJ12bot": rfc | koster, "360Spider": rfc | koster, "archive.org_bot": rfc | koster,
		"Foo(x)": rfc, "Föö": rfc,
		"": none, "*": none, "**": none, "a b": none, "FooBot/2.1": none, " Foo": none, "Foo#Bot": none, "Foo\nBot": none, "Foo\x00Bot": none,
		"Foo*": koster, strings.Repeat("a", 20_000): none,
	} {
		for i, d := range robotstxt.Dialects() {
			if got := d.ValidAgent(token); got != (want>>i&1 == 1) {
				t.Errorf("%v.ValidAgent(%.40q) = %v", d, token, got)
			}
		}
	}
}

// FuzzValidAgent checks that ValidAgent, the grammar of RFC 9309, agrees with dialect
// Google, and that in every dialect an agent line with a valid token matches that
// token.
func FuzzValidAgent(f *testing.F) {
	for _, seed := range []string{"FooBot", "MJ12bot", "Foo#Bot", "a\v", "\fa", "**", "Foo*", "x\n", ":", "\xef\xbb\xbf", "#"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if len(token) < 10_000 && robotstxt.Google.ValidAgent(token) != robotstxt.ValidAgent(token) {
			t.Errorf("Google.ValidAgent(%q) = %v, ValidAgent %v", token, robotstxt.Google.ValidAgent(token), robotstxt.ValidAgent(token))
		}
		for _, d := range robotstxt.Dialects() {
			names := false
			for group := range d.Parse([]byte("User-agent: " + token)).Groups() {
				for agent := range group.Agents() {
					names = names || agent.Token == token
				}
			}
			if d.ValidAgent(token) && !names {
				t.Errorf("%v.ValidAgent(%q) is true, but an agent line with it has another token", d, token)
			}
		}
	})
}
