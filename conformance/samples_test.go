package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
)

func TestSamples(t *testing.T) {
	tests := []struct {
		dialect, pattern string
		want             string
	}{
		{conformance.Google, "/private/", "/private/ /private/x"},
		{conformance.RFC9309, "/a$", "/a"},
		{conformance.Google, "/*.pdf$", "/.pdf /x.pdf"},
		{conformance.Google, "*b", "/b /bx /xb /xbx"},
		{conformance.Google, "/caf\xc3\xa9/%2f%zz%", "/caf%C3%A9/%2F%zz% /caf%C3%A9/%2F%zz%x"},
		{conformance.RFC9309, "/robots.txt", "/robots.txtx"},
		{conformance.RFC9309, "/robots.txt$", ""},
		{conformance.Koster1996, "/private/", "/private/ /private/x"},
		{conformance.Koster1996, "/a?b", ""},
		{conformance.Koster1996, "/*", ""},
	}
	for _, test := range tests {
		c := conformance.Check{Dialect: test.dialect, URL: test.pattern, All: true}
		got := strings.ReplaceAll(strings.Join(c.Samples(), " "), "http://example.com", "")
		if got != test.want {
			t.Errorf("%s %q: got %q, want %q", test.dialect, test.pattern, got, test.want)
		}
	}
	if got := (conformance.Check{URL: "/a*"}).Samples(); !slices.Equal(got, []string{"/a*"}) {
		t.Errorf("a check of a URL: got %q", got)
	}
}

// Run tests samples of a pattern, and the failure contains the failing sample.
func TestRunSamples(t *testing.T) {
	v := parse(t, "format: 2\nclause: G1\nnote: a note\ndialect: google\nagents: FooBot\nallow: /y\ndeny-all: /a*b$\n\nbody")
	impl := func(_ string, _ []byte, _ []string, url string) (bool, int) {
		return url == "/y" || strings.HasSuffix(url, "xb"), 3
	}
	got := conformance.Run(impl, []conformance.Vector{v})
	if len(got) != 1 || got[0].Check.URL != "http://example.com/axb" || !got[0].Check.All || got[0].Check.HeadLine != 7 {
		t.Errorf("got %+v", got)
	}
}

func TestPatternErrors(t *testing.T) {
	const start = "robots: robots.txt\nagents: FooBot\n"
	for line, want := range map[string]string{
		"deny-all:":                      "empty pattern, write \"/\"",
		"deny-all: private/":             "not a path pattern",
		"deny-all: https://shop.example": "not a path pattern",
		"deny-all: [2] /a":               "",
		"deny-all: /a # the basket":      "blank in the pattern",
		"deny-all: \"/a#b\"":             "cannot be the value",
		"deny-all: \"/a\\n\"":            "cannot be the value",
		"deny-all: \"/a \"":              "cannot be the value",
		"deny-all: \"/a":                 "bad quoted pattern",
		"deny-none: /":                   "use robots, note, dialect, agents, allow, deny, allow-all, deny-all, unreachable or html",
	} {
		_, err := conformance.ParseExpectations("shop.robots-test", []byte(start+line+"\n"))
		isSyntaxError(t, err, "shop.robots-test", 3, want)
	}
	e, err := conformance.ParseExpectations("shop.robots-test", []byte(start+"allow-all: *.html$\ndeny-all: \"/a b\"\n"))
	if err != nil || len(e.Checks) != 2 || !e.Checks[0].All || !e.Checks[0].Allowed || e.Checks[1].URL != "/a b" ||
		e.Checks[1].Line != conformance.AnyLine {
		t.Errorf("got %+v, %v", e.Checks, err)
	}
	if _, err := conformance.ParseVector("area/name", []byte("format: 2\nclause: G1\nnote: n\ndialect: google\nagents: A\ndeny-all: /\n\nbody")); err == nil || !strings.Contains(err.Error(), "no check of a URL") {
		t.Errorf("a vector of patterns alone: got %v", err)
	}
}
