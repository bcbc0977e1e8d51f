package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// ruleFinder finds the rules of which a body has any, and fixes them as told.
func ruleFinder(fix func(line robotstxt.Line) *lint.Fix) func([]byte) []lint.Finding {
	return func(body []byte) (findings []lint.Finding) {
		for line := range robotstxt.Lines(body) {
			if line.Kind == robotstxt.KindDisallow {
				findings = append(findings, lint.Finding{Code: "RX999", Line: line.Number, Fix: fix(line)})
			}
		}
		return findings
	}
}

// value is a fix that gives a rule another path.
func value(line robotstxt.Line, path string) *lint.Fix {
	return &lint.Fix{Edits: []lint.Edit{{Start: line.ValueOffset, End: line.ValueOffset + len(line.Value), New: path}}}
}

func TestMendRefuses(t *testing.T) {
	body := "User-agent: *\nDisallow: /b*\nDisallow: /a\n"
	m := &mending{body: []byte(body), find: ruleFinder(func(line robotstxt.Line) *lint.Fix {
		switch string(line.Value) {
		case "/b*":
			return value(line, "/b")
		case "/a":
			return value(line, "/")
		}
		return nil
	})}
	err := m.plain()
	if err == nil || !strings.Contains(err.Error(), "the fix of RX999 on line 3 is not safe here: in dialect google the verdict changes for \"*\": ") {
		t.Errorf("error %v: want one that names the fix on line 3", err)
	}
}

// TestMendTogether has a fix for each of two equal rules. One of them is safe,
// both are not.
func TestMendTogether(t *testing.T) {
	m := &mending{body: []byte("User-agent: *\nDisallow: /a\nDisallow: /a\n"), find: func(body []byte) []lint.Finding {
		if bytes.Count(body, []byte("/a")) < 2 {
			return nil
		}
		return ruleFinder(func(line robotstxt.Line) *lint.Fix {
			return &lint.Fix{Edits: []lint.Edit{{Start: line.Offset, End: line.Offset + len(line.Raw)}}}
		})(body)
	}}
	if err := m.plain(); err != nil || string(m.body) != "User-agent: *\nDisallow: /a\n" || m.fixes != 1 {
		t.Errorf("%q after %d fixes (%v): want one of the rules", m.body, m.fixes, err)
	}
}

// TestMendEnds has fixes that undo each other.
func TestMendEnds(t *testing.T) {
	m := &mending{body: []byte("User-agent: *\nDisallow: /a\n"), find: ruleFinder(func(line robotstxt.Line) *lint.Fix {
		return value(line, map[string]string{"/a": "/a*", "/a*": "/a"}[string(line.Value)])
	})}
	if err := m.plain(); err != nil || m.fixes != mostRounds || !m.left {
		t.Errorf("%d fixes, left %v (%v): want %d and more", m.fixes, m.left, err, mostRounds)
	}
}

func TestClaims(t *testing.T) {
	first := []lint.Edit{{Start: 10, End: 20, New: "x"}, {Start: 30, End: 30, New: "y"}}
	for _, tt := range []struct {
		edit lint.Edit
		free bool
	}{
		{lint.Edit{Start: 0, End: 10}, true},
		{lint.Edit{Start: 0, End: 11}, false},
		{lint.Edit{Start: 10, End: 20, New: "x"}, true}, // the same
		{lint.Edit{Start: 10, End: 20, New: "z"}, false},
		{lint.Edit{Start: 10, End: 10, New: "z"}, false}, // before or behind?
		{lint.Edit{Start: 15, End: 15, New: "z"}, false},
		{lint.Edit{Start: 19, End: 25}, false},
		{lint.Edit{Start: 20, End: 30}, true},
		{lint.Edit{Start: 30, End: 30, New: "z"}, false},
		{lint.Edit{Start: 29, End: 31}, false},
		{lint.Edit{Start: 31, End: 40}, true},
	} {
		var c claims
		if !c.add(first) {
			t.Fatal("the first edits are in nobody's way")
		}
		if got := c.add([]lint.Edit{tt.edit}); got != tt.free {
			t.Errorf("%+v beside %+v: free %v, want %v", tt.edit, first, got, tt.free)
		}
		if _, err := lint.Apply(make([]byte, 50), c.edits); err != nil {
			t.Errorf("%+v: %v", c.edits, err)
		}
	}
}

func TestCompareVerdicts(t *testing.T) {
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
		c := compareVerdicts([]byte(tt.before), []byte(tt.after), tt.dialect)
		var agents []string
		for _, change := range c.examples {
			if !slices.Contains(agents, change.Agent) {
				agents = append(agents, change.Agent)
			}
			// The engine itself must say so.
			for body, want := range map[string]bool{tt.before: !change.Allowed, tt.after: change.Allowed} {
				if got := tt.dialect.Allowed([]byte(body), "https://site.example"+change.URL, change.Agent); got != want {
					t.Errorf("%s: %s, but %q says %v", tt.name, change, body, got)
				}
			}
		}
		if got := strings.Join(agents, ","); c.verdicts == 0 || !strings.HasPrefix(tt.want, got) || (got == "") != (tt.want == "") || (c.changed > 0) != (tt.want != "") {
			t.Errorf("%s, in %s: %d of %d change, for %q: want %q", tt.name, tt.dialect, c.changed, c.verdicts, got, tt.want)
		}
	}
}

// TestCompareManyVerdicts counts what is compared of files made to take long.
func TestCompareManyVerdicts(t *testing.T) {
	var agents, rules, groups strings.Builder
	for i := range 600 {
		fmt.Fprintf(&agents, "User-agent: %s\n", letters(i))
		fmt.Fprintf(&rules, "Disallow: /p%d*\n", i)
		fmt.Fprintf(&groups, "User-agent: %s\nAllow: /q%d\n", letters(i), i)
	}
	before := agents.String() + rules.String() + groups.String()
	after := strings.ReplaceAll(before, "*\n", "\n")
	for _, d := range robotstxt.Dialects() {
		c := compareVerdicts([]byte(before), []byte(after), d)
		if c.verdicts > mostVerdicts || c.trials > mostTrials+2*1200 || c.verdicts < 1000 {
			t.Errorf("%s: %d verdicts, %d trials", d, c.verdicts, c.trials)
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

func TestOtherNames(t *testing.T) {
	for site, want := range map[string]string{
		"https://shop.example":      "https://www.shop.example http://shop.example http://www.shop.example",
		"http://www.shop.example":   "https://shop.example https://www.shop.example http://shop.example",
		"https://www.example":       "https://www.www.example http://www.example http://www.www.example",
		"https://shop.example:8443": "",
		"http://127.0.0.1":          "",
		"https://[::1]":             "",
		"http://localhost":          "",
		"ftp://shop.example":        "",
	} {
		o, err := origin.Of(site)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, other := range otherNames(o) {
			got = append(got, other.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", site, got, want)
		}
	}
}
