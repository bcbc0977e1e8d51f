package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
)

func parse(t *testing.T, data string) conformance.Vector {
	t.Helper()
	v, err := conformance.ParseVector("area/name", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRun(t *testing.T) {
	v := parse(t, head+"deny: [2] /a\nallow: /b\nallow: [0] /c\n\nbody")
	answer := func(allowed bool, line int) conformance.Implementation {
		return func(_ string, body []byte, agents []string, url string) (bool, int) {
			body[0], agents[0] = 'x', "spoilt"
			return allowed, line
		}
	}
	tests := []struct {
		name string
		impl conformance.Implementation
		want string // URLs of the failures, one for each dialect
	}{
		{"all denied by line 2", answer(false, 2), "/b /b /c /c"},
		{"all denied by some line", answer(false, conformance.AnyLine), "/b /b /c /c"},
		{"all allowed without line", answer(true, 0), "/a /a"},
		{"all allowed by some line", answer(true, conformance.AnyLine), "/a /a"},
		{"right verdict, wrong line", answer(true, 7), "/a /a /c /c"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var urls []string
			for _, f := range conformance.Run(test.impl, []conformance.Vector{v}) {
				urls = append(urls, f.Check.URL)
			}
			if got := strings.Join(urls, " "); got != test.want {
				t.Errorf("failed %q, want %q", got, test.want)
			}
		})
	}
	if string(v.Body) != "body" || v.Checks[0].Agents[0] != "FooBot" {
		t.Error("the implementation could change the vector")
	}
}

func TestFailureString(t *testing.T) {
	v := parse(t, head+"deny: [2] /a\n\n")
	failures := conformance.Run(func(string, []byte, []string, string) (bool, int) { return true, 0 },
		[]conformance.Vector{v})
	want := `area/name:6: [G25; RFC 9309 2.2.1] a note: google ["FooBot"] "/a": expected deny [2], got allow [0]`
	if len(failures) != 2 || failures[0].String() != want {
		t.Errorf("got %v, want %s", failures, want)
	}
}

func TestOnly(t *testing.T) {
	vectors := []conformance.Vector{
		parse(t, head+"deny: /a\ndialect: koster1996\nallow: /a\n\n"),
		parse(t, head+"deny: /a\n\n"),
	}
	got := conformance.Only(vectors, conformance.Koster1996)
	if len(got) != 1 || len(got[0].Checks) != 1 || got[0].Checks[0].Dialect != conformance.Koster1996 {
		t.Errorf("got %+v", got)
	}
	if len(vectors[0].Checks) != 3 || !slices.Equal(vectors[0].Checks[0].Agents, []string{"FooBot"}) {
		t.Error("Only changed what it was given")
	}
}

// TestRunPermission: every part of an answer is compared with the case.
func TestRunPermission(t *testing.T) {
	cases, err := conformance.PermissionCases()
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	right := func(c *conformance.PermissionCase, purpose string) conformance.PermissionAnswer {
		return conformance.PermissionAnswer{
			Verdict: c.Want[purpose], Provisional: slices.Contains(c.Provisional, purpose), Place: c.Deciding[purpose],
			Conflicts: c.Conflicts[purpose], Limits: c.Limits[purpose], Findings: slices.Contains(c.Findings, purpose),
		}
	}
	if failures := conformance.RunPermission(right, cases); len(failures) > 0 {
		t.Errorf("%q", failures)
	}
	type answer = conformance.PermissionAnswer
	failures := conformance.RunPermission(func(c *conformance.PermissionCase, purpose string) answer {
		got := right(c, purpose)
		return answer{"?", !got.Provisional, "?", append(got.Conflicts, "?"),
			append(got.Limits, "?"), !got.Findings}
	}, cases[:1])
	for _, part := range []string{"verdict", "provisional", "conflicts", "limits", "findings"} {
		if !slices.ContainsFunc(failures, func(line string) bool { return strings.Contains(line, ": "+part+": expected ") }) {
			t.Errorf("no failure of the %s in %q", part, failures)
		}
	}
}
